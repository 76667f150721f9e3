/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/json-rpc/gmcp-rpc-error.h>
#include <string.h>

#include "gmcp-task-day.h"
#include "gmcp-task-prompt.h"

/* The one prompt: what is overdue, due and done on a day. */

#define NAME "sum_up_day"

static const char prompt_json[]
  = "{\"name\":\"" NAME "\",\"title\":\"Sum up the day\","
    "\"description\":\"What is overdue, what is due and what was done on a day\","
    "\"arguments\":[{\"name\":\"date\",\"description\":\"A date such as 2026-08-01, or today, "
    "tomorrow or yesterday; today if it is left out\",\"required\":false}]}";

typedef struct
{
  GmcpPromptRequest *request;
  GmcpTaskDay day;
} Summary;

static void
summary_free (Summary *summary)
{
  g_object_unref (summary->request);
  g_free (summary);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Summary, summary_free)

void
gmcp_task_prompt_list (GListStore *prompts)
{
  g_autoptr (GmcpPrompt) prompt = gmcp_prompt_new_from_json (prompt_json, NULL);

  g_list_store_append (prompts, prompt);
}

static void
on_agenda (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Summary) summary = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskPage) page
    = gmcp_task_store_agenda_finish (GMCP_TASK_STORE (object), result, &error);
  g_autoptr (GmcpPromptResult) answer = NULL;
  g_autofree char *description = NULL;
  g_autofree char *text = NULL;

  if (page == NULL)
    {
      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (summary->request), error);
      return;
    }

  description = g_strconcat ("The day ", summary->day.date, NULL);
  text = gmcp_task_day_sum_up (&summary->day, page);
  answer = gmcp_prompt_result_new_text (description, text);
  gmcp_prompt_request_return_result (summary->request, answer);
}

void
gmcp_task_prompt_get (GmcpTaskProvider *provider, GmcpPromptRequest *request)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  const char *date = gmcp_prompt_request_get_argument (request, "date");
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (Summary) summary = NULL;

  if (strcmp (gmcp_prompt_request_get_name (request), NAME) != 0)
    {
      gmcp_provider_request_return_rpc_error (base, GMCP_RPC_ERROR_INVALID_PARAMS,
                                              "Invalid params: there is no such prompt", NULL);
      return;
    }

  summary = g_new0 (Summary, 1);
  summary->request = g_object_ref (request);
  if (!gmcp_task_day_parse (date, now, &summary->day))
    {
      gmcp_provider_request_return_rpc_error (
        base, GMCP_RPC_ERROR_INVALID_PARAMS,
        "Invalid params: date is a date that exists, such as 2026-08-01, or today, tomorrow or "
        "yesterday",
        NULL);
      return;
    }

  gmcp_task_store_agenda_async (
    gmcp_task_provider_get_store (provider),
    gmcp_task_provider_get_user (provider, gmcp_provider_request_get_caller (base)),
    summary->day.date, summary->day.start, summary->day.end,
    gmcp_provider_request_get_cancellable (base), on_agenda, summary);
  g_steal_pointer (&summary);
}

void
gmcp_task_prompt_complete (GmcpCompletionRequest *request)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_auto (GStrv) values = NULL;

  if (strcmp (gmcp_completion_request_get_argument (request), "date") == 0)
    values = gmcp_task_day_complete (gmcp_completion_request_get_value (request), now);
  else
    values = g_new0 (char *, 1);

  gmcp_completion_request_return_values (request, (const char *const *) values);
}
