/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"
#include "gmcp-gathered-lists-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-late-names-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-prompt-catalog-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-manager-calls-private.h"

#include <gmcp/core/gmcp-error.h>

/* The manager as a provider of the prompts of its servers. */

/* A prompt that somebody wants; the server is looked for, and started. */
typedef struct
{
  GmcpManager *manager;
  GmcpPromptRequest *request;
  char *prompt; /* as the server has it, once the name is known */
  gboolean looked_for;
} WantedPrompt;

static void
wanted_prompt_free (WantedPrompt *wanted)
{
  g_object_unref (wanted->manager);
  g_object_unref (wanted->request);
  g_free (wanted->prompt);
  g_free (wanted);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WantedPrompt, wanted_prompt_free)

static void
tell_of_server (gpointer owner, const char *server_id, GmcpNoticeLevel level, const char *message)
{
  gmcp_manager_notice (owner, server_id, level, message);
}

static void
list_prompts (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));
  g_autoptr (GPtrArray) asked = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (gmcp_manager_shows_server (self, server))
        g_ptr_array_add (asked, g_object_ref (server));
    }
  gmcp_prompt_catalog_list (gmcp_manager_get_prompt_catalog (self), task, asked, tell_of_server);
}

/**
 * gmcp_manager_list_prompts_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Lists the prompts of all servers, or those of [property@Gmcp.Manager:project], as commands under
 * names that are unique, `SERVER__PROMPT`, by which [method@Gmcp.PromptProvider.get_prompt_async] gets
 * one. A server that [property@Gmcp.Manager:role] allows nothing of
 * is left out. Servers that do not run are started, unless that is left
 * to the user. One that fails is left out.
 *
 * Fails where the configuration cannot be read.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Listing Prompts".
 *
 * Since: 0.1
 */
void
gmcp_manager_list_prompts_async (GmcpManager *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_list_prompts_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  gmcp_manager_when_configured (g_steal_pointer (&task), list_prompts);
}

/**
 * gmcp_manager_list_prompts_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.list_prompts_async].
 *
 * Returns: (transfer container) (element-type GmcpPromptCommand): the commands, server by server
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_prompts_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_list_prompts_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static GListModel *
get_prompts (GmcpPromptProvider *provider)
{
  return gmcp_gathered_lists_get (gmcp_manager_get_gathered_lists (GMCP_MANAGER (provider)),
                                  GMCP_GATHERED_PROMPTS);
}

static void
on_got_prompt (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpPromptRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) prompt
    = gmcp_client_get_prompt_finish (GMCP_CLIENT (object), result, &error);

  if (prompt != NULL)
    gmcp_prompt_request_return_result (request, prompt);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
on_server_up (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (WantedPrompt) wanted = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GmcpPromptRequest *request = wanted->request;
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GError) error = NULL;

  if (gmcp_managed_server_demand_finish (server, result, &error)
      && !gmcp_managed_server_is_ready (server))
    error = g_error_new (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                         _ ("Server “%s” was started for a prompt and ended again; nothing was "
                            "sent"),
                         gmcp_managed_server_get_title (server));
  if (error != NULL)
    gmcp_provider_request_return_error (base, error);
  else
    gmcp_client_get_prompt_async (
      gmcp_managed_server_get_client (server), wanted->prompt,
      gmcp_prompt_request_get_arguments (request), gmcp_provider_request_get_options (base),
      gmcp_provider_request_get_cancellable (base), on_got_prompt, g_object_ref (request));
}

static void find_prompt (WantedPrompt *wanted);

static void
on_looked_for (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (WantedPrompt) wanted = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_tool_provider_look_for_finish (result, NULL, &error))
    find_prompt (g_steal_pointer (&wanted));
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (wanted->request), error);
}

/* A name that is not known may be that of a server that has not been asked yet. Takes wanted. */
static void
find_prompt (WantedPrompt *wanted)
{
  g_autoptr (WantedPrompt) owned = wanted;
  GmcpManager *self = wanted->manager;
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (wanted->request);
  GCancellable *cancellable = gmcp_provider_request_get_cancellable (base);
  const char *name = gmcp_prompt_request_get_name (wanted->request);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) refused = NULL;
  GmcpManagedServer *server = NULL;
  GmcpManagedServer *named;
  GmcpToolName found;

  if (gmcp_prompt_catalog_find (gmcp_manager_get_prompt_catalog (self), name, &found, &error))
    server = gmcp_manager_get_server (self, found.server);
  named = server != NULL ? server : gmcp_manager_find_named_server (self, name);

  if (named != NULL
      && !gmcp_manager_check_reach (self, named, gmcp_provider_request_get_options (base),
                                    &refused))
    {
      gmcp_provider_request_return_error (base, refused);
    }
  else if (server != NULL)
    {
      wanted->prompt = g_strdup (found.tool);
      gmcp_managed_server_demand_async (server, cancellable, on_server_up,
                                        g_steal_pointer (&owned));
    }
  else if (!wanted->looked_for)
    {
      wanted->looked_for = TRUE;
      gmcp_manager_look_for_async (
        self, GMCP_LATE_PROMPT, name,
        gmcp_call_options_peek_role (gmcp_provider_request_get_options (base)), cancellable,
        on_looked_for, g_steal_pointer (&owned));
    }
  else
    {
      refused = gmcp_prompt_catalog_unknown_error (name, error);
      gmcp_provider_request_return_error (base, refused);
    }
}

static void
get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  WantedPrompt *wanted;

  if (!gmcp_manager_takes_request (GMCP_MANAGER (provider), GMCP_PROVIDER_REQUEST (request),
                                   "gmcp_prompt_provider_get_prompt_async"))
    return;

  wanted = g_new0 (WantedPrompt, 1);
  wanted->manager = g_object_ref (GMCP_MANAGER (provider));
  wanted->request = g_object_ref (request);
  find_prompt (wanted);
}

static void
complete_argument (GmcpPromptProvider *provider, GmcpCompletionRequest *request)
{
  GmcpManager *self = GMCP_MANAGER (provider);
  GmcpManagedServer *server = NULL;
  GmcpToolName found = { NULL };

  if (!gmcp_manager_takes_request (self, GMCP_PROVIDER_REQUEST (request),
                                   "gmcp_prompt_provider_complete_argument_async"))
    return;

  if (gmcp_prompt_catalog_find (gmcp_manager_get_prompt_catalog (self),
                                gmcp_completion_request_get_reference (request), &found, NULL))
    server = gmcp_manager_get_server (self, found.server);
  gmcp_manager_complete (self, request, server, GMCP_COMPLETION_KIND_PROMPT, found.tool);
}

void
gmcp_manager_prompt_provider_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = get_prompts;
  iface->get_prompt = get_prompt;
  iface->complete_argument = complete_argument;
}
