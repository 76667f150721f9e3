/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-log-entry-private.h"

#include <string.h>

#define TIME_LENGTH (sizeof "2026-01-01T00:00:00Z" - 1)

/**
 * GmcpLogEntry:
 *
 * One line of a server's log: what the server printed, or what became of it. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpLogEntry
{
  GObject parent_instance;

  char *server_id;
  GDateTime *time;
  char *text;
  GmcpLogOrigin origin;
  GmcpNoticeLevel level;
};

G_DEFINE_ENUM_TYPE (GmcpLogOrigin,
                    gmcp_log_origin,
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_ORIGIN_STDERR, "stderr"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_ORIGIN_STDOUT, "stdout"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_ORIGIN_MANAGER, "manager"))

G_DEFINE_FINAL_TYPE (GmcpLogEntry, gmcp_log_entry, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER_ID = 1,
  PROP_TIME,
  PROP_ORIGIN,
  PROP_LEVEL,
  PROP_TEXT,
} GmcpLogEntryProperty;

static GParamSpec *properties[PROP_TEXT + 1];

static void
gmcp_log_entry_finalize (GObject *object)
{
  GmcpLogEntry *self = GMCP_LOG_ENTRY (object);

  g_free (self->server_id);
  g_clear_pointer (&self->time, g_date_time_unref);
  g_free (self->text);

  G_OBJECT_CLASS (gmcp_log_entry_parent_class)->finalize (object);
}

static void
gmcp_log_entry_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpLogEntry *self = GMCP_LOG_ENTRY (object);

  switch ((GmcpLogEntryProperty) prop_id)
    {
    case PROP_SERVER_ID:
      g_value_set_string (value, self->server_id);
      break;
    case PROP_TIME:
      g_value_set_boxed (value, self->time);
      break;
    case PROP_ORIGIN:
      g_value_set_enum (value, self->origin);
      break;
    case PROP_LEVEL:
      g_value_set_enum (value, self->level);
      break;
    case PROP_TEXT:
      g_value_set_string (value, self->text);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_log_entry_class_init (GmcpLogEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_log_entry_finalize;
  object_class->get_property = gmcp_log_entry_get_property;

  /**
   * GmcpLogEntry:server-id: (getter get_server_id)
   *
   * The id of the server.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, flags);

  /**
   * GmcpLogEntry:time: (getter get_time)
   *
   * When the line was written, in UTC; %NULL where that is not known.
   *
   * Since: 0.1
   */
  properties[PROP_TIME] = g_param_spec_boxed ("time", NULL, NULL, G_TYPE_DATE_TIME, flags);

  /**
   * GmcpLogEntry:origin: (getter get_origin)
   *
   * Where the line is from.
   *
   * Since: 0.1
   */
  properties[PROP_ORIGIN]
    = g_param_spec_enum ("origin", NULL, NULL, GMCP_TYPE_LOG_ORIGIN, GMCP_LOG_ORIGIN_STDERR, flags);

  /**
   * GmcpLogEntry:level: (getter get_level)
   *
   * How much what the manager says matters; `info` for what the server printed.
   *
   * Since: 0.1
   */
  properties[PROP_LEVEL] = g_param_spec_enum ("level", NULL, NULL, GMCP_TYPE_NOTICE_LEVEL,
                                              GMCP_NOTICE_LEVEL_INFO, flags);

  /**
   * GmcpLogEntry:text: (getter get_text)
   *
   * The line, without its time.
   *
   * Since: 0.1
   */
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_log_entry_init (GmcpLogEntry *self)
{
  self->level = GMCP_NOTICE_LEVEL_INFO;
}

/* The time at the beginning, and a space behind it. */
static GDateTime *
parse_time (const char *line)
{
  char text[TIME_LENGTH + 1];

  if (strlen (line) <= TIME_LENGTH || line[TIME_LENGTH] != ' ' || line[TIME_LENGTH - 1] != 'Z')
    return NULL;
  g_strlcpy (text, line, sizeof text);
  return g_date_time_new_from_iso8601 (text, NULL);
}

static gboolean
skip_mark (const char **rest, const char *mark)
{
  if (!g_str_has_prefix (*rest, mark))
    return FALSE;
  *rest += strlen (mark);
  return TRUE;
}

static void
parse_rest (GmcpLogEntry *self, const char *rest)
{
  self->origin = GMCP_LOG_ORIGIN_MANAGER;
  if (skip_mark (&rest, "| "))
    self->origin = GMCP_LOG_ORIGIN_STDERR;
  else if (skip_mark (&rest, "stdout| "))
    self->origin = GMCP_LOG_ORIGIN_STDOUT;
  else if (skip_mark (&rest, "[warning] "))
    self->level = GMCP_NOTICE_LEVEL_WARNING;
  else if (skip_mark (&rest, "[error] "))
    self->level = GMCP_NOTICE_LEVEL_ERROR;
  else
    skip_mark (&rest, "[info] ");
  self->text = g_strdup (rest);
}

GmcpLogEntry *
gmcp_log_entry_parse (const char *server_id, const char *line, gsize length, GDateTime *before)
{
  GmcpLogEntry *self = g_object_new (GMCP_TYPE_LOG_ENTRY, NULL);
  g_autofree char *valid = g_utf8_make_valid (line, (gssize) length);

  self->server_id = g_strdup (server_id);
  self->time = parse_time (valid);
  parse_rest (self, self->time != NULL ? valid + TIME_LENGTH + 1 : valid);
  if (self->time == NULL && before != NULL)
    self->time = g_date_time_ref (before);
  return self;
}

/**
 * gmcp_log_entry_get_server_id: (get-property server-id)
 * @self: an entry
 *
 * Gives the id of the server.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_log_entry_get_server_id (GmcpLogEntry *self)
{
  g_return_val_if_fail (GMCP_IS_LOG_ENTRY (self), NULL);

  return self->server_id;
}

/**
 * gmcp_log_entry_get_time: (get-property time)
 * @self: an entry
 *
 * Says when the line was written, in UTC.
 *
 * Returns: (nullable) (transfer none): the time; %NULL where it is not known
 *
 * Since: 0.1
 */
GDateTime *
gmcp_log_entry_get_time (GmcpLogEntry *self)
{
  g_return_val_if_fail (GMCP_IS_LOG_ENTRY (self), NULL);

  return self->time;
}

/**
 * gmcp_log_entry_get_origin: (get-property origin)
 * @self: an entry
 *
 * Says where the line is from.
 *
 * Returns: the origin
 *
 * Since: 0.1
 */
GmcpLogOrigin
gmcp_log_entry_get_origin (GmcpLogEntry *self)
{
  g_return_val_if_fail (GMCP_IS_LOG_ENTRY (self), GMCP_LOG_ORIGIN_STDERR);

  return self->origin;
}

/**
 * gmcp_log_entry_get_level: (get-property level)
 * @self: an entry
 *
 * Says how much what the manager says matters.
 *
 * Returns: the level; %GMCP_NOTICE_LEVEL_INFO for what the server printed
 *
 * Since: 0.1
 */
GmcpNoticeLevel
gmcp_log_entry_get_level (GmcpLogEntry *self)
{
  g_return_val_if_fail (GMCP_IS_LOG_ENTRY (self), GMCP_NOTICE_LEVEL_INFO);

  return self->level;
}

/**
 * gmcp_log_entry_get_text: (get-property text)
 * @self: an entry
 *
 * Gives the line, without its time.
 *
 * Returns: the text
 *
 * Since: 0.1
 */
const char *
gmcp_log_entry_get_text (GmcpLogEntry *self)
{
  g_return_val_if_fail (GMCP_IS_LOG_ENTRY (self), NULL);

  return self->text;
}
