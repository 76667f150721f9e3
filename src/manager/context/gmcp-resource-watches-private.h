/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-gathered-lists-private.h"

G_BEGIN_DECLS

/* The resources that somebody wants to hear changes of, each at the server that lists it while that is up. */
typedef struct _GmcpResourceWatches GmcpResourceWatches;

/* updated is called with the URI of what has changed. lists has to outlive the watches. */
GmcpResourceWatches *gmcp_resource_watches_new (GmcpGatheredLists *lists,
                                                void (*updated) (const char *uri, gpointer data),
                                                gpointer data);
void gmcp_resource_watches_free (GmcpResourceWatches *self);

/* Each add is followed by one remove. */
void gmcp_resource_watches_add (GmcpResourceWatches *self, const char *uri);
void gmcp_resource_watches_remove (GmcpResourceWatches *self, const char *uri);

/* A server is up again, or lists other things. */
void gmcp_resource_watches_refresh (GmcpResourceWatches *self);

G_END_DECLS
