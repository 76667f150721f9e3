/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-contents-private.h"
#include "gmcp-config-source-policy-private.h"
#include "gmcp-config-load-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/manager/gmcp-file-config-source.h>

/**
 * GmcpFileConfigSource:
 *
 * Servers from a file: JSON in the form that many hosts share, YAML or TOML.
 *
 * ```json
 * { "mcpServers": { "web": { "command": "mcp-web", "args": ["--fast"], "env": { "LEVEL": "2" } } } }
 * ```
 *
 * In JSON there may be comments, and a comma before a closing bracket. The servers stand below
 * `mcpServers`, `servers` or `mcp_servers`, in a map or in an array whose entries have an `id`, and
 * the keys of an entry go by the names that they have in the files of other programs too.
 *
 * A name that cannot be an id gets one made from it and stays as the title; two names that give the
 * same id are an error. One wrong entry makes the file an error, which names file, line and key; what
 * was read before stays then. All that is to be said about the file is in
 * [property@Gmcp.ConfigSource:findings].
 *
 * Since: 0.1
 */
struct _GmcpFileConfigSource
{
  GmcpConfigSource parent_instance;

  GFile *file;
  gboolean optional;
  GmcpConfigContents *contents; /* NULL before the file was read */
};

G_DEFINE_FINAL_TYPE (GmcpFileConfigSource, gmcp_file_config_source, GMCP_TYPE_CONFIG_SOURCE)

typedef enum
{
  PROP_FILE = 1,
  PROP_OPTIONAL,
} GmcpFileConfigSourceProperty;

static GParamSpec *properties[PROP_OPTIONAL + 1];

/* Stops a file that has no end, such as a device. */
static gboolean
may_read_more (const char *contents, goffset size, gpointer data)
{
  return size <= (goffset) GMCP_LIMIT_CONFIG_FILE_BYTES;
}

static void
report_one (GmcpFileConfigSource *self, GmcpNoticeLevel severity, const char *message)
{
  g_autofree char *name = g_file_get_parse_name (self->file);
  g_autoptr (GmcpConfigFinding) finding
    = gmcp_config_finding_new (severity, name, 0, NULL, message);

  gmcp_config_source_set_findings (GMCP_CONFIG_SOURCE (self), &finding, 1);
}

static void
take_contents (GmcpFileConfigSource *self, GmcpConfigContents *contents)
{
  if (self->contents == NULL
      || !gmcp_config_policy_equal (self->contents->policy, contents->policy))
    gmcp_config_source_set_policy_data (GMCP_CONFIG_SOURCE (self), contents->policy);
  g_clear_pointer (&self->contents, gmcp_config_contents_free);
  self->contents = contents;
  gmcp_config_source_set_servers (GMCP_CONFIG_SOURCE (self),
                                  (GmcpServerConfig **) contents->servers->pdata,
                                  contents->servers->len);
}

static gboolean
take_text (GmcpFileConfigSource *self, const char *text, gsize length, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (self->file);
  g_autoptr (GFile) parent = g_file_get_parent (self->file);
  g_autofree char *base_dir = parent != NULL ? g_file_get_path (parent) : NULL;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  GmcpConfigContents *contents;

  if (length > GMCP_LIMIT_CONFIG_FILE_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("%s: larger than a configuration may be (%u bytes)"), name,
                   GMCP_LIMIT_CONFIG_FILE_BYTES);
      report_one (self, GMCP_NOTICE_LEVEL_ERROR, (*error)->message);
      return FALSE;
    }

  contents = gmcp_config_contents_read (text, length, gmcp_config_format_guess (name), name,
                                        base_dir, findings, error);
  gmcp_config_source_set_findings (GMCP_CONFIG_SOURCE (self),
                                   (GmcpConfigFinding **) findings->pdata, findings->len);
  if (contents != NULL)
    take_contents (self, contents);
  return contents != NULL;
}

static GError *
dress_read_error (GFile *file, const GError *cause)
{
  g_autofree char *name = g_file_get_parse_name (file);

  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_error_copy (cause);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                      _ ("The configuration file %s cannot be read: %s"), name, cause->message);
}

/* A file that need not be there is not. */
static void
take_nothing (GmcpFileConfigSource *self)
{
  gmcp_config_source_set_findings (GMCP_CONFIG_SOURCE (self), NULL, 0);
  g_clear_pointer (&self->contents, gmcp_config_contents_free);
  gmcp_config_source_set_policy_data (GMCP_CONFIG_SOURCE (self), NULL);
  gmcp_config_source_set_servers (GMCP_CONFIG_SOURCE (self), NULL, 0);
}

static void
on_contents (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpConfigLoad) load = data;
  g_autoptr (GmcpFileConfigSource) self = g_object_ref (gmcp_config_load_get_source (load));
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length = 0;

  if (g_file_load_partial_contents_finish (self->file, result, &text, &length, NULL, &error))
    {
      if (take_text (self, text, length, &error))
        gmcp_config_load_return (load);
      else
        gmcp_config_load_return_error (load, error);
    }
  else if (self->optional && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      take_nothing (self);
      gmcp_config_load_return (load);
    }
  else
    {
      g_autoptr (GError) dressed = dress_read_error (self->file, error);

      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        report_one (self, GMCP_NOTICE_LEVEL_ERROR, error->message);
      gmcp_config_load_return_error (load, dressed);
    }
}

static void
gmcp_file_config_source_load (GmcpConfigSource *source, GmcpConfigLoad *load)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (source);

  g_file_load_partial_contents_async (self->file, gmcp_config_load_get_cancellable (load),
                                      may_read_more, on_contents, g_object_ref (load));
}

static void
gmcp_file_config_source_finalize (GObject *object)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  g_clear_object (&self->file);
  g_clear_pointer (&self->contents, gmcp_config_contents_free);

  G_OBJECT_CLASS (gmcp_file_config_source_parent_class)->finalize (object);
}

static void
gmcp_file_config_source_get_property (GObject *object,
                                      guint prop_id,
                                      GValue *value,
                                      GParamSpec *pspec)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  switch ((GmcpFileConfigSourceProperty) prop_id)
    {
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    case PROP_OPTIONAL:
      g_value_set_boolean (value, self->optional);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_file_config_source_set_property (GObject *object,
                                      guint prop_id,
                                      const GValue *value,
                                      GParamSpec *pspec)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  switch ((GmcpFileConfigSourceProperty) prop_id)
    {
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;
    case PROP_OPTIONAL:
      self->optional = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_file_config_source_class_init (GmcpFileConfigSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gmcp_file_config_source_finalize;
  object_class->get_property = gmcp_file_config_source_get_property;
  object_class->set_property = gmcp_file_config_source_set_property;
  GMCP_CONFIG_SOURCE_CLASS (klass)->load = gmcp_file_config_source_load;

  /**
   * GmcpFileConfigSource:file: (getter get_file)
   *
   * The file.
   *
   * Since: 0.1
   */
  properties[PROP_FILE]
    = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * GmcpFileConfigSource:optional:
   *
   * Whether a file that is not there stands for no servers, rather than for an error.
   *
   * Since: 0.1
   */
  properties[PROP_OPTIONAL]
    = g_param_spec_boolean ("optional", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_file_config_source_init (GmcpFileConfigSource *self)
{
}

/**
 * gmcp_file_config_source_new:
 * @file: a file; it need not be there before the configuration is loaded
 *
 * Makes a source for the servers of a file. The end of its name says which format it has: `.yaml` and
 * `.yml`, `.toml`, and JSON for any other.
 *
 * Returns: (transfer full): a source
 *
 * Since: 0.1
 */
GmcpConfigSource *
gmcp_file_config_source_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, NULL);
}

/**
 * gmcp_file_config_source_get_file:
 * @self: a source
 *
 * Gives the file.
 *
 * Returns: (transfer none): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_file_config_source_get_file (GmcpFileConfigSource *self)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), NULL);

  return self->file;
}
