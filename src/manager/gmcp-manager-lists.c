/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gathered-lists-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-watches-private.h"

#include <gmcp/core/gmcp-error.h>

/* The manager as a provider of the resources and prompts of its servers. Nothing is asked of servers for it
 * before somebody wants one of the lists. */

gboolean
gmcp_manager_shows_server (GmcpManager *self, GmcpManagedServer *server)
{
  return gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server))
         && gmcp_manager_includes_server (self, server)
         && gmcp_manager_check_reach (self, server, NULL, NULL);
}

static gboolean
includes_server (GmcpManagedServer *server, gpointer data)
{
  return gmcp_manager_shows_server (data, server);
}

GmcpGatheredLists *
gmcp_manager_make_gathered_lists (GmcpManager *self)
{
  return gmcp_gathered_lists_new (G_LIST_MODEL (self), gmcp_manager_get_prompt_catalog (self),
                                  includes_server, self);
}

void
gmcp_manager_refresh_gathered_lists (GmcpManager *self)
{
  GmcpGatheredLists *lists = gmcp_manager_peek_gathered_lists (self);

  if (lists != NULL)
    gmcp_gathered_lists_refresh (lists);
}

static void
tell_updated (const char *uri, gpointer data)
{
  gmcp_resource_provider_emit_resource_updated (GMCP_RESOURCE_PROVIDER (data), uri);
}

static void
on_moved (gpointer watches, gpointer unused)
{
  gmcp_resource_watches_refresh (watches);
}

GmcpResourceWatches *
gmcp_manager_make_resource_watches (GmcpManager *self)
{
  GmcpGatheredLists *lists = gmcp_manager_get_gathered_lists (self);
  GmcpResourceWatches *watches = gmcp_resource_watches_new (lists, tell_updated, self);

  gmcp_gathered_lists_follow (lists, on_moved, watches);
  return watches;
}

static GListModel *
get_resources (GmcpResourceProvider *provider)
{
  return gmcp_gathered_lists_get (gmcp_manager_get_gathered_lists (GMCP_MANAGER (provider)),
                                  GMCP_GATHERED_RESOURCES);
}

static GListModel *
get_templates (GmcpResourceProvider *provider)
{
  return gmcp_gathered_lists_get (gmcp_manager_get_gathered_lists (GMCP_MANAGER (provider)),
                                  GMCP_GATHERED_TEMPLATES);
}

static GListModel *
get_prompts (GmcpPromptProvider *provider)
{
  return gmcp_gathered_lists_get (gmcp_manager_get_gathered_lists (GMCP_MANAGER (provider)),
                                  GMCP_GATHERED_PROMPTS);
}

/* What is asked of a manager that has been closed fails. */
static gboolean
refuse_closed (GmcpManager *self, GmcpProviderRequest *request)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_manager_is_closed (self))
    return FALSE;

  error = gmcp_manager_closed_error ();
  gmcp_provider_request_return_error (request, error);
  return TRUE;
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpResourceRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result
    = gmcp_managed_server_read_resource_finish (GMCP_MANAGED_SERVER (object), async_result, &error);

  if (result != NULL)
    gmcp_resource_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
read_resource (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  const char *uri = gmcp_resource_request_get_uri (request);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  GmcpCallOptions *options = gmcp_provider_request_get_options (base);
  GmcpManager *self = GMCP_MANAGER (provider);
  GmcpGatheredLists *lists;
  GmcpManagedServer *server;
  g_autoptr (GError) refused = NULL;

  if (refuse_closed (self, base))
    return;

  lists = gmcp_manager_get_gathered_lists (self);
  /* What a project does not list can be read all the same, as its tools can be called. */
  server = gmcp_gathered_lists_find_resource (lists, uri);
  if (server == NULL)
    server = gmcp_gathered_lists_find_unlisted (lists, uri);
  if (server != NULL && !gmcp_manager_check_reach (self, server, options, &refused))
    {
      gmcp_provider_request_return_error (base, refused);
    }
  else if (server != NULL)
    {
      gmcp_managed_server_read_resource_async (server, uri, options,
                                               gmcp_provider_request_get_cancellable (base),
                                               on_read, g_object_ref (request));
    }
  else
    {
      g_autofree char *shown = gmcp_protocol_shorten (uri);
      g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                                              _ ("No server lists the resource %s"), shown);

      gmcp_provider_request_return_error (base, error);
    }
}

static void
on_got (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpPromptRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) result
    = gmcp_manager_get_prompt_finish (GMCP_MANAGER (object), async_result, &error);

  if (result != NULL)
    gmcp_prompt_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);

  gmcp_manager_get_prompt_async (
    GMCP_MANAGER (provider), gmcp_prompt_request_get_name (request),
    gmcp_prompt_request_get_arguments (request), gmcp_provider_request_get_options (base),
    gmcp_provider_request_get_cancellable (base), on_got, g_object_ref (request));
}

static void
subscribe_resource (GmcpResourceProvider *provider, const char *uri)
{
  gmcp_resource_watches_add (gmcp_manager_get_resource_watches (GMCP_MANAGER (provider)), uri);
}

static void
unsubscribe_resource (GmcpResourceProvider *provider, const char *uri)
{
  gmcp_resource_watches_remove (gmcp_manager_get_resource_watches (GMCP_MANAGER (provider)), uri);
}

/* Completion */

typedef struct
{
  GmcpCompletionRequest *request;
  GmcpCompletionKind kind;
  char *reference; /* as the server has it */
} Completing;

static void
completing_free (Completing *completing)
{
  g_object_unref (completing->request);
  g_free (completing->reference);
  g_free (completing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Completing, completing_free)

static void
on_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (Completing) completing = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result
    = gmcp_client_complete_finish (GMCP_CLIENT (object), async_result, &error);

  if (result != NULL)
    gmcp_completion_request_return_result (completing->request, result);
  else if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED))
    gmcp_completion_request_return_values (completing->request, (const char *const[]){ NULL });
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (completing->request), error);
}

/* Takes completing. */
static void
request_completion (GmcpClient *client, Completing *completing)
{
  GmcpCompletionRequest *request = completing->request;
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);

  gmcp_client_complete_async (
    client, completing->kind, completing->reference, gmcp_completion_request_get_argument (request),
    gmcp_completion_request_get_value (request), gmcp_completion_request_get_context (request),
    gmcp_provider_request_get_options (base), gmcp_provider_request_get_cancellable (base),
    on_completed, completing);
}

static void
on_needed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (Completing) completing = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  g_autoptr (GError) error = NULL;

  if (gmcp_managed_server_demand_finish (server, async_result, &error)
      && gmcp_managed_server_is_ready (server))
    request_completion (gmcp_managed_server_get_client (server), g_steal_pointer (&completing));
  else if (error != NULL)
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (completing->request), error);
  else
    gmcp_completion_request_return_values (completing->request, (const char *const[]){ NULL });
}

/* A server that is unknown completes nothing. */
static void
complete_request (GmcpManager *self,
                  GmcpCompletionRequest *request,
                  GmcpManagedServer *server,
                  GmcpCompletionKind kind,
                  const char *reference)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GError) refused = NULL;
  Completing *completing;

  if (refuse_closed (self, base))
    return;
  if (server == NULL)
    {
      gmcp_completion_request_return_values (request, (const char *const[]){ NULL });
      return;
    }
  if (!gmcp_manager_check_reach (self, server, gmcp_provider_request_get_options (base), &refused))
    {
      gmcp_provider_request_return_error (base, refused);
      return;
    }

  completing = g_new0 (Completing, 1);
  completing->request = g_object_ref (request);
  completing->kind = kind;
  completing->reference = g_strdup (reference);
  gmcp_managed_server_demand_async (server, gmcp_provider_request_get_cancellable (base), on_needed,
                                    completing);
}

static void
complete_variable (GmcpResourceProvider *provider, GmcpCompletionRequest *request)
{
  const char *uri_template = gmcp_completion_request_get_reference (request);
  GmcpManagedServer *server = gmcp_gathered_lists_find_template (
    gmcp_manager_get_gathered_lists (GMCP_MANAGER (provider)), uri_template);

  complete_request (GMCP_MANAGER (provider), request, server, GMCP_COMPLETION_KIND_RESOURCE,
                    uri_template);
}

static void
complete_argument (GmcpPromptProvider *provider, GmcpCompletionRequest *request)
{
  GmcpManager *self = GMCP_MANAGER (provider);
  GmcpToolName found = { NULL };
  gboolean is_known
    = gmcp_prompt_catalog_find (gmcp_manager_get_prompt_catalog (self),
                                gmcp_completion_request_get_reference (request), &found, NULL);

  complete_request (self, request, is_known ? gmcp_manager_get_server (self, found.server) : NULL,
                    GMCP_COMPLETION_KIND_PROMPT, found.tool);
}

void
gmcp_manager_resource_provider_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = get_resources;
  iface->get_templates = get_templates;
  iface->read = read_resource;
  iface->subscribe = subscribe_resource;
  iface->unsubscribe = unsubscribe_resource;
  iface->complete_variable = complete_variable;
}

void
gmcp_manager_prompt_provider_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = get_prompts;
  iface->get_prompt = get_prompt;
  iface->complete_argument = complete_argument;
}
