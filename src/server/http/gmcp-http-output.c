/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-output-private.h"

#include <errno.h>
#include <sys/socket.h>

struct _GmcpHttpOutput
{
  GFilterOutputStream parent_instance;

  GSocket *socket;
  gboolean expects_body;
};

static void gmcp_http_output_iface_init (GPollableOutputStreamInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpHttpOutput,
                               gmcp_http_output,
                               G_TYPE_FILTER_OUTPUT_STREAM,
                               G_IMPLEMENT_INTERFACE (G_TYPE_POLLABLE_OUTPUT_STREAM,
                                                      gmcp_http_output_iface_init))

static GPollableOutputStream *
get_base (GPollableOutputStream *stream)
{
  return G_POLLABLE_OUTPUT_STREAM (
    g_filter_output_stream_get_base_stream (G_FILTER_OUTPUT_STREAM (stream)));
}

/* FALSE where it is to be written as anything else, also since that tells what is wrong. */
static gboolean
send_head (GmcpHttpOutput *self, const void *buffer, gsize count)
{
  gssize n = -1;

  if (!g_socket_is_closed (self->socket))
    n = send (g_socket_get_fd (self->socket), buffer, count,
              MSG_MORE | MSG_DONTWAIT | MSG_NOSIGNAL);
  return n == (gssize) count;
}

static gssize
gmcp_http_output_write_nonblocking (GPollableOutputStream *stream,
                                    const void *buffer,
                                    gsize count,
                                    GError **error)
{
  GmcpHttpOutput *self = GMCP_HTTP_OUTPUT (stream);
  gboolean expects_body = self->expects_body;

  self->expects_body = FALSE;
  if (expects_body && send_head (self, buffer, count))
    return (gssize) count;
  return g_pollable_output_stream_write_nonblocking (get_base (stream), buffer, count, NULL, error);
}

static gboolean
gmcp_http_output_is_writable (GPollableOutputStream *stream)
{
  return g_pollable_output_stream_is_writable (get_base (stream));
}

static GSource *
gmcp_http_output_create_source (GPollableOutputStream *stream, GCancellable *cancellable)
{
  g_autoptr (GSource) base = g_pollable_output_stream_create_source (get_base (stream), NULL);

  return g_pollable_source_new_full (stream, base, cancellable);
}

static void
gmcp_http_output_iface_init (GPollableOutputStreamInterface *iface)
{
  iface->is_writable = gmcp_http_output_is_writable;
  iface->write_nonblocking = gmcp_http_output_write_nonblocking;
  iface->create_source = gmcp_http_output_create_source;
}

static void
gmcp_http_output_finalize (GObject *object)
{
  g_object_unref (GMCP_HTTP_OUTPUT (object)->socket);

  G_OBJECT_CLASS (gmcp_http_output_parent_class)->finalize (object);
}

static void
gmcp_http_output_class_init (GmcpHttpOutputClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_http_output_finalize;
}

static void
gmcp_http_output_init (GmcpHttpOutput *self)
{
}

GmcpHttpOutput *
gmcp_http_output_new (GOutputStream *base, GSocket *socket)
{
  GmcpHttpOutput *self
    = g_object_new (GMCP_TYPE_HTTP_OUTPUT, "base-stream", base, "close-base-stream", FALSE, NULL);

  self->socket = g_object_ref (socket);
  return self;
}

void
gmcp_http_output_expect_body (GmcpHttpOutput *self)
{
  self->expects_body = TRUE;
}
