/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/audit/gmcp-log-reader.h>

#include "gmcpd-api-log-feed.h"

/* Of what comes at once; the rest can be asked for. */
#define MAX_LINES_AT_ONCE 200

struct _GmcpdApiLogFeed
{
  GmcpdApiLogFeedFunc func;
  gpointer data;
  GHashTable *followed; /* GmcpManagedServer -> Followed */
};

/* One server's log. A reading that is under way keeps it. */
typedef struct
{
  GmcpdApiLogFeed *feed; /* NULL once it is not followed any more */
  GmcpManagedServer *server;
  GmcpLogReader *reader;
  GCancellable *cancellable;
  gboolean is_reading;
  gboolean has_more;
} Followed;

static void read_new_lines (Followed *self);

static void
followed_clear (gpointer data)
{
  Followed *self = data;

  g_object_unref (self->server);
  g_object_unref (self->reader);
  g_object_unref (self->cancellable);
}

static void
stop_following (gpointer data)
{
  Followed *self = data;

  self->feed = NULL;
  g_signal_handlers_disconnect_by_data (self->reader, self);
  g_cancellable_cancel (self->cancellable);
  g_rc_box_release_full (self, followed_clear);
}

static void
tell_lines (Followed *self, GPtrArray *entries)
{
  guint from = entries->len > MAX_LINES_AT_ONCE ? entries->len - MAX_LINES_AT_ONCE : 0;

  for (guint i = from; i < entries->len && self->feed != NULL; i++)
    self->feed->func (self->server, entries->pdata[i], self->feed->data);
}

static void
end_reading (Followed *self)
{
  self->is_reading = FALSE;
  if (self->feed != NULL && self->has_more)
    read_new_lines (self);
  g_rc_box_release_full (self, followed_clear);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  Followed *self = data;
  g_autoptr (GPtrArray) entries
    = gmcp_log_reader_read_new_finish (GMCP_LOG_READER (object), result, NULL);

  if (entries != NULL)
    tell_lines (self, entries);
  end_reading (self);
}

/* What was there before is not told of. */
static void
on_begun (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GPtrArray) entries G_GNUC_UNUSED
    = gmcp_log_reader_read_finish (GMCP_LOG_READER (object), result, NULL);

  end_reading (data);
}

static void
read_new_lines (Followed *self)
{
  self->has_more = self->is_reading;
  if (self->is_reading)
    return;

  self->is_reading = TRUE;
  gmcp_log_reader_read_new_async (self->reader, self->cancellable, on_read,
                                  g_rc_box_acquire (self));
}

static Followed *
follow_server (GmcpdApiLogFeed *feed, GmcpManagedServer *server)
{
  g_autoptr (GFile) file = gmcp_managed_server_dup_log_file (server);
  Followed *self;

  if (file == NULL)
    return NULL;

  self = g_rc_box_new0 (Followed);
  self->feed = feed;
  self->server = g_object_ref (server);
  self->reader = gmcp_log_reader_new (gmcp_managed_server_get_id (server), file);
  self->cancellable = g_cancellable_new ();
  g_signal_connect_swapped (self->reader, "changed", G_CALLBACK (read_new_lines), self);
  self->is_reading = TRUE;
  gmcp_log_reader_read_async (self->reader, NULL, 1, self->cancellable, on_begun,
                              g_rc_box_acquire (self));
  return self;
}

GmcpdApiLogFeed *
gmcpd_api_log_feed_new (GmcpdApiLogFeedFunc func, gpointer data)
{
  GmcpdApiLogFeed *self = g_new0 (GmcpdApiLogFeed, 1);

  self->func = func;
  self->data = data;
  self->followed = g_hash_table_new_full (NULL, NULL, NULL, stop_following);
  return self;
}

void
gmcpd_api_log_feed_free (GmcpdApiLogFeed *self)
{
  g_hash_table_unref (self->followed);
  g_free (self);
}

static gboolean
is_not_among (gpointer server, gpointer followed, gpointer servers)
{
  return !g_ptr_array_find (servers, server, NULL);
}

void
gmcpd_api_log_feed_follow (GmcpdApiLogFeed *self, GPtrArray *servers)
{
  g_hash_table_foreach_remove (self->followed, is_not_among, servers);
  for (guint i = 0; i < servers->len; i++)
    if (!g_hash_table_contains (self->followed, servers->pdata[i]))
      {
        Followed *followed = follow_server (self, servers->pdata[i]);

        if (followed != NULL)
          g_hash_table_insert (self->followed, servers->pdata[i], followed);
      }
}
