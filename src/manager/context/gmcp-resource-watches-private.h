/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-gathered-lists-private.h"

G_BEGIN_DECLS

/* The resources that somebody wants to hear changes of, each at the server that lists it while that is up. */
typedef struct _GmcpResourceWatches GmcpResourceWatches;

typedef struct
{
  /* Something has changed. */
  void (*updated) (const char *uri, gpointer data);
  /* Whether a server that lists a resource may be listened to; NULL where each may. */
  gboolean (*permits) (GmcpManagedServer *server, gpointer data);
} GmcpResourceWatchesHooks;

/* lists has to outlive the watches, which follow it. */
GmcpResourceWatches *gmcp_resource_watches_new (GmcpGatheredLists *lists,
                                                const GmcpResourceWatchesHooks *hooks,
                                                gpointer data);
void gmcp_resource_watches_free (GmcpResourceWatches *self);

/* Each add is followed by one remove. */
void gmcp_resource_watches_add (GmcpResourceWatches *self, const char *uri);
void gmcp_resource_watches_remove (GmcpResourceWatches *self, const char *uri);

/* Other servers may be listened to now. */
void gmcp_resource_watches_refresh (GmcpResourceWatches *self);

G_END_DECLS
