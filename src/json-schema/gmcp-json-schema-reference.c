/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gio/gio.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-resource-private.h"

/* Where references lead: URIs, and JSON pointers in what they name. */

/* What is done in the time of one step of a validation. */
#define BYTES_PER_STEP   16
#define MEMBERS_PER_STEP 8

#define URI_FLAGS        (G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED)

/* RFC 3986, 5.2, of an absolute base. g_uri_resolve_relative() of GLib 2.74 forgets the slash between
 * a host and what is merged to it, and a path that cannot be written fails an assertion there. */
char *
gmcp_schema_resolve_uri (const char *base, const char *reference)
{
  g_autoptr (GUri) base_uri = g_uri_parse (base, URI_FLAGS, NULL);
  g_autoptr (GUri) uri = NULL;
  const char *path;

  if (base_uri != NULL)
    uri = g_uri_parse_relative (base_uri, reference, URI_FLAGS, NULL);
  if (uri == NULL)
    return NULL;

  path = g_uri_get_path (uri);
  if (g_uri_get_host (uri) == NULL)
    return g_str_has_prefix (path, "//") ? NULL : g_uri_to_string (uri);
  if (*path != '\0' && *path != '/')
    {
      g_autofree char *absolute = g_strconcat ("/", path, NULL);

      return g_uri_join (URI_FLAGS, g_uri_get_scheme (uri), g_uri_get_userinfo (uri),
                         g_uri_get_host (uri), g_uri_get_port (uri), absolute,
                         g_uri_get_query (uri), g_uri_get_fragment (uri));
    }

  return g_uri_to_string (uri);
}

static gboolean
spend_steps (GmcpSchemaRegistry *self, guint64 steps, GError **error)
{
  if (self->steps >= steps)
    {
      self->steps -= steps;
      return TRUE;
    }

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("Following the references of the JSON Schema took more than %u steps"),
               self->schema->limits.steps);
  return FALSE;
}

char *
gmcp_schema_registry_resolve_uri (GmcpSchemaRegistry *self,
                                  const GmcpSchemaResource *base,
                                  const char *reference,
                                  GError **error)
{
  gsize n_bytes = strlen (base->uri) + strlen (reference);

  if (!spend_steps (self, 1 + n_bytes / BYTES_PER_STEP, error))
    return NULL;
  return gmcp_schema_resolve_uri (base->uri, reference);
}

/* Reads the documents that the caller handed in, until one of them has the URI. One that is called
 * by it comes first; the others may have it as an $id inside, and are not to blame where they are
 * broken. */
static GmcpSchemaResource *
find_in_documents (GmcpSchemaRegistry *self, const char *uri, GError **error)
{
  for (guint i = 0; i < self->options->n_documents; i++)
    {
      const GmcpJsonSchemaDocument *document = &self->options->documents[i];
      g_autofree char *document_uri
        = gmcp_schema_resolve_uri (GMCP_SCHEMA_DEFAULT_BASE_URI, document->uri);

      if (document_uri != NULL && strcspn (document_uri, "#") == strlen (uri)
          && g_str_has_prefix (document_uri, uri))
        return gmcp_schema_registry_add_document (self, document->schema, uri, error);
    }

  if (!self->all_documents_read)
    {
      self->all_documents_read = TRUE;
      for (guint i = 0; i < self->options->n_documents; i++)
        gmcp_schema_registry_add_document (self, self->options->documents[i].schema,
                                           self->options->documents[i].uri, NULL);
    }

  return g_hash_table_lookup (self->by_uri, uri);
}

static GmcpSchemaResource *
find_resource (GmcpSchemaRegistry *self,
               GmcpSchemaResource *base,
               const char *reference,
               GError **error)
{
  g_autofree char *uri = NULL;
  GmcpSchemaResource *resource;

  if (*reference == '\0')
    return base;

  uri = gmcp_schema_registry_resolve_uri (self, base, reference, error);
  if (uri == NULL)
    return NULL;

  resource = g_hash_table_lookup (self->by_uri, uri);
  return resource != NULL ? resource : find_in_documents (self, uri, error);
}

/* Follows a JSON pointer. On the way it may enter resources that lie inside. */
static GmcpJsonValue
follow_pointer (GmcpSchemaRegistry *self,
                GmcpSchemaResource **resource,
                const char *pointer,
                GError **error)
{
  GmcpJsonValue value = (*resource)->location;

  while (*pointer == '/' && gmcp_json_value_is_present (value))
    {
      gsize length = strcspn (pointer + 1, "/") + 1;
      guint64 n_members = gmcp_json_value_get_length (value);
      g_autofree char *step = g_strndup (pointer, length);
      GmcpSchemaResource *inner;

      /* Each member is looked at, and the names of some are as long. */
      if (!spend_steps (self, 1 + n_members / MEMBERS_PER_STEP * (1 + length / BYTES_PER_STEP),
                        error))
        return GMCP_JSON_NONE;
      value = gmcp_json_value_get_pointer (value, step);
      inner = g_hash_table_lookup (self->resources, &value);
      if (inner != NULL)
        *resource = inner;
      pointer += length;
    }

  return value;
}

GmcpSchemaNode *
gmcp_schema_registry_resolve (GmcpSchemaRegistry *self,
                              GmcpSchemaResource *base,
                              const char *reference,
                              const char **dynamic_anchor,
                              GError **error)
{
  gsize uri_length = strcspn (reference, "#");
  g_autofree char *uri = g_strndup (reference, uri_length);
  g_autofree char *fragment = NULL;
  GmcpSchemaResource *resource = find_resource (self, base, uri, error);
  GmcpJsonValue location = GMCP_JSON_NONE;
  gpointer name;

  *dynamic_anchor = NULL;
  if (reference[uri_length] == '#')
    fragment = g_uri_unescape_string (reference + uri_length + 1, NULL);
  else
    fragment = g_strdup ("");
  if (resource == NULL || fragment == NULL)
    return NULL;

  if (*fragment == '/')
    location = follow_pointer (self, &resource, fragment, error);
  else if (*fragment == '\0')
    location = resource->location;
  else if (g_hash_table_lookup (resource->anchors, fragment) != NULL)
    location = *(GmcpJsonValue *) g_hash_table_lookup (resource->anchors, fragment);
  if (*fragment != '/'
      && g_hash_table_lookup_extended (resource->dynamic_anchors, fragment, &name, NULL))
    *dynamic_anchor = name;

  return gmcp_json_value_is_present (location)
           ? gmcp_schema_registry_ensure_node (self, location, resource, error)
           : NULL;
}
