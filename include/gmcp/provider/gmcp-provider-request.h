/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>
#include <gmcp/provider/gmcp-caller.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROVIDER_REQUEST (gmcp_provider_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_DERIVABLE_TYPE (GmcpProviderRequest,
                          gmcp_provider_request,
                          GMCP,
                          PROVIDER_REQUEST,
                          GObject)

struct _GmcpProviderRequestClass
{
  /*< private >*/
  GObjectClass parent_class;

  gpointer _reserved[8];
};

GMCP_AVAILABLE_IN_0_1
GCancellable *gmcp_provider_request_get_cancellable (GmcpProviderRequest *self);

GMCP_AVAILABLE_IN_0_1
GmcpCallOptions *gmcp_provider_request_get_options (GmcpProviderRequest *self);

GMCP_AVAILABLE_IN_0_1
GmcpCaller *gmcp_provider_request_get_caller (GmcpProviderRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_provider_request_return_error (GmcpProviderRequest *self, const GError *error);

GMCP_AVAILABLE_IN_0_1
void gmcp_provider_request_return_rpc_error (GmcpProviderRequest *self,
                                             int code,
                                             const char *message,
                                             const char *data_json);

G_END_DECLS
