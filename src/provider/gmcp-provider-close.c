/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/gmcp-provider-close.h>

#include "gmcp-provider-request-private.h"

/**
 * GmcpProviderClose:
 *
 * A wish that a provider end what it keeps running. The provider completes it once, now or later, with
 * [method@Gmcp.ProviderClose.return_success] or [method@Gmcp.ProviderRequest.return_error]. One that is
 * let go of without either fails with [error@Gmcp.Error] `FAILED`.
 *
 * Since: 0.1
 */
struct _GmcpProviderClose
{
  GmcpProviderRequest parent_instance;
};

G_DEFINE_FINAL_TYPE (GmcpProviderClose, gmcp_provider_close, GMCP_TYPE_PROVIDER_REQUEST)

static void
gmcp_provider_close_class_init (GmcpProviderCloseClass *klass)
{
}

static void
gmcp_provider_close_init (GmcpProviderClose *self)
{
}

/**
 * gmcp_provider_close_return_success:
 * @self: a wish to close
 *
 * Says that all has ended.
 *
 * Since: 0.1
 */
void
gmcp_provider_close_return_success (GmcpProviderClose *self)
{
  g_return_if_fail (GMCP_IS_PROVIDER_CLOSE (self));

  gmcp_provider_request_return_success (self);
}
