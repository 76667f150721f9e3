/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-logging-private.h"

#include <syslog.h>

#include "gmcp-call-options-private.h"
#include "gmcp-era-private.h"
#include "gmcp-client-request-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-log-message-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-visible-text-private.h"

/* How many requests are remembered at least before those that have ended are looked for. */
#define MIN_LOGGING_REQUESTS 16u

/* How a server's message is shown in the log of this process. Nothing a server says is a warning of
 * this program, which could end it; how much it matters stands in PRIORITY. */
static const struct
{
  GLogLevelFlags flags;
  int priority;
} log_levels[] = {
  [GMCP_LOG_LEVEL_UNSET] = { G_LOG_LEVEL_INFO, LOG_INFO },
  [GMCP_LOG_LEVEL_DEBUG] = { G_LOG_LEVEL_DEBUG, LOG_DEBUG },
  [GMCP_LOG_LEVEL_INFO] = { G_LOG_LEVEL_INFO, LOG_INFO },
  [GMCP_LOG_LEVEL_NOTICE] = { G_LOG_LEVEL_INFO, LOG_NOTICE },
  [GMCP_LOG_LEVEL_WARNING] = { G_LOG_LEVEL_MESSAGE, LOG_WARNING },
  [GMCP_LOG_LEVEL_ERROR] = { G_LOG_LEVEL_MESSAGE, LOG_ERR },
  [GMCP_LOG_LEVEL_CRITICAL] = { G_LOG_LEVEL_MESSAGE, LOG_CRIT },
  [GMCP_LOG_LEVEL_ALERT] = { G_LOG_LEVEL_MESSAGE, LOG_ALERT },
  [GMCP_LOG_LEVEL_EMERGENCY] = { G_LOG_LEVEL_MESSAGE, LOG_EMERG },
};

enum
{
  SIGNAL_LOG_MESSAGE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

void
gmcp_client_install_logging_signals (void)
{
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
}

/* A server that logs without end does not fill the log of the process. */
static gboolean
may_log (GmcpClient *self)
{
  gint64 now = g_get_monotonic_time ();

  if (now - self->log_window_us >= G_USEC_PER_SEC)
    {
      if (self->n_logged > GMCP_LIMIT_LOGGED_PER_SECOND)
        g_info ("%s: %u of its log messages were left out", gmcp_client_describe (self),
                self->n_logged - GMCP_LIMIT_LOGGED_PER_SECOND);
      self->log_window_us = now;
      self->n_logged = 0;
    }
  return self->n_logged++ < GMCP_LIMIT_LOGGED_PER_SECOND;
}

/* Gives how many characters were left out. */
static gulong
cut_text (char *text)
{
  gsize length = strlen (text);
  gulong n_left;

  if (length <= GMCP_LIMIT_LOG_MESSAGE_BYTES)
    return 0;

  for (length = GMCP_LIMIT_LOG_MESSAGE_BYTES; ((guchar) text[length] & 0xc0) == 0x80;)
    length--;
  n_left = (gulong) g_utf8_strlen (text + length, -1);
  text[length] = '\0';
  return n_left;
}

static char *
tell (GmcpClient *self, char *given_text)
{
  char *text = gmcp_client_filter_text (self, given_text);

  if (text != NULL)
    cut_text (text);
  return text;
}

/* For the line of the log, which a program writes to a terminal: nothing in it is hidden, or looks like a
 * line of somebody else. */
static char *
tell_visibly (GmcpClient *self, char *given_text)
{
  g_autofree char *text = gmcp_client_filter_text (self, given_text);
  gulong n_left = text != NULL ? cut_text (text) : 0;
  g_autofree char *line = gmcp_dup_visible_line (text != NULL ? text : "", 0);
  g_autofree char *cut = n_left > 0 ? gmcp_describe_cut (n_left) : NULL;

  return g_strconcat (line, cut, NULL);
}

static void
log_structured (GmcpClient *self, GmcpLogMessage *message)
{
  GmcpLogLevel level = gmcp_log_message_get_level (message);
  const char *level_name = gmcp_log_level_get_name (level);
  g_autofree char *logger = tell (self, g_strdup (gmcp_log_message_get_logger (message)));
  g_autofree char *data = tell (self, gmcp_log_message_dup_data_json (message));
  g_autofree char *shown_logger
    = tell_visibly (self, g_strdup (gmcp_log_message_get_logger (message)));
  g_autofree char *shown_text = tell_visibly (self, gmcp_log_message_dup_text (message));
  g_autofree char *line = g_strdup_printf ("%s%s%s: %s", gmcp_client_describe (self),
                                           logger != NULL ? ", " : "", shown_logger, shown_text);
  const char priority[] = { (char) ('0' + log_levels[level].priority), '\0' };
  GLogField fields[] = {
    { "GLIB_DOMAIN", "Gmcp-Server", -1 },
    { "PRIORITY", priority, -1 },
    { "MESSAGE", line, -1 },
    { "GMCP_SERVER", gmcp_client_describe (self), -1 },
    { "GMCP_LEVEL", level_name != NULL ? level_name : "", -1 },
    { "GMCP_LOGGER", logger != NULL ? logger : "", -1 },
    { "GMCP_DATA", data != NULL ? data : "null", -1 },
  };

  g_log_structured_array (log_levels[level].flags, fields, G_N_ELEMENTS (fields));
}

/* Forgets those that have ended, until it has met so many that have not; gives the last of these. */
static GmcpExchange *
prune_requests (GmcpClient *self, guint enough, guint *n_found)
{
  GmcpExchange *found = NULL;

  *n_found = 0;
  for (guint i = self->logging_requests->len; i > 0 && *n_found < enough; i--)
    {
      gint64 id = g_array_index (self->logging_requests, gint64, i - 1);
      GmcpPendingCall *call = gmcp_pending_calls_find (self->pending, id);

      if (call == NULL)
        {
          g_array_remove_index_fast (self->logging_requests, i - 1);
          continue;
        }
      found = (GmcpExchange *) call;
      ++*n_found;
    }
  return found;
}

/* Which call the message belongs to: where one request alone has asked for messages, to that. */
static GmcpCallOptions *
find_options (GmcpClient *self)
{
  guint n_found;
  GmcpExchange *exchange = prune_requests (self, 2, &n_found);

  return n_found == 1 && exchange->options != NULL ? g_object_ref (exchange->options) : NULL;
}

void
gmcp_client_note_log_message (GmcpClient *self, GmcpJsonValue params)
{
  g_autoptr (GmcpLogMessage) message = gmcp_log_message_new_from_value (params);
  g_autoptr (GmcpCallOptions) options = NULL;

  if (message == NULL)
    {
      g_debug ("%s: a log message that says nothing", gmcp_client_describe (self));
      return;
    }

  options = find_options (self);
  if (may_log (self))
    log_structured (self, message);
  if (options != NULL)
    gmcp_call_options_emit_log_message (options, message);
  g_signal_emit (self, signals[SIGNAL_LOG_MESSAGE], 0, message);
}

void
gmcp_client_write_log_level (GmcpClient *self, GmcpExchange *exchange, GmcpJsonWriter *meta)
{
  GmcpLogLevel level = self->log_level;

  if (exchange->options != NULL
      && gmcp_call_options_get_log_level (exchange->options) != GMCP_LOG_LEVEL_UNSET)
    level = gmcp_call_options_get_log_level (exchange->options);
  if (level == GMCP_LOG_LEVEL_UNSET || !self->era->logs_by_request)
    return;

  gmcp_json_writer_member_string (meta, GMCP_META_LOG_LEVEL, gmcp_log_level_get_name (level));
  if (self->logging_requests->len >= MAX (MIN_LOGGING_REQUESTS, self->logging_requests_kept * 2))
    {
      prune_requests (self, G_MAXUINT, &self->logging_requests_kept);
    }
  g_array_append_val (self->logging_requests, exchange->pending.id);
}

static void
on_begun (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  if (error != NULL)
    g_debug ("%s does not take the log level: %s", gmcp_client_describe (self), error->message);
  g_clear_error (&error);
}

void
gmcp_client_begin_logging (GmcpClient *self)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  if (self->log_level == GMCP_LOG_LEVEL_UNSET || self->era->begin_set_log_level == NULL
      || !gmcp_capabilities_has (self->server_capabilities, "logging"))
    return;

  exchange = self->era->begin_set_log_level (self, gmcp_log_level_get_name (self->log_level),
                                             on_begun, self->call_timeout_ms, &params);
  gmcp_client_end_request (self, exchange, &params);
}

static void
on_level_set (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  /* Any pointer but NULL: there is nothing more to give. */
  gmcp_client_return_result (self, exchange, error == NULL ? exchange->task : NULL, NULL, "logging",
                             error);
}

/**
 * gmcp_client_get_log_level: (get-property log-level)
 * @self: a client
 *
 * Gets [property@Gmcp.Client:log-level].
 *
 * Returns: the value of [property@Gmcp.Client:log-level]
 *
 * Since: 0.1
 */
GmcpLogLevel
gmcp_client_get_log_level (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), GMCP_LOG_LEVEL_UNSET);

  return self->log_level;
}

/**
 * gmcp_client_set_log_level_async:
 * @self: a client
 * @log_level: from which level on messages are wanted; %GMCP_LOG_LEVEL_UNSET for what the server
 *   sends by itself
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Says which of its messages the server is to send, which [signal@Gmcp.Client::log-message] then
 * tells. Before the client is open this takes effect when it opens.
 *
 * A server of the modern era sends none unless it is asked, and is asked in each request from now
 * on, so this ends at once. One before 2026-07-28 is told by a request of its own, which fails with
 * [error@Gmcp.Error] `NOT_SUPPORTED` where it has no logging, with `CLOSED`, `SERVER_EXITED` or
 * `TIMED_OUT`, or with a [error@Gmcp.RpcError]. It cannot be asked to return to its own choice.
 *
 * Spec: MCP 2026-07-28, server/utilities/logging, "Per-request log level"; MCP 2025-11-25, the same,
 * "Setting Log Level".
 *
 * Since: 0.1
 */
void
gmcp_client_set_log_level_async (GmcpClient *self,
                                 GmcpLogLevel log_level,
                                 GmcpCallOptions *options,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (log_level <= GMCP_LOG_LEVEL_EMERGENCY);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_set_log_level_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (self->log_level != log_level)
    {
      self->log_level = log_level;
      g_object_notify (G_OBJECT (self), "log-level");
    }
  if (log_level == GMCP_LOG_LEVEL_UNSET || self->state != GMCP_CLIENT_OPEN
      || self->era->begin_set_log_level == NULL)
    {
      g_task_return_pointer (task, self, NULL);
      return;
    }

  exchange = self->era->begin_set_log_level (self, gmcp_log_level_get_name (log_level),
                                             on_level_set, self->call_timeout_ms, &params);
  gmcp_exchange_bind (exchange, task, options, _ ("the log level"));
  gmcp_client_end_request (self, exchange, &params);
}

/**
 * gmcp_client_set_log_level_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.set_log_level_async].
 *
 * Returns: whether the server took it
 *
 * Since: 0.1
 */
gboolean
gmcp_client_set_log_level_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_set_log_level_async), FALSE);

  return g_task_propagate_pointer (G_TASK (result), error) != NULL;
}
