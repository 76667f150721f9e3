/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-change-stream-struct-private.h"

#include "gmcp-caching-private.h"
#include "gmcp-change-streams-private.h"
#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

static void
stream_clear (gpointer data)
{
  GmcpChangeStream *stream = data;

  gmcp_change_filter_clear (&stream->wanted);
  gmcp_change_filter_clear (&stream->acknowledged);
  g_clear_error (&stream->refusal);
}

void
gmcp_change_stream_release (gpointer stream)
{
  g_rc_box_release_full (stream, stream_clear);
}

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
  g_ptr_array_add (gmcp_change_streams_get_all (session), stream);

  return stream;
}

void
gmcp_change_stream_free (GmcpChangeStream *stream)
{
  gmcp_change_stream_close (stream);
  g_ptr_array_remove (gmcp_change_streams_get_all (stream->session), stream);
  stream->session = NULL;
  gmcp_change_stream_release (stream);
}

void
gmcp_change_stream_insist (GmcpChangeStream *stream, guint ack_timeout_ms)
{
  stream->stubborn = TRUE;
  stream->ack_timeout_ms = ack_timeout_ms;
}

gboolean
gmcp_change_stream_is_alive (const GmcpChangeStream *stream)
{
  return stream->session != NULL;
}

GmcpSubscriptionState
gmcp_change_stream_get_state (const GmcpChangeStream *stream)
{
  return stream->state;
}

const GmcpChangeFilter *
gmcp_change_stream_get_wanted (const GmcpChangeStream *stream)
{
  return &stream->wanted;
}

const GmcpChangeFilter *
gmcp_change_stream_get_acknowledged (const GmcpChangeStream *stream)
{
  return &stream->acknowledged;
}

guint
gmcp_change_stream_get_n_asked (const GmcpChangeStream *stream)
{
  return stream->n_asked;
}

void
gmcp_change_stream_tell_lists (GmcpChangeStream *stream, GmcpSubscriptionFlags lists)
{
  if (stream->funcs->lists_changed != NULL)
    stream->funcs->lists_changed (stream, lists, stream->data);
}

void
gmcp_change_stream_tell_resource (GmcpChangeStream *stream, const char *uri)
{
  if (stream->funcs->resource_updated != NULL)
    stream->funcs->resource_updated (stream, uri, stream->data);
}

gboolean
gmcp_change_stream_tell_notification (GmcpChangeStream *stream, const GmcpRpcMessage *notification)
{
  if (stream->funcs->notified == NULL)
    return FALSE;

  stream->funcs->notified (stream, notification, stream->data);
  return TRUE;
}

void
gmcp_change_stream_set_exchange (GmcpChangeStream *stream, GmcpExchange *exchange)
{
  stream->exchange = exchange;
}

GmcpExchange *
gmcp_change_stream_get_exchange (const GmcpChangeStream *stream)
{
  return stream->exchange;
}

guint
gmcp_change_stream_get_ack_timeout_ms (const GmcpChangeStream *stream)
{
  return stream->ack_timeout_ms;
}

void
gmcp_change_stream_begin_awaiting (GmcpChangeStream *stream)
{
  stream->n_awaited++;
}

void
gmcp_change_stream_end_awaiting (GmcpChangeStream *stream)
{
  stream->n_awaited--;
}

gboolean
gmcp_change_stream_is_awaiting (const GmcpChangeStream *stream)
{
  return stream->n_awaited > 0;
}

gboolean
gmcp_change_stream_is_refused (const GmcpChangeStream *stream)
{
  return stream->refusal != NULL;
}

void
gmcp_change_stream_refuse (GmcpChangeStream *stream, GError *error)
{
  if (stream->refusal == NULL)
    stream->refusal = error;
  else
    g_error_free (error);
}

GError *
gmcp_change_stream_steal_refusal (GmcpChangeStream *stream)
{
  return g_steal_pointer (&stream->refusal);
}

void
gmcp_change_stream_clear_retry (GmcpChangeStream *stream)
{
  if (stream->retry != NULL)
    {
      g_source_destroy (stream->retry);
      g_clear_pointer (&stream->retry, g_source_unref);
    }
}

void
gmcp_change_stream_request (GmcpChangeStream *stream)
{
  g_autoptr (GmcpHeldChangeStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);

  gmcp_change_stream_clear_retry (stream);
  stream->lost = FALSE;
  stream->deaf = FALSE;
  g_clear_error (&stream->refusal);
  stream->n_awaited = 0;
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

  gmcp_change_stream_request (stream);
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
  gmcp_change_stream_request (stream);
}

void
gmcp_change_stream_close (GmcpChangeStream *stream)
{
  GmcpSession *session = stream->session;
  GmcpSubscriptionState state = stream->state;
  gboolean known = stream->deaf || state == GMCP_SUBSCRIPTION_STATE_OPEN
                   || state == GMCP_SUBSCRIPTION_STATE_OPENING;

  gmcp_change_stream_clear_retry (stream);
  stream->lost = FALSE;
  stream->deaf = FALSE;
  stream->state = GMCP_SUBSCRIPTION_STATE_CLOSED;
  if (gmcp_session_is_open (session) && known)
    gmcp_session_get_era (session)->features->close_stream (session, stream);
  stream->exchange = NULL;
  stream->n_awaited = 0;
}

gboolean
gmcp_change_stream_is_open (GmcpChangeStream *stream)
{
  return stream->session != NULL && stream->state == GMCP_SUBSCRIPTION_STATE_OPEN;
}

void
gmcp_change_stream_count_all_as_changed (GmcpChangeStream *stream)
{
  g_auto (GStrv) uris = g_strdupv (stream->wanted.resource_uris);
  GmcpSubscriptionFlags lists = stream->wanted.lists;

  gmcp_caching_expire_lists (stream->session, lists);
  for (guint i = 0; uris[i] != NULL; i++)
    gmcp_caching_expire_resource (stream->session, uris[i]);
  if (lists != GMCP_SUBSCRIPTION_NONE)
    {
      gmcp_change_streams_announce_lists (stream->session, lists);
      if (gmcp_change_stream_is_open (stream))
        gmcp_change_stream_tell_lists (stream, lists);
    }
  for (guint i = 0; uris[i] != NULL && gmcp_change_stream_is_open (stream); i++)
    {
      gmcp_change_streams_announce_resource (stream->session, uris[i]);
      if (gmcp_change_stream_is_open (stream))
        gmcp_change_stream_tell_resource (stream, uris[i]);
    }
}

void
gmcp_change_stream_acknowledge (GmcpChangeStream *stream, GmcpChangeFilter *acknowledged)
{
  g_autoptr (GmcpHeldChangeStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);

  if (stream->state != GMCP_SUBSCRIPTION_STATE_OPENING)
    {
      gmcp_change_filter_clear (acknowledged);
      return;
    }

  gmcp_change_filter_restrict (acknowledged, &stream->wanted);
  gmcp_change_filter_clear (&stream->acknowledged);
  stream->acknowledged = *acknowledged;
  *acknowledged = (GmcpChangeFilter){ 0 };
  stream->state = GMCP_SUBSCRIPTION_STATE_OPEN;
  stream->since_us = g_get_monotonic_time ();

  if (stream->funcs->acknowledged != NULL)
    stream->funcs->acknowledged (stream, stream->data);
  if (gmcp_change_stream_is_open (stream) && stream->n_asked > 1)
    gmcp_change_stream_count_all_as_changed (stream);
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

gboolean
gmcp_change_stream_was_acknowledged (GmcpChangeStream *stream)
{
  return stream->since_us != 0 || stream->n_asked > 1;
}

void
gmcp_change_stream_end (GmcpChangeStream *stream, GError *error)
{
  g_autoptr (GmcpHeldChangeStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);
  g_autoptr (GError) owned = error;
  gint64 lived_us = stream->since_us != 0 ? g_get_monotonic_time () - stream->since_us : 0;
  gboolean tried_enough = !stream->stubborn && !gmcp_change_stream_was_acknowledged (stream);

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
