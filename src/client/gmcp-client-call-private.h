/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Takes whichever of the two there is. */
typedef void (*GmcpClientCallFunc) (GmcpToolResult *result, GError *error, gpointer data);

/* A call without a GAsyncResult of its own. The arguments are an object, or NULL for none. The
 * function may be called before this returns. The client is not kept alive. */
void gmcp_client_call_tool_direct (GmcpClient *self,
                                   const char *name,
                                   GmcpJsonDoc *arguments,
                                   GmcpCallOptions *options,
                                   GCancellable *cancellable,
                                   GmcpClientCallFunc func,
                                   gpointer data);

G_END_DECLS
