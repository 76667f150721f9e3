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

static void
end_params (GmcpCaller *self, GString *written, GmcpJsonWriter *writer, GmcpLogLevel level)
{
  g_autoptr (GmcpJsonDoc) params = NULL;

  gmcp_json_writer_end_object (writer);
  params = gmcp_protocol_take_written (written);
  self->funcs->log (self->data, level, params);
}

static gboolean
wants_log (GmcpCaller *self, GmcpLogLevel level)
{
  return self->funcs != NULL && self->funcs->wants_log (self->data, level);
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

  if (!wants_log (self, level))
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
  if (!wants_log (self, level))
    return TRUE;

  written = g_string_new (NULL);
  writer = begin_params (written, level, logger);
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (doc));
  end_params (self, written, &writer, level);
  return TRUE;
}
