/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gateway/gmcp-gateway.h>

#include <gmcp/protocol/gmcp-completion-result.h>
#include <gmcp/provider/gmcp-provider-request.h>
#include <gmcp/provider/gmcp-completion-request.h>

#include "gmcp-single-server-private.h"

G_BEGIN_DECLS

/* That there is no manager to pass a request on to. */
GError *gmcp_gateway_new_empty_error (void);

/* FALSE: there is none, and the request has failed. */
gboolean gmcp_gateway_check_manager (GmcpGateway *self, GmcpProviderRequest *request);

/* For the kinds of requests that are a GmcpProviderRequest. */
GmcpCallOptions *gmcp_gateway_get_request_options (gpointer front);
GmcpCaller *gmcp_gateway_get_request_caller (gpointer front);
GCancellable *gmcp_gateway_get_request_cancellable (gpointer front);
void gmcp_gateway_report_request_progress (gpointer front,
                                           double progress,
                                           double total,
                                           const char *message);
void gmcp_gateway_return_request_error (gpointer front, const GError *error);

/* Options for what is asked of the manager in the name of a request. NULL: the request has failed. */
GmcpCallOptions *gmcp_gateway_pass_options (GmcpGateway *self, GmcpProviderRequest *request);

/* Has one server complete, and ends the request with what it said. */
void gmcp_gateway_complete (GmcpSingleServer *single,
                            GmcpCompletionRequest *request,
                            GmcpCompletionKind kind,
                            GmcpCallOptions *options);

G_END_DECLS
