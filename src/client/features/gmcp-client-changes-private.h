/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-change-stream-private.h"

#include "gmcp-client-private.h"

G_BEGIN_DECLS

/* What a server tells of itself unasked, and who learns of it. */

/* The signals of the class for changes and for what is not known. */
void gmcp_client_install_change_signals (void);

/* Sees to it that changes of lists are told, then calls gmcp_client_lists_watched(), at once where
 * there is nothing to do. To be called before a list is read. */
void gmcp_client_watch_lists (GmcpClient *self);
/* Ends that, with the connection. */
void gmcp_client_unwatch_lists (GmcpClient *self);

/* Of which lists the server says that it will tell of changes. */
GmcpSubscriptionFlags gmcp_client_get_declared_lists (GmcpClient *self);

/* These changed: what is kept of them is read anew, and the signals are emitted. */
void gmcp_client_announce_lists (GmcpClient *self, GmcpSubscriptionFlags lists);
void gmcp_client_announce_resource (GmcpClient *self, const char *uri);

/* From the notifications. */
void gmcp_client_note_tools_changed (GmcpClient *self, GmcpJsonValue params);
void gmcp_client_note_prompts_changed (GmcpClient *self, GmcpJsonValue params);
void gmcp_client_note_resources_changed (GmcpClient *self, GmcpJsonValue params);
void gmcp_client_note_resource_updated (GmcpClient *self, GmcpJsonValue params);
/* FALSE where nobody listens. */
gboolean gmcp_client_note_unknown (GmcpClient *self, const GmcpRpcMessage *notification);

/* Emits a signal whose arguments are a method and its params, as a node and as text. */
void gmcp_client_emit_notification (gpointer object,
                                    guint signal_id,
                                    const GmcpRpcMessage *notification);

G_END_DECLS
