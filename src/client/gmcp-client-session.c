/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-struct-private.h"

GmcpSession *
gmcp_client_get_session (GmcpClient *self)
{
  return self->session;
}
