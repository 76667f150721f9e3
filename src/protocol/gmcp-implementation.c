/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-icon-private.h"
#include "gmcp-implementation-private.h"
#include "gmcp-protocol-private.h"

/**
 * GmcpImplementation:
 *
 * What a client or a server says of itself: its name and version, and what is shown of it. Good for showing and
 * logging, not for decisions. Immutable; may be used from any thread.
 *
 * Spec: MCP 2026-07-28, schema, "Implementation".
 *
 * Since: 0.1
 */
struct _GmcpImplementation
{
  gatomicrefcount ref_count;
  char *name;
  char *version;
  char *title;
  char *description;
  char *website_url;
  GString *json; /* one line */
};

G_DEFINE_BOXED_TYPE (GmcpImplementation,
                     gmcp_implementation,
                     gmcp_implementation_ref,
                     gmcp_implementation_unref)

static char *
dup_member (GmcpJsonValue value, const char *name)
{
  return gmcp_json_value_dup_string (gmcp_json_value_get_member (value, name));
}

GmcpImplementation *
gmcp_implementation_new_from_value (GmcpJsonValue value)
{
  GmcpImplementation *self = g_new0 (GmcpImplementation, 1);
  GmcpJsonWriter writer;

  g_atomic_ref_count_init (&self->ref_count);
  self->name = dup_member (value, "name");
  if (self->name == NULL)
    self->name = g_strdup ("");
  self->version = dup_member (value, "version");
  if (self->version == NULL)
    self->version = g_strdup ("");
  self->title = dup_member (value, "title");
  self->description = dup_member (value, "description");
  self->website_url = dup_member (value, "websiteUrl");

  self->json = g_string_new (NULL);
  if (gmcp_json_value_is_object (value))
    {
      writer = gmcp_json_writer_init (self->json);
      gmcp_json_writer_value (&writer, value);
    }
  else
    {
      g_string_append (self->json, "{}");
    }

  return self;
}

/**
 * gmcp_implementation_new:
 * @name: the program's name, such as `org.example.Notes`
 * @version: its version
 *
 * Says who a client or a server is.
 *
 * Returns: (transfer full): a new implementation
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_implementation_new (const char *name, const char *version)
{
  GmcpImplementation *self;
  GmcpJsonWriter writer;

  g_return_val_if_fail (name != NULL && *name != '\0', NULL);
  g_return_val_if_fail (version != NULL, NULL);

  self = g_new0 (GmcpImplementation, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);
  self->version = g_strdup (version);
  self->json = g_string_new (NULL);

  writer = gmcp_json_writer_init (self->json);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", name);
  gmcp_json_writer_member_string (&writer, "version", version);
  gmcp_json_writer_end_object (&writer);
  return self;
}

/**
 * gmcp_implementation_new_from_json:
 * @json: a JSON object as text, with `name`, `version` and more
 * @error: return location for an error
 *
 * Says who a client or a server is, with all that the protocol has a word for (`title`,
 * `description`, `websiteUrl`, `icons`).
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object with a name and a version.
 *
 * Returns: (transfer full): a new implementation
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_implementation_new_from_json (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GmcpImplementation) self = NULL;
  GmcpJsonValue root;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_protocol_parse_object (json, "Implementation", error);
  if (doc == NULL)
    return NULL;

  root = gmcp_json_doc_get_root (doc);
  self = gmcp_implementation_new_from_value (root);
  if (*self->name == '\0'
      || !gmcp_json_value_is_string (gmcp_json_value_get_member (root, "version")))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("An implementation has to have a name and a version"));
      return NULL;
    }

  return g_steal_pointer (&self);
}

/**
 * gmcp_implementation_ref:
 * @self: an implementation
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_implementation_ref (GmcpImplementation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * gmcp_implementation_unref:
 * @self: (transfer full): an implementation
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_implementation_unref (GmcpImplementation *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->name);
  g_free (self->version);
  g_free (self->title);
  g_free (self->description);
  g_free (self->website_url);
  g_string_free (self->json, TRUE);
  g_free (self);
}

/**
 * gmcp_implementation_get_name:
 * @self: an implementation
 *
 * Gives the program's name.
 *
 * Returns: (transfer none): the name; empty where the peer gave none
 *
 * Since: 0.1
 */
const char *
gmcp_implementation_get_name (GmcpImplementation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * gmcp_implementation_get_version:
 * @self: an implementation
 *
 * Gives the program's version.
 *
 * Returns: (transfer none): the version; empty where the peer gave none
 *
 * Since: 0.1
 */
const char *
gmcp_implementation_get_version (GmcpImplementation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->version;
}

/**
 * gmcp_implementation_get_title:
 * @self: an implementation
 *
 * Gives the name to show to people.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_implementation_get_title (GmcpImplementation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->title;
}

/**
 * gmcp_implementation_get_description:
 * @self: an implementation
 *
 * Gives what the program does, for people and models to read.
 *
 * Returns: (transfer none) (nullable): the description, or %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_implementation_get_description (GmcpImplementation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->description;
}

/**
 * gmcp_implementation_get_website_url:
 * @self: an implementation
 *
 * Gives the address of the program's website. A peer can say any address: open those of `https:` only, and only
 * where the user wants to.
 *
 * Returns: (transfer none) (nullable): the address, or %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_implementation_get_website_url (GmcpImplementation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->website_url;
}

/**
 * gmcp_implementation_list_icons:
 * @self: an implementation
 *
 * Lists the program's pictures.
 *
 * Returns: (transfer container) (element-type Gmcp.Icon): the icons; empty where there are none
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_implementation_list_icons (GmcpImplementation *self)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  /* Looked for when they are asked for, since each request says who its client is. */
  doc = gmcp_protocol_parse_object (self->json->str, "Implementation", NULL);
  return doc != NULL ? gmcp_icons_list (gmcp_json_doc_get_root (doc))
                     : g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_icon_unref);
}

/**
 * gmcp_implementation_dup_json:
 * @self: an implementation
 *
 * Gives all that was said, in one line.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_implementation_dup_json (GmcpImplementation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_strndup (self->json->str, self->json->len);
}
