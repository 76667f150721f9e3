/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-roles-private.h"

#include <gmcp/core/gmcp-error.h>

/* Completion of arguments of prompts and of variables of templates, by the server that has them. */

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
on_server_up (GObject *object, GAsyncResult *async_result, gpointer data)
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

void
gmcp_manager_complete (GmcpManager *self,
                       GmcpCompletionRequest *request,
                       GmcpManagedServer *server,
                       GmcpCompletionKind kind,
                       const char *reference)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GError) refused = NULL;
  Completing *completing;

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
  gmcp_managed_server_demand_async (server, gmcp_provider_request_get_cancellable (base),
                                    on_server_up, completing);
}
