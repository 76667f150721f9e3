/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-log-message-private.h"

#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

static const char *const level_names[]
  = { NULL, "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency" };

/**
 * GmcpLogMessage:
 *
 * What a server logged. Immutable; may be used from any thread.
 *
 * The text comes from the server, and may hold anything.
 *
 * Spec: MCP 2026-07-28, server/utilities/logging, "Log Message Notifications".
 *
 * Since: 0.1
 */
struct _GmcpLogMessage
{
  GmcpValue base;
  /* Decoded when asked for. */
  char *logger;
  JsonNode *data;
};

G_DEFINE_BOXED_TYPE (GmcpLogMessage, gmcp_log_message, gmcp_log_message_ref, gmcp_log_message_unref)

GmcpLogMessage *
gmcp_log_message_new_from_value (GmcpJsonValue params)
{
  if (!gmcp_json_value_is_object (params))
    return NULL;

  return gmcp_value_new (sizeof (GmcpLogMessage), params);
}

const char *
gmcp_log_level_get_name (GmcpLogLevel level)
{
  return level_names[level];
}

GmcpLogLevel
gmcp_log_level_read (GmcpJsonValue name)
{
  for (guint i = GMCP_LOG_LEVEL_DEBUG; i < G_N_ELEMENTS (level_names); i++)
    if (gmcp_json_value_equals_string (name, level_names[i]))
      return i;
  return GMCP_LOG_LEVEL_UNSET;
}

/**
 * gmcp_log_message_ref:
 * @self: a log message
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpLogMessage *
gmcp_log_message_ref (GmcpLogMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_log_message_unref:
 * @self: (transfer full): a log message
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_log_message_unref (GmcpLogMessage *self)
{
  g_return_if_fail (self != NULL);

  if (!gmcp_value_unref (&self->base))
    return;
  g_clear_pointer (&self->data, json_node_unref);
  g_free (self->logger);
  g_free (self);
}

/**
 * gmcp_log_message_get_level:
 * @self: a log message
 *
 * Gives how much the message matters.
 *
 * Returns: the level; %GMCP_LOG_LEVEL_UNSET where the server gave none that is known
 *
 * Since: 0.1
 */
GmcpLogLevel
gmcp_log_message_get_level (GmcpLogMessage *self)
{
  GmcpJsonValue level;

  g_return_val_if_fail (self != NULL, GMCP_LOG_LEVEL_UNSET);

  level = gmcp_value_get_member (&self->base, "level");
  for (guint i = GMCP_LOG_LEVEL_DEBUG; i < G_N_ELEMENTS (level_names); i++)
    if (gmcp_json_value_equals_string (level, level_names[i]))
      return (GmcpLogLevel) i;
  return GMCP_LOG_LEVEL_UNSET;
}

/**
 * gmcp_log_message_get_logger:
 * @self: a log message
 *
 * Gives the part of the server that the message is of.
 *
 * Returns: (transfer none) (nullable): the name, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_log_message_get_logger (GmcpLogMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->logger, gmcp_value_get_member (&self->base, "logger"));
}

/**
 * gmcp_log_message_get_data:
 * @self: a log message
 *
 * Gives what was logged: a text, or any other JSON value.
 *
 * Returns: (transfer none) (nullable): a sealed node, or %NULL where the server logged nothing
 *
 * Since: 0.1
 */
JsonNode *
gmcp_log_message_get_data (GmcpLogMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_node (&self->data, gmcp_value_get_member (&self->base, "data"));
}

/**
 * gmcp_log_message_dup_data_json:
 * @self: a log message
 *
 * Gives what was logged, as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where the server logged nothing
 *
 * Since: 0.1
 */
char *
gmcp_log_message_dup_data_json (GmcpLogMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (gmcp_value_get_member (&self->base, "data"));
}

/**
 * gmcp_log_message_dup_text:
 * @self: a log message
 *
 * Gives what was logged for people: a text as it is, another value as JSON text.
 *
 * Returns: (transfer full): the text; empty where the server logged nothing
 *
 * Since: 0.1
 */
char *
gmcp_log_message_dup_text (GmcpLogMessage *self)
{
  GmcpJsonValue data;
  char *text;

  g_return_val_if_fail (self != NULL, NULL);

  data = gmcp_value_get_member (&self->base, "data");
  text = gmcp_json_value_dup_string (data);
  if (text == NULL)
    text = gmcp_json_value_dup_raw (data);
  return text != NULL ? text : g_strdup ("");
}

/**
 * gmcp_log_message_dup_json:
 * @self: a log message
 *
 * Gives the whole message as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_log_message_dup_json (GmcpLogMessage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
