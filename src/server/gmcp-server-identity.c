/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-icon-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-identity-private.h"

typedef struct
{
  const char *name;
  gsize offset;
  const char *initial;
  gboolean is_once; /* said when the server is made, and never again */
} Text;

#define OFFSET(member) G_STRUCT_OFFSET (GmcpServerIdentity, member)

static const Text texts[GMCP_SERVER_IDENTITY_N_TEXTS] = {
  /**
   * GmcpServer:name:
   *
   * The server's name, for programs; clients show [property@Gmcp.Server:title] where there is one.
   *
   * Since: 0.1
   */
  { "name", OFFSET (name), "gmcp", TRUE },

  /**
   * GmcpServer:version:
   *
   * The server's version.
   *
   * Since: 0.1
   */
  { "version", OFFSET (version), "0", TRUE },

  /**
   * GmcpServer:title:
   *
   * The server's name for people.
   *
   * Since: 0.1
   */
  { "title", OFFSET (title), NULL, FALSE },

  /**
   * GmcpServer:description:
   *
   * What the server is for, in a sentence for people. Clients read it when they connect.
   *
   * Spec: MCP 2026-07-28, schema, `Implementation`.
   *
   * Since: 0.1
   */
  { "description", OFFSET (description), NULL, FALSE },

  /**
   * GmcpServer:website-url:
   *
   * The address at which people read more about the server. Clients read it when they connect.
   *
   * Spec: MCP 2026-07-28, schema, `Implementation`.
   *
   * Since: 0.1
   */
  { "website-url", OFFSET (website_url), NULL, FALSE },

  /**
   * GmcpServer:instructions:
   *
   * What a model should know to use the server well. Where it is not set, clients read what the
   * provider says.
   *
   * Since: 0.1
   */
  { "instructions", OFFSET (instructions), NULL, FALSE },
};

static char **
get_field (const GmcpServerIdentity *self, guint index)
{
  return (char **) G_STRUCT_MEMBER_P (self, texts[index].offset);
}

void
gmcp_server_identity_install (GObjectClass *klass, guint first)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_object_class_install_property (
      klass, first + i,
      g_param_spec_string (texts[i].name, NULL, NULL, texts[i].initial,
                           texts[i].is_once ? flags | G_PARAM_CONSTRUCT_ONLY : flags));
}

void
gmcp_server_identity_clear (GmcpServerIdentity *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (*get_field (self, i));
  if (self->icons != NULL)
    g_string_free (self->icons, TRUE);
  if (self->extensions != NULL)
    g_string_free (self->extensions, TRUE);
  g_clear_pointer (&self->extension_names, g_hash_table_unref);
  g_free (self->short_json);
  g_free (self->json);
}

static void
forget_json (GmcpServerIdentity *self)
{
  g_clear_pointer (&self->short_json, g_free);
  g_clear_pointer (&self->json, g_free);
}

void
gmcp_server_identity_get (const GmcpServerIdentity *self, guint index, GValue *value)
{
  g_value_set_string (value, *get_field (self, index));
}

gboolean
gmcp_server_identity_set (GmcpServerIdentity *self, guint index, const GValue *value)
{
  char **field = get_field (self, index);

  if (g_strcmp0 (*field, g_value_get_string (value)) == 0)
    return FALSE;

  g_free (*field);
  *field = g_value_dup_string (value);
  forget_json (self);
  return TRUE;
}

void
gmcp_server_identity_add_icon (GmcpServerIdentity *self,
                               const char *src,
                               const char *mime_type,
                               const char *theme)
{
  if (!gmcp_icons_append (&self->icons, src, mime_type, theme))
    {
      g_warning ("An icon is not added: its address has to be an http:, https: or data:image/ one");
      return;
    }
  forget_json (self);
}

/* Labels with dots between them: each begins with a letter and ends with a letter or a digit. */
static gboolean
check_prefix (const char *prefix, const char *end)
{
  for (const char *label = prefix;; label++)
    {
      const char *last = label;

      if (label >= end || !g_ascii_isalpha (*label))
        return FALSE;
      while (last + 1 < end && (g_ascii_isalnum (last[1]) || last[1] == '-'))
        last++;
      if (*last == '-')
        return FALSE;

      label = last + 1;
      if (label == end)
        return TRUE;
      if (*label != '.')
        return FALSE;
    }
}

/* As the keys of _meta, but for the prefix, which has to be there. */
static gboolean
check_extension_name (const char *name)
{
  const char *slash = strchr (name, '/');
  gsize length;

  if (slash == NULL || !check_prefix (name, slash))
    return FALSE;

  length = strlen (slash + 1);
  if (length == 0)
    return FALSE;
  for (const char *c = slash + 1; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("-_.", *c) == NULL)
      return FALSE;
  return g_ascii_isalnum (slash[1]) && g_ascii_isalnum (slash[length]);
}

static gboolean
check_extension (GmcpServerIdentity *self, const char *name, GError **error)
{
  if (!check_extension_name (name))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” is no name of an extension of MCP; com.example/notes would be one"),
                 name);
  else if (g_str_equal (name, GMCP_EXTENSION_TASKS))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("The server declares “%s” by itself, once a tool lets its calls become tasks"),
                 name);
  else if (self->extension_names != NULL && g_hash_table_contains (self->extension_names, name))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("The extension “%s” has been added already"), name);
  else
    return TRUE;

  return FALSE;
}

gboolean
gmcp_server_identity_add_extension (GmcpServerIdentity *self,
                                    const char *name,
                                    const char *settings_json,
                                    GError **error)
{
  g_autoptr (GmcpJsonDoc) settings = NULL;
  GmcpJsonWriter writer;

  if (!check_extension (self, name, error))
    return FALSE;

  settings = gmcp_protocol_parse_object (settings_json != NULL ? settings_json : "{}",
                                         "Extension settings", error);
  if (settings == NULL)
    return FALSE;

  if (self->extensions == NULL)
    {
      self->extensions = g_string_new (NULL);
      self->extension_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    }
  else
    {
      g_string_append_c (self->extensions, ',');
    }
  writer = gmcp_json_writer_init (self->extensions);
  gmcp_json_writer_string (&writer, name);
  g_string_append_c (self->extensions, ':');
  writer = gmcp_json_writer_init (self->extensions);
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (settings));
  g_hash_table_add (self->extension_names, g_strdup (name));
  return TRUE;
}

static GmcpJsonWriter
begin_json (const GmcpServerIdentity *self, GString *out)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", self->name);
  if (self->title != NULL)
    gmcp_json_writer_member_string (&writer, "title", self->title);
  gmcp_json_writer_member_string (&writer, "version", self->version);
  return writer;
}

const char *
gmcp_server_identity_get_short_json (GmcpServerIdentity *self)
{
  GString *out;
  GmcpJsonWriter writer;

  if (self->short_json != NULL)
    return self->short_json;

  out = g_string_new (NULL);
  writer = begin_json (self, out);
  gmcp_json_writer_end_object (&writer);
  self->short_json = g_string_free (out, FALSE);
  return self->short_json;
}

const char *
gmcp_server_identity_get_json (GmcpServerIdentity *self)
{
  GString *out;
  GmcpJsonWriter writer;

  if (self->json != NULL)
    return self->json;

  out = g_string_new (NULL);
  writer = begin_json (self, out);
  if (self->description != NULL)
    gmcp_json_writer_member_string (&writer, "description", self->description);
  if (self->website_url != NULL)
    gmcp_json_writer_member_string (&writer, "websiteUrl", self->website_url);
  if (self->icons != NULL)
    {
      gmcp_json_writer_key (&writer, "icons");
      gmcp_json_writer_begin_array (&writer);
      gmcp_json_writer_raw (&writer, self->icons->str, (gssize) self->icons->len);
      gmcp_json_writer_end_array (&writer);
    }
  gmcp_json_writer_end_object (&writer);
  self->json = g_string_free (out, FALSE);
  return self->json;
}

void
gmcp_server_identity_write_extensions (const GmcpServerIdentity *self,
                                       GmcpJsonWriter *writer,
                                       const char *own)
{
  if (self->extensions == NULL && own == NULL)
    return;

  gmcp_json_writer_key (writer, "extensions");
  gmcp_json_writer_begin_object (writer);
  if (own != NULL)
    gmcp_json_writer_member_empty (writer, own);
  if (self->extensions != NULL)
    gmcp_json_writer_raw (writer, self->extensions->str, (gssize) self->extensions->len);
  gmcp_json_writer_end_object (writer);
}
