/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-health-check-private.h"
#include "gmcp-i18n-private.h"

#include <gmcp/core/gmcp-error.h>

static void
on_pinged (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (gmcp_client_ping_finish (GMCP_CLIENT (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
check_ping (GmcpServerConfig *config,
            GmcpServerInstance *instance,
            GmcpCallOptions *options,
            GTask *task)
{
  gmcp_client_ping_async (gmcp_server_instance_get_client (instance), options,
                          g_task_get_cancellable (task), on_pinged, g_object_ref (task));
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GmcpToolResult) answer = NULL;
  GError *error = NULL;

  answer = gmcp_client_call_tool_finish (GMCP_CLIENT (object), result, &error);
  if (answer == NULL)
    g_task_return_error (task, error);
  else if (gmcp_tool_result_is_error (answer))
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_FAILED,
                             _ ("The tool that server “%s” is checked with reports an error"),
                             gmcp_client_get_name (GMCP_CLIENT (object)));
  else
    g_task_return_boolean (task, TRUE);
}

/* A tool may be named as SERVER.TOOL, with the id of the server or the name that the id was made
 * of. */
const char *
gmcp_health_check_skip_server (const char *tool, const char *id)
{
  for (const char *dot = strchr (tool, '.'); dot != NULL; dot = strchr (dot + 1, '.'))
    {
      g_autofree char *name = g_strndup (tool, dot - tool);
      g_autofree char *made = gmcp_server_config_make_id (name);

      if (*name != '\0' && dot[1] != '\0' && g_str_equal (made, id))
        return dot + 1;
    }

  return tool;
}

static void
check_tool (GmcpServerConfig *config,
            GmcpServerInstance *instance,
            GmcpCallOptions *options,
            GTask *task)
{
  const char *tool = gmcp_server_instance_get_health_tool (instance, config);
  const char *arguments = gmcp_server_instance_get_health_arguments (instance, config);
  const char *id = gmcp_server_config_get_id (config);

  if (tool == NULL || *tool == '\0')
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                               _ ("Server “%s” is to be checked by a call, and no tool is named "
                                  "for that (health-tool)"),
                               gmcp_server_config_get_title (config));
      return;
    }

  gmcp_client_call_tool_json_async (
    gmcp_server_instance_get_client (instance), gmcp_health_check_skip_server (tool, id),
    arguments != NULL && *arguments != '\0' ? arguments : NULL, options,
    g_task_get_cancellable (task), on_called, g_object_ref (task));
}

static void
check_process (GmcpServerConfig *config,
               GmcpServerInstance *instance,
               GmcpCallOptions *options,
               GTask *task)
{
  if (gmcp_client_is_open (gmcp_server_instance_get_client (instance))
      && (gmcp_server_instance_get_pid (instance) == 0
          || gmcp_server_instance_has_process (instance)))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                             _ ("Server “%s” does not run any more"),
                             gmcp_server_config_get_title (config));
}

static void (*const methods[]) (GmcpServerConfig *,
                                GmcpServerInstance *,
                                GmcpCallOptions *,
                                GTask *)
  = {
      [GMCP_HEALTH_METHOD_PING] = check_ping,
      [GMCP_HEALTH_METHOD_TOOL_CALL] = check_tool,
      [GMCP_HEALTH_METHOD_PROCESS] = check_process,
    };

void
gmcp_health_check_async (GmcpServerConfig *config,
                         GmcpServerInstance *instance,
                         guint timeout_ms,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();

  g_task_set_source_tag (task, gmcp_health_check_async);
  gmcp_server_instance_note_check (instance);
  gmcp_call_options_set_timeout_ms (options, timeout_ms);
  gmcp_call_options_set_max_timeout_ms (options, timeout_ms);
  methods[gmcp_server_config_get_health_method (config)](config, instance, options, task);
}

gboolean
gmcp_health_check_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
