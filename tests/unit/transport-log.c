/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport-log.h"

#include <string.h>

static void
on_message (gpointer taker, const char *text, gsize length, GBytes *owner)
{
  TransportLog *self = taker;

  self->n_messages++;
  self->n_bytes += length;
  self->n_owned += owner != NULL;
  if (self->keep_messages)
    g_ptr_array_add (self->messages, g_strndup (text, length));
  if (self->on_message != NULL)
    self->on_message (self);
}

static void
on_violation (gpointer taker, const GError *error)
{
  TransportLog *self = taker;

  self->n_violations++;
  g_clear_error (&self->violation);
  self->violation = g_error_copy (error);
}

static void
on_closed (gpointer taker, const GError *error)
{
  TransportLog *self = taker;

  self->n_closed++;
  g_clear_error (&self->closed_error);
  if (error != NULL)
    self->closed_error = g_error_copy (error);
}

static const GmcpTransportTaker log_taker = { on_message, on_violation, on_closed };

TransportLog *
transport_log_new (GmcpTransport *transport)
{
  TransportLog *self = g_new0 (TransportLog, 1);

  self->transport = transport;
  self->messages = g_ptr_array_new_with_free_func (g_free);
  self->keep_messages = TRUE;
  gmcp_transport_set_taker (transport, &log_taker, self);
  g_object_add_weak_pointer (G_OBJECT (transport), (gpointer *) &self->transport);
  return self;
}

void
transport_log_free (TransportLog *self)
{
  if (self->transport != NULL)
    {
      gmcp_transport_set_taker (self->transport, NULL, NULL);
      g_object_remove_weak_pointer (G_OBJECT (self->transport), (gpointer *) &self->transport);
    }
  g_ptr_array_unref (self->messages);
  g_clear_error (&self->violation);
  g_clear_error (&self->closed_error);
  g_free (self);
}

void
transport_log_iterate (TransportLog *self)
{
  g_main_context_iteration (gmcp_transport_get_context (self->transport), TRUE);
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  *out = g_object_ref (result);
}

gboolean
transport_log_try_open (TransportLog *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_transport_open_async (self->transport, cancellable, store_result, &result);
  while (result == NULL)
    transport_log_iterate (self);

  return gmcp_transport_open_finish (self->transport, result, error);
}

void
transport_log_open (TransportLog *self)
{
  g_autoptr (GError) error = NULL;

  transport_log_try_open (self, NULL, &error);
  g_assert_no_error (error);
}

void
transport_log_close (TransportLog *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_transport_close_async (self->transport, NULL, store_result, &result);
  while (result == NULL)
    transport_log_iterate (self);

  gmcp_transport_close_finish (self->transport, result, &error);
  g_assert_no_error (error);
}

void
transport_log_send (TransportLog *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = text, .length = strlen (text) };

  gmcp_transport_send (self->transport, &message, &error);
  g_assert_no_error (error);
}

void
transport_log_wait_messages (TransportLog *self, guint64 n_messages)
{
  while (self->n_messages < n_messages)
    transport_log_iterate (self);
}

void
transport_log_wait_closed (TransportLog *self)
{
  while (self->n_closed == 0)
    transport_log_iterate (self);
}
