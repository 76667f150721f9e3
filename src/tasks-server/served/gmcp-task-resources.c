/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/json-rpc/gmcp-rpc-error.h>
#include <string.h>

#include "gmcp-task-error.h"
#include "gmcp-task-limits.h"
#include "gmcp-task-reply.h"
#include "gmcp-task-resources.h"
#include "gmcp-task-uri.h"

/* Tasks as resources: three lists, and a template for one task. A list has as many tasks as a page of
 * list_tasks at most, and says how many there are. */

#define MIME_TYPE "application/json"

static const struct
{
  const char *uri;
  const char *json;
} lists[] = {
  { GMCP_TASK_URI_ALL,
    "{\"uri\":\"" GMCP_TASK_URI_ALL "\",\"name\":\"tasks\",\"title\":\"Tasks\","
    "\"description\":\"All tasks of the user, oldest first: the first 1000, and how many there "
    "are\",\"mimeType\":\"" MIME_TYPE "\"}" },
  { GMCP_TASK_URI_PENDING,
    "{\"uri\":\"" GMCP_TASK_URI_PENDING "\",\"name\":\"pending_tasks\",\"title\":\"Tasks to do\","
    "\"description\":\"The tasks that are still to be done, oldest first: the first 1000, and how "
    "many there are\",\"mimeType\":\"" MIME_TYPE "\"}" },
  { GMCP_TASK_URI_COMPLETED,
    "{\"uri\":\"" GMCP_TASK_URI_COMPLETED
    "\",\"name\":\"completed_tasks\",\"title\":\"Tasks that are done\","
    "\"description\":\"The tasks that are done, oldest first: the first 1000, and how many there "
    "are\",\"mimeType\":\"" MIME_TYPE "\"}" },
};

static const char template_json[]
  = "{\"uriTemplate\":\"" GMCP_TASK_URI_TEMPLATE "\",\"name\":\"task\",\"title\":\"Task\","
    "\"description\":\"One task, by the id that the lists and tools give\","
    "\"mimeType\":\"" MIME_TYPE "\"}";

void
gmcp_task_resources_list (GListStore *resources, GListStore *templates)
{
  g_autoptr (GmcpResourceTemplate) template
    = gmcp_resource_template_new_from_json (template_json, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GmcpResource) resource = gmcp_resource_new_from_json (lists[i].json, NULL);

      g_list_store_append (resources, resource);
    }
  g_list_store_append (templates, template);
}

static const char *
get_user (GmcpTaskProvider *provider, gpointer request)
{
  return gmcp_task_provider_get_user (provider, gmcp_provider_request_get_caller (request));
}

/* Takes @error. What is not there has the protocol's own error; what the database says is for the user
 * to read. */
static void
return_error (gpointer request, GError *error)
{
  if (g_error_matches (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND))
    {
      g_error_free (error);
      error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "Resource not found");
    }
  gmcp_provider_request_return_error (request, error);
  g_error_free (error);
}

/* Takes @json. */
static void
return_json (GmcpResourceRequest *request, char *json)
{
  g_autofree char *text = json;
  g_autoptr (GmcpResourceResult) result
    = gmcp_resource_result_new_text (gmcp_resource_request_get_uri (request), MIME_TYPE, text);

  gmcp_resource_request_return_result (request, result);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpResourceRequest) request = user_data;
  GError *error = NULL;
  g_autoptr (GmcpTaskPage) page
    = gmcp_task_store_list_finish (GMCP_TASK_STORE (object), result, &error);

  if (page != NULL)
    return_json (request, gmcp_task_reply_dup_page_json (page));
  else
    return_error (request, error);
}

static void
on_got (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpResourceRequest) request = user_data;
  GError *error = NULL;
  g_autoptr (GmcpTaskRecord) record
    = gmcp_task_store_get_finish (GMCP_TASK_STORE (object), result, &error);

  if (record != NULL)
    return_json (request, gmcp_task_reply_dup_record_json (record));
  else
    return_error (request, error);
}

void
gmcp_task_resources_read (GmcpTaskProvider *provider, GmcpResourceRequest *request)
{
  GmcpTaskUri uri = gmcp_task_uri_parse (gmcp_resource_request_get_uri (request));
  GmcpTaskStore *store = gmcp_task_provider_get_store (provider);
  const char *user = get_user (provider, request);
  GCancellable *cancellable
    = gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (request));

  switch (uri.kind)
    {
    case GMCP_TASK_URI_KIND_LIST:
      gmcp_task_store_list_async (store, user, uri.selection, GMCP_TASK_LIMIT_PAGE_ITEMS, 0,
                                  cancellable, on_listed, g_object_ref (request));
      break;

    case GMCP_TASK_URI_KIND_TASK:
      gmcp_task_store_get_async (store, user, uri.id, cancellable, on_got, g_object_ref (request));
      break;

    case GMCP_TASK_URI_KIND_NONE:
    default:
      return_error (request, g_error_new_literal (GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND, ""));
    }
}

static void
on_ids_found (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpCompletionRequest) request = user_data;
  GError *error = NULL;
  g_auto (GStrv) ids = gmcp_task_store_find_ids_finish (GMCP_TASK_STORE (object), result, &error);

  if (ids != NULL)
    gmcp_completion_request_return_values (request, (const char *const *) ids);
  else
    return_error (request, error);
}

/* The newest tasks first: they are what is mostly looked for. */
void
gmcp_task_resources_complete (GmcpTaskProvider *provider, GmcpCompletionRequest *request)
{
  static const char *const nothing[] = { NULL };

  if (strcmp (gmcp_completion_request_get_argument (request), "id") != 0)
    {
      gmcp_completion_request_return_values (request, nothing);
      return;
    }

  gmcp_task_store_find_ids_async (
    gmcp_task_provider_get_store (provider), get_user (provider, request),
    gmcp_completion_request_get_value (request),
    gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (request)), on_ids_found,
    g_object_ref (request));
}
