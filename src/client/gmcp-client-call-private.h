/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* gmcp_client_call_tool_json_async() for arguments that have been read already: an object, or NULL
 * for none. Ended by gmcp_client_call_tool_finish(). */
void gmcp_client_call_tool_doc_async (GmcpClient *self,
                                      const char *name,
                                      GmcpJsonDoc *arguments,
                                      GmcpCallOptions *options,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

/* Takes whichever of the two there is. */
typedef void (*GmcpClientCallFunc) (GmcpToolResult *result, GError *error, gpointer data);

/* The same without a task, for whoever has one for the call already; the options must not expect a
 * certain tool. The function may be called before this returns. The client is not kept alive. */
void gmcp_client_call_tool_direct (GmcpClient *self,
                                   const char *name,
                                   GmcpJsonDoc *arguments,
                                   GmcpCallOptions *options,
                                   GCancellable *cancellable,
                                   GmcpClientCallFunc func,
                                   gpointer data);

G_END_DECLS
