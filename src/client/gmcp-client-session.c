/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-struct-private.h"

GmcpSession *
gmcp_client_get_session (GmcpClient *self)
{
  return self->session;
}

void
gmcp_client_replace_transport (GmcpClient *self, GmcpTransport *transport)
{
  gmcp_session_replace_transport (self->session, transport);
}
