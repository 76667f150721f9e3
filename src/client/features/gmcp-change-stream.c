/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-change-stream-private.h"

#include "gmcp-caching-private.h"
#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-features-private.h"

/* All streams of a session. */
struct _GmcpChangeStreams
{
  GPtrArray *streams; /* of GmcpChangeStream, borrowed */
  void (*announce_lists) (GmcpSession *session, GmcpSubscriptionFlags lists);
  void (*announce_resource) (GmcpSession *session, const char *uri);
};

GmcpChangeStreams *
gmcp_change_streams_new (void (*announce_lists) (GmcpSession *session, GmcpSubscriptionFlags lists),
                         void (*announce_resource) (GmcpSession *session, const char *uri))
{
  GmcpChangeStreams *streams = g_new (GmcpChangeStreams, 1);

  streams->streams = g_ptr_array_new ();
  streams->announce_lists = announce_lists;
  streams->announce_resource = announce_resource;
  return streams;
}

void
gmcp_change_streams_free (GmcpChangeStreams *streams)
{
  g_ptr_array_unref (streams->streams);
  g_free (streams);
}

static GmcpChangeStreams *
streams_of (GmcpSession *session)
{
  return gmcp_session_get_features (session)->streams;
}

GPtrArray *
gmcp_change_streams_get_all (GmcpSession *session)
{
  return streams_of (session)->streams;
}

static GStrv
dup_unique (const char *const *strings)
{
  g_autoptr (GHashTable) seen = NULL;
  GPtrArray *unique = g_ptr_array_new ();

  if (strings != NULL && strings[0] != NULL)
    {
      seen = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; strings[i] != NULL; i++)
        if (g_hash_table_add (seen, (gpointer) strings[i]))
          g_ptr_array_add (unique, g_strdup (strings[i]));
    }
  g_ptr_array_add (unique, NULL);
  return (GStrv) g_ptr_array_free (unique, FALSE);
}

void
gmcp_change_filter_init (GmcpChangeFilter *filter,
                         GmcpSubscriptionFlags lists,
                         const char *const *resource_uris,
                         const char *const *task_ids)
{
  filter->lists = lists;
  filter->resource_uris = dup_unique (resource_uris);
  filter->task_ids = dup_unique (task_ids);
}

void
gmcp_change_filter_clear (GmcpChangeFilter *filter)
{
  filter->lists = GMCP_SUBSCRIPTION_NONE;
  g_clear_pointer (&filter->resource_uris, g_strfreev);
  g_clear_pointer (&filter->task_ids, g_strfreev);
}

gboolean
gmcp_change_filter_is_empty (const GmcpChangeFilter *filter)
{
  return filter->lists == GMCP_SUBSCRIPTION_NONE && filter->resource_uris[0] == NULL
         && filter->task_ids[0] == NULL;
}

/* Leaves of the strings those that are wanted, in the order in which they are wanted. */
static void
keep_wanted (GStrv *strings, GStrv wanted)
{
  g_autoptr (GHashTable) given = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *both = g_ptr_array_new ();

  for (guint i = 0; (*strings)[i] != NULL; i++)
    g_hash_table_add (given, (*strings)[i]);
  for (guint i = 0; wanted[i] != NULL; i++)
    if (g_hash_table_contains (given, wanted[i]))
      g_ptr_array_add (both, g_strdup (wanted[i]));
  g_ptr_array_add (both, NULL);

  g_strfreev (*strings);
  *strings = (GStrv) g_ptr_array_free (both, FALSE);
}

static void
stream_clear (gpointer data)
{
  GmcpChangeStream *stream = data;

  gmcp_change_filter_clear (&stream->wanted);
  gmcp_change_filter_clear (&stream->acknowledged);
  g_clear_error (&stream->refusal);
}

static void
stream_release (gpointer stream)
{
  g_rc_box_release_full (stream, stream_clear);
}

typedef GmcpChangeStream HeldStream;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeldStream, stream_release)

GmcpChangeStream *
gmcp_change_stream_new (GmcpSession *session,
                        GmcpSubscriptionFlags lists,
                        const char *const *resource_uris,
                        const char *const *task_ids,
                        const GmcpChangeStreamFuncs *funcs,
                        gpointer data)
{
  GmcpChangeStream *stream = g_rc_box_new0 (GmcpChangeStream);

  stream->session = session;
  stream->funcs = funcs;
  stream->data = data;
  stream->ack_timeout_ms = gmcp_session_get_call_timeout_ms (session);
  gmcp_change_filter_init (&stream->wanted, lists, resource_uris, task_ids);
  gmcp_change_filter_init (&stream->acknowledged, GMCP_SUBSCRIPTION_NONE, NULL, NULL);
  g_ptr_array_add (streams_of (session)->streams, stream);

  return stream;
}

void
gmcp_change_stream_free (GmcpChangeStream *stream)
{
  gmcp_change_stream_close (stream);
  g_ptr_array_remove (streams_of (stream->session)->streams, stream);
  stream->session = NULL;
  stream_release (stream);
}

static void
clear_retry (GmcpChangeStream *stream)
{
  if (stream->retry != NULL)
    {
      g_source_destroy (stream->retry);
      g_clear_pointer (&stream->retry, g_source_unref);
    }
}

static void
request_stream (GmcpChangeStream *stream)
{
  g_autoptr (HeldStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);

  clear_retry (stream);
  stream->lost = FALSE;
  stream->deaf = FALSE;
  g_clear_error (&stream->refusal);
  stream->state = GMCP_SUBSCRIPTION_STATE_OPENING;
  stream->since_us = 0;
  stream->n_asked++;
  gmcp_session_get_era (stream->session)->features->open_stream (stream->session, stream);
}

static gboolean
on_retry (gpointer user_data)
{
  GmcpChangeStream *stream = user_data;
  g_autoptr (GmcpSession) held G_GNUC_UNUSED = gmcp_session_ref (stream->session);

  request_stream (stream);
  return G_SOURCE_REMOVE;
}

/* A server that cuts each stream soon after it has acknowledged it is no better than one that never
 * does, so the time grows until one has lived for long. */
static void
retry_later (GmcpChangeStream *stream)
{
  guint delay_ms = MIN (GMCP_LIMIT_STREAM_MIN_RETRY_MS << MIN (stream->failures, 16u),
                        GMCP_LIMIT_STREAM_MAX_RETRY_MS);

  stream->failures++;
  stream->retry = g_timeout_source_new (delay_ms);
  g_source_set_static_name (stream->retry, "[gmcp] subscription again");
  g_source_set_callback (stream->retry, on_retry, stream, NULL);
  g_source_attach (stream->retry, gmcp_session_get_context (stream->session));
}

void
gmcp_change_stream_open (GmcpChangeStream *stream)
{
  if (stream->state != GMCP_SUBSCRIPTION_STATE_CLOSED)
    return;

  stream->n_asked = 0;
  stream->failures = 0;
  request_stream (stream);
}

void
gmcp_change_stream_close (GmcpChangeStream *stream)
{
  GmcpSession *session = stream->session;
  GmcpSubscriptionState state = stream->state;
  gboolean known = stream->deaf || state == GMCP_SUBSCRIPTION_STATE_OPEN
                   || state == GMCP_SUBSCRIPTION_STATE_OPENING;

  clear_retry (stream);
  stream->lost = FALSE;
  stream->deaf = FALSE;
  stream->state = GMCP_SUBSCRIPTION_STATE_CLOSED;
  if (gmcp_session_is_open (session) && known)
    gmcp_session_get_era (session)->features->close_stream (session, stream);
  stream->exchange = NULL;
  stream->n_awaited = 0;
}

static gboolean
is_open (GmcpChangeStream *stream)
{
  return stream->session != NULL && stream->state == GMCP_SUBSCRIPTION_STATE_OPEN;
}

/* What changed while no stream was open was not told; what is not acknowledged this time may have
 * been before. */
static void
count_all_as_changed (GmcpChangeStream *stream)
{
  g_auto (GStrv) uris = g_strdupv (stream->wanted.resource_uris);
  GmcpSubscriptionFlags lists = stream->wanted.lists;

  gmcp_caching_expire_lists (stream->session, lists);
  for (guint i = 0; uris[i] != NULL; i++)
    gmcp_caching_expire_resource (stream->session, uris[i]);
  if (lists != GMCP_SUBSCRIPTION_NONE)
    {
      streams_of (stream->session)->announce_lists (stream->session, lists);
      if (is_open (stream) && stream->funcs->lists_changed != NULL)
        stream->funcs->lists_changed (stream, lists, stream->data);
    }
  for (guint i = 0; uris[i] != NULL && is_open (stream); i++)
    {
      streams_of (stream->session)->announce_resource (stream->session, uris[i]);
      if (is_open (stream) && stream->funcs->resource_updated != NULL)
        stream->funcs->resource_updated (stream, uris[i], stream->data);
    }
}

void
gmcp_change_stream_acknowledge (GmcpChangeStream *stream, GmcpChangeFilter *acknowledged)
{
  g_autoptr (HeldStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);

  if (stream->state != GMCP_SUBSCRIPTION_STATE_OPENING)
    {
      gmcp_change_filter_clear (acknowledged);
      return;
    }

  acknowledged->lists &= stream->wanted.lists;
  keep_wanted (&acknowledged->resource_uris, stream->wanted.resource_uris);
  keep_wanted (&acknowledged->task_ids, stream->wanted.task_ids);
  gmcp_change_filter_clear (&stream->acknowledged);
  stream->acknowledged = *acknowledged;
  *acknowledged = (GmcpChangeFilter){ 0 };
  stream->state = GMCP_SUBSCRIPTION_STATE_OPEN;
  stream->since_us = g_get_monotonic_time ();

  if (stream->funcs->acknowledged != NULL)
    stream->funcs->acknowledged (stream, stream->data);
  if (is_open (stream) && stream->n_asked > 1)
    count_all_as_changed (stream);
}

/* Whether to ask again would be in vain. */
static gboolean
is_refusal (const GError *error)
{
  return g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND)
         || g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS)
         || g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY)
         || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
}

static gboolean
was_acknowledged (GmcpChangeStream *stream)
{
  return stream->since_us != 0 || stream->n_asked > 1;
}

void
gmcp_change_stream_end (GmcpChangeStream *stream, GError *error)
{
  g_autoptr (HeldStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);
  g_autoptr (GError) owned = error;
  gint64 lived_us = stream->since_us != 0 ? g_get_monotonic_time () - stream->since_us : 0;
  gboolean tried_enough = !stream->stubborn && !was_acknowledged (stream);

  if (stream->state != GMCP_SUBSCRIPTION_STATE_OPENING
      && stream->state != GMCP_SUBSCRIPTION_STATE_OPEN)
    return;

  stream->exchange = NULL;
  g_debug ("%s: a subscription ended: %s", gmcp_session_describe (stream->session),
           error != NULL ? error->message : "in order");
  if (lived_us >= GMCP_LIMIT_STREAM_MAX_RETRY_MS * (gint64) 1000)
    stream->failures = 0;
  if (tried_enough && owned == NULL)
    owned = g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                         _ ("%s ended the subscription before it was acknowledged"),
                         gmcp_session_describe (stream->session));

  if (tried_enough || is_refusal (owned))
    {
      stream->state = GMCP_SUBSCRIPTION_STATE_CLOSED;
      if (stream->funcs->ended != NULL)
        stream->funcs->ended (stream, owned, stream->data);
      return;
    }

  stream->state = GMCP_SUBSCRIPTION_STATE_WAITING;
  retry_later (stream);
  if (stream->funcs->interrupted != NULL)
    stream->funcs->interrupted (stream, owned, stream->data);
}

static GPtrArray *
copy_streams (GmcpSession *session)
{
  GPtrArray *streams = g_ptr_array_new_full (streams_of (session)->streams->len, stream_release);

  for (guint i = 0; i < streams_of (session)->streams->len; i++)
    g_ptr_array_add (streams,
                     g_rc_box_acquire (g_ptr_array_index (streams_of (session)->streams, i)));
  return streams;
}

void
gmcp_change_streams_foreach (GmcpSession *session, GFunc func, gpointer data)
{
  g_autoptr (GPtrArray) streams = NULL;

  if (streams_of (session)->streams->len == 0)
    return;

  streams = copy_streams (session);
  for (guint i = 0; i < streams->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (streams, i);

      if (stream->session != NULL)
        func (stream, data);
    }
}

GPtrArray *
gmcp_change_streams_lose (GmcpSession *session)
{
  GPtrArray *lost = g_ptr_array_new_with_free_func (stream_release);

  for (guint i = 0; i < streams_of (session)->streams->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (streams_of (session)->streams, i);
      GmcpSubscriptionState state = stream->state;

      clear_retry (stream);
      stream->exchange = NULL;
      stream->deaf = FALSE;
      stream->n_awaited = 0;
      stream->failures = 0;
      if (state == GMCP_SUBSCRIPTION_STATE_CLOSED)
        continue;

      stream->state = stream->stubborn || was_acknowledged (stream)
                        ? GMCP_SUBSCRIPTION_STATE_WAITING
                        : GMCP_SUBSCRIPTION_STATE_CLOSED;
      stream->lost = state != stream->state;
      if (stream->lost)
        g_ptr_array_add (lost, g_rc_box_acquire (stream));
    }
  if (gmcp_session_get_era (session) != NULL)
    gmcp_session_get_era_features (session)->forget_streams (session);
  return lost;
}

void
gmcp_change_streams_report_loss (GPtrArray *lost, const GError *error)
{
  for (guint i = 0; i < lost->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (lost, i);

      if (stream->session == NULL || !stream->lost)
        continue;
      stream->lost = FALSE;
      if (stream->state == GMCP_SUBSCRIPTION_STATE_WAITING && stream->funcs->interrupted != NULL)
        stream->funcs->interrupted (stream, error, stream->data);
      else if (stream->state == GMCP_SUBSCRIPTION_STATE_CLOSED && stream->funcs->ended != NULL)
        stream->funcs->ended (stream, error, stream->data);
    }
  g_ptr_array_unref (lost);
}

static void
ask_if_wanted (gpointer data, gpointer user_data)
{
  GmcpChangeStream *stream = data;

  if ((stream->state == GMCP_SUBSCRIPTION_STATE_OPENING
       || stream->state == GMCP_SUBSCRIPTION_STATE_WAITING)
      && gmcp_session_is_open (stream->session))
    request_stream (stream);
}

void
gmcp_change_streams_resume (GmcpSession *session)
{
  gmcp_change_streams_foreach (session, ask_if_wanted, NULL);
}

void
gmcp_change_streams_renew (GmcpSession *session)
{
  GPtrArray *lost = g_ptr_array_new_with_free_func (stream_release);
  g_autoptr (GError) error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("%s has forgotten the session"),
                   gmcp_session_describe (session));

  for (guint i = 0; i < streams_of (session)->streams->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (streams_of (session)->streams, i);

      stream->exchange = NULL;
      stream->deaf = FALSE;
      stream->n_awaited = 0;
      if (stream->state == GMCP_SUBSCRIPTION_STATE_OPENING)
        stream->n_asked--;
      if (stream->state != GMCP_SUBSCRIPTION_STATE_OPEN)
        continue;
      stream->state = GMCP_SUBSCRIPTION_STATE_WAITING;
      stream->lost = TRUE;
      g_ptr_array_add (lost, g_rc_box_acquire (stream));
    }
  gmcp_session_get_era (session)->features->forget_streams (session);
  gmcp_change_streams_report_loss (lost, error);
  gmcp_change_streams_foreach (session, ask_if_wanted, NULL);
}

static void
deafen_stream (gpointer data, gpointer error)
{
  GmcpChangeStream *stream = data;

  if (stream->state != GMCP_SUBSCRIPTION_STATE_OPEN)
    return;

  stream->deaf = TRUE;
  stream->state = GMCP_SUBSCRIPTION_STATE_WAITING;
  if (stream->funcs->interrupted != NULL)
    stream->funcs->interrupted (stream, error, stream->data);
}

void
gmcp_change_streams_deafen (GmcpSession *session, const GError *error)
{
  gmcp_change_streams_foreach (session, deafen_stream, (gpointer) error);
}

static void
hear_stream (gpointer data, gpointer user_data)
{
  GmcpChangeStream *stream = data;
  g_autoptr (HeldStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);

  if (stream->deaf)
    {
      stream->deaf = FALSE;
      stream->state = GMCP_SUBSCRIPTION_STATE_OPEN;
      stream->since_us = g_get_monotonic_time ();
      if (stream->funcs->acknowledged != NULL)
        stream->funcs->acknowledged (stream, stream->data);
    }
  /* A handler may have opened the stream meanwhile. */
  if (is_open (stream))
    count_all_as_changed (stream);
}

void
gmcp_change_streams_hear (GmcpSession *session)
{
  gmcp_change_streams_foreach (session, hear_stream, NULL);
}
