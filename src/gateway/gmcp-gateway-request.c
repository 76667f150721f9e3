/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-request-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-call-options-private.h"
#include "gmcp-completion-request-private.h"
#include "gmcp-gateway-call-private.h"
#include "gmcp-i18n-private.h"

GError *
gmcp_gateway_new_empty_error (void)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                              _ ("There is no manager whose servers could be reached"));
}

GmcpCallOptions *
gmcp_gateway_get_request_options (gpointer front)
{
  return gmcp_provider_request_get_options (front);
}

GmcpCaller *
gmcp_gateway_get_request_caller (gpointer front)
{
  return gmcp_provider_request_get_caller (front);
}

GCancellable *
gmcp_gateway_get_request_cancellable (gpointer front)
{
  return gmcp_provider_request_get_cancellable (front);
}

void
gmcp_gateway_report_request_progress (gpointer front,
                                      double progress,
                                      double total,
                                      const char *message)
{
  GmcpCallOptions *options = gmcp_provider_request_get_options (front);

  if (options != NULL)
    gmcp_call_options_emit_progress (options, progress, total, message);
}

void
gmcp_gateway_return_request_error (gpointer front, const GError *error)
{
  gmcp_provider_request_return_error (front, error);
}

gboolean
gmcp_gateway_check_manager (GmcpGateway *self, GmcpProviderRequest *request)
{
  g_autoptr (GError) error = NULL;

  if (gmcp_gateway_get_manager (self) != NULL)
    return TRUE;

  error = gmcp_gateway_new_empty_error ();
  gmcp_provider_request_return_error (request, error);
  return FALSE;
}

GmcpCallOptions *
gmcp_gateway_pass_options (GmcpGateway *self, GmcpProviderRequest *request)
{
  return gmcp_gateway_check_manager (self, request) ? gmcp_gateway_make_options (
           gmcp_provider_request_get_options (request), gmcp_gateway_get_role (self))
                                                    : NULL;
}

static void
on_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result
    = gmcp_single_server_complete_finish (GMCP_MANAGER (object), async_result, &error);

  gmcp_completion_request_return_outcome (request, result, error);
}

void
gmcp_gateway_complete (GmcpSingleServer *single,
                       GmcpCompletionRequest *request,
                       GmcpCompletionKind kind,
                       GmcpCallOptions *options)
{
  gmcp_single_server_complete_async (
    single, request, kind, options,
    gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (request)), on_completed,
    g_object_ref (request));
}
