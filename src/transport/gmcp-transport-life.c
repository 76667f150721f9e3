/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-transport-struct-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"

/* How a transport is opened and closed, and who waits for it. */

static const GmcpTransportFuncs *
get_funcs (GmcpTransport *self)
{
  return GMCP_TRANSPORT_GET_CLASS (self)->funcs;
}

static void
opened_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpTransport *self = GMCP_TRANSPORT (object);
  GmcpTransportPrivate *priv = gmcp_transport_get_private (self);
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) early_error = g_steal_pointer (&priv->early_error);
  gboolean closed_early = priv->closed_early;
  gboolean counts = priv->opening == task;

  if (counts)
    priv->opening = NULL;
  priv->closed_early = FALSE;

  if (!get_funcs (self)->open_finish (self, result, &error))
    {
      if (counts)
        priv->state = GMCP_TRANSPORT_STATE_CLOSED;
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  if (!counts)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CLOSED,
                               _ ("The connection was closed while it was being opened"));
      return;
    }

  priv->state = GMCP_TRANSPORT_STATE_OPEN;
  priv->taker_needs_closed = TRUE;
  if (priv->opened != NULL)
    priv->opened (priv->opened_data);
  g_task_return_boolean (task, TRUE);

  if (closed_early)
    gmcp_transport_closed (self, early_error);
}

/**
 * gmcp_transport_open_async:
 * @self: a transport that is closed
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Connects to the peer: starts its process, or reaches its address. Ends when messages can be sent;
 * whether the peer speaks the protocol is not known by then.
 *
 * Fails with %GMCP_ERROR_START_FAILED where a process cannot be started.
 *
 * Since: 0.1
 */
void
gmcp_transport_open_async (GmcpTransport *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpTransportPrivate *priv;

  g_return_if_fail (GMCP_IS_TRANSPORT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  priv = gmcp_transport_get_private (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_transport_open_async);

  if (g_task_return_error_if_cancelled (task))
    return;

  if (priv->state != GMCP_TRANSPORT_STATE_CLOSED)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               _ ("The connection is open already, or being opened or closed"));
      return;
    }

  /* What is said about the outcome comes from opened_cb(), so a cancellation after the fact does
   * not hide an open connection. */
  g_task_set_check_cancellable (task, FALSE);
  priv->state = GMCP_TRANSPORT_STATE_OPENING;
  priv->opening = task;
  get_funcs (self)->open_async (self, cancellable, opened_cb, g_steal_pointer (&task));
}

/**
 * gmcp_transport_open_finish:
 * @self: a transport
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Transport.open_async].
 *
 * Returns: %TRUE if the connection is open
 *
 * Since: 0.1
 */
gboolean
gmcp_transport_open_finish (GmcpTransport *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_transport_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static gboolean
close_cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  GmcpTransport *self = g_task_get_source_object (task);

  g_ptr_array_remove (gmcp_transport_get_private (self)->closers, task);
  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static void
add_closer (GmcpTransport *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  g_ptr_array_add (gmcp_transport_get_private (self)->closers, g_object_ref (task));

  if (cancellable != NULL)
    {
      g_autoptr (GSource) source = g_cancellable_source_new (cancellable);

      g_source_set_static_name (source, "[gmcp] close cancelled");
      g_task_attach_source (task, source, G_SOURCE_FUNC (close_cancelled_cb));
      g_task_set_task_data (task, g_steal_pointer (&source), (GDestroyNotify) g_source_unref);
    }
}

static void
return_closer (GTask *task, const GError *error)
{
  GSource *cancelled = g_task_get_task_data (task);

  if (cancelled != NULL)
    g_source_destroy (cancelled);

  if (error != NULL)
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
closed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpTransport) self = g_object_ref (GMCP_TRANSPORT (object));
  GmcpTransportPrivate *priv = gmcp_transport_get_private (self);
  g_autoptr (GPtrArray) closers = g_steal_pointer (&priv->closers);
  g_autoptr (GError) error = NULL;

  priv->closers = g_ptr_array_new_with_free_func (g_object_unref);

  if (!get_funcs (self)->close_finish (self, result, &error))
    g_debug ("Closing a connection: %s", error->message);

  gmcp_transport_closed (self, NULL);
  if (priv->state == GMCP_TRANSPORT_STATE_CLOSING)
    priv->state = GMCP_TRANSPORT_STATE_CLOSED;

  for (guint i = 0; i < closers->len; i++)
    return_closer (g_ptr_array_index (closers, i), error);
}

/**
 * gmcp_transport_close_async:
 * @self: a transport
 * @cancellable: (nullable): a cancellable, which ends the waiting, not the closing
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Stops in order: sends what is queued, tells the peer, and waits until it is gone. Harmless where
 * the connection is closed already.
 *
 * Since: 0.1
 */
void
gmcp_transport_close_async (GmcpTransport *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpTransportPrivate *priv;

  g_return_if_fail (GMCP_IS_TRANSPORT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  priv = gmcp_transport_get_private (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_transport_close_async);

  /* Closed it is in any case, so a cancellable that is cancelled already is no reason to return. */
  add_closer (self, task);
  if (priv->state == GMCP_TRANSPORT_STATE_CLOSING)
    return;

  priv->state = GMCP_TRANSPORT_STATE_CLOSING;
  priv->opening = NULL;
  get_funcs (self)->close_async (self, NULL, closed_cb, NULL);
}

/**
 * gmcp_transport_close_finish:
 * @self: a transport
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Transport.close_async].
 *
 * Returns: %TRUE if the connection is closed and its peer gone
 *
 * Since: 0.1
 */
gboolean
gmcp_transport_close_finish (GmcpTransport *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_transport_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
gmcp_transport_close_at_once (GmcpTransport *self)
{
  GmcpTransportPrivate *priv = gmcp_transport_get_private (self);
  const GmcpTransportFuncs *funcs = get_funcs (self);

  if (funcs->close_at_once == NULL
      || (priv->state != GMCP_TRANSPORT_STATE_OPEN && priv->state != GMCP_TRANSPORT_STATE_CLOSED))
    return FALSE;

  priv->state = GMCP_TRANSPORT_STATE_CLOSED;
  priv->taker_needs_closed = FALSE;
  funcs->close_at_once (self);
  return TRUE;
}

void
gmcp_transport_closed (GmcpTransport *self, const GError *error)
{
  GmcpTransportPrivate *priv;

  g_return_if_fail (GMCP_IS_TRANSPORT (self));

  priv = gmcp_transport_get_private (self);

  if (priv->state == GMCP_TRANSPORT_STATE_OPENING && !priv->closed_early)
    {
      priv->closed_early = TRUE;
      priv->early_error = error != NULL ? g_error_copy (error) : NULL;
      return;
    }

  if (!priv->taker_needs_closed)
    return;

  priv->taker_needs_closed = FALSE;
  if (priv->state == GMCP_TRANSPORT_STATE_CLOSING)
    error = NULL;
  else
    priv->state = GMCP_TRANSPORT_STATE_CLOSED;

  if (priv->taker != NULL)
    priv->taker->closed (priv->taker_data, error);
}
