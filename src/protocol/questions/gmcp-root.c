/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/protocol/questions/gmcp-root.h>

/**
 * GmcpRoot:
 *
 * A folder or file that a client wants its servers to work with, to be put into
 * [property@Gmcp.Client:roots]. It tells them where to look and keeps them from nothing. Immutable.
 *
 * Spec: MCP 2026-07-28, client/roots.
 *
 * Since: 0.1
 */
struct _GmcpRoot
{
  GObject parent_instance;

  char *uri;
  char *name;
};

G_DEFINE_FINAL_TYPE (GmcpRoot, gmcp_root, G_TYPE_OBJECT)

typedef enum
{
  PROP_URI = 1,
  PROP_NAME,
} GmcpRootProperty;

static GParamSpec *properties[PROP_NAME + 1];

static void
gmcp_root_finalize (GObject *object)
{
  GmcpRoot *self = GMCP_ROOT (object);

  g_free (self->uri);
  g_free (self->name);

  G_OBJECT_CLASS (gmcp_root_parent_class)->finalize (object);
}

static void
gmcp_root_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpRoot *self = GMCP_ROOT (object);

  switch ((GmcpRootProperty) prop_id)
    {
    case PROP_URI:
      g_value_set_string (value, self->uri);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_root_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpRoot *self = GMCP_ROOT (object);

  switch ((GmcpRootProperty) prop_id)
    {
    case PROP_URI:
      self->uri = g_value_dup_string (value);
      break;
    case PROP_NAME:
      self->name = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_root_class_init (GmcpRootClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_root_finalize;
  object_class->get_property = gmcp_root_get_property;
  object_class->set_property = gmcp_root_set_property;

  /**
   * GmcpRoot:uri: (getter get_uri)
   *
   * Where it is: a `file:` URI.
   *
   * Since: 0.1
   */
  properties[PROP_URI] = g_param_spec_string ("uri", NULL, NULL, NULL, flags);

  /**
   * GmcpRoot:name: (getter get_name)
   *
   * What it is called for people, or %NULL.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_root_init (GmcpRoot *self)
{
}

/**
 * gmcp_root_new:
 * @uri: where it is: a URI that begins with `file://`
 * @name: (nullable): what it is called for people
 *
 * Makes a root.
 *
 * Returns: (transfer full): a new root
 *
 * Since: 0.1
 */
GmcpRoot *
gmcp_root_new (const char *uri, const char *name)
{
  g_return_val_if_fail (uri != NULL && g_str_has_prefix (uri, "file://"), NULL);

  return g_object_new (GMCP_TYPE_ROOT, "uri", uri, "name", name, NULL);
}

/**
 * gmcp_root_new_for_file:
 * @file: a folder or file on this machine
 * @name: (nullable): what it is called for people
 *
 * Makes a root of a file.
 *
 * Returns: (transfer full): a new root
 *
 * Since: 0.1
 */
GmcpRoot *
gmcp_root_new_for_file (GFile *file, const char *name)
{
  g_autofree char *uri = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  uri = g_file_get_uri (file);
  return gmcp_root_new (uri, name);
}

/**
 * gmcp_root_get_uri: (get-property uri)
 * @self: a root
 *
 * Gives where it is.
 *
 * Returns: (transfer none): a `file:` URI
 *
 * Since: 0.1
 */
const char *
gmcp_root_get_uri (GmcpRoot *self)
{
  g_return_val_if_fail (GMCP_IS_ROOT (self), NULL);

  return self->uri;
}

/**
 * gmcp_root_get_name: (get-property name)
 * @self: a root
 *
 * Gives what it is called for people.
 *
 * Returns: (transfer none) (nullable): the name, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_root_get_name (GmcpRoot *self)
{
  g_return_val_if_fail (GMCP_IS_ROOT (self), NULL);

  return self->name;
}
