/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gmcpd-api-handlers.h"
#include "gmcpd-api-problem.h"
#include "gmcpd-api-routes.h"

/* Names in a path: a server, and a tool. */
#define MAX_WORDS 2
#define NAME      "*"

typedef struct
{
  const char *method;
  const char *path; /* below the root; “*” is a name */
  void (*handle) (GmcpdApiRequest *request);
} Route;

static const Route routes[] = {
  { "GET", "status", gmcpd_api_get_status },
  { "GET", "openapi.json", gmcpd_api_get_description },
  { "GET", "events", gmcpd_api_get_events },
  { "GET", "audit", gmcpd_api_get_audit },
  { "GET", "changes", gmcpd_api_list_changes },
  { "POST", "changes/approve", gmcpd_api_approve_change },
  { "GET", "questions", gmcpd_api_list_questions },
  { "POST", "questions/*", gmcpd_api_answer_question },
  { "POST", "sign-in-links", gmcpd_api_make_sign_in_link },
  { "GET", "servers", gmcpd_api_list_servers },
  { "POST", "servers", gmcpd_api_add_server },
  { "GET", "servers/*", gmcpd_api_get_server },
  { "PATCH", "servers/*", gmcpd_api_patch_server },
  { "DELETE", "servers/*", gmcpd_api_remove_server },
  { "GET", "servers/*/tools", gmcpd_api_list_tools },
  { "GET", "servers/*/logs", gmcpd_api_get_log },
  { "POST", "servers/*/start", gmcpd_api_start_server },
  { "POST", "servers/*/stop", gmcpd_api_stop_server },
  { "POST", "servers/*/restart", gmcpd_api_restart_server },
  { "POST", "servers/*/health", gmcpd_api_check_health },
  { "POST", "servers/*/test", gmcpd_api_test_server },
  { "POST", "servers/*/tools/*", gmcpd_api_call_tool },
};

/* The names in the path where it is that of the route; NULL otherwise. What is escaped in a name is part of it, so that
 * no name leads elsewhere. */
static GStrv
match_path (const char *pattern, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "/", -1);
  g_auto (GStrv) given = g_strsplit (path, "/", MAX_WORDS + 3);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  if (g_strv_length (parts) != g_strv_length (given))
    return NULL;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *name = NULL;

      if (!g_str_equal (parts[i], NAME))
        {
          if (!g_str_equal (parts[i], given[i]))
            return NULL;
          continue;
        }
      name = g_uri_unescape_string (given[i], NULL);
      if (name == NULL || *name == '\0' || !g_utf8_validate (name, -1, NULL))
        return NULL;
      g_strv_builder_add (words, name);
    }
  return g_strv_builder_end (words);
}

/* libsoup does not send the body that answers HEAD, but a stream would never end. */
static gboolean
is_method (const Route *route, const char *method)
{
  return g_str_equal (route->method, method)
         || (g_str_equal (route->method, "GET") && g_str_equal (method, "HEAD")
             && route->handle != gmcpd_api_get_events);
}

static void
refuse_method (const GmcpdSoup *soup, SoupServerMessage *message, const char *allowed)
{
  gmcpd_api_problem_set (soup, message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL,
                         _ ("That cannot be done here; the header Allow says what can"));
  soup->message_headers_replace (soup->server_message_get_response_headers (message), "Allow",
                                 allowed);
}

void
gmcpd_api_routes_handle (GmcpdApiRequests *requests,
                         const GmcpdSoup *soup,
                         SoupServerMessage *message,
                         const char *path,
                         GHashTable *query)
{
  const char *method = soup->server_message_get_method (message);
  gboolean is_below = g_str_has_prefix (path, GMCPD_API_ROOT);
  g_autoptr (GString) allowed = g_string_new (NULL);

  for (guint i = 0; is_below && i < G_N_ELEMENTS (routes); i++)
    {
      g_auto (GStrv) words = match_path (routes[i].path, path + strlen (GMCPD_API_ROOT));
      GmcpdApiRequest *request;

      if (words == NULL)
        continue;
      if (!is_method (&routes[i], method))
        {
          g_string_append_printf (allowed, "%s%s", allowed->len > 0 ? ", " : "", routes[i].method);
          continue;
        }
      request = gmcpd_api_requests_begin (requests, message, (const char *const *) words, query);
      if (request != NULL)
        routes[i].handle (request);
      return;
    }

  if (allowed->len > 0)
    refuse_method (soup, message, allowed->str);
  else
    gmcpd_api_problem_set (soup, message, SOUP_STATUS_NOT_FOUND, NULL,
                           _ ("There is nothing at this address"));
}
