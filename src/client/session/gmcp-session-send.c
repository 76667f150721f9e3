/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include <string.h>

#include "gmcp-json-append-private.h"
#include "gmcp-tool-headers-private.h"

/* What the buffer for outgoing messages may keep between messages. */
#define OUT_KEPT_BYTES (256 * 1024)

/* Messages on their way out, with what every one of them says. */
struct _GmcpSessionOutbox
{
  GString *out; /* the message being written */
  gboolean has_headers;
  const char *request_version;
  char *meta_members;
  gsize meta_length;   /* of these */
  guint unread_serial; /* the opening whose server does not read the answers it is given */
};

GmcpSessionOutbox *
gmcp_session_outbox_new (void)
{
  GmcpSessionOutbox *outbox = g_new0 (GmcpSessionOutbox, 1);

  outbox->out = g_string_sized_new (1024);
  return outbox;
}

void
gmcp_session_outbox_free (GmcpSessionOutbox *outbox)
{
  g_string_free (outbox->out, TRUE);
  g_free (outbox->meta_members);
  g_free (outbox);
}

void
gmcp_session_outbox_begin (GmcpSession *self)
{
  GmcpSessionOutbox *outbox = gmcp_session_get_outbox (self);

  outbox->has_headers = gmcp_transport_has_request_streams (gmcp_session_get_transport (self));
  g_clear_pointer (&outbox->meta_members, g_free);
}

GString *
gmcp_session_get_out (GmcpSession *self)
{
  return gmcp_session_get_outbox (self)->out;
}

GString *
gmcp_session_begin_message (GmcpSession *self)
{
  GString *out = gmcp_session_get_out (self);

  g_string_truncate (out, 0);
  return out;
}

gboolean
gmcp_session_has_headers (GmcpSession *self)
{
  return gmcp_session_get_outbox (self)->has_headers;
}

const char *
gmcp_session_get_meta_members (GmcpSession *self)
{
  return gmcp_session_get_outbox (self)->meta_members;
}

void
gmcp_session_write_meta_members (GmcpSession *self, GmcpJsonWriter *meta)
{
  GmcpSessionOutbox *outbox = gmcp_session_get_outbox (self);

  if (outbox->meta_members == NULL)
    return;

  if (meta->comma)
    gmcp_json_append_literal (meta->out, ",");
  gmcp_json_append (meta->out, outbox->meta_members, outbox->meta_length);
  meta->comma = TRUE;
}

void
gmcp_session_set_request_version (GmcpSession *self, const char *version, char *meta_members)
{
  GmcpSessionOutbox *outbox = gmcp_session_get_outbox (self);

  outbox->request_version = version;
  g_free (outbox->meta_members);
  outbox->meta_members = meta_members;
  outbox->meta_length = meta_members != NULL ? strlen (meta_members) : 0;
}

const char *
gmcp_session_get_request_version (GmcpSession *self)
{
  return gmcp_session_get_outbox (self)->request_version;
}

void
gmcp_session_add_header (GPtrArray *headers, const char *name, const char *value)
{
  g_ptr_array_add (headers, g_strdup (name));
  g_ptr_array_add (headers, gmcp_header_value_new (value));
}

/* Gives a message on its way out the headers of its era, which live as long as the array. */
static GPtrArray *
dress_message (GmcpSession *self, GmcpOutgoing *outgoing)
{
  const GmcpEraFuncs *era = gmcp_session_get_era (self);
  GPtrArray *headers = g_ptr_array_new_with_free_func (g_free);

  if (era != NULL)
    era->dress (self, outgoing, headers);
  g_ptr_array_add (headers, NULL);
  outgoing->headers = (const char *const *) headers->pdata;
  return headers;
}

void
gmcp_session_begin_in_transport (GmcpSession *self)
{
  GmcpOutgoing unasked = { 0 };
  g_autoptr (GPtrArray) headers = NULL;

  if (!gmcp_session_has_headers (self))
    return;

  headers = dress_message (self, &unasked);
  gmcp_transport_begin_session (gmcp_session_get_transport (self), unasked.headers);
}

/* Sends what is written as the message that is given without its text. */
static gboolean
send_message (GmcpSession *self, GmcpOutgoing *outgoing, GError **error)
{
  GmcpSessionOutbox *outbox = gmcp_session_get_outbox (self);
  g_autoptr (GPtrArray) headers = NULL;
  gboolean sent;

  outgoing->text = outbox->out->str;
  outgoing->length = outbox->out->len;
  outgoing->buffer = &outbox->out;
  headers = outbox->has_headers ? dress_message (self, outgoing) : NULL;
  sent = gmcp_transport_send (gmcp_session_get_transport (self), outgoing, error);

  if (outbox->out != NULL && outbox->out->allocated_len > OUT_KEPT_BYTES)
    g_string_free (g_steal_pointer (&outbox->out), TRUE);
  if (outbox->out == NULL)
    outbox->out = g_string_sized_new (1024);
  return sent;
}

gboolean
gmcp_session_send_out (GmcpSession *self, gint64 request_id, const char *method, GError **error)
{
  GmcpOutgoing outgoing = { .request_id = request_id, .method = method };

  return send_message (self, &outgoing, error);
}

void
gmcp_session_tell (GmcpSession *self, const char *method, const char *params_json)
{
  g_autoptr (GError) error = NULL;
  GString *out = gmcp_session_begin_message (self);

  gmcp_rpc_write_notification_start (out, method);
  g_string_append (out, params_json);
  g_string_append_c (out, '}');
  if (!gmcp_session_send_out (self, 0, method, &error))
    g_debug ("%s: %s was not sent: %s", gmcp_session_describe (self), method, error->message);
}

/* The end of a connection to a server that asks and does not read the answers. It comes from the
 * main loop, since a handler that answers may still use what the end of the connection frees. */
typedef struct
{
  GmcpSession *session;
  guint serial;
  GError *error;
} End;

static void
end_free (gpointer data)
{
  End *end = data;

  gmcp_session_unref (end->session);
  g_error_free (end->error);
  g_free (end);
}

static gboolean
on_end (gpointer data)
{
  End *end = data;
  GmcpSession *self = end->session;

  if (gmcp_session_get_serial (self) != end->serial)
    return G_SOURCE_REMOVE;

  if (gmcp_session_get_state (self) == GMCP_SESSION_OPENING)
    {
      g_prefix_error (&end->error, "%s: ", gmcp_session_describe (self));
      gmcp_session_open_failed (self, g_error_copy (end->error));
    }
  else if (gmcp_session_get_state (self) == GMCP_SESSION_OPEN)
    {
      /* Before anybody is told, who may open it again at once. */
      gmcp_session_hang_up (self);
      gmcp_transport_close_async (gmcp_session_get_transport (self), NULL, NULL, NULL);
      gmcp_session_went_down (self, end->error);
    }
  return G_SOURCE_REMOVE;
}

static void
end_soon (GmcpSession *self, const GError *error)
{
  GmcpSessionOutbox *outbox = gmcp_session_get_outbox (self);
  g_autoptr (GSource) source = NULL;
  End *end;

  if (outbox->unread_serial == gmcp_session_get_serial (self))
    return;

  outbox->unread_serial = gmcp_session_get_serial (self);
  end = g_new0 (End, 1);
  end->session = gmcp_session_ref (self);
  end->serial = gmcp_session_get_serial (self);
  end->error = g_error_copy (error);
  /* Before what else comes in. */
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_HIGH);
  g_source_set_static_name (source, "[gmcp] answers are not read");
  g_source_set_callback (source, on_end, end, end_free);
  g_source_attach (source, gmcp_session_get_context (self));
}

static void
send_reply (GmcpSession *self)
{
  GmcpOutgoing outgoing = { .is_reply = TRUE };
  g_autoptr (GError) error = NULL;

  if (send_message (self, &outgoing, &error))
    return;

  g_debug ("%s: no answer was sent: %s", gmcp_session_describe (self), error->message);
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED))
    end_soon (self, error);
}

static void
write_result (GmcpSession *self, GmcpJsonValue id, const char *answer)
{
  GString *out = gmcp_session_begin_message (self);

  gmcp_rpc_write_result_start (out, id);
  g_string_append (out, answer);
  g_string_append_c (out, '}');
}

void
gmcp_session_send_result (GmcpSession *self, GmcpJsonValue id, const char *answer)
{
  write_result (self, id, answer);
  send_reply (self);
}

void
gmcp_session_send_given_result (GmcpSession *self, GmcpJsonValue id, const char *answer)
{
  g_autoptr (GError) error = NULL;

  write_result (self, id, answer);
  if (!gmcp_session_send_out (self, 0, NULL, &error))
    g_debug ("%s: no answer was sent: %s", gmcp_session_describe (self), error->message);
}

void
gmcp_session_send_error (GmcpSession *self, GmcpJsonValue id, int code, const char *message)
{
  gmcp_rpc_write_error (gmcp_session_begin_message (self), id, code, message, NULL);
  send_reply (self);
}
