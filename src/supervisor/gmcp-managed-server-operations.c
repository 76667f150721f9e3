/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-managed-server-config-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a host may ask of a server beside starting and stopping it. */

static gboolean
is_up (GmcpManagedServer *self)
{
  return gmcp_server_state_is_up (gmcp_managed_server_get_state (self))
         && gmcp_client_is_open (
           gmcp_server_instance_get_client (gmcp_managed_server_get_instance (self)));
}

/**
 * gmcp_managed_server_health_check_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the check
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Checks now whether the server works, in the way that its configuration says. What comes of it counts
 * as any other check. A server that does not run is not started.
 *
 * It fails only where @cancellable is cancelled.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_health_check_async (GmcpManagedServer *self,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_health_check_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!is_up (self))
    {
      g_task_return_boolean (task, FALSE);
      return;
    }

  gmcp_health_monitor_check (gmcp_managed_server_get_health_monitor (self), task);
}

/**
 * gmcp_managed_server_health_check_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.health_check_async]. Where the check did not pass,
 * [property@Gmcp.ManagedServer:last-error] says why.
 *
 * Returns: whether the server runs and the check passed
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_health_check_finish (GmcpManagedServer *self,
                                         GAsyncResult *result,
                                         GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_health_check_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The tools as a host knows them. */
static GListModel *
list_as_listed (GmcpManagedServer *self, GListModel *tools)
{
  GListStore *listed = g_list_store_new (GMCP_TYPE_TOOL);

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) original = g_list_model_get_item (tools, i);
      g_autoptr (GmcpTool) tool
        = gmcp_server_host_dup_listed_tool (gmcp_managed_server_get_host (self), self, original);

      g_list_store_append (listed, tool);
    }
  return G_LIST_MODEL (listed);
}

static void
on_discovered (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GListModel) tools = NULL;
  GError *error = NULL;

  tools = gmcp_client_list_tools_finish (GMCP_CLIENT (object), result, &error);
  if (tools != NULL)
    g_task_return_pointer (task, list_as_listed (g_task_get_source_object (task), tools),
                           g_object_unref);
  else
    g_task_return_error (task, error);
}

/**
 * gmcp_managed_server_discover_tools_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the server's list of tools again. What is given are all tools that the server has, those that
 * rules hide included, as [method@Gmcp.ToolProvider.get_tools] would list them: each knows its server,
 * and has the name that it is called by.
 *
 * Fails with %GMCP_ERROR_NOT_RUNNING for a server that does not run, which is not started.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_discover_tools_async (GmcpManagedServer *self,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_discover_tools_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (is_up (self))
    gmcp_client_list_tools_async (
      gmcp_server_instance_get_client (gmcp_managed_server_get_instance (self)), cancellable,
      on_discovered, g_steal_pointer (&task));
  else
    g_task_return_error (task, gmcp_managed_server_not_running_error (self));
}

/**
 * gmcp_managed_server_discover_tools_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.discover_tools_async].
 *
 * Returns: (transfer full): a list of [class@Gmcp.Tool], under the names that they are called by here;
 *   [method@Gmcp.Tool.get_server_tool_name] gives the server's own
 *
 * Since: 0.1
 */
GListModel *
gmcp_managed_server_discover_tools_finish (GmcpManagedServer *self,
                                           GAsyncResult *result,
                                           GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_discover_tools_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* What a server has: its lists are read side by side. */
typedef struct
{
  GListModel *tools;
  GListModel *resources;
  GListModel *prompts;
  GError *error; /* the first */
  guint n_reading;
} Having;

static void
having_free (gpointer data)
{
  Having *having = data;

  g_clear_object (&having->tools);
  g_clear_object (&having->resources);
  g_clear_object (&having->prompts);
  g_clear_error (&having->error);
  g_free (having);
}

static void
write_items (GmcpJsonWriter *writer, const char *key, GListModel *items, char *(*dup) (gpointer))
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_begin_array (writer);
  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (items, i);
      g_autofree char *json = dup (item);

      gmcp_json_writer_raw (writer, json, -1);
    }
  gmcp_json_writer_end_array (writer);
}

static char *
describe_server (Having *having, GmcpClient *client)
{
  GmcpCapabilities *declared = gmcp_client_get_server_capabilities (client);
  g_autofree char *capabilities
    = declared != NULL ? gmcp_capabilities_dup_json (declared) : g_strdup ("{}");
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  gmcp_json_writer_begin_object (&writer);
  write_items (&writer, "tools", having->tools, (char *(*) (gpointer)) gmcp_definition_dup_json);
  write_items (&writer, "resources", having->resources,
               (char *(*) (gpointer)) gmcp_definition_dup_json);
  write_items (&writer, "prompts", having->prompts,
               (char *(*) (gpointer)) gmcp_definition_dup_json);
  gmcp_json_writer_key (&writer, "capabilities");
  gmcp_json_writer_raw (&writer, capabilities, -1);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (out, FALSE);
}

static void
read_one (GTask *task, GmcpClient *client, GListModel **slot, GListModel *list, GError *error)
{
  Having *having = g_task_get_task_data (task);

  *slot = list;
  if (error != NULL && having->error == NULL)
    having->error = g_steal_pointer (&error);
  g_clear_error (&error);
  if (--having->n_reading > 0)
    return;

  if (having->error != NULL)
    g_task_return_error (task, g_steal_pointer (&having->error));
  else
    g_task_return_pointer (task, describe_server (having, client), g_free);
}

static void
on_tools (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Having *having = g_task_get_task_data (task);
  GmcpClient *client = GMCP_CLIENT (object);
  GError *error = NULL;
  GListModel *list = gmcp_client_list_tools_finish (client, result, &error);

  read_one (task, client, &having->tools, list, error);
}

static void
on_resources (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Having *having = g_task_get_task_data (task);
  GmcpClient *client = GMCP_CLIENT (object);
  GError *error = NULL;
  GListModel *list = gmcp_client_list_resources_finish (client, result, &error);

  read_one (task, client, &having->resources, list, error);
}

static void
on_prompts (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Having *having = g_task_get_task_data (task);
  GmcpClient *client = GMCP_CLIENT (object);
  GError *error = NULL;
  GListModel *list = gmcp_client_list_prompts_finish (client, result, &error);

  read_one (task, client, &having->prompts, list, error);
}

static void
read_overview (GmcpManagedServer *self,
               gpointer tag,
               GCancellable *cancellable,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (GmcpClient) client = NULL;
  Having *having;

  g_task_set_source_tag (task, tag);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!is_up (self))
    {
      g_task_return_error (task, gmcp_managed_server_not_running_error (self));
      return;
    }

  client = g_object_ref (gmcp_server_instance_get_client (gmcp_managed_server_get_instance (self)));
  having = g_new0 (Having, 1);
  having->n_reading = 3;
  g_task_set_task_data (task, having, having_free);
  gmcp_client_list_tools_async (client, cancellable, on_tools, g_object_ref (task));
  gmcp_client_list_resources_async (client, cancellable, on_resources, g_object_ref (task));
  gmcp_client_list_prompts_async (client, cancellable, on_prompts, g_object_ref (task));
}

/**
 * gmcp_managed_server_read_overview_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks the server what it has: its tools, resources and prompts.
 *
 * Fails with %GMCP_ERROR_NOT_RUNNING for a server that does not run, which is not started, and as
 * reading the lists does.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_read_overview_async (GmcpManagedServer *self,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  read_overview (self, gmcp_managed_server_read_overview_async, cancellable, callback, user_data);
}

/**
 * gmcp_managed_server_read_overview_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.read_overview_async].
 *
 * Returns: (transfer full): a sealed JSON object with arrays `tools`, `resources` and `prompts` of what the
 *   server sent, and `capabilities` as it declares them
 *
 * Since: 0.1
 */
JsonNode *
gmcp_managed_server_read_overview_finish (GmcpManagedServer *self,
                                          GAsyncResult *result,
                                          GError **error)
{
  g_autofree char *json = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_read_overview_async),
                        NULL);

  json = g_task_propagate_pointer (G_TASK (result), error);
  if (json != NULL)
    doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  return doc != NULL ? gmcp_json_value_to_node (gmcp_json_doc_get_root (doc)) : NULL;
}

/**
 * gmcp_managed_server_read_overview_json_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Does what [method@Gmcp.ManagedServer.read_overview_async] does, and gives JSON text.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_read_overview_json_async (GmcpManagedServer *self,
                                              GCancellable *cancellable,
                                              GAsyncReadyCallback callback,
                                              gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  read_overview (self, gmcp_managed_server_read_overview_json_async, cancellable, callback,
                 user_data);
}

/**
 * gmcp_managed_server_read_overview_json_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.read_overview_json_async].
 *
 * Returns: (transfer full): the JSON object as text
 *
 * Since: 0.1
 */
char *
gmcp_managed_server_read_overview_json_finish (GmcpManagedServer *self,
                                               GAsyncResult *result,
                                               GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_managed_server_read_overview_json_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
