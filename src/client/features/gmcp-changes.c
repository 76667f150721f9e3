/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-changes-private.h"

#include <string.h>

#include "gmcp-capabilities-private.h"
#include "gmcp-era-features-private.h"

static const struct
{
  GmcpSubscriptionFlags list;
  const char *capability;
} kinds[] = {
  { GMCP_SUBSCRIPTION_TOOLS, "tools/listChanged" },
  { GMCP_SUBSCRIPTION_PROMPTS, "prompts/listChanged" },
  { GMCP_SUBSCRIPTION_RESOURCES, "resources/listChanged" },
};

struct _GmcpChanges
{
  void (*lists_watched) (GmcpSession *session);
  void (*lists_changed) (GmcpSession *session, GmcpSubscriptionFlags lists);
  GmcpChangeStream *watch;   /* for the lists of this side; NULL until one is read */
  GHashTable *subscriptions; /* an era's, that it keeps for resources by their URI; may be NULL */
};

static GmcpChanges *
changes_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->changes;
}

GmcpChanges *
gmcp_changes_new (void (*lists_watched) (GmcpSession *session),
                  void (*lists_changed) (GmcpSession *session, GmcpSubscriptionFlags lists))
{
  GmcpChanges *changes = g_new0 (GmcpChanges, 1);

  changes->lists_watched = lists_watched;
  changes->lists_changed = lists_changed;
  return changes;
}

void
gmcp_changes_free (GmcpChanges *changes)
{
  g_free (changes);
}

GHashTable *
gmcp_changes_get_subscriptions (GmcpSession *self)
{
  return changes_of (self)->subscriptions;
}

void
gmcp_changes_take_subscriptions (GmcpSession *self, GHashTable *subscriptions)
{
  g_clear_pointer (&changes_of (self)->subscriptions, g_hash_table_unref);
  changes_of (self)->subscriptions = subscriptions;
}

/* The client's own stream, for the lists that it keeps up to date. */

static void
on_watched (GmcpChangeStream *stream, gpointer data)
{
  changes_of (data)->lists_watched (data);
}

static void
on_watch_over (GmcpChangeStream *stream, const GError *error, gpointer data)
{
  /* The lists are read without a watch. */
  changes_of (data)->lists_watched (data);
}

static const GmcpChangeStreamFuncs watch_funcs = {
  .acknowledged = on_watched,
  .interrupted = on_watch_over,
  .ended = on_watch_over,
};

GmcpSubscriptionFlags
gmcp_changes_get_declared_lists (GmcpSession *self)
{
  GmcpCapabilities *capabilities = gmcp_session_get_capabilities (self);
  GmcpSubscriptionFlags lists = GMCP_SUBSCRIPTION_NONE;

  for (guint i = 0; capabilities != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (gmcp_capabilities_has (capabilities, kinds[i].capability))
      lists |= kinds[i].list;
  return lists;
}

void
gmcp_changes_watch_lists (GmcpSession *self)
{
  GmcpChanges *changes = changes_of (self);

  if (changes->watch == NULL)
    {
      changes->watch = gmcp_change_stream_new (self, gmcp_changes_get_declared_lists (self), NULL,
                                               NULL, &watch_funcs, self);
      gmcp_change_stream_insist (changes->watch,
                                 gmcp_session_get_timeout_ms (self, GMCP_SESSION_PROBE_TIMEOUT));
      if (!gmcp_change_filter_is_empty (gmcp_change_stream_get_wanted (changes->watch)))
        {
          gmcp_change_stream_open (changes->watch);
          return;
        }
    }

  if (gmcp_change_stream_get_state (changes->watch) != GMCP_SUBSCRIPTION_STATE_OPENING
      || gmcp_change_stream_get_n_asked (changes->watch) > 1)
    changes->lists_watched (self);
}

void
gmcp_changes_unwatch_lists (GmcpSession *self)
{
  g_clear_pointer (&changes_of (self)->watch, gmcp_change_stream_free);
}

void
gmcp_changes_announce_lists (GmcpSession *self, GmcpSubscriptionFlags lists)
{
  g_autoptr (GmcpSession) held G_GNUC_UNUSED = gmcp_session_ref (self);

  changes_of (self)->lists_changed (self, lists);
  gmcp_session_get_features (self)->events->lists_changed (gmcp_session_get_owner (self), lists);
}

void
gmcp_changes_announce_resource (GmcpSession *self, const char *uri)
{
  g_autoptr (GmcpSession) held G_GNUC_UNUSED = gmcp_session_ref (self);

  gmcp_session_get_features (self)->events->resource_updated (gmcp_session_get_owner (self), uri);
}

/* What came, for those streams that it is meant for. */
typedef struct
{
  const GmcpChangeStream *only; /* NULL for all */
  GmcpSubscriptionFlags lists;
  const char *uri;
  gboolean any_uri; /* it is not known which of them was meant */
  gboolean found;
} Change;

static gboolean
find_stream (GmcpSession *self, GmcpJsonValue params, GmcpChangeStream **stream)
{
  *stream = NULL;
  if (gmcp_session_get_era (self) == NULL
      || gmcp_session_get_era (self)->features->find_stream (self, params, stream))
    return TRUE;

  gmcp_session_drop_message (self, "a notification for a subscription that is over");
  return FALSE;
}

static gboolean
concerns_stream (const GmcpChangeStream *stream, const Change *change)
{
  GmcpSubscriptionState state = gmcp_change_stream_get_state (stream);

  return (change->only == NULL || stream == change->only)
         && (state == GMCP_SUBSCRIPTION_STATE_OPEN || state == GMCP_SUBSCRIPTION_STATE_OPENING);
}

static void
tell_list_change (gpointer data, gpointer user_data)
{
  GmcpChangeStream *stream = data;
  const Change *change = user_data;

  if (concerns_stream (stream, change)
      && (gmcp_change_stream_get_wanted (stream)->lists & change->lists) != 0)
    gmcp_change_stream_tell_lists (stream, change->lists);
}

static void
note_list_changed (GmcpSession *self, GmcpJsonValue params, GmcpSubscriptionFlags list)
{
  Change change = { .lists = list };
  GmcpChangeStream *stream;

  if (!find_stream (self, params, &stream))
    return;

  change.only = stream;
  gmcp_changes_announce_lists (self, list);
  gmcp_change_streams_foreach (self, tell_list_change, &change);
}

void
gmcp_changes_note_tools (GmcpSession *self, GmcpJsonValue params)
{
  note_list_changed (self, params, GMCP_SUBSCRIPTION_TOOLS);
}

void
gmcp_changes_note_prompts (GmcpSession *self, GmcpJsonValue params)
{
  note_list_changed (self, params, GMCP_SUBSCRIPTION_PROMPTS);
}

void
gmcp_changes_note_resources (GmcpSession *self, GmcpJsonValue params)
{
  note_list_changed (self, params, GMCP_SUBSCRIPTION_RESOURCES);
}

/* A part of a resource that is subscribed to may change. */
static gboolean
wants_uri (const GmcpChangeStream *stream, const char *uri)
{
  const GmcpChangeFilter *wanted = gmcp_change_stream_get_wanted (stream);

  for (guint i = 0; wanted->resource_uris[i] != NULL; i++)
    if (g_str_has_prefix (uri, wanted->resource_uris[i]))
      return TRUE;
  return FALSE;
}

static void
tell_update (gpointer data, gpointer user_data)
{
  GmcpChangeStream *stream = data;
  Change *change = user_data;

  if (!concerns_stream (stream, change)
      || gmcp_change_stream_get_wanted (stream)->resource_uris[0] == NULL
      || (!change->any_uri && !wants_uri (stream, change->uri)))
    return;

  change->found = TRUE;
  gmcp_change_stream_tell_resource (stream, change->uri);
}

void
gmcp_changes_note_resource (GmcpSession *self, GmcpJsonValue params)
{
  g_autofree char *uri = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "uri"));
  Change change = { .uri = uri };
  GmcpChangeStream *stream;

  if (uri == NULL)
    {
      gmcp_session_drop_message (self, "an update of no resource");
      return;
    }
  if (!find_stream (self, params, &stream))
    return;

  change.only = stream;
  change.any_uri = stream != NULL;
  gmcp_changes_announce_resource (self, uri);
  gmcp_change_streams_foreach (self, tell_update, &change);
  if (change.found || change.any_uri)
    return;
  /* A server may write an address in another way than it was asked with. */
  change.any_uri = TRUE;
  gmcp_change_streams_foreach (self, tell_update, &change);
}

gboolean
gmcp_changes_note_unknown (GmcpSession *self, const GmcpRpcMessage *notification)
{
  GmcpChangeStream *stream = NULL;
  gboolean known = FALSE;

  if (gmcp_session_get_era (self) != NULL
      && gmcp_session_get_era (self)->features->find_stream (self, notification->params, &stream)
      && stream != NULL)
    known = gmcp_change_stream_tell_notification (stream, notification);
  return gmcp_session_get_features (self)->events->notification (gmcp_session_get_owner (self),
                                                                 notification)
         || known;
}

gboolean
gmcp_changes_are_wanted (GmcpSession *self)
{
  GPtrArray *streams = gmcp_change_streams_get_all (self);

  for (guint i = 0; i < streams->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (streams, i);

      if (stream != changes_of (self)->watch
          && gmcp_change_stream_get_state (stream) != GMCP_SUBSCRIPTION_STATE_CLOSED)
        return TRUE;
    }
  return FALSE;
}

gboolean
gmcp_changes_has_own_request (GmcpSession *self)
{
  GmcpChanges *changes = changes_of (self);

  return changes->watch != NULL && gmcp_change_stream_get_exchange (changes->watch) != NULL;
}
