/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-input-private.h"

struct _GmcpHttpInput
{
  GFilterInputStream parent_instance;

  const GmcpHttpInputFuncs *funcs;
  gpointer connection; /* not owned; NULL once it is gone */
  GSource *source;     /* nullable; the last that libsoup has waited with */
  gboolean readable;   /* as far as is known */
  gboolean hung_up;    /* there is always the end to be read */
  gboolean ended;      /* between two requests */
};

static void gmcp_http_input_iface_init (GPollableInputStreamInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpHttpInput,
                               gmcp_http_input,
                               G_TYPE_FILTER_INPUT_STREAM,
                               G_IMPLEMENT_INTERFACE (G_TYPE_POLLABLE_INPUT_STREAM,
                                                      gmcp_http_input_iface_init))

static GPollableInputStream *
get_base (GPollableInputStream *stream)
{
  return G_POLLABLE_INPUT_STREAM (
    g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (stream)));
}

static gboolean
is_between (GmcpHttpInput *self)
{
  return self->connection != NULL && self->funcs->is_between (self->connection);
}

/* What has ended is never ready. Where a request has begun with what was read before the end, libsoup knows it by then,
 * and may read the end. */
static gboolean
is_ready (GmcpHttpInput *self)
{
  return self->readable && !(self->ended && is_between (self));
}

static gboolean
gmcp_http_input_is_readable (GPollableInputStream *stream)
{
  GmcpHttpInput *self = GMCP_HTTP_INPUT (stream);

  return is_ready (self) && g_pollable_input_stream_is_readable (get_base (stream));
}

static gssize
refuse_read (GError **error, const char *reason)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK, reason);
  return -1;
}

/* What the watch has not told of yet is not read. So the requests of several connections are served in turn, in the order in
 * which they have come, and not one client after the other as they are taken. */
static gssize
gmcp_http_input_read_nonblocking (GPollableInputStream *stream,
                                  void *buffer,
                                  gsize count,
                                  GError **error)
{
  GmcpHttpInput *self = GMCP_HTTP_INPUT (stream);
  GError *reason = NULL;
  gssize n;

  if (self->connection != NULL && !self->readable)
    return refuse_read (error, "nothing has come");

  n = g_pollable_input_stream_read_nonblocking (get_base (stream), buffer, count, NULL, &reason);

  /* All that was there, until the watch says that there is more. */
  if (n < (gssize) count && !self->hung_up)
    self->readable = FALSE;

  if (n > 0 || count == 0 || g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)
      || !is_between (self))
    {
      if (reason != NULL)
        g_propagate_error (error, reason);
      return n;
    }

  g_clear_error (&reason);
  self->ended = TRUE;
  self->funcs->ended (self->connection);
  return refuse_read (error, "the connection is over");
}

static void
clear_source (GmcpHttpInput *self)
{
  g_clear_pointer (&self->source, g_source_unref);
}

/* One without a descriptor: each that a main context polls costs several system calls a request, and one poll looks at
 * all of them. */
static GSource *
gmcp_http_input_create_source (GPollableInputStream *stream, GCancellable *cancellable)
{
  GmcpHttpInput *self = GMCP_HTTP_INPUT (stream);
  GSource *source;

  if (self->connection == NULL)
    return g_pollable_input_stream_create_source (get_base (stream), cancellable);

  self->funcs->waits (self->connection);
  source = g_pollable_source_new_full (stream, NULL, cancellable);
  g_source_set_static_name (source, "[gmcp] HTTP request");
  if (is_ready (self))
    g_source_set_ready_time (source, 0);
  clear_source (self);
  self->source = g_source_ref (source);
  return source;
}

static void
gmcp_http_input_iface_init (GPollableInputStreamInterface *iface)
{
  iface->is_readable = gmcp_http_input_is_readable;
  iface->read_nonblocking = gmcp_http_input_read_nonblocking;
  iface->create_source = gmcp_http_input_create_source;
}

static void
gmcp_http_input_class_init (GmcpHttpInputClass *klass)
{
}

static void
gmcp_http_input_init (GmcpHttpInput *self)
{
}

GmcpHttpInput *
gmcp_http_input_new (GInputStream *base, const GmcpHttpInputFuncs *funcs, gpointer connection)
{
  GmcpHttpInput *self
    = g_object_new (GMCP_TYPE_HTTP_INPUT, "base-stream", base, "close-base-stream", FALSE, NULL);

  self->funcs = funcs;
  self->connection = connection;
  return self;
}

void
gmcp_http_input_forget_connection (GmcpHttpInput *self)
{
  self->connection = NULL;
  clear_source (self);
}

void
gmcp_http_input_tell_readable (GmcpHttpInput *self, gboolean hung_up)
{
  self->readable = TRUE;
  self->hung_up |= hung_up;
  if (self->source != NULL && is_ready (self))
    g_source_set_ready_time (self->source, 0);
}
