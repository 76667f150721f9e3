/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-document-private.h"
#include "gmcp-config-import-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

/* What somebody has copied from a page: a whole file, a part of it, or a single server. */

/* Words of the names of packages that say nothing of the one server. */
static const char *const fillers[]
  = { "mcp-server-", "server-", "mcp-", "-mcp-server", "-server", "-mcp", NULL };

static gboolean
is_server (GmcpJsonValue value)
{
  static const char *const keys[] = { "command", "url", "httpUrl", "serverUrl", "uri", NULL };

  for (gsize i = 0; gmcp_json_value_is_object (value) && keys[i] != NULL; i++)
    {
      if (gmcp_json_value_is_present (gmcp_json_value_get_member (value, keys[i])))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_map_of_servers (GmcpJsonValue value)
{
  GmcpJsonIter iter;
  GmcpJsonValue entry;

  if (gmcp_json_value_get_length (value) == 0)
    return FALSE;

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &entry))
    {
      if (!is_server (entry))
        return FALSE;
    }
  return TRUE;
}

/* The last word of a path, without its version and without what all servers are called. */
static char *
shorten_name (const char *word)
{
  const char *slash = strrchr (word, '/');
  g_autofree char *name = g_strdup (slash != NULL ? slash + 1 : word);

  name[strcspn (name, "@:=[")] = '\0';
  for (gsize i = 0; fillers[i] != NULL; i++)
    {
      gsize length = strlen (fillers[i]);

      if (strlen (name) <= length)
        continue;
      if (g_str_has_prefix (name, fillers[i]))
        memmove (name, name + length, strlen (name) - length + 1);
      else if (fillers[i][0] == '-' && g_str_has_suffix (name, fillers[i]))
        name[strlen (name) - length] = '\0';
    }
  return g_steal_pointer (&name);
}

/* The first argument that is no option, which for npx, uvx and docker is the package. */
static char *
name_after_arguments (GmcpJsonValue arguments)
{
  GmcpJsonIter iter;
  GmcpJsonValue argument;

  if (!gmcp_json_value_is_array (arguments))
    return NULL;

  gmcp_json_iter_init (&iter, arguments);
  while (gmcp_json_iter_next (&iter, NULL, &argument))
    {
      g_autofree char *word
        = gmcp_json_value_is_string (argument) ? gmcp_json_value_dup_string (argument) : NULL;

      if (word != NULL && *word != '-' && *word != '\0' && !g_str_equal (word, "run"))
        return shorten_name (word);
    }
  return NULL;
}

static char *
name_after_address (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_NONE, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  g_auto (GStrv) parts = host != NULL ? g_strsplit (host, ".", -1) : NULL;
  guint n = parts != NULL ? g_strv_length (parts) : 0;

  /* Of “mcp.example.com” that is “example”. */
  if (n >= 2 && !g_hostname_is_ip_address (host))
    return g_strdup (parts[n - 2]);
  return host != NULL ? g_strdup (host) : NULL;
}

static char *
dup_member (GmcpJsonValue server, const char *key)
{
  GmcpJsonValue value = gmcp_json_value_get_member (server, key);

  return gmcp_json_value_is_string (value) ? gmcp_json_value_dup_string (value) : NULL;
}

static char *
make_name (GmcpJsonValue server)
{
  g_autofree char *name = dup_member (server, "name");
  g_autofree char *command = dup_member (server, "command");
  g_autofree char *address = dup_member (server, "url");

  if (name == NULL || *name == '\0')
    {
      g_free (name);
      name = name_after_arguments (gmcp_json_value_get_member (server, "args"));
    }
  if (name == NULL && address != NULL)
    name = name_after_address (address);
  if (name == NULL && command != NULL)
    name = shorten_name (command);
  return name != NULL && *name != '\0' ? g_steal_pointer (&name) : g_strdup ("server");
}

/* The text of a value with "mcpServers", and where it has none a name, around it. */
static GBytes *
wrap_servers (GmcpJsonValue value, const char *name)
{
  GString *out = g_string_new ("{\"mcpServers\":");
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (value, &length);

  if (name != NULL)
    {
      g_string_append_c (out, '{');
      gmcp_json_writer_string (&writer, name);
      g_string_append_c (out, ':');
    }
  g_string_append_len (out, raw, (gssize) length);
  g_string_append (out, name != NULL ? "}}" : "}");
  return g_string_free_to_bytes (out);
}

/* JSON is told by how it begins. What is neither is TOML or YAML, with servers in it; else the error is YAML's, which
 * takes nearly anything. */
static GmcpConfigDocument *
parse_other (const char *text, GError **error)
{
  static const GmcpConfigFormat formats[] = { GMCP_CONFIG_FORMAT_TOML, GMCP_CONFIG_FORMAT_YAML };

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      guint line = 0;
      g_autoptr (GError) reason = NULL;
      g_autoptr (GmcpConfigDocument) document
        = gmcp_config_document_parse (text, strlen (text), formats[i], &line, &reason);

      if (document != NULL && gmcp_json_value_is_object (gmcp_json_doc_get_root (document->json)))
        return g_steal_pointer (&document);
      if (formats[i] != GMCP_CONFIG_FORMAT_YAML)
        continue;
      if (reason != NULL && line > 0)
        g_prefix_error (&reason, _ ("line %u: "), line);
      if (reason != NULL)
        g_propagate_error (error, g_steal_pointer (&reason));
      else
        g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                             _ ("there is no server in it"));
    }
  return NULL;
}

/* The text of the document's servers, whole. */
static GBytes *
complete_document (GmcpConfigDocument *document, GBytes *text)
{
  GmcpJsonValue root = gmcp_json_doc_get_root (document->json);
  GmcpJsonValue servers
    = gmcp_json_value_is_object (root) ? gmcp_json_value_get_member (root, "mcp_servers") : root;

  if (is_server (root))
    {
      g_autofree char *name = make_name (root);

      return wrap_servers (root, name);
    }
  if (gmcp_json_value_is_object (root) && is_map_of_servers (root))
    return wrap_servers (root, NULL);
  /* As Codex has it, where a server is started when it is needed; in a file of one's own that is another word. */
  if (document->format == GMCP_CONFIG_FORMAT_TOML && gmcp_json_value_is_object (servers))
    return wrap_servers (servers, NULL);
  return g_bytes_ref (text);
}

GBytes *
gmcp_config_import_complete_text (const char *text, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  /* A comment may stand before it. */
  gboolean is_json = *stripped == '{' || *stripped == '"' || *stripped == '/';
  g_autofree char *whole
    = *stripped == '"' ? g_strconcat ("{", stripped, "}", NULL) : g_strdup (stripped);
  g_autoptr (GBytes) bytes = g_bytes_new (whole, strlen (whole));
  g_autoptr (GmcpConfigDocument) document = NULL;
  guint line = 0;

  if (!is_json)
    {
      document = parse_other (whole, error);
      return document != NULL ? complete_document (document, document->text) : NULL;
    }

  document
    = gmcp_config_document_parse (whole, strlen (whole), GMCP_CONFIG_FORMAT_JSON, &line, NULL);
  /* What is wrong with it is told by who reads it. */
  return document != NULL ? complete_document (document, bytes) : g_steal_pointer (&bytes);
}

/* A word that names what is there; the command does so only as a path. */
static char *
dup_full_word (const char *word, const char *folder, gboolean is_command)
{
  g_autofree char *full = NULL;

  if (*word == '-' || *word == '\0' || g_path_is_absolute (word) || strstr (word, "${") != NULL
      || (is_command && strchr (word, '/') == NULL))
    return NULL;

  full = g_canonicalize_filename (word, folder);
  return g_file_test (full, G_FILE_TEST_EXISTS) && g_utf8_validate (full, -1, NULL)
           ? g_steal_pointer (&full)
           : NULL;
}

/* A server runs in a folder of its own, where the paths of a text lead nowhere. */
GmcpServerConfig *
gmcp_config_import_dup_with_full_paths (GmcpServerConfig *config, const char *folder)
{
  GmcpServerConfig *copy = gmcp_server_config_copy (config);
  const char *const *argv = gmcp_server_config_get_argv (config);

  for (gsize i = 0; argv != NULL && argv[i] != NULL; i++)
    {
      char *full = dup_full_word (argv[i], folder, i == 0);

      if (full != NULL)
        gmcp_server_config_take_argument (copy, i, full);
    }
  return copy;
}
