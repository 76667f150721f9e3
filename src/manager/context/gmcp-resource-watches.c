/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/client/gmcp-subscription.h>

#include "gmcp-managed-server-private.h"
#include "gmcp-resource-watches-private.h"

typedef struct
{
  GmcpResourceWatches *watches;
  char *uri;
  guint n_wanted;
  gboolean was_subscribed;
  GmcpSubscription *subscription; /* at the client that the server had last; NULL before */
} Watch;

struct _GmcpResourceWatches
{
  GmcpGatheredLists *lists; /* not owned; NULL once freed, while a loop still holds the watches */
  const GmcpResourceWatchesHooks *hooks;
  gpointer data;
  GHashTable *by_uri; /* -> Watch */
};

static void
unsubscribe_resource (Watch *watch)
{
  if (watch->subscription == NULL)
    return;

  g_signal_handlers_disconnect_by_data (watch->subscription, watch);
  gmcp_subscription_close (watch->subscription);
  g_clear_object (&watch->subscription);
}

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  unsubscribe_resource (watch);
  g_free (watch->uri);
  g_free (watch);
}

static void
on_updated (GmcpSubscription *subscription, const char *uri, Watch *watch)
{
  watch->watches->hooks->updated (watch->uri, watch->watches->data);
}

static GmcpManagedServer *
find_server (Watch *watch)
{
  GmcpResourceWatches *self = watch->watches;
  GmcpManagedServer *server = gmcp_gathered_lists_find_resource (self->lists, watch->uri);

  if (server == NULL || self->hooks->permits == NULL || self->hooks->permits (server, self->data))
    return server;
  return NULL;
}

/* TRUE where the server is another than before, so that a change may have been missed. */
static gboolean
subscribe_resource (Watch *watch)
{
  GmcpManagedServer *server = find_server (watch);
  const char *const uris[] = { watch->uri, NULL };
  gboolean was_subscribed = watch->was_subscribed;
  GmcpClient *client;

  /* A server that is not listed any more, or not permitted, is not listened to either. */
  if (server == NULL)
    unsubscribe_resource (watch);
  if (server == NULL || !gmcp_managed_server_is_ready (server))
    return FALSE;

  client = gmcp_managed_server_get_client (server);
  if (watch->subscription != NULL && gmcp_subscription_get_client (watch->subscription) == client)
    return FALSE;

  unsubscribe_resource (watch);
  watch->was_subscribed = TRUE;
  watch->subscription = gmcp_subscription_new (client, GMCP_SUBSCRIPTION_NONE, uris, NULL);
  g_signal_connect (watch->subscription, "resource-updated", G_CALLBACK (on_updated), watch);
  /* A server that tells of no changes refuses, and nothing is told then. */
  gmcp_subscription_open_async (watch->subscription, NULL, NULL, NULL);
  return was_subscribed;
}

static void
on_moved (gpointer watches, gpointer unused)
{
  gmcp_resource_watches_refresh (watches);
}

GmcpResourceWatches *
gmcp_resource_watches_new (GmcpGatheredLists *lists,
                           const GmcpResourceWatchesHooks *hooks,
                           gpointer data)
{
  GmcpResourceWatches *self = g_rc_box_new0 (GmcpResourceWatches);

  self->lists = lists;
  self->hooks = hooks;
  self->data = data;
  self->by_uri = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, watch_free);
  gmcp_gathered_lists_follow (lists, on_moved, self);
  return self;
}

static void
clear_watches (gpointer data)
{
  g_hash_table_unref (((GmcpResourceWatches *) data)->by_uri);
}

void
gmcp_resource_watches_free (GmcpResourceWatches *self)
{
  gmcp_gathered_lists_unfollow (self->lists, self);
  self->lists = NULL;
  g_hash_table_remove_all (self->by_uri);
  g_rc_box_release_full (self, clear_watches);
}

void
gmcp_resource_watches_add (GmcpResourceWatches *self, const char *uri)
{
  Watch *watch = g_hash_table_lookup (self->by_uri, uri);

  if (watch == NULL)
    {
      watch = g_new0 (Watch, 1);
      watch->watches = self;
      watch->uri = g_strdup (uri);
      g_hash_table_insert (self->by_uri, watch->uri, watch);
      subscribe_resource (watch);
    }
  watch->n_wanted++;
}

void
gmcp_resource_watches_remove (GmcpResourceWatches *self, const char *uri)
{
  Watch *watch = g_hash_table_lookup (self->by_uri, uri);

  if (watch != NULL && --watch->n_wanted == 0)
    g_hash_table_remove (self->by_uri, uri);
}

void
gmcp_resource_watches_refresh (GmcpResourceWatches *self)
{
  g_auto (GStrv) uris = g_new0 (char *, g_hash_table_size (self->by_uri) + 1);
  GHashTableIter iter;
  gpointer watch;
  guint n_missed = 0;

  g_rc_box_acquire (self);
  g_hash_table_iter_init (&iter, self->by_uri);
  while (g_hash_table_iter_next (&iter, NULL, &watch))
    if (subscribe_resource (watch))
      uris[n_missed++] = g_strdup (((Watch *) watch)->uri);

  /* A listener may add and remove watches, and let go of their owner. */
  for (guint i = 0; i < n_missed && self->lists != NULL; i++)
    self->hooks->updated (uris[i], self->data);
  g_rc_box_release_full (self, clear_watches);
}
