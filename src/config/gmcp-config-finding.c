/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-finding-private.h"
#include "gmcp-fields-private.h"

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
  GFile *file;
  char *key_path;
  char *message;
  char *server_id;
  guint line;
};

G_DEFINE_FINAL_TYPE (GmcpConfigFinding, gmcp_config_finding, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  /**
   * GmcpConfigFinding:severity: (getter get_severity)
   *
   * How much it matters: an error is what cannot be used.
   *
   * Since: 0.1
   */
  { "severity", GMCP_FIELD_ENUM, G_STRUCT_OFFSET (GmcpConfigFinding, severity),
    gmcp_notice_level_get_type },

  /**
   * GmcpConfigFinding:file: (getter get_file)
   *
   * The file; %NULL where it is in no file, as what is in the settings.
   *
   * Since: 0.1
   */
  { "file", GMCP_FIELD_OBJECT, G_STRUCT_OFFSET (GmcpConfigFinding, file), g_file_get_type },

  /**
   * GmcpConfigFinding:line: (getter get_line)
   *
   * The line of the file, from 1 on; 0 where none is known.
   *
   * Since: 0.1
   */
  { "line", GMCP_FIELD_UINT, G_STRUCT_OFFSET (GmcpConfigFinding, line) },

  /**
   * GmcpConfigFinding:key-path: (getter get_key_path)
   *
   * The key and those that it stands below, such as `mcpServers.web.args[0]`; %NULL where it is about
   * all.
   *
   * Since: 0.1
   */
  { "key-path", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigFinding, key_path) },

  /**
   * GmcpConfigFinding:message: (getter get_message)
   *
   * What is to be said, without the place.
   *
   * Since: 0.1
   */
  { "message", GMCP_FIELD_STRING, G_STRUCT_OFFSET (GmcpConfigFinding, message) },

  /**
   * GmcpConfigFinding:server-id: (getter get_server_id)
   *
   * The id of the server that it is about, where it was found by looking at a server beside all others;
   * %NULL for what was found where one file or the settings were read.
   *
   * Since: 0.1
   */
  { "server-id", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigFinding, server_id) },
  { NULL },
};

static void
gmcp_config_finding_class_init (GmcpConfigFindingClass *klass)
{
  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, GMCP_FIELDS_CONSTRUCT_ONLY);
}

static void
gmcp_config_finding_init (GmcpConfigFinding *self)
{
}

/**
 * gmcp_config_finding_new:
 * @severity: how much it matters
 * @file: (nullable): the file
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
                         GFile *file,
                         guint line,
                         const char *key_path,
                         const char *message)
{
  g_return_val_if_fail (message != NULL, NULL);

  return g_object_new (GMCP_TYPE_CONFIG_FINDING, "severity", severity, "file", file, "line", line,
                       "key-path", key_path, "message", message, NULL);
}

GmcpConfigFinding *
gmcp_config_finding_new_for_name (GmcpNoticeLevel severity,
                                  const char *name,
                                  guint line,
                                  const char *key_path,
                                  const char *message)
{
  g_autoptr (GFile) file = name != NULL ? g_file_parse_name (name) : NULL;

  return gmcp_config_finding_new (severity, file, line, key_path, message);
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
 * Returns: (transfer none) (nullable): the file; %NULL where it is in none
 *
 * Since: 0.1
 */
GFile *
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
  g_autofree char *name = NULL;
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (GMCP_IS_CONFIG_FINDING (self), NULL);

  text = g_string_new (NULL);
  if (self->file != NULL)
    {
      name = g_file_get_parse_name (self->file);
      g_string_append (text, name);
      if (self->line > 0)
        g_string_append_printf (text, ":%u", self->line);
      g_string_append (text, ": ");
    }
  if (self->key_path != NULL)
    g_string_append_printf (text, "%s: ", self->key_path);
  g_string_append (text, self->message);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
