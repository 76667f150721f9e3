/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "steered-transport.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (SteeredTransport, steered_transport, GMCP_TYPE_TRANSPORT)

static void
let_go (GTask **task)
{
  g_autoptr (GTask) held = g_steal_pointer (task);

  if (held != NULL)
    g_task_return_boolean (held, TRUE);
}

void
steered_transport_let_open (SteeredTransport *self)
{
  let_go (&self->opening);
}

void
steered_transport_let_close (SteeredTransport *self)
{
  let_go (&self->closing);
}

static void
steered_transport_open_async (GmcpTransport *transport,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  SteeredTransport *self = STEERED_TRANSPORT (transport);

  self->n_opened++;
  self->opening = g_task_new (self, cancellable, callback, user_data);
  if (!self->hold_opening)
    steered_transport_let_open (self);
}

static void
steered_transport_close_async (GmcpTransport *transport,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  SteeredTransport *self = STEERED_TRANSPORT (transport);

  self->n_closed++;
  if (self->opening != NULL)
    {
      g_autoptr (GTask) opening = g_steal_pointer (&self->opening);

      g_task_return_new_error (opening, G_IO_ERROR, G_IO_ERROR_CLOSED, "Closed");
    }
  self->closing = g_task_new (self, cancellable, callback, user_data);
  if (!self->hold_closing)
    steered_transport_let_close (self);
}

static gboolean
steered_transport_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

typedef struct
{
  SteeredTransport *self;
  char *text;
} Answer;

static gboolean
answer_cb (gpointer data)
{
  Answer *answer = data;

  if (gmcp_transport_is_open (GMCP_TRANSPORT (answer->self)) && answer->self->answer != NULL)
    answer->self->answer (answer->self, answer->text);
  return G_SOURCE_REMOVE;
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_object_unref (answer->self);
  g_free (answer->text);
  g_free (answer);
}

static char *
join_headers (const char *const *headers)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (; headers != NULL && headers[0] != NULL; headers += 2)
    g_string_append_printf (lines, "%s: %s\n", headers[0], headers[1]);
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

static gboolean
steered_transport_has_request_streams (GmcpTransport *transport)
{
  return STEERED_TRANSPORT (transport)->request_streams;
}

static void
steered_transport_cancel_request (GmcpTransport *transport, gint64 request_id)
{
  SteeredTransport *self = STEERED_TRANSPORT (transport);

  if (self->request_streams)
    g_ptr_array_add (self->notes, g_strdup_printf ("cancel %" G_GINT64_FORMAT, request_id));
}

static void
steered_transport_begin_session (GmcpTransport *transport, const char *const *headers)
{
  g_autofree char *lines = join_headers (headers);

  g_ptr_array_add (STEERED_TRANSPORT (transport)->notes,
                   g_strdup_printf ("session %s", g_strchomp (lines)));
}

static gboolean
steered_transport_fall_back (GmcpTransport *transport)
{
  SteeredTransport *self = STEERED_TRANSPORT (transport);

  g_ptr_array_add (self->notes, g_strdup ("fall back"));
  return self->can_fall_back;
}

static gboolean
steered_transport_send (GmcpTransport *transport, const GmcpOutgoing *message, GError **error)
{
  SteeredTransport *self = STEERED_TRANSPORT (transport);

  if (self->refuse)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "Refused");
      return FALSE;
    }

  g_ptr_array_add (self->sent, g_strndup (message->text, message->length));
  g_ptr_array_add (self->headers, join_headers (message->headers));
  if (message->begins_session)
    g_ptr_array_add (self->notes, g_strdup ("new session"));
  if (message->before_others)
    g_ptr_array_add (self->notes, g_strdup ("before others"));
  if (self->answer != NULL)
    {
      g_autoptr (GSource) source = g_idle_source_new ();
      Answer *answer = g_new (Answer, 1);

      answer->self = g_object_ref (self);
      answer->text = g_strndup (message->text, message->length);
      g_source_set_priority (source, G_PRIORITY_DEFAULT);
      g_source_set_callback (source, answer_cb, answer, answer_free);
      g_source_attach (source, gmcp_transport_get_context (transport));
    }
  return TRUE;
}

static char *
steered_transport_dup_diagnostics (GmcpTransport *transport)
{
  return g_strdup (STEERED_TRANSPORT (transport)->diagnostics);
}

static void
steered_transport_finalize (GObject *object)
{
  SteeredTransport *self = STEERED_TRANSPORT (object);

  g_assert_null (self->opening);
  g_assert_null (self->closing);
  g_ptr_array_unref (self->sent);
  g_ptr_array_unref (self->headers);
  g_ptr_array_unref (self->notes);

  G_OBJECT_CLASS (steered_transport_parent_class)->finalize (object);
}

static void
steered_transport_class_init (SteeredTransportClass *klass)
{
  GmcpTransportClass *transport_class = GMCP_TRANSPORT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = steered_transport_finalize;

  transport_class->open_async = steered_transport_open_async;
  transport_class->open_finish = steered_transport_finish;
  transport_class->send = steered_transport_send;
  transport_class->close_async = steered_transport_close_async;
  transport_class->close_finish = steered_transport_finish;
  transport_class->has_request_streams = steered_transport_has_request_streams;
  transport_class->cancel_request = steered_transport_cancel_request;
  transport_class->begin_session = steered_transport_begin_session;
  transport_class->fall_back = steered_transport_fall_back;
  transport_class->dup_diagnostics = steered_transport_dup_diagnostics;
}

static void
steered_transport_init (SteeredTransport *self)
{
  self->sent = g_ptr_array_new_with_free_func (g_free);
  self->headers = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_ptr_array_new_with_free_func (g_free);
}

SteeredTransport *
steered_transport_new (void)
{
  return g_object_new (STEERED_TYPE_TRANSPORT, NULL);
}

static gboolean
is_of (const char *text, const char *method)
{
  g_autofree char *member = g_strdup_printf ("\"method\":\"%s\"", method);

  return strstr (text, member) != NULL;
}

guint
steered_transport_count (SteeredTransport *self, const char *method)
{
  guint n = 0;

  for (guint i = 0; i < self->sent->len; i++)
    n += is_of (g_ptr_array_index (self->sent, i), method);
  return n;
}

static gint64
get_id (const char *text)
{
  const char *id = strstr (text, "\"id\":");

  return id != NULL ? g_ascii_strtoll (id + strlen ("\"id\":"), NULL, 10) : 0;
}

gint64
steered_transport_get_id (SteeredTransport *self, const char *method)
{
  for (guint i = self->sent->len; i > 0; i--)
    if (is_of (g_ptr_array_index (self->sent, i - 1), method))
      return get_id (g_ptr_array_index (self->sent, i - 1));

  g_assert_not_reached ();
}

const char *
steered_transport_get_headers (SteeredTransport *self, const char *method)
{
  for (guint i = self->sent->len; i > 0; i--)
    if (is_of (g_ptr_array_index (self->sent, i - 1), method))
      return g_ptr_array_index (self->headers, i - 1);

  g_assert_not_reached ();
}

void
steered_transport_fail (SteeredTransport *self,
                        const char *method,
                        const GmcpTransportFailure *failure)
{
  gmcp_transport_report_request_failed (GMCP_TRANSPORT (self),
                                        steered_transport_get_id (self, method), failure);
}

void
steered_transport_say (SteeredTransport *self, const char *text)
{
  g_autoptr (GString) whole = g_string_new (text);
  g_autoptr (GBytes) bytes = NULL;

  for (guint i = self->sent->len; i > 0; i--)
    {
      gint64 id = get_id (g_ptr_array_index (self->sent, i - 1));

      if (id != 0)
        {
          g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, id);

          g_string_replace (whole, "$ID", number, 0);
          break;
        }
    }

  bytes = g_bytes_new (whole->str, whole->len);
  gmcp_transport_received (GMCP_TRANSPORT (self), bytes);
}
