/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-adding.h"
#include "gmcpd-api-handlers.h"
#include "gmcpd-api-servers.h"
#include "gmcpd-editing.h"

/* Servers that come and go. */

static void
on_added (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManager *manager = GMCP_MANAGER (object);
  GError *error = NULL;
  g_autoptr (GmcpManagedServer) server = gmcpd_adding_add_finish (manager, result, &error);
  g_autoptr (JsonObject) answer = NULL;
  g_autofree char *name = NULL;
  g_autofree char *location = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    {
      gmcpd_api_request_refuse (request, SOUP_STATUS_CONFLICT, "invalid-argument", error->message);
      g_error_free (error);
      return;
    }
  if (server == NULL)
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  answer = gmcpd_api_servers_describe (manager, server);
  name = g_uri_escape_string (gmcp_managed_server_get_id (server), NULL, FALSE);
  location = g_strconcat (GMCPD_API_ROOT "servers/", name, NULL);
  gmcpd_api_request_set_header (request, "Location", location);
  gmcpd_api_request_return_object (request, SOUP_STATUS_CREATED, answer);
}

/* Takes “name” and “store” out of the body; what is left is an entry of “mcpServers”. */
static char *
split_body (JsonObject *body, const char **name, gboolean *store)
{
  g_autoptr (JsonObject) entry = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), entry);
  g_autoptr (GList) members = json_object_get_members (body);

  *name = NULL;
  *store = FALSE;
  for (GList *l = members; l != NULL; l = l->next)
    {
      JsonNode *value = json_object_get_member (body, l->data);
      GType type = json_node_get_value_type (value);

      if (g_str_equal (l->data, "name") && type == G_TYPE_STRING)
        *name = json_node_get_string (value);
      else if (g_str_equal (l->data, "store") && type == G_TYPE_BOOLEAN)
        *store = json_node_get_boolean (value);
      else if (g_str_equal (l->data, "name") || g_str_equal (l->data, "store"))
        return NULL;
      else
        json_object_set_member (entry, l->data, json_node_ref (value));
    }
  return *name != NULL ? gmcp_json_print (node, NULL) : NULL;
}

void
gmcpd_api_add_server (GmcpdApiRequest *request)
{
  GmcpManager *manager = gmcpd_api_request_get_manager (request);
  g_autofree char *configuration = NULL;
  const char *name = NULL;
  gboolean store = FALSE;
  JsonObject *body;

  if (!gmcpd_api_request_read_body (request, &body))
    return;
  if (body != NULL)
    configuration = split_body (body, &name, &store);
  if (configuration == NULL)
    gmcpd_api_request_refuse (request, SOUP_STATUS_BAD_REQUEST, "invalid-argument",
                              _ ("A server has a “name”, a text, and what stands behind a name in "
                                 "“mcpServers”, such as “command” or “url”; “store” is true or "
                                 "false"));
  else
    gmcpd_adding_add_async (manager, name, configuration, store,
                            gmcpd_api_request_get_cancellable (request), on_added, request);
}

static void
on_removed (GObject *object, GAsyncResult *result, gpointer request)
{
  GError *error = NULL;

  if (gmcpd_adding_remove_finish (GMCP_MANAGER (object), result, &error))
    gmcpd_api_request_return_nothing (request);
  else
    gmcpd_api_request_fail (request, error);
}

void
gmcpd_api_remove_server (GmcpdApiRequest *request)
{
  gboolean store = FALSE;

  if (gmcpd_api_request_find_server (request) != NULL
      && gmcpd_api_request_read_flag (request, "store", &store))
    gmcpd_adding_remove_async (gmcpd_api_request_get_manager (request),
                               gmcpd_api_request_get_word (request, 0), store,
                               gmcpd_api_request_get_cancellable (request), on_removed, request);
}

static void
on_patched (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManager *manager = GMCP_MANAGER (object);
  GError *error = NULL;
  g_autoptr (GmcpManagedServer) server = gmcpd_editing_patch_finish (manager, result, &error);

  if (server != NULL)
    gmcpd_api_servers_return (request, server);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG)
           || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG))
    {
      gmcpd_api_request_refuse (request,
                                error->domain == G_IO_ERROR ? SOUP_STATUS_PRECONDITION_FAILED
                                                            : SOUP_STATUS_UNPROCESSABLE_ENTITY,
                                error->domain == G_IO_ERROR ? NULL : "invalid-config",
                                error->message);
      g_error_free (error);
    }
  else
    gmcpd_api_request_fail (request, error);
}

void
gmcpd_api_patch_server (GmcpdApiRequest *request)
{
  JsonObject *patch;

  if (gmcpd_api_request_find_server (request) == NULL
      || !gmcpd_api_request_read_body (request, &patch))
    return;
  if (patch == NULL)
    gmcpd_api_request_refuse (
      request, SOUP_STATUS_BAD_REQUEST, "invalid-argument",
      _ ("The body has to be an object with what is to be another way; null "
         "takes a member away"));
  else
    gmcpd_editing_patch_async (gmcpd_api_request_get_manager (request),
                               gmcpd_api_request_get_word (request, 0), patch,
                               gmcpd_api_request_get_header (request, "If-Match"),
                               gmcpd_api_request_get_cancellable (request), on_patched, request);
}
