/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-resource-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-annotations-private.h"
#include "gmcp-definition-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-icon-private.h"

/**
 * GmcpResource:
 *
 * Something that a server has to be read: a file, a table, a log. Immutable: a resource that
 * changes is another object in the list.
 *
 * [method@Gmcp.Client.read_resource_async] reads it.
 *
 * Spec: MCP 2026-07-28, server/resources, "Resource".
 *
 * Since: 0.1
 */
struct _GmcpResource
{
  GObject parent_instance;

  GmcpDefinition definition;
};

G_DEFINE_FINAL_TYPE (GmcpResource, gmcp_resource, G_TYPE_OBJECT)

typedef enum
{
  PROP_URI = 1,
  PROP_NAME,
  PROP_TITLE,
  PROP_DESCRIPTION,
  PROP_MIME_TYPE,
  PROP_SIZE,
} GmcpResourceProperty;

static GParamSpec *properties[PROP_SIZE + 1];

static void
gmcp_resource_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpResource *self = GMCP_RESOURCE (object);

  switch ((GmcpResourceProperty) prop_id)
    {
    case PROP_URI:
      g_value_set_string (value, gmcp_resource_get_uri (self));
      break;
    case PROP_NAME:
      g_value_set_string (value, gmcp_resource_get_name (self));
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_resource_get_title (self));
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, gmcp_resource_get_description (self));
      break;
    case PROP_MIME_TYPE:
      g_value_set_string (value, gmcp_resource_get_mime_type (self));
      break;
    case PROP_SIZE:
      g_value_set_int64 (value, gmcp_resource_get_size (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_resource_finalize (GObject *object)
{
  GmcpResource *self = GMCP_RESOURCE (object);

  gmcp_definition_clear (&self->definition);

  G_OBJECT_CLASS (gmcp_resource_parent_class)->finalize (object);
}

static void
gmcp_resource_class_init (GmcpResourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_resource_get_property;
  object_class->finalize = gmcp_resource_finalize;

  /**
   * GmcpResource:uri: (getter get_uri)
   *
   * What the resource is read by.
   *
   * Since: 0.1
   */
  properties[PROP_URI] = g_param_spec_string ("uri", NULL, NULL, NULL, flags);

  /**
   * GmcpResource:name: (getter get_name)
   *
   * What the server calls the resource.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * GmcpResource:title: (getter get_title)
   *
   * A name to show to people.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpResource:description: (getter get_description)
   *
   * What the resource is, in the words of the server.
   *
   * Since: 0.1
   */
  properties[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, flags);

  /**
   * GmcpResource:mime-type: (getter get_mime_type)
   *
   * The media type of its contents.
   *
   * Since: 0.1
   */
  properties[PROP_MIME_TYPE] = g_param_spec_string ("mime-type", NULL, NULL, NULL, flags);

  /**
   * GmcpResource:size: (getter get_size)
   *
   * How large its contents are, in bytes; -1 where the server does not say.
   *
   * Since: 0.1
   */
  properties[PROP_SIZE] = g_param_spec_int64 ("size", NULL, NULL, -1, G_MAXINT64, -1, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_resource_init (GmcpResource *self)
{
}

static GmcpResource *
new_checked (GmcpJsonValue value, int code, GError **error)
{
  g_autoptr (GmcpResource) self = g_object_new (GMCP_TYPE_RESOURCE, NULL);

  if (!gmcp_definition_init (&self->definition, value, "uri", error, code,
                             _ ("A resource has to be a JSON object with a URI")))
    return NULL;

  return g_steal_pointer (&self);
}

GmcpResource *
gmcp_resource_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

GmcpJsonValue
gmcp_resource_get_value (GmcpResource *self)
{
  return self->definition.value;
}

/**
 * gmcp_resource_new:
 * @uri: the resource's address
 * @name: its name
 * @mime_type: (nullable): its media type, or %NULL where it is not known
 *
 * Makes a resource, for those who provide some of their own.
 * [ctor@Gmcp.Resource.new_from_json] makes one that has more members.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpResource *
gmcp_resource_new (const char *uri, const char *name, const char *mime_type)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (uri != NULL && *uri != '\0', NULL);
  g_return_val_if_fail (name != NULL, NULL);

  doc = gmcp_definition_write ("uri", uri, name, mime_type);
  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, NULL);
}

/**
 * gmcp_resource_new_from_json:
 * @json: a resource as JSON text, in the form that servers list them in
 * @error: return location for an error
 *
 * Makes a resource, for those who provide some of their own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object with a string `uri`.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpResource *
gmcp_resource_new_from_json (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, error);
}

/**
 * gmcp_resource_get_uri: (get-property uri)
 * @self: a resource
 *
 * Gives the URI that the resource is read by. It need not be one that anything else than its server
 * understands.
 *
 * Returns: (transfer none): the URI
 *
 * Since: 0.1
 */
const char *
gmcp_resource_get_uri (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return self->definition.key != NULL ? self->definition.key : "";
}

/**
 * gmcp_resource_get_name: (get-property name)
 * @self: a resource
 *
 * Gives what the server calls the resource.
 *
 * Returns: (transfer none): the name; the URI where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_resource_get_name (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_definition_get_name (&self->definition);
}

/**
 * gmcp_resource_get_title: (get-property title)
 * @self: a resource
 *
 * Gives the name to show to people.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_resource_get_title (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_definition_get_title (&self->definition);
}

/**
 * gmcp_resource_get_description: (get-property description)
 * @self: a resource
 *
 * Gives what it is, in the words of the server.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_resource_get_description (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_definition_get_description (&self->definition);
}

/**
 * gmcp_resource_get_mime_type: (get-property mime-type)
 * @self: a resource
 *
 * Gives the media type.
 *
 * Returns: (transfer none) (nullable): the media type, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_resource_get_mime_type (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_definition_get_mime_type (&self->definition);
}

/**
 * gmcp_resource_get_size: (get-property size)
 * @self: a resource
 *
 * Gives how large the contents of the resource are.
 *
 * Returns: bytes, or -1 where the server does not say
 *
 * Since: 0.1
 */
gint64
gmcp_resource_get_size (GmcpResource *self)
{
  gint64 size = -1;

  g_return_val_if_fail (GMCP_IS_RESOURCE (self), -1);

  gmcp_json_value_get_int64 (gmcp_definition_get_member (&self->definition, "size"), &size);
  return MAX (size, -1);
}

/**
 * gmcp_resource_list_icons:
 * @self: a resource
 *
 * Gives the pictures that the server offers for it.
 *
 * Returns: (transfer container) (element-type Gmcp.Icon): the icons; empty where there are none
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_resource_list_icons (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_icons_list (self->definition.value);
}

/**
 * gmcp_resource_dup_annotations:
 * @self: a resource
 *
 * Gives whom it is for and how much it matters.
 *
 * Returns: (transfer full) (nullable): the annotations, or %NULL where there are none
 *
 * Since: 0.1
 */
GmcpAnnotations *
gmcp_resource_dup_annotations (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_annotations_new_from_owner (self->definition.value);
}

/**
 * gmcp_resource_dup_meta_json:
 * @self: a resource
 *
 * Gives its `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_resource_dup_meta_json (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_definition_dup_meta_json (&self->definition);
}

/**
 * gmcp_resource_dup_json:
 * @self: a resource
 *
 * Gives the whole of it as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_resource_dup_json (GmcpResource *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE (self), NULL);

  return gmcp_json_value_dup_raw (self->definition.value);
}
