/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-load-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-config-reader-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/manager/gmcp-json-config-source.h>

/**
 * GmcpJsonConfigSource:
 *
 * Servers from a JSON file of the form that many hosts share:
 *
 * ```json
 * { "mcpServers": { "web": { "command": "mcp-web", "args": ["--fast"], "env": { "LEVEL": "2" } } } }
 * ```
 *
 * A name that cannot be an id gets one made from it and stays as the title; two names that give the
 * same id are an error. Keys of a server that are not known are left alone. One wrong entry makes
 * the file an error, which names the entry.
 *
 * Since: 0.1
 */
struct _GmcpJsonConfigSource
{
  GmcpConfigSource parent_instance;

  GFile *file;
};

G_DEFINE_FINAL_TYPE (GmcpJsonConfigSource, gmcp_json_config_source, GMCP_TYPE_CONFIG_SOURCE)

typedef enum
{
  PROP_FILE = 1,
} GmcpJsonConfigSourceProperty;

static GParamSpec *properties[PROP_FILE + 1];

/* Stops a file that has no end, such as a device. */
static gboolean
may_read_more (const char *contents, goffset size, gpointer data)
{
  return size <= (goffset) GMCP_LIMIT_CONFIG_FILE_BYTES;
}

static gboolean
take_contents (GmcpJsonConfigSource *self, const char *text, gsize length, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (self->file);
  g_autoptr (GFile) parent = g_file_get_parent (self->file);
  g_autofree char *base_dir = parent != NULL ? g_file_get_path (parent) : NULL;
  g_autoptr (GPtrArray) servers = NULL;

  if (length > GMCP_LIMIT_CONFIG_FILE_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("%s: larger than a configuration may be (%u bytes)"), name,
                   GMCP_LIMIT_CONFIG_FILE_BYTES);
      return FALSE;
    }

  servers = gmcp_json_config_read (text, length, name, base_dir, error);
  if (servers == NULL)
    return FALSE;

  gmcp_config_source_set_servers (GMCP_CONFIG_SOURCE (self), (GmcpServerConfig **) servers->pdata,
                                  servers->len);
  return TRUE;
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

static void
on_contents (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpConfigLoad) load = data;
  g_autoptr (GmcpJsonConfigSource) self = g_object_ref (gmcp_config_load_get_source (load));
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length = 0;

  if (!g_file_load_partial_contents_finish (self->file, result, &text, &length, NULL, &error))
    {
      g_autoptr (GError) dressed = dress_read_error (self->file, error);

      gmcp_config_load_return_error (load, dressed);
      return;
    }

  if (take_contents (self, text, length, &error))
    gmcp_config_load_return (load);
  else
    gmcp_config_load_return_error (load, error);
}

static void
gmcp_json_config_source_load (GmcpConfigSource *source, GmcpConfigLoad *load)
{
  GmcpJsonConfigSource *self = GMCP_JSON_CONFIG_SOURCE (source);

  g_file_load_partial_contents_async (self->file, gmcp_config_load_get_cancellable (load),
                                      may_read_more, on_contents, g_object_ref (load));
}

static void
gmcp_json_config_source_finalize (GObject *object)
{
  GmcpJsonConfigSource *self = GMCP_JSON_CONFIG_SOURCE (object);

  g_clear_object (&self->file);

  G_OBJECT_CLASS (gmcp_json_config_source_parent_class)->finalize (object);
}

static void
gmcp_json_config_source_get_property (GObject *object,
                                      guint prop_id,
                                      GValue *value,
                                      GParamSpec *pspec)
{
  GmcpJsonConfigSource *self = GMCP_JSON_CONFIG_SOURCE (object);

  switch ((GmcpJsonConfigSourceProperty) prop_id)
    {
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_json_config_source_set_property (GObject *object,
                                      guint prop_id,
                                      const GValue *value,
                                      GParamSpec *pspec)
{
  GmcpJsonConfigSource *self = GMCP_JSON_CONFIG_SOURCE (object);

  switch ((GmcpJsonConfigSourceProperty) prop_id)
    {
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_json_config_source_class_init (GmcpJsonConfigSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gmcp_json_config_source_finalize;
  object_class->get_property = gmcp_json_config_source_get_property;
  object_class->set_property = gmcp_json_config_source_set_property;
  GMCP_CONFIG_SOURCE_CLASS (klass)->load = gmcp_json_config_source_load;

  /**
   * GmcpJsonConfigSource:file: (getter get_file)
   *
   * The file.
   *
   * Since: 0.1
   */
  properties[PROP_FILE]
    = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_json_config_source_init (GmcpJsonConfigSource *self)
{
}

/**
 * gmcp_json_config_source_new:
 * @file: a file; it need not be there before the configuration is loaded
 *
 * Makes a source for the servers of a JSON file.
 *
 * Returns: (transfer full): a source
 *
 * Since: 0.1
 */
GmcpConfigSource *
gmcp_json_config_source_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return g_object_new (GMCP_TYPE_JSON_CONFIG_SOURCE, "file", file, NULL);
}

/**
 * gmcp_json_config_source_get_file:
 * @self: a source
 *
 * Gives the file.
 *
 * Returns: (transfer none): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_json_config_source_get_file (GmcpJsonConfigSource *self)
{
  g_return_val_if_fail (GMCP_IS_JSON_CONFIG_SOURCE (self), NULL);

  return self->file;
}
