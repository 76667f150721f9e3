/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gmcp-task-fields.h"
#include "gmcp-tasks-door-options.h"

void
gmcp_tasks_door_options_clear (GmcpTasksDoorOptions *self)
{
  g_clear_pointer (&self->socket, g_free);
  g_clear_pointer (&self->users, g_strfreev);
  g_clear_pointer (&self->http, g_free);
  g_clear_object (&self->http_address);
  g_clear_pointer (&self->http_user, g_free);
  g_clear_pointer (&self->public_url, g_free);
  g_clear_pointer (&self->state_key_file, g_free);
  g_clear_pointer (&self->token_file, g_free);
  g_clear_pointer (&self->add_token, g_free);
  g_clear_pointer (&self->introspection_url, g_free);
  g_clear_pointer (&self->introspection_client, g_free);
  g_clear_pointer (&self->introspection_secret_file, g_free);
  g_clear_pointer (&self->scopes, g_strfreev);
  g_clear_pointer (&self->issuer, g_free);
}

void
gmcp_tasks_door_options_add_entries (GmcpTasksDoorOptions *self, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &self->socket,
      N_ ("Serve on a Unix socket, to each user the own tasks"), N_ ("PATH") },
    { "allow-user", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->users,
      N_ ("Let programs of NAME connect to sockets, too (may be given several times)"),
      N_ ("NAME") },
    { "http", 0, 0, G_OPTION_ARG_STRING, &self->http,
      N_ ("Serve over HTTP at this port (0: one that is free) of this machine, or of ADDRESS"),
      N_ ("[ADDRESS:]PORT") },
    { "listen-fds", 0, 0, G_OPTION_ARG_NONE, &self->takes_handed_over,
      N_ ("Serve on the sockets that systemd has opened: HTTP on those of TCP"), NULL },
    { "token-file", 0, 0, G_OPTION_ARG_FILENAME, &self->token_file,
      N_ ("Serve over HTTP who has a token whose hash is in FILE, each the own tasks"),
      N_ ("FILE") },
    { "add-token", 0, 0, G_OPTION_ARG_STRING, &self->add_token,
      N_ ("Add a token for NAME to the file of --token-file, print it and end"), N_ ("NAME") },
    { "introspection-url", 0, 0, G_OPTION_ARG_STRING, &self->introspection_url,
      N_ ("Serve over HTTP whom the authorization server knows by a token, each the own tasks: "
          "ask at URL"),
      N_ ("URL") },
    { "introspection-client", 0, 0, G_OPTION_ARG_STRING, &self->introspection_client,
      N_ ("Under which name the authorization server knows this server"), N_ ("NAME") },
    { "introspection-secret-file", 0, 0, G_OPTION_ARG_FILENAME, &self->introspection_secret_file,
      N_ ("The secret of that name is in FILE"), N_ ("FILE") },
    { "issuer", 0, 0, G_OPTION_ARG_STRING, &self->issuer,
      N_ ("The authorization server, at which clients get their tokens"), N_ ("URL") },
    { "require-scope", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->scopes,
      N_ ("Tokens have to allow SCOPE, which clients ask for (may be given several times)"),
      N_ ("SCOPE") },
    { "http-user", 0, 0, G_OPTION_ARG_STRING, &self->http_user,
      N_ ("Ask for no token: serve whoever reaches the HTTP port the tasks of NAME"), N_ ("NAME") },
    { "public-url", 0, 0, G_OPTION_ARG_STRING, &self->public_url,
      N_ ("The address under which clients know the HTTP port, behind a proxy"), N_ ("URL") },
    { "stateless", 0, 0, G_OPTION_ARG_NONE, &self->stateless,
      N_ ("Give HTTP clients no session, so that several processes can serve one address"), NULL },
    { "state-key-file", 0, 0, G_OPTION_ARG_FILENAME, &self->state_key_file,
      N_ ("Sign states that clients carry with the key in FILE, which processes share"),
      N_ ("FILE") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static gboolean
refuse_options (GError **error, const char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
  return FALSE;
}

/* PORT, ADDRESS:PORT or [ADDRESS]:PORT */
static GSocketAddress *
parse_address (const char *text)
{
  const char *colon = strrchr (text, ':');
  g_autofree char *host
    = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : g_strdup ("localhost");
  gsize length = strlen (host);
  guint64 port = 0;

  if (!g_ascii_string_to_unsigned (colon != NULL ? colon + 1 : text, 10, 0, G_MAXUINT16, &port,
                                   NULL))
    return NULL;
  if (g_str_equal (host, "localhost"))
    return g_inet_socket_address_new_from_string ("127.0.0.1", (guint) port);
  if (length > 2 && host[0] == '[' && host[length - 1] == ']')
    {
      host[length - 1] = '\0';
      return g_inet_socket_address_new_from_string (host + 1, (guint) port);
    }
  return strchr (host, ':') == NULL ? g_inet_socket_address_new_from_string (host, (guint) port)
                                    : NULL;
}

static gboolean
check_http (GmcpTasksDoorOptions *self, GError **error)
{
  self->http_address = parse_address (self->http);
  if (self->http_address == NULL)
    return refuse_options (
      error, _ ("--http needs a port, or the number of an address and a port, such as "
                "8080, 127.0.0.1:8080 or [::1]:8080"));
  return TRUE;
}

static gboolean
is_web_address (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  return uri != NULL && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0'
         && g_uri_get_fragment (uri) == NULL
         && (g_str_equal (g_uri_get_scheme (uri), "https")
             || g_str_equal (g_uri_get_scheme (uri), "http"));
}

/* RFC 6749, section 3.3 */
static gboolean
is_scope (const char *text)
{
  const char *at = text;

  while (*at > ' ' && *at < 0x7f && *at != '"' && *at != '\\')
    at++;
  return at > text && *at == '\0';
}

static gboolean
check_introspection (GmcpTasksDoorOptions *self, gboolean has_http, GError **error)
{
  if (self->introspection_url == NULL)
    {
      if (self->introspection_client == NULL && self->introspection_secret_file == NULL
          && self->scopes == NULL && self->issuer == NULL)
        return TRUE;
      return refuse_options (error, _ ("--introspection-client, --introspection-secret-file, "
                                       "--require-scope and --issuer are for --introspection-url"));
    }
  if (!has_http)
    return refuse_options (error, _ ("--introspection-url is for --http and --listen-fds"));
  if (self->token_file != NULL || self->http_user != NULL)
    return refuse_options (error, _ ("--introspection-url, --token-file and --http-user are three "
                                     "ways to know whose program asks: give one of them"));
  if (self->issuer == NULL || !is_web_address (self->issuer))
    return refuse_options (error, _ ("--introspection-url needs --issuer with an address such as "
                                     "https://login.example.org, for clients to find it"));
  for (guint i = 0; self->scopes != NULL && self->scopes[i] != NULL; i++)
    if (!is_scope (self->scopes[i]))
      return refuse_options (error, _ ("--require-scope takes one word without quotation marks"));
  return TRUE;
}

gboolean
gmcp_tasks_door_options_check (GmcpTasksDoorOptions *self, gboolean has_user, GError **error)
{
  gboolean has_http = self->http != NULL || self->takes_handed_over;

  if (has_user && gmcp_tasks_door_options_has_any (self))
    return refuse_options (
      error, _ ("--user is for standard input and output: elsewhere it is known whose "
                "program asks, and --http-user is for HTTP without tokens"));
  if (!has_http && (self->http_user != NULL || self->public_url != NULL || self->stateless))
    return refuse_options (error, _ ("--http-user, --public-url and --stateless are for --http and "
                                     "--listen-fds"));
  if (self->add_token != NULL
      && (self->token_file == NULL || gmcp_tasks_door_options_has_any (self)))
    return refuse_options (error, _ ("--add-token needs --token-file, and serves nothing"));
  if (self->add_token != NULL && !gmcp_task_fields_check_user (self->add_token, error))
    return FALSE;
  if (!check_introspection (self, has_http, error))
    return FALSE;
  if (!has_http && self->token_file != NULL && self->add_token == NULL)
    return refuse_options (error, _ ("--token-file is for --http and --listen-fds"));
  if (self->token_file != NULL && self->http_user != NULL)
    return refuse_options (error, _ ("--http-user is for HTTP without tokens, and --token-file for "
                                     "HTTP with tokens: give one of them"));
  if (self->public_url != NULL && self->http_user != NULL)
    return refuse_options (
      error, _ ("--public-url is for a server that others reach, and with --http-user all of "
                "them would have one user's tasks: give --token-file or "
                "--introspection-url"));
  if (self->socket == NULL && !self->takes_handed_over && self->users != NULL)
    return refuse_options (error, _ ("--allow-user is for --socket and --listen-fds"));
  if (self->http_user != NULL && !gmcp_task_fields_check_user (self->http_user, error))
    return FALSE;
  if (self->http != NULL && !check_http (self, error))
    return FALSE;
  if (self->public_url != NULL && !is_web_address (self->public_url))
    return refuse_options (
      error, _ ("--public-url needs an address such as https://tasks.example.org/mcp"));
  return TRUE;
}

gboolean
gmcp_tasks_door_options_has_any (const GmcpTasksDoorOptions *self)
{
  return self->socket != NULL || self->http != NULL || self->takes_handed_over;
}
