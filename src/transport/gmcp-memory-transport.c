/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-memory-transport.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-transport-private.h"

#define GMCP_TYPE_MEMORY_TRANSPORT (gmcp_memory_transport_get_type ())
G_DECLARE_FINAL_TYPE (GmcpMemoryTransport,
                      gmcp_memory_transport,
                      GMCP,
                      MEMORY_TRANSPORT,
                      GmcpTransport)

/* One direction: written by one end, read by the other. Each end may go first. */
typedef struct
{
  GQueue messages; /* (element-type GBytes) */
  gsize n_bytes;
  gsize reply_bytes; /* at most so many of them are replies */
  GSource *reader;   /* of the end that reads, while it is open; not owned */
  gboolean writer_gone;
  gboolean reader_gone;
} Lane;

typedef struct
{
  GSource parent;
  GmcpMemoryTransport *transport; /* not owned: what it delivers to does not live by it */
} LaneSource;

struct _GmcpMemoryTransport
{
  GmcpTransport parent_instance;

  Lane *in;
  Lane *out;
  GSource *source;
};

G_DEFINE_FINAL_TYPE (GmcpMemoryTransport, gmcp_memory_transport, GMCP_TYPE_TRANSPORT)

static void
lane_clear (Lane *lane)
{
  g_queue_clear_full (&lane->messages, (GDestroyNotify) g_bytes_unref);
}

static void
lane_wake (Lane *lane)
{
  if (lane->reader != NULL)
    g_source_set_ready_time (lane->reader, 0);
}

static void
close_lanes (GmcpMemoryTransport *self)
{
  if (self->source != NULL)
    {
      self->in->reader = NULL;
      g_source_destroy (self->source);
      g_clear_pointer (&self->source, g_source_unref);
    }

  self->in->reader_gone = TRUE;
  self->in->n_bytes = 0;
  g_queue_clear_full (&self->in->messages, (GDestroyNotify) g_bytes_unref);

  self->out->writer_gone = TRUE;
  lane_wake (self->out);
}

static gboolean
lane_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_autoptr (GmcpMemoryTransport) self = g_object_ref (((LaneSource *) source)->transport);
  GmcpTransport *transport = GMCP_TRANSPORT (self);
  gint64 yield_us = g_get_monotonic_time () + GMCP_LIMIT_DISPATCH_US;

  for (guint i = 0; i < GMCP_LIMIT_DISPATCH_MESSAGES && self->source == source; i++)
    {
      g_autoptr (GBytes) message = g_queue_pop_head (&self->in->messages);

      if (message == NULL)
        {
          g_source_set_ready_time (source, -1);
          if (self->in->writer_gone)
            {
              close_lanes (self);
              gmcp_transport_closed (transport, NULL);
              return G_SOURCE_REMOVE;
            }
          return G_SOURCE_CONTINUE;
        }

      self->in->n_bytes -= g_bytes_get_size (message);
      gmcp_transport_received (transport, message);
      if (g_get_monotonic_time () >= yield_us)
        break;
    }

  return G_SOURCE_CONTINUE;
}

static GSourceFuncs lane_source_funcs = {
  .dispatch = lane_source_dispatch,
};

static void
gmcp_memory_transport_open_async (GmcpTransport *transport,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GmcpMemoryTransport *self = GMCP_MEMORY_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_memory_transport_open_async);

  if (self->in->reader_gone)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CLOSED,
                             _ ("This end of the pair was closed, and a pair opens only once"));
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
gmcp_memory_transport_open_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  GmcpMemoryTransport *self = GMCP_MEMORY_TRANSPORT (transport);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;

  /* Not before: nothing may come in while the opening is under way. */
  if (self->source == NULL && !self->in->reader_gone)
    {
      self->source = g_source_new (&lane_source_funcs, sizeof (LaneSource));
      ((LaneSource *) self->source)->transport = self;
      g_source_set_static_name (self->source, "[gmcp] memory transport");
      /* A taker may run the main loop until another message comes. */
      g_source_set_can_recurse (self->source, TRUE);
      g_source_set_ready_time (self->source, 0);
      g_source_attach (self->source, gmcp_transport_get_context (transport));
      self->in->reader = self->source;
    }

  return TRUE;
}

static gboolean
gmcp_memory_transport_send (GmcpTransport *transport, const GmcpOutgoing *message, GError **error)
{
  GmcpMemoryTransport *self = GMCP_MEMORY_TRANSPORT (transport);
  Lane *lane = self->out;

  if (lane->reader_gone)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_CLOSED,
                           _ ("The other end of the pair is closed"));
      return FALSE;
    }

  lane->reply_bytes = MIN (lane->reply_bytes, lane->n_bytes);
  if (!gmcp_transport_may_wait (message, lane->reply_bytes, error))
    return FALSE;
  if (message->length > GMCP_LIMIT_WRITE_QUEUE_BYTES
      || lane->n_bytes > GMCP_LIMIT_WRITE_QUEUE_BYTES - message->length)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("More than %u bytes wait for the other end of the pair to read them"),
                   GMCP_LIMIT_WRITE_QUEUE_BYTES);
      return FALSE;
    }

  lane->n_bytes += message->length;
  if (message->is_reply)
    lane->reply_bytes += message->length;
  g_queue_push_tail (&lane->messages, g_bytes_new (message->text, message->length));
  lane_wake (lane);
  return TRUE;
}

static void
gmcp_memory_transport_close_async (GmcpTransport *transport,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (transport, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_memory_transport_close_async);
  close_lanes (GMCP_MEMORY_TRANSPORT (transport));
  g_task_return_boolean (task, TRUE);
}

static gboolean
gmcp_memory_transport_close_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
gmcp_memory_transport_dup_description (GmcpTransport *transport)
{
  return g_strdup (_ ("the other end in this process"));
}

static void
gmcp_memory_transport_finalize (GObject *object)
{
  GmcpMemoryTransport *self = GMCP_MEMORY_TRANSPORT (object);

  close_lanes (self);
  g_rc_box_release_full (self->in, (GDestroyNotify) lane_clear);
  g_rc_box_release_full (self->out, (GDestroyNotify) lane_clear);

  G_OBJECT_CLASS (gmcp_memory_transport_parent_class)->finalize (object);
}

static const GmcpTransportFuncs transport_funcs = {
  .open_async = gmcp_memory_transport_open_async,
  .open_finish = gmcp_memory_transport_open_finish,
  .send = gmcp_memory_transport_send,
  .close_async = gmcp_memory_transport_close_async,
  .close_finish = gmcp_memory_transport_close_finish,
  .dup_description = gmcp_memory_transport_dup_description,
};

static void
gmcp_memory_transport_class_init (GmcpMemoryTransportClass *klass)
{
  GmcpTransportClass *transport_class = GMCP_TRANSPORT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gmcp_memory_transport_finalize;

  transport_class->funcs = &transport_funcs;
}

static void
gmcp_memory_transport_init (GmcpMemoryTransport *self)
{
}

/**
 * gmcp_memory_transport_new_pair:
 * @out_first: (out) (transfer full): return location for one end
 * @out_second: (out) (transfer full): return location for the other end
 *
 * Makes two transports that are connected to each other inside this process: what one sends, the
 * other delivers. Both live in the caller's thread-default main context. What one end sends before
 * the other is open waits for it; each end can be opened once.
 *
 * Since: 0.1
 */
void
gmcp_memory_transport_new_pair (GmcpTransport **out_first, GmcpTransport **out_second)
{
  GmcpMemoryTransport *first;
  GmcpMemoryTransport *second;

  g_return_if_fail (out_first != NULL);
  g_return_if_fail (out_second != NULL);

  first = g_object_new (GMCP_TYPE_MEMORY_TRANSPORT, NULL);
  second = g_object_new (GMCP_TYPE_MEMORY_TRANSPORT, NULL);

  first->in = g_rc_box_new0 (Lane);
  first->out = g_rc_box_new0 (Lane);
  second->in = g_rc_box_acquire (first->out);
  second->out = g_rc_box_acquire (first->in);

  *out_first = GMCP_TRANSPORT (first);
  *out_second = GMCP_TRANSPORT (second);
}
