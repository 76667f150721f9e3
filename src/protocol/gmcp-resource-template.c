/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-resource-template-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-annotations-private.h"
#include "gmcp-definition-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-uri-template-private.h"

/**
 * GmcpResourceTemplate:
 *
 * A family of resources that a server has: a URI with places to be filled in. Immutable: a template
 * that changes is another object in the list.
 *
 * [method@Gmcp.ResourceTemplate.expand_json] makes the URI of one resource,
 * [method@Gmcp.ResourceTemplate.match] finds what was filled in, and
 * [method@Gmcp.Client.complete_async] asks the server what a place can be filled with.
 *
 * Spec: MCP 2026-07-28, server/resources, "Resource Templates"; RFC 6570.
 *
 * Since: 0.1
 */
struct _GmcpResourceTemplate
{
  GmcpDefinition parent_instance;

  char *mime_type; /* decoded when asked for */
};

G_DEFINE_FINAL_TYPE (GmcpResourceTemplate, gmcp_resource_template, GMCP_TYPE_DEFINITION)

typedef enum
{
  PROP_URI_TEMPLATE = 1,
  PROP_MIME_TYPE,
} GmcpResourceTemplateProperty;

static GParamSpec *properties[PROP_MIME_TYPE + 1];

static void
gmcp_resource_template_get_property (GObject *object,
                                     guint prop_id,
                                     GValue *value,
                                     GParamSpec *pspec)
{
  GmcpResourceTemplate *self = GMCP_RESOURCE_TEMPLATE (object);

  switch ((GmcpResourceTemplateProperty) prop_id)
    {
    case PROP_URI_TEMPLATE:
      g_value_set_string (value, gmcp_resource_template_get_uri_template (self));
      break;
    case PROP_MIME_TYPE:
      g_value_set_string (value, gmcp_resource_template_get_mime_type (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_resource_template_finalize (GObject *object)
{
  g_free (GMCP_RESOURCE_TEMPLATE (object)->mime_type);

  G_OBJECT_CLASS (gmcp_resource_template_parent_class)->finalize (object);
}

static void
gmcp_resource_template_class_init (GmcpResourceTemplateClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_resource_template_get_property;
  object_class->finalize = gmcp_resource_template_finalize;

  /**
   * GmcpResourceTemplate:uri-template: (getter get_uri_template)
   *
   * The URI template, as RFC 6570 has it.
   *
   * Since: 0.1
   */
  properties[PROP_URI_TEMPLATE] = g_param_spec_string ("uri-template", NULL, NULL, NULL, flags);

  /**
   * GmcpResourceTemplate:mime-type: (getter get_mime_type)
   *
   * The media type, where all resources of the template have the same.
   *
   * Since: 0.1
   */
  properties[PROP_MIME_TYPE] = g_param_spec_string ("mime-type", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_resource_template_init (GmcpResourceTemplate *self)
{
}

static GmcpResourceTemplate *
new_checked (GmcpJsonValue value, int code, GError **error)
{
  return gmcp_definition_new (
    GMCP_TYPE_RESOURCE_TEMPLATE, value, "uriTemplate", error, code,
    _ ("A resource template has to be a JSON object with a URI template"));
}

GmcpResourceTemplate *
gmcp_resource_template_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

/**
 * gmcp_resource_template_new:
 * @uri_template: the addresses that it stands for, as RFC 6570 writes them
 * @name: its name
 * @mime_type: (nullable): the media type of all that it stands for, or %NULL where there is not one
 *
 * Makes a template, for those who provide resources of their own.
 * [ctor@Gmcp.ResourceTemplate.new_from_json] makes one that has more members.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpResourceTemplate *
gmcp_resource_template_new (const char *uri_template, const char *name, const char *mime_type)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (uri_template != NULL && *uri_template != '\0', NULL);
  g_return_val_if_fail (name != NULL, NULL);

  doc = gmcp_definition_write ("uriTemplate", uri_template, name, mime_type);
  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, NULL);
}

/**
 * gmcp_resource_template_new_from_json:
 * @json: a template as JSON text, in the form that servers list them in
 * @error: return location for an error
 *
 * Makes a template, for those who provide some of their own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object with a string `uriTemplate`.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
GmcpResourceTemplate *
gmcp_resource_template_new_from_json (const char *json, GError **error)
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
 * gmcp_resource_template_get_uri_template: (get-property uri-template)
 * @self: a template
 *
 * Gives the URI template.
 *
 * Returns: (transfer none): the template
 *
 * Since: 0.1
 */
const char *
gmcp_resource_template_get_uri_template (GmcpResourceTemplate *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_TEMPLATE (self), NULL);

  return gmcp_definition_get_key (self);
}

/**
 * gmcp_resource_template_get_mime_type: (get-property mime-type)
 * @self: a template
 *
 * Gives the media type.
 *
 * Returns: (transfer none) (nullable): the media type, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_resource_template_get_mime_type (GmcpResourceTemplate *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_TEMPLATE (self), NULL);

  return gmcp_protocol_cache_string (&self->mime_type,
                                     gmcp_definition_get_member (self, "mimeType"));
}

/**
 * gmcp_resource_template_list_variables:
 * @self: a template
 * @error: return location for an error
 *
 * Gives the names of the places to be filled in, each once, in the order in which they come.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the server sent what is no URI template,
 * and `LIMIT_EXCEEDED` where it is longer than any ought to be.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names
 *
 * Since: 0.1
 */
char **
gmcp_resource_template_list_variables (GmcpResourceTemplate *self, GError **error)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_TEMPLATE (self), NULL);

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return gmcp_uri_template_list_variables (gmcp_definition_get_key (self), error);
}

/**
 * gmcp_resource_template_expand:
 * @self: a template
 * @variables: (nullable): a JSON object with the values by name, or %NULL for none
 * @error: return location for an error
 *
 * Makes the URI of one resource, by RFC 6570 (all of its four levels). A value is a string, a
 * number or a boolean, a list of these, or an object of these; what is not there, null, or an empty
 * list is left out.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the template is none, or a value does not
 * fit its place, and `LIMIT_EXCEEDED` where the URI would be longer than any ought to be.
 *
 * Spec: RFC 6570.
 *
 * Returns: (transfer full): the URI
 *
 * Since: 0.1
 */
char *
gmcp_resource_template_expand (GmcpResourceTemplate *self, JsonNode *variables, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_RESOURCE_TEMPLATE (self), NULL);

  g_return_val_if_fail (variables == NULL || JSON_NODE_HOLDS_OBJECT (variables), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (variables != NULL)
    {
      doc = gmcp_json_doc_from_node (variables, error);
      if (doc == NULL)
        return NULL;
    }
  return gmcp_uri_template_expand (gmcp_definition_get_key (self),
                                   doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE,
                                   error);
}

/**
 * gmcp_resource_template_expand_json:
 * @self: a template
 * @variables_json: (nullable): the text of a JSON object with the values by name, or %NULL for none
 * @error: return location for an error
 *
 * Makes the URI of one resource, by RFC 6570 (all of its four levels). A value is a string, a
 * number or a boolean, a list of these, or an object of these; what is not there, null, or an empty
 * list is left out. Numbers come as they are written.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the template is none, or a value does not
 * fit its place, and `LIMIT_EXCEEDED` where the URI would be longer than any ought to be.
 * `INVALID_JSON` is for a text that is no JSON.
 *
 * Spec: RFC 6570.
 *
 * Returns: (transfer full): the URI
 *
 * Since: 0.1
 */
char *
gmcp_resource_template_expand_json (GmcpResourceTemplate *self,
                                    const char *variables_json,
                                    GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_RESOURCE_TEMPLATE (self), NULL);

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (variables_json != NULL)
    {
      doc = gmcp_protocol_parse_object (variables_json, _ ("The values for a URI template"), error);
      if (doc == NULL)
        return NULL;
    }
  return gmcp_uri_template_expand (gmcp_definition_get_key (self),
                                   doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE,
                                   error);
}

/**
 * gmcp_resource_template_match:
 * @self: a template
 * @uri: an address, such as one that a client asks for
 *
 * Finds the values that make the template this address: the way back from
 * [method@Gmcp.ResourceTemplate.expand], for those who provide resources of their own. A value that the
 * address does not have, such as one of a query, is not among them; those of a query have to come in
 * the order of the template.
 *
 * A template with a list (`{path*}`) or a prefix (`{name:3}`) has no way back. With `{+path}`, a path
 * of any depth is one value.
 *
 * Spec: RFC 6570, section 1.4.
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): the values by name, decoded, or %NULL
 *   where the address is not of this template
 *
 * Since: 0.1
 */
GHashTable *
gmcp_resource_template_match (GmcpResourceTemplate *self, const char *uri)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_TEMPLATE (self), NULL);
  g_return_val_if_fail (uri != NULL, NULL);

  return gmcp_uri_template_match (gmcp_definition_get_key (self), uri);
}

/**
 * gmcp_resource_template_dup_annotations:
 * @self: a template
 *
 * Gives whom it is for and how much it matters.
 *
 * Returns: (transfer full) (nullable): the annotations, or %NULL where there are none
 *
 * Since: 0.1
 */
GmcpAnnotations *
gmcp_resource_template_dup_annotations (GmcpResourceTemplate *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_TEMPLATE (self), NULL);

  return gmcp_annotations_new_from_owner (gmcp_definition_get_value (self));
}
