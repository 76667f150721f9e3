/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-transport-struct-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-line-framer-private.h"

/**
 * GmcpTransport:
 *
 * Carries messages to and from one peer.
 *
 * A transport lives in the thread-default main context it was made in: what comes in is delivered
 * there. It may be opened again after it was closed, where its kind allows that.
 *
 * Programs use the kinds that there are, and do not derive from them. Whatever has an input and an
 * output, such as a socket or a tunnel of one's own, is a [class@Gio.IOStream], and
 * [class@Gmcp.StreamTransport] carries messages by it.
 *
 * Spec: MCP 2026-07-28, basic/transports.
 *
 * Since: 0.1
 */

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GmcpTransport, gmcp_transport, G_TYPE_OBJECT)

typedef enum
{
  PROP_MAX_MESSAGE_BYTES = 1,
} GmcpTransportProperty;

static GParamSpec *properties[PROP_MAX_MESSAGE_BYTES + 1];

static GmcpTransportPrivate *
get_private (GmcpTransport *self)
{
  return gmcp_transport_get_instance_private (self);
}

GmcpTransportPrivate *
gmcp_transport_get_private (GmcpTransport *self)
{
  return get_private (self);
}

static const GmcpTransportFuncs *
get_funcs (GmcpTransport *self)
{
  return GMCP_TRANSPORT_GET_CLASS (self)->funcs;
}

/* A class that a program derives nevertheless, as bindings can, carries nothing. */

static void
refuse_to_open (GmcpTransport *self,
                GCancellable *cancellable,
                GAsyncReadyCallback callback,
                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           /* Translators: the name of a class */
                           _ ("%s carries no messages: transports cannot be derived from"),
                           G_OBJECT_TYPE_NAME (self));
}

static void
close_nothing (GmcpTransport *self,
               GCancellable *cancellable,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_return_boolean (task, TRUE);
}

static gboolean
finish_nothing (GmcpTransport *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static const GmcpTransportFuncs no_funcs = {
  .open_async = refuse_to_open,
  .open_finish = finish_nothing,
  .close_async = close_nothing,
  .close_finish = finish_nothing,
};

static void
gmcp_transport_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpTransport *self = GMCP_TRANSPORT (object);

  switch ((GmcpTransportProperty) prop_id)
    {
    case PROP_MAX_MESSAGE_BYTES:
      g_value_set_uint64 (value, gmcp_transport_get_max_message_bytes (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_transport_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpTransport *self = GMCP_TRANSPORT (object);

  switch ((GmcpTransportProperty) prop_id)
    {
    case PROP_MAX_MESSAGE_BYTES:
      gmcp_transport_set_max_message_bytes (self, g_value_get_uint64 (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_transport_finalize (GObject *object)
{
  GmcpTransportPrivate *priv = get_private (GMCP_TRANSPORT (object));

  g_clear_pointer (&priv->closers, g_ptr_array_unref);
  g_clear_error (&priv->early_error);
  g_main_context_unref (priv->context);

  G_OBJECT_CLASS (gmcp_transport_parent_class)->finalize (object);
}

static void
gmcp_transport_class_init (GmcpTransportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_transport_get_property;
  object_class->set_property = gmcp_transport_set_property;
  object_class->finalize = gmcp_transport_finalize;
  klass->funcs = &no_funcs;

  /**
   * GmcpTransport:max-message-bytes:
   *
   * The largest message that is taken from the peer, in bytes. A larger one is dropped, and whoever
   * waits is told; the connection goes on.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_MESSAGE_BYTES] = g_param_spec_uint64 (
    "max-message-bytes", NULL, NULL, 1, G_MAXSSIZE / 4, GMCP_LIMIT_MESSAGE_BYTES,
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_transport_init (GmcpTransport *self)
{
  GmcpTransportPrivate *priv = get_private (self);

  priv->context = g_main_context_ref_thread_default ();
  priv->max_message_bytes = GMCP_LIMIT_MESSAGE_BYTES;
  priv->closers = g_ptr_array_new_with_free_func (g_object_unref);
}

void
gmcp_transport_set_open (GmcpTransport *self)
{
  GmcpTransportPrivate *priv = get_private (self);

  priv->state = GMCP_TRANSPORT_STATE_OPEN;
  priv->taker_needs_closed = TRUE;
}

const char *
gmcp_transport_get_header (GmcpTransport *self, const char *name)
{
  const GmcpTransportFuncs *funcs = get_funcs (self);

  return funcs->get_header != NULL ? funcs->get_header (self, name) : NULL;
}

void
gmcp_transport_leave_unanswered (GmcpTransport *self, const char *peer_id, gsize peer_id_length)
{
  const GmcpTransportFuncs *funcs = get_funcs (self);

  if (funcs->leave_unanswered != NULL)
    funcs->leave_unanswered (self, peer_id, peer_id_length);
}

gboolean
gmcp_transport_suspend_request (GmcpTransport *self,
                                const char *peer_id,
                                gsize peer_id_length,
                                guint retry_ms)
{
  const GmcpTransportFuncs *funcs = get_funcs (self);

  return funcs->suspend_request != NULL
         && funcs->suspend_request (self, peer_id, peer_id_length, retry_ms);
}

GMainContext *
gmcp_transport_get_context (GmcpTransport *self)
{
  return get_private (self)->context;
}

void
gmcp_transport_set_taker (GmcpTransport *self, const GmcpTransportTaker *taker, gpointer data)
{
  GmcpTransportPrivate *priv = get_private (self);

  priv->taker = taker;
  priv->taker_data = data;
}

/**
 * gmcp_transport_is_open:
 * @self: a transport
 *
 * Whether messages can be sent.
 *
 * Returns: %TRUE between the end of [method@Gmcp.Transport.open_async] and the connection's end or
 *   the call of [method@Gmcp.Transport.close_async]
 *
 * Since: 0.1
 */
gboolean
gmcp_transport_is_open (GmcpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), FALSE);

  return get_private (self)->state == GMCP_TRANSPORT_STATE_OPEN;
}

/**
 * gmcp_transport_dup_description:
 * @self: a transport
 *
 * Says what the other end is, in a few words for error messages. Holds no secret.
 *
 * Returns: (transfer full): the description
 *
 * Since: 0.1
 */
char *
gmcp_transport_dup_description (GmcpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), NULL);

  if (get_funcs (self)->dup_description == NULL)
    return g_strdup (G_OBJECT_TYPE_NAME (self));

  return get_funcs (self)->dup_description (self);
}

/**
 * gmcp_transport_has_request_streams:
 * @self: a transport
 *
 * Whether each request has a stream of its own, so that closing that stream cancels the request.
 *
 * Returns: %TRUE for HTTP, %FALSE where all messages share one stream
 *
 * Since: 0.1
 */
gboolean
gmcp_transport_has_request_streams (GmcpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), FALSE);

  return get_funcs (self)->has_request_streams != NULL
         && get_funcs (self)->has_request_streams (self);
}

/**
 * gmcp_transport_get_pid:
 * @self: a transport
 *
 * Gives the process at the other end.
 *
 * Returns: its process id, or 0 where there is none or it is not known
 *
 * Since: 0.1
 */
int
gmcp_transport_get_pid (GmcpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), 0);

  return get_funcs (self)->get_pid != NULL ? get_funcs (self)->get_pid (self) : 0;
}

/**
 * gmcp_transport_dup_diagnostics:
 * @self: a transport
 *
 * Gives the end of what the other end said outside the protocol since the last opening, for error
 * messages: what a server process printed to its standard error.
 *
 * Returns: (transfer full) (nullable): the text, or %NULL where the transport has nothing of the kind
 *
 * Since: 0.1
 */
char *
gmcp_transport_dup_diagnostics (GmcpTransport *self)
{
  const GmcpTransportFuncs *funcs;

  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), NULL);

  funcs = get_funcs (self);
  return funcs->dup_diagnostics != NULL ? funcs->dup_diagnostics (self) : NULL;
}

void
gmcp_transport_set_opened_func (GmcpTransport *self, void (*opened) (gpointer data), gpointer data)
{
  GmcpTransportPrivate *priv = get_private (self);

  priv->opened = opened;
  priv->opened_data = data;
}

gboolean
gmcp_transport_is_closing (GmcpTransport *self)
{
  return get_private (self)->state == GMCP_TRANSPORT_STATE_CLOSING;
}

/**
 * gmcp_transport_get_max_message_bytes:
 * @self: a transport
 *
 * Gives the largest message that is taken from the peer.
 *
 * Returns: the limit in bytes
 *
 * Since: 0.1
 */
guint64
gmcp_transport_get_max_message_bytes (GmcpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (self), 0);

  return get_private (self)->max_message_bytes;
}

/**
 * gmcp_transport_set_max_message_bytes:
 * @self: a transport
 * @max_message_bytes: the limit in bytes, at least 1
 *
 * Sets the largest message that is taken from the peer. A message that has begun to come in may
 * still be measured by the limit before.
 *
 * Since: 0.1
 */
void
gmcp_transport_set_max_message_bytes (GmcpTransport *self, guint64 max_message_bytes)
{
  GmcpTransportPrivate *priv;

  g_return_if_fail (GMCP_IS_TRANSPORT (self));
  g_return_if_fail (max_message_bytes >= 1 && max_message_bytes <= G_MAXSSIZE / 4);

  priv = get_private (self);
  if (priv->max_message_bytes == max_message_bytes)
    return;

  priv->max_message_bytes = max_message_bytes;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MAX_MESSAGE_BYTES]);
}

static gboolean
send_joined (GmcpTransport *self, const GmcpOutgoing *message, GError **error)
{
  GString *all = gmcp_outgoing_join (message);
  GmcpOutgoing joined = *message;
  gboolean sent;

  joined.text = all->str;
  joined.length = all->len;
  joined.buffer = &all;
  joined.parts = NULL;
  joined.n_parts = 0;
  sent = get_funcs (self)->send (self, &joined, error);
  if (all != NULL)
    g_string_free (all, TRUE);
  return sent;
}

gboolean
gmcp_transport_send (GmcpTransport *self, const GmcpOutgoing *message, GError **error)
{
  if (get_private (self)->state != GMCP_TRANSPORT_STATE_OPEN)
    {
      g_autofree char *description = gmcp_transport_dup_description (self);

      g_set_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("The connection to “%s” is not open"),
                   description);
      return FALSE;
    }

  if (message->n_parts > 0 && !get_funcs (self)->takes_parts)
    return send_joined (self, message, error);
  return get_funcs (self)->send (self, message, error);
}

gboolean
gmcp_transport_may_wait (const GmcpOutgoing *message, gsize reply_bytes, GError **error)
{
  if (!message->is_reply || reply_bytes <= GMCP_LIMIT_REPLY_QUEUE_BYTES)
    return TRUE;

  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
    _ ("it does not read the answers to its own requests, and more than %u bytes of them "
       "wait"),
    GMCP_LIMIT_REPLY_QUEUE_BYTES);
  return FALSE;
}

void
gmcp_transport_deliver (GmcpTransport *self, const char *text, gsize length, GBytes *owner)
{
  GmcpTransportPrivate *priv = get_private (self);

  if (priv->taker != NULL)
    priv->taker->message (priv->taker_data, text, length, owner);
}

void
gmcp_transport_deliver_document (GmcpTransport *self, GmcpJsonDoc *doc)
{
  GmcpTransportPrivate *priv = get_private (self);

  if (priv->taker != NULL && priv->taker->document != NULL)
    priv->taker->document (priv->taker_data, doc);
}

void
gmcp_transport_report_violation (GmcpTransport *self, const GError *error)
{
  GmcpTransportPrivate *priv = get_private (self);

  g_debug ("From a peer: %s", error->message);
  if (priv->taker != NULL)
    priv->taker->violation (priv->taker_data, error);
}

gboolean
gmcp_transport_report_input_ended (GmcpTransport *self)
{
  GmcpTransportPrivate *priv = get_private (self);

  return priv->taker != NULL && priv->taker->input_ended != NULL
         && priv->taker->input_ended (priv->taker_data);
}

void
gmcp_transport_report_request_failed (GmcpTransport *self,
                                      gint64 request_id,
                                      const GmcpTransportFailure *failure)
{
  GmcpTransportPrivate *priv = get_private (self);

  g_debug ("Request %" G_GINT64_FORMAT ": %s", request_id, failure->error->message);
  if (priv->taker != NULL && priv->taker->request_failed != NULL)
    priv->taker->request_failed (priv->taker_data, request_id, failure);
}

void
gmcp_transport_report_session_lost (GmcpTransport *self, const GError *error)
{
  GmcpTransportPrivate *priv = get_private (self);

  g_debug ("A session is lost: %s", error->message);
  if (priv->taker != NULL && priv->taker->session_lost != NULL)
    priv->taker->session_lost (priv->taker_data, error);
}

void
gmcp_transport_report_listening (GmcpTransport *self, const GError *error)
{
  GmcpTransportPrivate *priv = get_private (self);

  if (priv->taker != NULL && priv->taker->listening != NULL)
    priv->taker->listening (priv->taker_data, error);
}

gboolean
gmcp_transport_is_waited_for (GmcpTransport *self, gint64 request_id)
{
  GmcpTransportPrivate *priv = get_private (self);

  return priv->taker != NULL
         && (priv->taker->is_waiting == NULL
             || priv->taker->is_waiting (priv->taker_data, request_id));
}

void
gmcp_transport_cancel_request (GmcpTransport *self, gint64 request_id)
{
  const GmcpTransportFuncs *funcs = get_funcs (self);

  if (funcs->cancel_request != NULL && gmcp_transport_is_open (self))
    funcs->cancel_request (self, request_id);
}

void
gmcp_transport_begin_session (GmcpTransport *self, const char *const *headers)
{
  const GmcpTransportFuncs *funcs = get_funcs (self);

  if (funcs->begin_session != NULL && gmcp_transport_is_open (self))
    funcs->begin_session (self, headers);
}

gboolean
gmcp_transport_fall_back (GmcpTransport *self)
{
  const GmcpTransportFuncs *funcs = get_funcs (self);

  return funcs->fall_back != NULL && gmcp_transport_is_open (self) && funcs->fall_back (self);
}

void
gmcp_transport_received (GmcpTransport *self, GBytes *message)
{
  GmcpTransportPrivate *priv;
  g_autoptr (GBytes) owner = NULL;
  const char *text;
  gsize length;

  g_return_if_fail (GMCP_IS_TRANSPORT (self));
  g_return_if_fail (message != NULL);

  priv = get_private (self);
  owner = g_bytes_ref (message);
  text = g_bytes_get_data (owner, &length);

  if (length > priv->max_message_bytes)
    {
      g_autoptr (GError) error = gmcp_line_framer_limit_error (priv->max_message_bytes);

      gmcp_transport_report_violation (self, error);
    }
  else if (length > 0)
    gmcp_transport_deliver (self, text, length, owner);
}
