/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-definition-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-icon-private.h"
#include "gmcp-protocol-private.h"

/**
 * GmcpDefinition:
 *
 * What a server says of one thing that it lists: a [class@Gmcp.Tool], a [class@Gmcp.Prompt], a
 * [class@Gmcp.Resource] or a [class@Gmcp.ResourceTemplate]. Immutable: what changes is another object
 * in the list. All texts are the server's.
 *
 * Spec: MCP 2026-07-28, schema, "BaseMetadata".
 *
 * Since: 0.1
 */
typedef struct
{
  GmcpDefinition *original; /* whose definition this is, where it is listed under another key */
  char *key;
  GmcpJsonValue value;
  /* Decoded when asked for. */
  char *name;
  char *title;
  char *description;
} GmcpDefinitionPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GmcpDefinition, gmcp_definition, G_TYPE_OBJECT)

typedef enum
{
  PROP_NAME = 1,
  PROP_TITLE,
  PROP_DESCRIPTION,
} GmcpDefinitionProperty;

static GParamSpec *properties[PROP_DESCRIPTION + 1];

static GmcpDefinitionPrivate *
get_private (gpointer definition)
{
  return gmcp_definition_get_instance_private (definition);
}

static void
gmcp_definition_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpDefinition *self = GMCP_DEFINITION (object);

  switch ((GmcpDefinitionProperty) prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, gmcp_definition_get_name (self));
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_definition_get_title (self));
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, gmcp_definition_get_description (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_definition_finalize (GObject *object)
{
  GmcpDefinitionPrivate *priv = get_private (object);

  g_clear_object (&priv->original);
  g_clear_pointer (&priv->value.doc, gmcp_json_doc_unref);
  g_free (priv->key);
  g_free (priv->name);
  g_free (priv->title);
  g_free (priv->description);

  G_OBJECT_CLASS (gmcp_definition_parent_class)->finalize (object);
}

static void
gmcp_definition_class_init (GmcpDefinitionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_definition_get_property;
  object_class->finalize = gmcp_definition_finalize;

  /**
   * GmcpDefinition:name: (getter get_name)
   *
   * What a tool is called by, a prompt asked for by, and what the server calls a resource.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * GmcpDefinition:title: (getter get_title)
   *
   * A name to show to people.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpDefinition:description: (getter get_description)
   *
   * What it is or does, in the words of the server.
   *
   * Since: 0.1
   */
  properties[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_definition_init (GmcpDefinition *self)
{
}

gpointer
gmcp_definition_new (GType type,
                     GmcpJsonValue value,
                     const char *key_member,
                     GError **error,
                     int code,
                     const char *problem)
{
  g_autofree char *key
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, key_member));
  GmcpDefinitionPrivate *priv;
  gpointer self;

  if (key == NULL || *key == '\0')
    {
      g_set_error_literal (error, GMCP_ERROR, code, problem);
      return NULL;
    }

  self = g_object_new (type, NULL);
  priv = get_private (self);
  priv->key = g_steal_pointer (&key);
  priv->value = value;
  gmcp_json_doc_ref (value.doc);
  return self;
}

gpointer
gmcp_definition_new_listed (gpointer original, const char *key)
{
  gpointer self = g_object_new (G_OBJECT_TYPE (original), NULL);
  GmcpDefinitionPrivate *priv = get_private (self);

  priv->original = g_object_ref (gmcp_definition_get_original (original));
  priv->key = g_strdup (key);
  return self;
}

GmcpJsonDoc *
gmcp_definition_write (const char *key_member,
                       const char *key,
                       const char *name,
                       const char *mime_type)
{
  GString *written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, key_member, key);
  gmcp_json_writer_member_string (&writer, "name", name);
  if (mime_type != NULL)
    gmcp_json_writer_member_string (&writer, "mimeType", mime_type);
  gmcp_json_writer_end_object (&writer);
  return gmcp_protocol_take_written (written);
}

gpointer
gmcp_definition_get_original (gpointer definition)
{
  GmcpDefinition *original = get_private (definition)->original;

  return original != NULL ? original : definition;
}

const char *
gmcp_definition_get_key (gpointer definition)
{
  const char *key = get_private (definition)->key;

  return key != NULL ? key : "";
}

GmcpJsonValue
gmcp_definition_get_value (gpointer definition)
{
  return get_private (gmcp_definition_get_original (definition))->value;
}

GmcpJsonValue
gmcp_definition_get_member (gpointer definition, const char *name)
{
  return gmcp_json_value_get_member (gmcp_definition_get_value (definition), name);
}

/**
 * gmcp_definition_get_name: (get-property name)
 * @self: a definition
 *
 * Gives the name that a tool is listed under and called by, which has the server's id in it where several
 * servers are put together; the name that a prompt is asked for by; or what the server calls a resource.
 *
 * Returns: (transfer none): the name; the address of a resource that the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_definition_get_name (GmcpDefinition *self)
{
  GmcpDefinitionPrivate *priv;
  const char *name;

  g_return_val_if_fail (GMCP_IS_DEFINITION (self), NULL);

  priv = get_private (self);
  if (priv->original != NULL || GMCP_DEFINITION_GET_CLASS (self)->has_name_as_key)
    return gmcp_definition_get_key (self);

  name = gmcp_protocol_cache_string (&priv->name, gmcp_definition_get_member (self, "name"));
  return name != NULL && *name != '\0' ? name : gmcp_definition_get_key (self);
}

/**
 * gmcp_definition_get_title: (get-property title)
 * @self: a definition
 *
 * Gives the name to show to people. A tool may have it in its annotations.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_definition_get_title (GmcpDefinition *self)
{
  GmcpJsonValue title;

  g_return_val_if_fail (GMCP_IS_DEFINITION (self), NULL);

  self = gmcp_definition_get_original (self);
  title = gmcp_definition_get_member (self, "title");
  if (!gmcp_json_value_is_string (title)
      && GMCP_DEFINITION_GET_CLASS (self)->has_title_in_annotations)
    title = gmcp_json_value_get_member (gmcp_definition_get_member (self, "annotations"), "title");

  return gmcp_protocol_cache_string (&get_private (self)->title, title);
}

/**
 * gmcp_definition_get_description: (get-property description)
 * @self: a definition
 *
 * Gives what it is or does, in the words of the server; that of a tool is meant for the model.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_definition_get_description (GmcpDefinition *self)
{
  g_return_val_if_fail (GMCP_IS_DEFINITION (self), NULL);

  self = gmcp_definition_get_original (self);
  return gmcp_protocol_cache_string (&get_private (self)->description,
                                     gmcp_definition_get_member (self, "description"));
}

/**
 * gmcp_definition_list_icons:
 * @self: a definition
 *
 * Gives the pictures that the server offers for it.
 *
 * Returns: (transfer container) (element-type Gmcp.Icon): the icons; empty where there are none
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_definition_list_icons (GmcpDefinition *self)
{
  g_return_val_if_fail (GMCP_IS_DEFINITION (self), NULL);

  return gmcp_icons_list (gmcp_definition_get_value (self));
}

/**
 * gmcp_definition_dup_annotations_json:
 * @self: a definition
 *
 * Gives its annotations as the server wrote them.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there are none
 *
 * Since: 0.1
 */
char *
gmcp_definition_dup_annotations_json (GmcpDefinition *self)
{
  g_return_val_if_fail (GMCP_IS_DEFINITION (self), NULL);

  return gmcp_json_value_dup_raw (gmcp_definition_get_member (self, "annotations"));
}

/**
 * gmcp_definition_dup_meta_json:
 * @self: a definition
 *
 * Gives its `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_definition_dup_meta_json (GmcpDefinition *self)
{
  g_return_val_if_fail (GMCP_IS_DEFINITION (self), NULL);

  return gmcp_json_value_dup_raw (gmcp_definition_get_member (self, GMCP_MEMBER_META));
}

/**
 * gmcp_definition_dup_json:
 * @self: a definition
 *
 * Gives the whole of it as the server wrote it, with what this library does not know, under the server's
 * own name for it.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_definition_dup_json (GmcpDefinition *self)
{
  g_return_val_if_fail (GMCP_IS_DEFINITION (self), NULL);

  return gmcp_json_value_dup_raw (gmcp_definition_get_value (self));
}
