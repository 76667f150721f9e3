/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-change-streams-private.h"

#include "gmcp-change-stream-struct-private.h"
#include "gmcp-era-features-private.h"
#include "gmcp-features-private.h"
#include "gmcp-i18n-private.h"

/* All streams of a session: lost with its connection, and asked for again with the next. */

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

void
gmcp_change_streams_announce_lists (GmcpSession *session, GmcpSubscriptionFlags lists)
{
  streams_of (session)->announce_lists (session, lists);
}

void
gmcp_change_streams_announce_resource (GmcpSession *session, const char *uri)
{
  streams_of (session)->announce_resource (session, uri);
}

static GPtrArray *
copy_streams (GmcpSession *session)
{
  GPtrArray *streams
    = g_ptr_array_new_full (streams_of (session)->streams->len, gmcp_change_stream_release);

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
  GPtrArray *lost = g_ptr_array_new_with_free_func (gmcp_change_stream_release);

  for (guint i = 0; i < streams_of (session)->streams->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (streams_of (session)->streams, i);
      GmcpSubscriptionState state = stream->state;

      gmcp_change_stream_clear_retry (stream);
      stream->exchange = NULL;
      stream->deaf = FALSE;
      stream->n_awaited = 0;
      stream->failures = 0;
      if (state == GMCP_SUBSCRIPTION_STATE_CLOSED)
        continue;

      stream->state = stream->stubborn || gmcp_change_stream_was_acknowledged (stream)
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
    gmcp_change_stream_request (stream);
}

void
gmcp_change_streams_resume (GmcpSession *session)
{
  gmcp_change_streams_foreach (session, ask_if_wanted, NULL);
}

void
gmcp_change_streams_renew (GmcpSession *session)
{
  GPtrArray *lost = g_ptr_array_new_with_free_func (gmcp_change_stream_release);
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
  g_autoptr (GmcpHeldChangeStream) held G_GNUC_UNUSED = g_rc_box_acquire (stream);

  if (stream->deaf)
    {
      stream->deaf = FALSE;
      stream->state = GMCP_SUBSCRIPTION_STATE_OPEN;
      stream->since_us = g_get_monotonic_time ();
      if (stream->funcs->acknowledged != NULL)
        stream->funcs->acknowledged (stream, stream->data);
    }
  /* A handler may have opened the stream meanwhile. */
  if (gmcp_change_stream_is_open (stream))
    gmcp_change_stream_count_all_as_changed (stream);
}

void
gmcp_change_streams_hear (GmcpSession *session)
{
  gmcp_change_streams_foreach (session, hear_stream, NULL);
}
