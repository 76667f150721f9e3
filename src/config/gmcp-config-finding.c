/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/config/gmcp-config-finding.h>

/**
 * GmcpConfigFinding:
 *
 * Something that is to be said about a configuration: a value of the wrong kind, a name that nothing
 * is known by, an entry that does not count. It names the place and never a value, which may be a
 * secret. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpConfigFinding
{
  GObject parent_instance;

  GmcpNoticeLevel severity;
  char *file;
  char *key_path;
  char *message;
  char *server_id;
  guint line;
};

G_DEFINE_FINAL_TYPE (GmcpConfigFinding, gmcp_config_finding, G_TYPE_OBJECT)

typedef enum
{
  PROP_SEVERITY = 1,
  PROP_FILE,
  PROP_LINE,
  PROP_KEY_PATH,
  PROP_MESSAGE,
  PROP_SERVER_ID,
} GmcpConfigFindingProperty;

static GParamSpec *properties[PROP_SERVER_ID + 1];

static void
gmcp_config_finding_finalize (GObject *object)
{
  GmcpConfigFinding *self = GMCP_CONFIG_FINDING (object);

  g_free (self->file);
  g_free (self->key_path);
  g_free (self->message);
  g_free (self->server_id);

  G_OBJECT_CLASS (gmcp_config_finding_parent_class)->finalize (object);
}

static void
gmcp_config_finding_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpConfigFinding *self = GMCP_CONFIG_FINDING (object);

  switch ((GmcpConfigFindingProperty) prop_id)
    {
    case PROP_SEVERITY:
      g_value_set_enum (value, self->severity);
      break;
    case PROP_FILE:
      g_value_set_string (value, self->file);
      break;
    case PROP_LINE:
      g_value_set_uint (value, self->line);
      break;
    case PROP_KEY_PATH:
      g_value_set_string (value, self->key_path);
      break;
    case PROP_MESSAGE:
      g_value_set_string (value, self->message);
      break;
    case PROP_SERVER_ID:
      g_value_set_string (value, self->server_id);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_config_finding_set_property (GObject *object,
                                  guint prop_id,
                                  const GValue *value,
                                  GParamSpec *pspec)
{
  GmcpConfigFinding *self = GMCP_CONFIG_FINDING (object);

  switch ((GmcpConfigFindingProperty) prop_id)
    {
    case PROP_SEVERITY:
      self->severity = g_value_get_enum (value);
      break;
    case PROP_FILE:
      self->file = g_value_dup_string (value);
      break;
    case PROP_LINE:
      self->line = g_value_get_uint (value);
      break;
    case PROP_KEY_PATH:
      self->key_path = g_value_dup_string (value);
      break;
    case PROP_MESSAGE:
      self->message = g_value_dup_string (value);
      break;
    case PROP_SERVER_ID:
      self->server_id = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_config_finding_class_init (GmcpConfigFindingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_config_finding_finalize;
  object_class->get_property = gmcp_config_finding_get_property;
  object_class->set_property = gmcp_config_finding_set_property;

  /**
   * GmcpConfigFinding:severity: (getter get_severity)
   *
   * How much it matters: an error is what cannot be used.
   *
   * Since: 0.1
   */
  properties[PROP_SEVERITY] = g_param_spec_enum ("severity", NULL, NULL, GMCP_TYPE_NOTICE_LEVEL,
                                                 GMCP_NOTICE_LEVEL_INFO, flags);

  /**
   * GmcpConfigFinding:file: (getter get_file)
   *
   * The file, as a person would write it; %NULL where it is in no file.
   *
   * Since: 0.1
   */
  properties[PROP_FILE] = g_param_spec_string ("file", NULL, NULL, NULL, flags);

  /**
   * GmcpConfigFinding:line: (getter get_line)
   *
   * The line of the file, from 1 on; 0 where none is known.
   *
   * Since: 0.1
   */
  properties[PROP_LINE] = g_param_spec_uint ("line", NULL, NULL, 0, G_MAXUINT, 0, flags);

  /**
   * GmcpConfigFinding:key-path: (getter get_key_path)
   *
   * The key and those that it stands below, such as `mcpServers.web.args[0]`; %NULL where it is about
   * all.
   *
   * Since: 0.1
   */
  properties[PROP_KEY_PATH] = g_param_spec_string ("key-path", NULL, NULL, NULL, flags);

  /**
   * GmcpConfigFinding:message: (getter get_message)
   *
   * What is to be said, without the place.
   *
   * Since: 0.1
   */
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, "", flags);

  /**
   * GmcpConfigFinding:server-id: (getter get_server_id)
   *
   * The id of the server that it is about, where it was found by looking at a server beside all others;
   * %NULL for what was found where one file or the settings were read.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_config_finding_init (GmcpConfigFinding *self)
{
}

/**
 * gmcp_config_finding_new:
 * @severity: how much it matters
 * @file: (nullable): the file, as a person would write it
 * @line: the line in it, or 0
 * @key_path: (nullable): the key and those that it stands below
 * @message: what is to be said, without a secret
 *
 * Makes a finding, for those who implement a [class@Gmcp.ConfigSource].
 *
 * Returns: (transfer full): a finding
 *
 * Since: 0.1
 */
GmcpConfigFinding *
gmcp_config_finding_new (GmcpNoticeLevel severity,
                         const char *file,
                         guint line,
                         const char *key_path,
                         const char *message)
{
  g_return_val_if_fail (message != NULL, NULL);

  return g_object_new (GMCP_TYPE_CONFIG_FINDING, "severity", severity, "file", file, "line", line,
                       "key-path", key_path, "message", message, NULL);
}

/**
 * gmcp_config_finding_get_severity:
 * @self: a finding
 *
 * Says how much it matters.
 *
 * Returns: the severity
 *
 * Since: 0.1
 */
GmcpNoticeLevel
gmcp_config_finding_get_severity (GmcpConfigFinding *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), GMCP_NOTICE_LEVEL_INFO);

  return self->severity;
}

/**
 * gmcp_config_finding_get_file:
 * @self: a finding
 *
 * Gives the file.
 *
 * Returns: (nullable): the file; %NULL where it is in none
 *
 * Since: 0.1
 */
const char *
gmcp_config_finding_get_file (GmcpConfigFinding *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), NULL);

  return self->file;
}

/**
 * gmcp_config_finding_get_line:
 * @self: a finding
 *
 * Gives the line of the file.
 *
 * Returns: the line, from 1 on; 0 where none is known
 *
 * Since: 0.1
 */
guint
gmcp_config_finding_get_line (GmcpConfigFinding *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), 0);

  return self->line;
}

/**
 * gmcp_config_finding_get_key_path:
 * @self: a finding
 *
 * Gives the key and those that it stands below.
 *
 * Returns: (nullable): the path; %NULL where it is about all
 *
 * Since: 0.1
 */
const char *
gmcp_config_finding_get_key_path (GmcpConfigFinding *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), NULL);

  return self->key_path;
}

/**
 * gmcp_config_finding_get_message:
 * @self: a finding
 *
 * Gives what is to be said, without the place.
 *
 * Returns: a translated sentence or a part of one
 *
 * Since: 0.1
 */
const char *
gmcp_config_finding_get_message (GmcpConfigFinding *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), NULL);

  return self->message;
}

/**
 * gmcp_config_finding_get_server_id:
 * @self: a finding
 *
 * Gives the id of the server that it is about.
 *
 * Returns: (nullable): the id; %NULL where it is about no server, or was found where a file was read
 *
 * Since: 0.1
 */
const char *
gmcp_config_finding_get_server_id (GmcpConfigFinding *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), NULL);

  return self->server_id;
}

/**
 * gmcp_config_finding_dup_text:
 * @self: a finding
 *
 * Gives place and message as one line: `FILE:LINE: KEY PATH: MESSAGE`, less what is not known.
 *
 * Returns: (transfer full): a text
 *
 * Since: 0.1
 */
char *
gmcp_config_finding_dup_text (GmcpConfigFinding *self)
{
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), NULL);

  text = g_string_new (NULL);
  if (self->file != NULL)
    g_string_append (text, self->file);
  if (self->file != NULL && self->line > 0)
    g_string_append_printf (text, ":%u", self->line);
  if (self->file != NULL)
    g_string_append (text, ": ");
  if (self->key_path != NULL)
    g_string_append_printf (text, "%s: ", self->key_path);
  g_string_append (text, self->message);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
