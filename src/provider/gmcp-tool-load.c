/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/gmcp-tool-load.h>

#include "gmcp-provider-request-private.h"

/**
 * GmcpToolLoad:
 *
 * A wish that a provider bring its list of tools up to date. The provider completes it once,
 * now or later, with [method@Gmcp.ToolLoad.return_success] or [method@Gmcp.ProviderRequest.return_error]. One that
 * is let go of without either fails with [error@Gmcp.Error] `FAILED`.
 *
 * Since: 0.1
 */
struct _GmcpToolLoad
{
  GmcpProviderRequest parent_instance;
};

G_DEFINE_FINAL_TYPE (GmcpToolLoad, gmcp_tool_load, GMCP_TYPE_PROVIDER_REQUEST)

static void
gmcp_tool_load_class_init (GmcpToolLoadClass *klass)
{
}

static void
gmcp_tool_load_init (GmcpToolLoad *self)
{
}

/**
 * gmcp_tool_load_return_success:
 * @self: a load
 *
 * Says that the list is up to date as far as it can be. That one of several servers failed is no
 * reason for an error.
 *
 * Since: 0.1
 */
void
gmcp_tool_load_return_success (GmcpToolLoad *self)
{
  g_return_if_fail (GMCP_IS_TOOL_LOAD (self));

  gmcp_provider_request_return_success (self);
}
