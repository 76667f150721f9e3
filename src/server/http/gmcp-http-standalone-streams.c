/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-standalone-streams-private.h"

#include "gmcp-limits.h"

struct _GmcpHttpStandaloneStreams
{
  GPtrArray *streams; /* of GmcpHttpEventStream, not owned; the last opened is the last */
};

GmcpHttpStandaloneStreams *
gmcp_http_standalone_streams_new (void)
{
  GmcpHttpStandaloneStreams *self = g_new0 (GmcpHttpStandaloneStreams, 1);

  self->streams = g_ptr_array_new ();
  return self;
}

void
gmcp_http_standalone_streams_free (GmcpHttpStandaloneStreams *self)
{
  g_ptr_array_unref (self->streams);
  g_free (self);
}

static gboolean
is_read (GmcpHttpEventStream *stream)
{
  GmcpHttpResponse *response = gmcp_http_event_stream_get_response (stream);

  return response != NULL && gmcp_http_response_is_open (response);
}

static GmcpHttpEventStream *
find_last (GmcpHttpStandaloneStreams *self, gboolean read)
{
  for (guint i = self->streams->len; i > 0; i--)
    {
      GmcpHttpEventStream *stream = g_ptr_array_index (self->streams, i - 1);

      if (is_read (stream) == read)
        return stream;
    }
  return NULL;
}

/* The first that nobody reads, or the first of all. */
static GmcpHttpEventStream *
find_dispensable (GmcpHttpStandaloneStreams *self)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      GmcpHttpEventStream *stream = g_ptr_array_index (self->streams, i);

      if (!is_read (stream))
        return stream;
    }
  return g_ptr_array_index (self->streams, 0);
}

GmcpHttpEventStream *
gmcp_http_standalone_streams_add (GmcpHttpStandaloneStreams *self, GmcpHttpEventStream *stream)
{
  GmcpHttpEventStream *dispensable = NULL;

  if (!g_ptr_array_remove (self->streams, stream)
      && self->streams->len >= GMCP_LIMIT_SERVER_STANDALONE)
    {
      dispensable = find_dispensable (self);
      g_ptr_array_remove (self->streams, dispensable);
    }
  g_ptr_array_add (self->streams, stream);
  return dispensable;
}

gboolean
gmcp_http_standalone_streams_has (GmcpHttpStandaloneStreams *self, GmcpHttpEventStream *stream)
{
  return g_ptr_array_find (self->streams, stream, NULL);
}

void
gmcp_http_standalone_streams_clear (GmcpHttpStandaloneStreams *self)
{
  g_ptr_array_set_size (self->streams, 0);
}

GmcpHttpEventStream *
gmcp_http_standalone_streams_choose (GmcpHttpStandaloneStreams *self)
{
  GmcpHttpEventStream *found = find_last (self, TRUE);

  return found != NULL ? found : find_last (self, FALSE);
}

GmcpHttpEventStream *
gmcp_http_standalone_streams_find_unknown (GmcpHttpStandaloneStreams *self)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      GmcpHttpEventStream *stream = g_ptr_array_index (self->streams, i);

      if (!is_read (stream) && !gmcp_http_event_stream_has_id (stream))
        return stream;
    }
  return NULL;
}

void
gmcp_http_standalone_streams_gather (GmcpHttpStandaloneStreams *self, GmcpHttpEventStream *stream)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      GmcpHttpEventStream *other = g_ptr_array_index (self->streams, i);

      if (other != stream && !is_read (other))
        gmcp_http_event_stream_take_unsent (stream, other);
    }
}
