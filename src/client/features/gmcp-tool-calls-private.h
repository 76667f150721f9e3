/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/protocol/tasks/gmcp-task-handle.h>

#include "gmcp-exchange-private.h"

G_BEGIN_DECLS

/* Calls of tools. The session must be open. */

/* The arguments are an object, or NULL for none. The function may be called before this returns. */
void gmcp_tool_calls_send (GmcpSession *self,
                           const char *name,
                           GmcpJsonDoc *arguments,
                           GmcpCallOptions *options,
                           GCancellable *cancellable,
                           GmcpClientCallFunc func,
                           gpointer data);
/* FALSE with an error, and nothing is called, where the arguments are no JSON object. */
gboolean gmcp_tool_calls_send_node (GmcpSession *self,
                                    const char *name,
                                    JsonNode *arguments,
                                    GmcpCallOptions *options,
                                    GCancellable *cancellable,
                                    GmcpClientCallFunc func,
                                    gpointer data,
                                    GError **error);
/* The call that a task was is not sent again; it is taken up where it was answered. */
void gmcp_tool_calls_resume (GmcpSession *self,
                             GmcpTaskHandle *handle,
                             const char *subject,
                             GmcpCallOptions *options,
                             GCancellable *cancellable,
                             GmcpClientCallFunc func,
                             gpointer data);

/* How the exchange of a tool's call ends. */
void gmcp_tool_calls_answered (GmcpSession *self,
                               GmcpExchange *exchange,
                               const GmcpRpcMessage *reply,
                               GError *error);

G_END_DECLS
