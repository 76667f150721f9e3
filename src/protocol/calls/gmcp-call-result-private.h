/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool-result.h>

G_BEGIN_DECLS

/* A tool call of the application's, and the GAsyncResult that its callback gets. It is to a call
 * what a GTask is to other requests, and used again for one call after the other: a GTask for each
 * would take a quarter of all the time that a short call takes. It ends once. */

#define GMCP_TYPE_CALL_RESULT (gmcp_call_result_get_type ())

G_DECLARE_FINAL_TYPE (GmcpCallResult, gmcp_call_result, GMCP, CALL_RESULT, GObject)

/* Notes the caller's thread-default context. The callback comes there, and never before
 * gmcp_call_result_started(). The tag is the function that the application called. */
GmcpCallResult *gmcp_call_result_new (gpointer source_object,
                                      gpointer tag,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

/* The call has been handed on; it may have ended already. */
void gmcp_call_result_started (GmcpCallResult *self);

/* Takes the result or the error, and the reference that the caller of new() got. */
void gmcp_call_result_end (GmcpToolResult *result, GError *error, gpointer self);

/* The one that the callback comes in. */
GMainContext *gmcp_call_result_get_context (GmcpCallResult *self);
GCancellable *gmcp_call_result_get_cancellable (GmcpCallResult *self);
/* Borrowed: the object that the application called. */
gpointer gmcp_call_result_get_source (GmcpCallResult *self);
gboolean gmcp_call_result_is_valid (gpointer result, gpointer source_object, gpointer tag);
GmcpToolResult *gmcp_call_result_propagate (GmcpCallResult *self, GError **error);

G_END_DECLS
