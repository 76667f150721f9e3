/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-http-redirect-private.h"
#include "gmcp-http-request-private.h"
#include "gmcp-http-url-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-redactor-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

/* The part of a GChecksum's hexadecimal text that makes two ids of unreadable names differ. */
#define ID_HASH_LENGTH 8

static gboolean
is_id_start (char c)
{
  return g_ascii_islower (c) || g_ascii_isdigit (c);
}

/**
 * gmcp_server_config_is_valid_id:
 * @id: a text
 *
 * Says whether a text can be the id of a server: 1 to 63 lower-case ASCII letters, digits and
 * hyphens, no hyphen at the start.
 *
 * Returns: whether it can
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_is_valid_id (const char *id)
{
  gsize length = 0;

  g_return_val_if_fail (id != NULL, FALSE);

  if (!is_id_start (id[0]))
    return FALSE;

  while (id[length] != '\0')
    {
      if (!is_id_start (id[length]) && id[length] != '-')
        return FALSE;
      if (++length > GMCP_LIMIT_SERVER_ID_LENGTH)
        return FALSE;
    }

  return TRUE;
}

/**
 * gmcp_server_config_make_id:
 * @name: any name
 *
 * Makes an id from a name that somebody gave a server in a file: in lower case, with a hyphen for
 * each character that an id cannot hold. The same name always gives the same id; two names may give
 * the same.
 *
 * Returns: (transfer full): a valid id
 *
 * Since: 0.1
 */
char *
gmcp_server_config_make_id (const char *name)
{
  g_autoptr (GString) id = g_string_new (NULL);
  gboolean readable = FALSE;

  g_return_val_if_fail (name != NULL, NULL);

  for (const char *c = name; *c != '\0' && id->len < GMCP_LIMIT_SERVER_ID_LENGTH; c++)
    {
      /* One hyphen a character, not one a byte of it. */
      if (((guchar) *c & 0xc0) == 0x80)
        continue;

      if (g_ascii_isalnum (*c))
        {
          g_string_append_c (id, g_ascii_tolower (*c));
          readable = TRUE;
        }
      else if (id->len > 0)
        {
          g_string_append_c (id, '-');
        }
    }

  if (!readable)
    {
      g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);

      g_string_printf (id, "server-%.*s", ID_HASH_LENGTH, hash);
    }

  return g_string_free (g_steal_pointer (&id), FALSE);
}

/* What is still to be expanded is looked at then. */
static gboolean
is_pattern (GmcpServerConfig *self, const char *text)
{
  return !gmcp_server_config_is_expanded (self) && gmcp_config_is_pattern (text);
}

static gboolean
check_program (GmcpServerConfig *self, const char **property, GError **error)
{
  const char *const *argv = gmcp_server_config_get_argv (self);
  const char *const *environment = gmcp_server_config_get_environment (self);
  const char *cwd = gmcp_server_config_get_cwd (self);
  const char *title = gmcp_server_config_get_title (self);

  *property = "argv";
  if (argv[0] == NULL || *argv[0] == '\0')
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("Server “%s” has no command: set “command” to the program that it is"),
                   title);
      return FALSE;
    }

  *property = "environment";
  for (gsize i = 0; environment[i] != NULL; i++)
    {
      /* The value may be a secret: only the name goes into the message. */
      if (environment[i][0] == '=' || strchr (environment[i], '=') == NULL)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                       _ ("Server “%s” has an environment variable without a name or a value"),
                       title);
          return FALSE;
        }
    }

  *property = "cwd";
  if (cwd != NULL && !g_path_is_absolute (cwd) && !is_pattern (self, cwd))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("Server “%s” is to run in “%s”, which is no full path: set “cwd” to one"),
                   title, cwd);
      return FALSE;
    }

  return TRUE;
}

/* A part of what was asked for would be less than the user relies on. */
static gboolean
check_confinement (GmcpServerConfig *self, const char **property, GError **error)
{
  const char *title = gmcp_server_config_get_title (self);
  const char *const *paths = gmcp_server_config_get_writable_paths (self);
  gboolean is_program = gmcp_server_config_get_transport (self) == GMCP_SERVER_TRANSPORT_STDIO;
  gboolean in_sandbox = gmcp_server_config_get_sandbox (self) != GMCP_SANDBOX_NONE;
  gboolean no_network = gmcp_server_config_get_no_network (self);
  gboolean unix_sockets = gmcp_server_config_get_unix_sockets (self);
  const char *key = no_network ? "no-network" : unix_sockets ? "unix-sockets" : "writable-paths";

  *property = "writable-paths";
  for (gsize i = 0; paths[i] != NULL; i++)
    {
      if (!g_path_is_absolute (paths[i]) && !is_pattern (self, paths[i]))
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                       _ ("Server “%s” is to write to “%s”, which is no full path: correct "
                          "“writable-paths”"),
                       title, paths[i]);
          return FALSE;
        }
    }

  if (is_program)
    *property = key;
  else
    *property = "sandbox";
  if (!in_sandbox && (no_network || unix_sockets || paths[0] != NULL))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 _ ("Server “%s” has “%s” without a sandbox: set “sandbox” to “read-only-home”, or "
                    "take it out"),
                 title, key);
  else if (!is_program
           && (in_sandbox || gmcp_server_config_get_max_cpu_ms (self) > 0
               || gmcp_server_config_get_max_memory_mib (self) > 0
               || gmcp_server_config_get_max_processes (self) > 0))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 _ ("Server “%s” is reached by its address, so a sandbox or limits of its program "
                    "cannot be had: take them out"),
                 title);
  else
    return TRUE;
  return FALSE;
}

static gboolean
is_usable_url (GmcpServerConfig *self)
{
  const char *url = gmcp_server_config_get_url (self);
  g_autoptr (GmcpHttpUrl) http = url != NULL ? gmcp_http_url_parse (url, NULL) : NULL;
  g_autofree char *socket = url != NULL ? gmcp_server_config_dup_socket_path (self) : NULL;

  return http != NULL
         || (socket != NULL
             && gmcp_server_config_get_transport (self) != GMCP_SERVER_TRANSPORT_SSE);
}

/* Neither the URL nor a header's value goes into a message: each may be a secret. */
static gboolean
check_url (GmcpServerConfig *self, const char **property, GError **error)
{
  const char *const *headers = gmcp_server_config_get_headers (self);
  const char *unpaired = gmcp_server_config_peek_unpaired_header (self);
  const char *const *origins = gmcp_server_config_get_allowed_redirect_origins (self);
  const char *ca_file = gmcp_server_config_get_ca_file (self);
  const char *title = gmcp_server_config_get_title (self);

  *property = "url";
  if (!is_pattern (self, gmcp_server_config_get_url (self)) && !is_usable_url (self))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("Server “%s” has no address: set “url” to one that starts with http://, "
                      "https:// or unix:///"),
                   title);
      return FALSE;
    }

  *property = "headers";
  if (unpaired != NULL)
    {
      g_set_error (
        error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
        /* Translators: the name of a server, of a header */
        _ ("Server “%s” has “headers” in which names and values do not alternate, at “%s”: "
           "give each header as a name and a value"),
        title, unpaired);
      return FALSE;
    }
  for (gsize i = 0; headers[i] != NULL; i += 2)
    {
      if (!gmcp_http_header_is_valid (headers[i],
                                      is_pattern (self, headers[i + 1]) ? "" : headers[i + 1]))
        {
          g_autofree char *shown = gmcp_config_dup_header_name (headers[i]);

          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                       _ ("Server “%s” has the header “%s”, whose name or value cannot be sent: "
                          "correct “headers”"),
                       title, shown);
          return FALSE;
        }
    }

  *property = "ca-file";
  if (ca_file != NULL && !g_path_is_absolute (ca_file) && !is_pattern (self, ca_file))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("Server “%s” is to trust the certificates in “%s”, which is no full path: "
                      "give one"),
                   title, ca_file);
      return FALSE;
    }

  *property = "allowed-redirect-origins";
  for (gsize i = 0; origins[i] != NULL; i++)
    {
      if (!is_pattern (self, origins[i]) && !gmcp_http_origin_is_valid (origins[i]))
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                       _ ("Server “%s” allows redirections to “%s”, which is no origin: give a "
                          "scheme, a host and, where it is not the usual one, a port, such as "
                          "https://mcp.example.com"),
                       title, origins[i]);
          return FALSE;
        }
    }

  return TRUE;
}

gboolean
gmcp_server_config_check (GmcpServerConfig *self, const char **property, GError **error)
{
  *property = "id";
  if (!gmcp_server_config_is_valid_id (gmcp_server_config_get_id (self)))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” cannot be the id of a server: an id is 1 to %u lower-case letters, "
                      "digits and hyphens, and does not start with a hyphen"),
                   gmcp_server_config_get_id (self), GMCP_LIMIT_SERVER_ID_LENGTH);
      return FALSE;
    }

  if (!check_confinement (self, property, error))
    return FALSE;

  return gmcp_server_config_get_transport (self) == GMCP_SERVER_TRANSPORT_STDIO
           ? check_program (self, property, error)
           : check_url (self, property, error);
}

/**
 * gmcp_server_config_validate:
 * @self: a configuration
 * @error: return location for an error
 *
 * Says whether a server can be started with these values. Whether the program is there is not
 * looked at. Fails with %GMCP_ERROR_INVALID_CONFIG, whose message names the server and the key.
 *
 * Returns: whether it can
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_validate (GmcpServerConfig *self, GError **error)
{
  const char *property;

  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return gmcp_server_config_check (self, &property, error);
}

/* Where variables in it get other values. */
static gboolean
same_origin (GmcpServerConfig *self, GmcpServerConfig *other)
{
  static const GmcpConfigOrigin none = { .confined = FALSE };
  const GmcpConfigOrigin *a = gmcp_server_config_get_origin (self);
  const GmcpConfigOrigin *b = gmcp_server_config_get_origin (other);

  a = a != NULL ? a : &none;
  b = b != NULL ? b : &none;
  return g_strcmp0 (a->workspace, b->workspace) == 0 && g_strcmp0 (a->folder, b->folder) == 0
         && g_strcmp0 (a->confined ? a->file : NULL, b->confined ? b->file : NULL) == 0;
}

static gboolean
same_values (GmcpServerConfig *self, GmcpServerConfig *other, gboolean of_process_only)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      if ((fields[i].of_process || !of_process_only)
          && !gmcp_config_field_equal (&fields[i], self, other))
        return FALSE;
    }
  return gmcp_server_config_is_environment_locked (self)
           == gmcp_server_config_is_environment_locked (other)
         && g_strcmp0 (gmcp_server_config_peek_unpaired_header (self),
                       gmcp_server_config_peek_unpaired_header (other))
              == 0
         && (of_process_only
             || gmcp_server_config_stands_in (self) == gmcp_server_config_stands_in (other))
         && same_origin (self, other);
}

gboolean
gmcp_server_config_same_process (GmcpServerConfig *self, GmcpServerConfig *other)
{
  return same_values (self, other, TRUE);
}

/**
 * gmcp_server_config_equal:
 * @self: a configuration
 * @other: another
 *
 * Says whether two configurations are the same in every value.
 *
 * Returns: whether they are
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_equal (GmcpServerConfig *self, GmcpServerConfig *other)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (other), FALSE);

  return self == other || same_values (self, other, FALSE);
}

/* Adds the length, too, so that no two lists of texts give equal bytes. */
static void
hash_text (GChecksum *checksum, const char *text)
{
  gint64 length = text != NULL ? (gint64) strlen (text) : -1;
  gint64 bytes = GINT64_TO_LE (length);

  g_checksum_update (checksum, (const guchar *) &bytes, sizeof bytes);
  if (length > 0)
    g_checksum_update (checksum, (const guchar *) text, length);
}

static void
hash_number (GChecksum *checksum, guint number)
{
  guint32 bytes = GUINT32_TO_LE (number);

  g_checksum_update (checksum, (const guchar *) &bytes, sizeof bytes);
}

static void
hash_texts (GChecksum *checksum, const char *const *texts)
{
  hash_number (checksum, g_strv_length ((char **) texts));
  for (gsize i = 0; texts[i] != NULL; i++)
    hash_text (checksum, texts[i]);
}

/**
 * gmcp_server_config_dup_hash:
 * @self: a configuration
 *
 * Gives a SHA-256 hash over all that decides which server is reached and how it behaves: transport,
 * program, environment, folder, address, headers, certificates and era. It stays the same from run to run and from machine
 * to machine, and nothing of the configuration can be read from it.
 *
 * Returns: (transfer full): 64 hexadecimal digits
 *
 * Since: 0.1
 */
char *
gmcp_server_config_dup_hash (GmcpServerConfig *self)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  const GmcpConfigOrigin *origin;

  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  origin = gmcp_server_config_get_origin (self);

  hash_text (checksum, "gmcp-server-config-1");
  hash_number (checksum, gmcp_server_config_get_transport (self));
  hash_number (checksum, gmcp_server_config_get_era (self));
  hash_number (checksum, gmcp_server_config_get_inherit_environment (self) ? 1 : 0);
  hash_text (checksum, gmcp_server_config_get_cwd (self));
  hash_text (checksum, gmcp_server_config_get_url (self));
  hash_texts (checksum, gmcp_server_config_get_argv (self));
  hash_texts (checksum, gmcp_server_config_get_environment (self));
  /* Came later; what has none keeps its hash. */
  if (gmcp_server_config_get_ca_file (self) != NULL
      || gmcp_server_config_get_headers (self)[0] != NULL)
    {
      hash_text (checksum, gmcp_server_config_get_ca_file (self));
      hash_texts (checksum, gmcp_server_config_get_headers (self));
    }
  if (gmcp_server_config_get_allowed_redirect_origins (self)[0] != NULL)
    hash_texts (checksum, gmcp_server_config_get_allowed_redirect_origins (self));
  /* One text means different servers in different workspaces. */
  if (origin != NULL && origin->workspace != NULL)
    hash_text (checksum, origin->workspace);
  else if (origin != NULL && origin->folder != NULL && gmcp_server_config_get_cwd (self) == NULL)
    hash_text (checksum, origin->folder);
  return g_strdup (g_checksum_get_string (checksum));
}
