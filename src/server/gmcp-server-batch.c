/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-limits.h"
#include "gmcp-server-batch-private.h"

struct _GmcpServerBatch
{
  GmcpServerConnection *connection; /* owned */
  GString *answers;                 /* all but the closing bracket */
  GmcpJsonDoc *doc;                 /* owned */
  GmcpJsonValue first_id;           /* of its requests, or none */
};

GmcpServerBatch *
gmcp_server_batch_hold (GmcpServerBatch *self)
{
  return g_rc_box_acquire (self);
}

static void
send_and_clear (gpointer data)
{
  GmcpServerBatch *self = data;
  g_autoptr (GmcpServerConnection) connection = self->connection;
  GmcpServerOutbox *outbox = gmcp_server_connection_get_outbox (connection);

  /* A batch of notifications is not answered. */
  if (self->answers->len > 1 && !gmcp_server_outbox_is_closed (outbox))
    {
      GString *out = gmcp_server_outbox_begin (outbox);

      g_string_append_len (out, self->answers->str, self->answers->len);
      g_string_append_c (out, ']');
      if (!gmcp_server_outbox_send_answer (outbox, self->first_id, 0, FALSE))
        gmcp_server_connection_finish (connection);
    }
  else
    {
      gmcp_server_outbox_leave_unanswered (outbox, self->first_id);
    }

  g_string_free (self->answers, TRUE);
  gmcp_json_doc_unref (self->doc);
}

void
gmcp_server_batch_release (GmcpServerBatch *self)
{
  g_rc_box_release_full (self, send_and_clear);
}

void
gmcp_server_batch_add (GmcpServerBatch *self, const char *text, gsize length)
{
  if (self->answers->len > 1)
    g_string_append_c (self->answers, ',');
  g_string_append_len (self->answers, text, length);
}

static gboolean
is_welcome (GmcpServerConnection *connection)
{
  for (guint i = 0; i < GMCP_SERVER_N_ERAS; i++)
    {
      const GmcpServerEra *era = gmcp_server_eras[i];

      if (era->takes_batch != NULL
          && era->takes_batch (gmcp_server_connection_get_state (connection, era)))
        return TRUE;
    }

  return FALSE;
}

void
gmcp_server_batch_handle (GmcpServerConnection *connection, GmcpJsonDoc *doc, GmcpJsonValue array)
{
  guint n_messages = gmcp_json_value_get_length (array);
  g_autofree char *refusal = NULL;
  GmcpServerBatch *self;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (!is_welcome (connection))
    refusal = g_strdup ("Invalid request: this protocol version has no batches");
  else if (n_messages == 0)
    refusal = g_strdup ("Invalid request: the batch is empty");
  else if (n_messages > GMCP_LIMIT_BATCH_MESSAGES)
    refusal = g_strdup_printf ("Invalid request: the batch has more than %u messages",
                               GMCP_LIMIT_BATCH_MESSAGES);

  if (refusal != NULL)
    {
      gmcp_server_connection_send_error (connection, NULL, GMCP_JSON_NONE,
                                         GMCP_RPC_ERROR_INVALID_REQUEST, refusal);
      return;
    }

  self = g_rc_box_new0 (GmcpServerBatch);
  self->connection = gmcp_server_connection_ref (connection);
  self->answers = g_string_new ("[");
  self->doc = gmcp_json_doc_ref (doc);

  gmcp_json_iter_init (&iter, array);
  while (!gmcp_server_connection_is_closed (connection)
         && gmcp_json_iter_next (&iter, NULL, &value))
    {
      GmcpRpcMessage message;

      gmcp_rpc_message_read (&message, value);
      if (message.kind == GMCP_RPC_REQUEST && !gmcp_json_value_is_present (self->first_id))
        self->first_id = message.id;
      gmcp_server_connection_handle (connection, doc, &message, self);
    }

  gmcp_server_batch_release (self);
}
