/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-change-streams-private.h"
#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* What a server tells of itself unasked, and who learns of it. */

/* What is called when changes of lists are told, or will not be; and when these lists have changed. */
GmcpChanges *
gmcp_changes_new (void (*lists_watched) (GmcpSession *session),
                  void (*lists_changed) (GmcpSession *session, GmcpSubscriptionFlags lists));
void gmcp_changes_free (GmcpChanges *changes);

/* Sees to it that changes of lists are told, then says that they are watched, at once where there is
 * nothing to do. To be called before a list is read. */
void gmcp_changes_watch_lists (GmcpSession *self);
/* Ends that, with the connection. */
void gmcp_changes_unwatch_lists (GmcpSession *self);

/* The lists of which the server says that it tells of changes. */
GmcpSubscriptionFlags gmcp_changes_get_declared_lists (GmcpSession *self);

/* Lists changed: what is kept of them is read anew, and the owner is told. */
void gmcp_changes_announce_lists (GmcpSession *self, GmcpSubscriptionFlags lists);
void gmcp_changes_announce_resource (GmcpSession *self, const char *uri);

/* From the notifications. */
void gmcp_changes_note_tools (GmcpSession *self, GmcpJsonValue params);
void gmcp_changes_note_prompts (GmcpSession *self, GmcpJsonValue params);
void gmcp_changes_note_resources (GmcpSession *self, GmcpJsonValue params);
void gmcp_changes_note_resource (GmcpSession *self, GmcpJsonValue params);
/* FALSE where nobody listens. */
gboolean gmcp_changes_note_unknown (GmcpSession *self, const GmcpRpcMessage *notification);

/* Whether anybody but this side itself wants to be told of changes. */
gboolean gmcp_changes_are_wanted (GmcpSession *self);
/* Whether a request of this side's own is under way for that. */
gboolean gmcp_changes_has_own_request (GmcpSession *self);

/* An era's, that it keeps for resources by their URI; NULL for none. */
GHashTable *gmcp_changes_get_subscriptions (GmcpSession *self);
void gmcp_changes_take_subscriptions (GmcpSession *self, GHashTable *subscriptions);

G_END_DECLS
