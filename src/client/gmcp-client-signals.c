/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-parts-private.h"

#include <json-glib/json-glib.h>

enum
{
  SIGNAL_CLOSED,
  SIGNAL_INPUT_REQUESTED,
  SIGNAL_LOG_MESSAGE,
  SIGNAL_NOTIFICATION,
  SIGNAL_PROMPTS_LIST_CHANGED,
  SIGNAL_RESOURCES_LIST_CHANGED,
  SIGNAL_RESOURCE_UPDATED,
  SIGNAL_TOOLS_LIST_CHANGED,
  SIGNAL_WARNING,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const struct
{
  GmcpSubscriptionFlags list;
  guint signal;
} list_signals[] = {
  { GMCP_SUBSCRIPTION_TOOLS, SIGNAL_TOOLS_LIST_CHANGED },
  { GMCP_SUBSCRIPTION_PROMPTS, SIGNAL_PROMPTS_LIST_CHANGED },
  { GMCP_SUBSCRIPTION_RESOURCES, SIGNAL_RESOURCES_LIST_CHANGED },
};

static void
install_change_signals (void)
{
  /**
   * GmcpClient::tools-list-changed:
   * @self: the client
   *
   * The server said that its list of tools has changed, or may have while it could not say so.
   * [property@Gmcp.Client:tools] is brought up to date by itself.
   *
   * A server of the modern era says so only while a list is being kept up to date or a
   * [class@Gmcp.Subscription] asks for it; it may say so once for each of them. The same holds for
   * the other signals of changes.
   *
   * Spec: MCP 2026-07-28, server/tools, "List Changed Notification".
   *
   * Since: 0.1
   */
  signals[SIGNAL_TOOLS_LIST_CHANGED] = g_signal_new (
    "tools-list-changed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GmcpClient::prompts-list-changed:
   * @self: the client
   *
   * The server said that its list of prompts has changed, or may have while it could not say so.
   *
   * Spec: MCP 2026-07-28, server/prompts, "List Changed Notification".
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROMPTS_LIST_CHANGED]
    = g_signal_new ("prompts-list-changed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);

  /**
   * GmcpClient::resources-list-changed:
   * @self: the client
   *
   * The server said that its list of resources has changed, or may have while it could not say so.
   *
   * Spec: MCP 2026-07-28, server/resources, "List Changed Notification".
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCES_LIST_CHANGED]
    = g_signal_new ("resources-list-changed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);

  /**
   * GmcpClient::resource-updated:
   * @self: the client
   * @uri: which resource; it may be a part of the one that was subscribed to
   *
   * The server said that a resource has changed, which a [class@Gmcp.Subscription] asked for.
   *
   * Spec: MCP 2026-07-28, server/resources, "Subscriptions".
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCE_UPDATED]
    = g_signal_new ("resource-updated", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, G_TYPE_STRING);

  /**
   * GmcpClient::notification:
   * @self: the client
   * @method: which notification
   * @params: (nullable): its parameters, or %NULL where it has none
   * @params_json: (nullable): the same as the text that came
   *
   * The server sent a notification that this library does not know.
   *
   * Spec: MCP 2026-07-28, basic, "Notifications".
   *
   * Since: 0.1
   */
  signals[SIGNAL_NOTIFICATION]
    = g_signal_new ("notification", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_STRING, JSON_TYPE_NODE, G_TYPE_STRING);
}

void
gmcp_client_install_signals (void)
{
  /**
   * GmcpClient::closed:
   * @self: the client
   * @error: why the connection ended
   *
   * The connection ended by itself: the server exited, or the stream broke. It is not emitted after
   * [method@Gmcp.Client.close_async], nor where opening failed.
   *
   * Since: 0.1
   */
  signals[SIGNAL_CLOSED] = g_signal_new ("closed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  install_change_signals ();

  /**
   * GmcpClient::log-message:
   * @self: the client
   * @message: what was logged
   *
   * The server has logged something. It also goes to GLib's structured log, with the domain
   * `Gmcp-Server` and the fields `GMCP_SERVER`, `GMCP_LOGGER`, `GMCP_LEVEL` and `GMCP_DATA`; from
   * warnings on as a message of that log, what matters less as information or debugging, and no more
   * than a hundred in a second. Its `MESSAGE` is one line as [func@Gmcp.dup_visible_line] makes it.
   *
   * Spec: MCP 2026-07-28, server/utilities/logging.
   *
   * Since: 0.1
   */
  signals[SIGNAL_LOG_MESSAGE]
    = g_signal_new ("log-message", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, GMCP_TYPE_LOG_MESSAGE);

  /**
   * GmcpClient::input-requested:
   * @self: the client
   * @request: the question: a [class@Gmcp.Elicitation] or a [class@Gmcp.Sampling]
   *
   * The server asks something, in the middle of a call or beside it. Whoever answers keeps a
   * reference on @request and answers it when the answer is there; a question on which nobody keeps
   * a reference counts as cancelled.
   *
   * Connect before the client is opened: the server is told by that what it may ask. Without a
   * handler questions to the user are declined.
   *
   * Since: 0.1
   */
  signals[SIGNAL_INPUT_REQUESTED]
    = g_signal_new ("input-requested", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, GMCP_TYPE_INPUT_REQUEST);

  /**
   * GmcpClient::warning:
   * @self: the client
   * @message: what is wrong, as a sentence that names the server
   *
   * Something is wrong with what the server sends that fails no call, but that a person should know:
   * a list that repeats its cursors, and of which only the beginning is known.
   *
   * Since: 0.1
   */
  signals[SIGNAL_WARNING] = g_signal_new ("warning", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
on_closed (gpointer client, const GError *error)
{
  g_signal_emit (client, signals[SIGNAL_CLOSED], 0, error);
}

static void
on_warning (gpointer client, const char *text)
{
  g_signal_emit (client, signals[SIGNAL_WARNING], 0, text);
}

const GmcpSessionEvents gmcp_client_session_events = {
  .open_changed = gmcp_client_notify_open,
  .server_changed = gmcp_client_notify_server,
  .closed = on_closed,
  .warning = on_warning,
};

static void
on_lists_changed (gpointer client, GmcpSubscriptionFlags lists)
{
  for (guint i = 0; i < G_N_ELEMENTS (list_signals); i++)
    if ((lists & list_signals[i].list) != 0)
      g_signal_emit (client, signals[list_signals[i].signal], 0);
}

static void
on_resource_updated (gpointer client, const char *uri)
{
  g_signal_emit (client, signals[SIGNAL_RESOURCE_UPDATED], 0, uri);
}

static gboolean
on_notification (gpointer client, const GmcpRpcMessage *notification)
{
  if (!g_signal_has_handler_pending (client, signals[SIGNAL_NOTIFICATION], 0, FALSE))
    return FALSE;

  gmcp_client_emit_notification (client, signals[SIGNAL_NOTIFICATION], notification);
  return TRUE;
}

static void
on_log_message (gpointer client, GmcpLogMessage *message)
{
  g_signal_emit (client, signals[SIGNAL_LOG_MESSAGE], 0, message);
}

static gboolean
has_input_handler (gpointer client)
{
  return g_signal_has_handler_pending (client, signals[SIGNAL_INPUT_REQUESTED], 0, FALSE);
}

static void
on_input_requested (gpointer client, GmcpInputRequest *request)
{
  g_signal_emit (client, signals[SIGNAL_INPUT_REQUESTED], 0, request);
}

const GmcpFeatureEvents gmcp_client_feature_events = {
  .lists_changed = on_lists_changed,
  .resource_updated = on_resource_updated,
  .notification = on_notification,
  .log_message = on_log_message,
  .has_input_handler = has_input_handler,
  .input_requested = on_input_requested,
};

void
gmcp_client_emit_notification (gpointer object, guint signal_id, const GmcpRpcMessage *notification)
{
  g_autofree char *method = gmcp_json_value_dup_string (notification->method);
  g_autoptr (JsonNode) params = NULL;
  g_autofree char *params_json = NULL;

  if (gmcp_json_value_is_present (notification->params))
    {
      params = gmcp_json_value_to_node (notification->params);
      params_json = gmcp_json_value_dup_raw (notification->params);
    }
  g_signal_emit (object, signal_id, 0, method, params, params_json);
}
