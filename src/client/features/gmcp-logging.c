/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-logging-private.h"

#include <string.h>
#include <syslog.h>

#include "gmcp-call-options-private.h"
#include "gmcp-era-features-private.h"
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

struct _GmcpLogging
{
  GmcpLogLevel level;
  GmcpLogLevel asked; /* of the peer, in this connection; UNSET for none */
  GArray *requests;   /* of gint64: those that asked for messages, and may have ended since */
  guint n_requests_kept;
  gint64 window_us;
  guint n_logged; /* in the second that began then */
};

static GmcpLogging *
logging_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->logging;
}

GmcpLogging *
gmcp_logging_new (void)
{
  GmcpLogging *logging = g_new0 (GmcpLogging, 1);

  logging->requests = g_array_new (FALSE, FALSE, sizeof (gint64));
  return logging;
}

void
gmcp_logging_free (GmcpLogging *logging)
{
  g_array_unref (logging->requests);
  g_free (logging);
}

GArray *
gmcp_logging_get_requests (GmcpSession *self)
{
  return logging_of (self)->requests;
}

/* A server that logs without end does not fill the log of the process. */
static gboolean
may_log (GmcpSession *self)
{
  gint64 now = g_get_monotonic_time ();

  if (now - logging_of (self)->window_us >= G_USEC_PER_SEC)
    {
      if (logging_of (self)->n_logged > GMCP_LIMIT_LOGGED_PER_SECOND)
        g_info ("%s: %u of its log messages were left out", gmcp_session_describe (self),
                logging_of (self)->n_logged - GMCP_LIMIT_LOGGED_PER_SECOND);
      logging_of (self)->window_us = now;
      logging_of (self)->n_logged = 0;
    }
  return logging_of (self)->n_logged++ < GMCP_LIMIT_LOGGED_PER_SECOND;
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
filter_and_cut (GmcpSession *self, char *given_text)
{
  char *text = gmcp_session_filter_text (self, given_text);

  if (text != NULL)
    cut_text (text);
  return text;
}

/* For the line of the log, which a program writes to a terminal: nothing in it is hidden, or looks like a
 * line of somebody else. */
static char *
filter_visibly (GmcpSession *self, char *given_text)
{
  g_autofree char *text = gmcp_session_filter_text (self, given_text);
  gulong n_left = text != NULL ? cut_text (text) : 0;
  g_autofree char *line = gmcp_dup_visible_line (text != NULL ? text : "", 0);
  g_autofree char *cut = n_left > 0 ? gmcp_describe_cut (n_left) : NULL;

  return g_strconcat (line, cut, NULL);
}

static void
log_structured (GmcpSession *self, GmcpLogMessage *message)
{
  GmcpLogLevel level = gmcp_log_message_get_level (message);
  const char *level_name = gmcp_log_level_get_name (level);
  g_autofree char *logger = filter_and_cut (self, g_strdup (gmcp_log_message_get_logger (message)));
  g_autofree char *data = filter_and_cut (self, gmcp_log_message_dup_data_json (message));
  g_autofree char *shown_logger
    = filter_visibly (self, g_strdup (gmcp_log_message_get_logger (message)));
  g_autofree char *shown_text = filter_visibly (self, gmcp_log_message_dup_text (message));
  g_autofree char *line = g_strdup_printf ("%s%s%s: %s", gmcp_session_describe (self),
                                           logger != NULL ? ", " : "", shown_logger, shown_text);
  const char priority[] = { (char) ('0' + log_levels[level].priority), '\0' };
  GLogField fields[] = {
    { "GLIB_DOMAIN", "Gmcp-Server", -1 },
    { "PRIORITY", priority, -1 },
    { "MESSAGE", line, -1 },
    { "GMCP_SERVER", gmcp_session_describe (self), -1 },
    { "GMCP_LEVEL", level_name != NULL ? level_name : "", -1 },
    { "GMCP_LOGGER", logger != NULL ? logger : "", -1 },
    { "GMCP_DATA", data != NULL ? data : "null", -1 },
  };

  g_log_structured_array (log_levels[level].flags, fields, G_N_ELEMENTS (fields));
}

/* Forgets those that have ended, until it has met so many that have not; gives the last of these. */
static GmcpExchange *
prune_requests (GmcpSession *self, guint enough, guint *n_found)
{
  GmcpExchange *found = NULL;

  *n_found = 0;
  for (guint i = logging_of (self)->requests->len; i > 0 && *n_found < enough; i--)
    {
      gint64 id = g_array_index (logging_of (self)->requests, gint64, i - 1);
      GmcpExchange *exchange = gmcp_session_find_exchange (self, id);

      if (exchange == NULL)
        {
          g_array_remove_index_fast (logging_of (self)->requests, i - 1);
          continue;
        }
      found = exchange;
      ++*n_found;
    }
  return found;
}

/* A server that knows one level for all calls logs whatever any of them may want. */
static gboolean
wants_level (GmcpCallOptions *options, GmcpLogLevel level)
{
  GmcpLogLevel wanted
    = options != NULL ? gmcp_call_options_get_log_level (options) : GMCP_LOG_LEVEL_UNSET;

  return wanted != GMCP_LOG_LEVEL_UNSET && level >= wanted;
}

/* Which call the message belongs to: where one request alone has asked for messages, to that; where requests do not ask,
 * to the only one that the server can be at, which does nothing else either. */
static GmcpCallOptions *
find_options (GmcpSession *self, GmcpLogLevel level)
{
  GmcpCallOptions *options;

  if (gmcp_session_get_era_features (self)->logs_by_request)
    {
      guint n_found;
      GmcpExchange *exchange = prune_requests (self, 2, &n_found);

      options = n_found == 1 ? gmcp_exchange_get_options (exchange) : NULL;
    }
  else
    {
      options = gmcp_pending_calls_get_length (gmcp_session_get_calls (self)) == 1
                  ? gmcp_session_find_only_options (self)
                  : NULL;
      if (!wants_level (options, level))
        return NULL;
    }
  return options != NULL ? g_object_ref (options) : NULL;
}

/* Whoever called may be another program, which is told no secret. NULL where nothing is left that is one message. */
static GmcpLogMessage *
filter_message (GmcpSession *self, GmcpLogMessage *message)
{
  g_autofree char *text = gmcp_log_message_dup_json (message);
  g_autofree char *filtered = gmcp_session_filter_text (self, g_strdup (text));
  g_autoptr (GmcpJsonDoc) doc = NULL;

  if (g_str_equal (text, filtered))
    return gmcp_log_message_ref (message);

  doc = gmcp_json_doc_parse (filtered, strlen (filtered), NULL, 0, NULL);
  return doc != NULL ? gmcp_log_message_new_from_value (gmcp_json_doc_get_root (doc)) : NULL;
}

static void
tell_caller (GmcpSession *self, GmcpCallOptions *options, GmcpLogMessage *message)
{
  g_autoptr (GmcpLogMessage) filtered = filter_message (self, message);

  if (filtered != NULL)
    gmcp_call_options_emit_log_message (options, filtered);
}

void
gmcp_logging_note_message (GmcpSession *self, GmcpJsonValue params)
{
  g_autoptr (GmcpLogMessage) message = gmcp_log_message_new_from_value (params);
  g_autoptr (GmcpCallOptions) options = NULL;

  if (message == NULL)
    {
      g_debug ("%s: a log message that says nothing", gmcp_session_describe (self));
      return;
    }

  options = find_options (self, gmcp_log_message_get_level (message));
  if (may_log (self))
    log_structured (self, message);
  if (options != NULL)
    tell_caller (self, options, message);
  gmcp_session_get_features (self)->events->log_message (gmcp_session_get_owner (self), message);
}

void
gmcp_logging_write_level (GmcpSession *self, GmcpExchange *exchange, GmcpJsonWriter *meta)
{
  GmcpLogging *logging = logging_of (self);
  GmcpCallOptions *options = gmcp_exchange_get_options (exchange);
  gint64 id = gmcp_exchange_get_id (exchange);
  GmcpLogLevel level = logging->level;

  if (options != NULL && gmcp_call_options_get_log_level (options) != GMCP_LOG_LEVEL_UNSET)
    level = gmcp_call_options_get_log_level (options);
  if (level == GMCP_LOG_LEVEL_UNSET || !gmcp_session_get_era (self)->features->logs_by_request)
    return;

  gmcp_json_writer_member_string (meta, GMCP_META_LOG_LEVEL, gmcp_log_level_get_name (level));
  if (logging_of (self)->requests->len
      >= MAX (MIN_LOGGING_REQUESTS, logging_of (self)->n_requests_kept * 2))
    {
      prune_requests (self, G_MAXUINT, &logging_of (self)->n_requests_kept);
    }
  g_array_append_val (logging_of (self)->requests, id);
}

static void
on_begun (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  if (error != NULL)
    g_debug ("%s does not take the log level: %s", gmcp_session_describe (self), error->message);
  g_clear_error (&error);
}

/* Where the server's era knows a level for all calls, and the server logs. */
static void
ask_for_level (GmcpSession *self, GmcpLogLevel level)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  if (gmcp_session_get_era (self)->features->begin_set_log_level == NULL
      || !gmcp_capabilities_has (gmcp_session_get_capabilities (self), "logging"))
    return;

  logging_of (self)->asked = level;
  exchange = gmcp_session_get_era (self)->features->begin_set_log_level (
    self, gmcp_log_level_get_name (level), on_begun, gmcp_session_get_call_timeout_ms (self),
    &params);
  gmcp_session_end_request (self, exchange, &params);
}

void
gmcp_logging_begin (GmcpSession *self)
{
  logging_of (self)->asked = GMCP_LOG_LEVEL_UNSET;
  if (logging_of (self)->level != GMCP_LOG_LEVEL_UNSET)
    ask_for_level (self, logging_of (self)->level);
}

void
gmcp_logging_ask_for (GmcpSession *self, GmcpCallOptions *options)
{
  GmcpLogLevel level
    = options != NULL ? gmcp_call_options_get_log_level (options) : GMCP_LOG_LEVEL_UNSET;
  GmcpLogLevel asked = logging_of (self)->asked;

  if (level == GMCP_LOG_LEVEL_UNSET || gmcp_call_options_has_default_log_level (options)
      || !gmcp_session_is_open (self) || (asked != GMCP_LOG_LEVEL_UNSET && asked <= level))
    return;

  ask_for_level (self, level);
}

/* TRUE where the level is something else now. */
gboolean
gmcp_logging_set_level (GmcpSession *self, GmcpLogLevel level)
{
  if (logging_of (self)->level == level)
    return FALSE;

  logging_of (self)->level = level;
  return TRUE;
}

GmcpLogLevel
gmcp_logging_get_level (GmcpSession *self)
{
  return logging_of (self)->level;
}

static void
on_level_set (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  /* Any pointer but NULL: there is nothing more to give. */
  gmcp_exchange_return_result (exchange, error == NULL ? gmcp_exchange_get_task (exchange) : NULL,
                               NULL, "logging", error);
}

void
gmcp_logging_tell_level (GmcpSession *self, GTask *task, GmcpCallOptions *options)
{
  GmcpLogLevel level = logging_of (self)->level;
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  if (level == GMCP_LOG_LEVEL_UNSET || !gmcp_session_is_open (self)
      || gmcp_session_get_era_features (self)->begin_set_log_level == NULL)
    {
      g_task_return_pointer (task, self, NULL);
      return;
    }

  logging_of (self)->asked = level;
  exchange = gmcp_session_get_era_features (self)->begin_set_log_level (
    self, gmcp_log_level_get_name (level), on_level_set, gmcp_session_get_call_timeout_ms (self),
    &params);
  gmcp_exchange_bind (exchange, task, options, _ ("the log level"));
  gmcp_session_end_request (self, exchange, &params);
}
