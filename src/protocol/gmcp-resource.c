/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-resource-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-annotations-private.h"
#include "gmcp-definition-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

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
  GmcpDefinition parent_instance;

  char *mime_type; /* decoded when asked for */
};

G_DEFINE_FINAL_TYPE (GmcpResource, gmcp_resource, GMCP_TYPE_DEFINITION)

typedef enum
{
  PROP_URI = 1,
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
  g_free (GMCP_RESOURCE (object)->mime_type);

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
  return gmcp_definition_new (GMCP_TYPE_RESOURCE, value, "uri", error, code,
                              _ ("A resource has to be a JSON object with a URI"));
}

GmcpResource *
gmcp_resource_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
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

  return gmcp_definition_get_key (self);
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

  return gmcp_protocol_cache_string (&self->mime_type,
                                     gmcp_definition_get_member (self, "mimeType"));
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

  gmcp_json_value_get_int64 (gmcp_definition_get_member (self, "size"), &size);
  return MAX (size, -1);
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

  return gmcp_annotations_new_from_owner (gmcp_definition_get_value (self));
}
