/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-caller-struct-private.h"
#include "gmcp-log-message-private.h"
#include "gmcp-protocol-private.h"

/* What a caller is told of its call. */

/* The value is written between the two. */
static GmcpJsonWriter
begin_params (GString *written, GmcpLogLevel level, const char *logger)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "level", gmcp_log_level_get_name (level));
  if (logger != NULL)
    gmcp_json_writer_member_string (&writer, "logger", logger);
  gmcp_json_writer_key (&writer, "data");
  return writer;
}

static gboolean
wants_log (GmcpCaller *self, GmcpLogLevel level)
{
  return self->funcs != NULL && self->funcs->wants_log (self->data, level);
}

/* A line of another thread. */
typedef struct
{
  GmcpCaller *caller;
  GmcpLogLevel level;
  GmcpJsonDoc *params;
} Line;

static void
line_free (gpointer data)
{
  Line *line = data;

  g_object_unref (line->caller);
  gmcp_json_doc_unref (line->params);
  g_free (line);
}

static gboolean
send_line (gpointer data)
{
  Line *line = data;

  if (wants_log (line->caller, line->level))
    line->caller->funcs->log (line->caller->data, line->level, line->params);
  return G_SOURCE_REMOVE;
}

/* As the answers of a thread are, in whose order they come. Takes the params. */
static void
send_home (GmcpCaller *self, GmcpLogLevel level, GmcpJsonDoc *params)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Line *line = g_new (Line, 1);

  line->caller = g_object_ref (self);
  line->level = level;
  line->params = params;
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[gmcp] log line of a thread");
  g_source_set_callback (source, send_line, line, line_free);
  g_source_attach (source, self->context);
}

static void
end_params (GmcpCaller *self, GString *written, GmcpJsonWriter *writer, GmcpLogLevel level)
{
  g_autoptr (GmcpJsonDoc) params = NULL;

  gmcp_json_writer_end_object (writer);
  params = gmcp_protocol_take_written (written);
  if (gmcp_caller_is_at_home (self))
    self->funcs->log (self->data, level, params);
  else
    send_home (self, level, g_steal_pointer (&params));
}

/* What another thread says is looked at when it has come home. */
static gboolean
is_said (GmcpCaller *self, GmcpLogLevel level)
{
  return !gmcp_caller_is_at_home (self) || wants_log (self, level);
}

/**
 * gmcp_caller_log:
 * @self: a caller
 * @level: how much it matters
 * @logger: (nullable): what part of the program says it
 * @text: what is to be said, without a secret
 *
 * Tells the caller something about its call, where it wants to know: to the client of a server that
 * asked for log messages of @level, to a host by [signal@Gmcp.CallOptions::log-message]. Of a flood
 * of messages some are left out.
 *
 * May be called in any thread, by a caller that was got in the thread of the call.
 *
 * Spec: MCP 2026-07-28, server/utilities/logging.
 *
 * Since: 0.1
 */
void
gmcp_caller_log (GmcpCaller *self, GmcpLogLevel level, const char *logger, const char *text)
{
  GString *written;
  GmcpJsonWriter writer;

  g_return_if_fail (GMCP_IS_CALLER (self));
  g_return_if_fail (level > GMCP_LOG_LEVEL_UNSET && level <= GMCP_LOG_LEVEL_EMERGENCY);
  g_return_if_fail (text != NULL);

  if (!is_said (self, level))
    return;

  written = g_string_new (NULL);
  writer = begin_params (written, level, logger);
  gmcp_json_writer_string (&writer, text);
  end_params (self, written, &writer, level);
}

/**
 * gmcp_caller_log_json:
 * @self: a caller
 * @level: how much it matters
 * @logger: (nullable): what part of the program says it
 * @data_json: any JSON value as text
 * @error: return location for an error
 *
 * Tells the caller something that is more than a text. Otherwise the same as
 * [method@Gmcp.Caller.log].
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @data_json is no JSON.
 *
 * Returns: whether it could be read
 *
 * Since: 0.1
 */
gboolean
gmcp_caller_log_json (GmcpCaller *self,
                      GmcpLogLevel level,
                      const char *logger,
                      const char *data_json,
                      GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GString *written;
  GmcpJsonWriter writer;

  g_return_val_if_fail (GMCP_IS_CALLER (self), FALSE);
  g_return_val_if_fail (level > GMCP_LOG_LEVEL_UNSET && level <= GMCP_LOG_LEVEL_EMERGENCY, FALSE);
  g_return_val_if_fail (data_json != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  doc = gmcp_json_doc_parse (data_json, strlen (data_json), NULL, 0, error);
  if (doc == NULL)
    return FALSE;
  if (!is_said (self, level))
    return TRUE;

  written = g_string_new (NULL);
  writer = begin_params (written, level, logger);
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (doc));
  end_params (self, written, &writer, level);
  return TRUE;
}
