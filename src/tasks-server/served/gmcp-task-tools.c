/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "gmcp-task-error.h"
#include "gmcp-task-limits.h"
#include "gmcp-task-reply.h"
#include "gmcp-task-tools.h"

/* The five tools. Their names, descriptions and schemas are JSON files beside this one; the server
 * has checked the arguments against them before a handler here sees them. */

static JsonObject *
get_arguments (GmcpToolCall *call)
{
  return json_node_get_object (gmcp_tool_call_get_arguments (call));
}

static const char *
get_text (GmcpToolCall *call, const char *name)
{
  return json_object_get_string_member_with_default (get_arguments (call), name, NULL);
}

/* An integer of JSON may be written as 10 or as 10.0. */
static guint
get_number (GmcpToolCall *call, const char *name, guint default_value)
{
  JsonObject *arguments = get_arguments (call);

  return json_object_has_member (arguments, name)
           ? (guint) json_object_get_int_member (arguments, name)
           : default_value;
}

static const char *
get_user (GmcpTaskProvider *provider, GmcpToolCall *call)
{
  return gmcp_task_provider_get_user (provider, gmcp_tool_call_get_caller (call));
}

static gboolean
get_flag (GmcpToolCall *call, const char *name)
{
  return json_object_get_boolean_member_with_default (get_arguments (call), name, FALSE);
}

/* Takes @result. */
static void
return_result (GmcpToolCall *call, GmcpToolResult *result)
{
  gmcp_tool_call_return_result (call, result);
  gmcp_tool_result_unref (result);
}

/* Takes @error. */
static void
return_error (GmcpToolCall *call, GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    gmcp_tool_call_return_error (call, error);
  else
    return_result (call, gmcp_task_reply_new_error (error));

  g_error_free (error);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpToolCall) call = user_data;
  g_autoptr (GmcpTaskPage) page = NULL;
  GError *error = NULL;

  page = gmcp_task_store_list_finish (GMCP_TASK_STORE (object), result, &error);
  if (page != NULL)
    return_result (call, gmcp_task_reply_new_page (page));
  else
    return_error (call, error);
}

static GmcpTaskSelection
get_status (GmcpToolCall *call)
{
  const char *status = get_text (call, "status");

  if (g_strcmp0 (status, "pending") == 0)
    return GMCP_TASK_SELECTION_PENDING;
  if (g_strcmp0 (status, "completed") == 0)
    return GMCP_TASK_SELECTION_COMPLETED;
  return GMCP_TASK_SELECTION_ALL;
}

static void
handle_list (GmcpTaskProvider *provider, GmcpToolCall *call)
{
  gmcp_task_store_list_async (
    gmcp_task_provider_get_store (provider), get_user (provider, call), get_status (call),
    get_number (call, "limit", GMCP_TASK_DEFAULT_PAGE_ITEMS), get_number (call, "offset", 0),
    gmcp_tool_call_get_cancellable (call), on_listed, g_object_ref (call));
}

/* Takes @record, or @error where there is none. */
static void
return_task (GmcpToolCall *call, GmcpTaskRecord *record, GError *error)
{
  if (record == NULL)
    {
      return_error (call, error);
      return;
    }

  return_result (call, gmcp_task_reply_new_task (record));
  gmcp_task_record_free (record);
}

static void
on_created (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpToolCall) call = user_data;
  GError *error = NULL;
  GmcpTaskRecord *record = gmcp_task_store_create_finish (GMCP_TASK_STORE (object), result, &error);

  return_task (call, record, error);
}

static void
handle_create (GmcpTaskProvider *provider, GmcpToolCall *call)
{
  gmcp_task_store_create_async (gmcp_task_provider_get_store (provider), get_user (provider, call),
                                get_text (call, "title"), get_text (call, "description"),
                                get_text (call, "due_date"), gmcp_tool_call_get_cancellable (call),
                                on_created, g_object_ref (call));
}

static void
on_updated (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpToolCall) call = user_data;
  GError *error = NULL;
  GmcpTaskRecord *record = gmcp_task_store_update_finish (GMCP_TASK_STORE (object), result, &error);

  return_task (call, record, error);
}

static void
handle_update (GmcpTaskProvider *provider, GmcpToolCall *call)
{
  gmcp_task_store_update_async (
    gmcp_task_provider_get_store (provider), get_user (provider, call), get_text (call, "task_id"),
    get_text (call, "title"), get_text (call, "description"), gmcp_tool_call_get_cancellable (call),
    on_updated, g_object_ref (call));
}

static void
on_completed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpToolCall) call = user_data;
  GError *error = NULL;
  GmcpTaskRecord *record
    = gmcp_task_store_complete_finish (GMCP_TASK_STORE (object), result, &error);

  return_task (call, record, error);
}

static void
handle_complete (GmcpTaskProvider *provider, GmcpToolCall *call)
{
  gmcp_task_store_complete_async (
    gmcp_task_provider_get_store (provider), get_user (provider, call), get_text (call, "task_id"),
    get_flag (call, "completed"), gmcp_tool_call_get_cancellable (call), on_completed,
    g_object_ref (call));
}

static void
on_deleted (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpToolCall) call = user_data;
  GError *error = NULL;
  g_autofree char *id = gmcp_task_store_delete_finish (GMCP_TASK_STORE (object), result, &error);

  if (id != NULL)
    return_result (call, gmcp_task_reply_new_deleted (id));
  else
    return_error (call, error);
}

static void
handle_delete (GmcpTaskProvider *provider, GmcpToolCall *call)
{
  if (!get_flag (call, "confirm"))
    {
      return_error (call,
                    g_error_new_literal (GMCP_TASK_ERROR, GMCP_TASK_ERROR_CONFIRMATION_REQUIRED,
                                         _ ("Nothing was deleted. A deleted task cannot be "
                                            "brought back: ask the user, then call delete_task "
                                            "again with “confirm” set to true.")));
      return;
    }

  gmcp_task_store_delete_async (gmcp_task_provider_get_store (provider), get_user (provider, call),
                                get_text (call, "task_id"), gmcp_tool_call_get_cancellable (call),
                                on_deleted, g_object_ref (call));
}

/* What the schemas forbid has the form of all other answers. */
static GmcpToolResult *
on_arguments_refused (GmcpServer *server, GmcpTool *tool, const GError *error, gpointer user_data)
{
  g_autoptr (GError) reply
    = g_error_new (GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION,
                   /* Translators: the name of a tool, and what is wrong with each argument */
                   _ ("Nothing was done: the arguments of %s do not match its input schema: %s"),
                   gmcp_tool_get_server_tool_name (tool), error->message);

  return gmcp_task_reply_new_error (reply);
}

static const struct
{
  const char *name;
  const char *resource;
  void (*handler) (GmcpTaskProvider *provider, GmcpToolCall *call);
} tools[] = {
  { "list_tasks", "/org/gmcp/tasks/list-tasks.json", handle_list },
  { "create_task", "/org/gmcp/tasks/create-task.json", handle_create },
  { "update_task", "/org/gmcp/tasks/update-task.json", handle_update },
  { "complete_task", "/org/gmcp/tasks/complete-task.json", handle_complete },
  { "delete_task", "/org/gmcp/tasks/delete-task.json", handle_delete },
};

void
gmcp_task_tools_call (GmcpTaskProvider *provider, GmcpToolCall *call)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++)
    if (strcmp (tools[i].name, gmcp_tool_call_get_name (call)) == 0)
      {
        tools[i].handler (provider, call);
        return;
      }

  gmcp_tool_call_return_rpc_error (call, GMCP_RPC_ERROR_INVALID_PARAMS, "Unknown tool", NULL);
}

static GmcpTool *
load_tool (const char *resource, GError **error)
{
  g_autoptr (GBytes) data = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autofree char *json = NULL;

  if (data == NULL
      || !json_parser_load_from_data (parser, g_bytes_get_data (data, NULL),
                                      (gssize) g_bytes_get_size (data), error))
    return NULL;

  /* Without the white space, which would go over the wire with each list. */
  json = json_to_string (json_parser_get_root (parser), FALSE);
  return gmcp_tool_new_from_json (json, error);
}

gboolean
gmcp_task_tools_load (GListStore *list, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GmcpTool) tool = load_tool (tools[i].resource, error);

      if (tool == NULL)
        return FALSE;
      g_list_store_append (list, tool);
    }

  return TRUE;
}

void
gmcp_task_tools_answer_refusals (GmcpServer *server)
{
  g_signal_connect (server, "arguments-refused", G_CALLBACK (on_arguments_refused), NULL);
}
