/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-rpc-message-private.h"
#include "gmcp-server-outbox-private.h"

/* A buffer that a large result has blown up is not kept. */
#define KEPT_BUFFER_BYTES (1024 * 1024)

struct _GmcpServerOutbox
{
  GmcpTransport *transport; /* owned */
  GString *out;             /* the message that is being written */
  GArray *parts;            /* of GmcpJsonPart: large values of it */
  gboolean closed;
};

GmcpServerOutbox *
gmcp_server_outbox_new (GmcpTransport *transport)
{
  GmcpServerOutbox *self = g_new0 (GmcpServerOutbox, 1);

  self->transport = g_object_ref (transport);
  self->out = g_string_new (NULL);
  self->parts = gmcp_json_parts_new ();
  return self;
}

void
gmcp_server_outbox_free (GmcpServerOutbox *self)
{
  g_object_unref (self->transport);
  g_string_free (self->out, TRUE);
  g_array_unref (self->parts);
  g_free (self);
}

void
gmcp_server_outbox_close (GmcpServerOutbox *self)
{
  self->closed = TRUE;
}

gboolean
gmcp_server_outbox_is_closed (const GmcpServerOutbox *self)
{
  return self->closed;
}

GString *
gmcp_server_outbox_peek_message (GmcpServerOutbox *self)
{
  return self->out;
}

GArray *
gmcp_server_outbox_peek_parts (GmcpServerOutbox *self)
{
  return self->parts;
}

void
gmcp_server_outbox_drop_parts (GmcpServerOutbox *self)
{
  g_array_set_size (self->parts, 0);
}

GString *
gmcp_server_outbox_begin (GmcpServerOutbox *self)
{
  if (self->out->allocated_len > KEPT_BUFFER_BYTES)
    {
      g_string_free (self->out, TRUE);
      self->out = g_string_new (NULL);
    }
  g_string_truncate (self->out, 0);
  gmcp_server_outbox_drop_parts (self);
  return self->out;
}

static gboolean
send_written (GmcpServerOutbox *self, GmcpOutgoing *message, GmcpJsonValue request_id)
{
  g_autoptr (GError) error = NULL;
  gboolean sent;

  message->text = self->out->str;
  message->length = self->out->len;
  message->parts = (gconstpointer) self->parts->data;
  message->n_parts = self->parts->len;
  message->buffer = &self->out;
  if (gmcp_json_value_is_present (request_id))
    message->peer_id = gmcp_json_value_peek_raw (request_id, &message->peer_id_length);
  sent = !self->closed && gmcp_transport_send (self->transport, message, &error);
  if (self->out == NULL)
    self->out = g_string_new (NULL);
  gmcp_server_outbox_drop_parts (self);
  if (error != NULL)
    g_debug ("A message to a client could not be sent: %s", error->message);
  return sent;
}

gboolean
gmcp_server_outbox_send (GmcpServerOutbox *self, const char *method, GmcpJsonValue request_id)
{
  GmcpOutgoing message = { .method = method };

  return send_written (self, &message, request_id);
}

gboolean
gmcp_server_outbox_send_answer (GmcpServerOutbox *self,
                                GmcpJsonValue request_id,
                                int error_code,
                                gboolean refuses)
{
  GmcpOutgoing message = { .ends_request = TRUE, .error_code = error_code, .refuses = refuses };

  return send_written (self, &message, request_id);
}

void
gmcp_server_outbox_leave_unanswered (GmcpServerOutbox *self, GmcpJsonValue request_id)
{
  gsize length;
  const char *id;

  if (self->closed || !gmcp_json_value_is_present (request_id))
    return;

  id = gmcp_json_value_peek_raw (request_id, &length);
  gmcp_transport_leave_unanswered (self->transport, id, length);
}

GmcpJsonWriter
gmcp_server_outbox_begin_notification (GmcpServerOutbox *self, const char *method)
{
  GString *out = gmcp_server_outbox_begin (self);
  GmcpJsonWriter writer;

  gmcp_rpc_write_notification_start (out, method);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  return writer;
}

gboolean
gmcp_server_outbox_send_notification (GmcpServerOutbox *self,
                                      GmcpJsonWriter *writer,
                                      const char *method,
                                      GmcpJsonValue request_id)
{
  gmcp_json_writer_end_object (writer);
  g_string_append_c (writer->out, '}');
  return gmcp_server_outbox_send (self, method, request_id);
}
