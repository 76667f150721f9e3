/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TRANSPORT (gmcp_transport_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_DERIVABLE_TYPE (GmcpTransport, gmcp_transport, GMCP, TRANSPORT, GObject)

/**
 * GmcpOutgoing:
 *
 * A message that a transport is asked to send; see [method@Gmcp.Outgoing.get_text].
 *
 * It lives as long as the call of `send` that gave it.
 *
 * Since: 0.1
 */
typedef struct _GmcpOutgoing GmcpOutgoing;

/**
 * GmcpTransportClass:
 * @parent_class: the parent class
 * @open_async: connects; ends with [vfunc@Gmcp.Transport.open_finish]
 * @open_finish: ends @open_async
 * @send: queues one message and returns at once
 * @close_async: stops in order; ends with [vfunc@Gmcp.Transport.close_finish]
 * @close_finish: ends @close_async
 * @dup_description: says what the other end is, for error messages
 * @has_request_streams: whether each request has a stream of its own
 * @get_pid: the process at the other end, or 0
 * @dup_diagnostics: (nullable): what the other end said outside the protocol
 * @cancel_request: (nullable): nobody waits any more for the answer to a request: closes the
 *   stream that it came by, where each request has its own
 * @begin_session: (nullable): the handshake is over and the peer may speak unasked: opens what is
 *   needed to hear it. The headers, names and values in turn, belong on every request that the
 *   transport makes of its own accord from now on
 * @fall_back: (nullable): goes over to an older way of reaching the same peer, and holds what is
 *   sent until that stands; %FALSE where there is none, or it is in use already
 *
 * What a way of carrying messages implements.
 *
 * Since: 0.1
 */
struct _GmcpTransportClass
{
  GObjectClass parent_class;

  void (*open_async) (GmcpTransport *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  gboolean (*open_finish) (GmcpTransport *self, GAsyncResult *result, GError **error);
  gboolean (*send) (GmcpTransport *self, const GmcpOutgoing *message, GError **error);
  void (*close_async) (GmcpTransport *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
  gboolean (*close_finish) (GmcpTransport *self, GAsyncResult *result, GError **error);
  char *(*dup_description) (GmcpTransport *self);
  gboolean (*has_request_streams) (GmcpTransport *self);
  int (*get_pid) (GmcpTransport *self);
  char *(*dup_diagnostics) (GmcpTransport *self);
  void (*cancel_request) (GmcpTransport *self, gint64 request_id);
  void (*begin_session) (GmcpTransport *self, const char *const *headers);
  gboolean (*fall_back) (GmcpTransport *self);

  gpointer _reserved[4];
};

GMCP_AVAILABLE_IN_0_1
void gmcp_transport_open_async (GmcpTransport *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_transport_open_finish (GmcpTransport *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_transport_close_async (GmcpTransport *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_transport_close_finish (GmcpTransport *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_transport_is_open (GmcpTransport *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_transport_dup_description (GmcpTransport *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_transport_has_request_streams (GmcpTransport *self);

GMCP_AVAILABLE_IN_0_1
int gmcp_transport_get_pid (GmcpTransport *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_transport_dup_diagnostics (GmcpTransport *self);

GMCP_AVAILABLE_IN_0_1
guint64 gmcp_transport_get_max_message_bytes (GmcpTransport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_transport_set_max_message_bytes (GmcpTransport *self, guint64 max_message_bytes);

/* For subclasses. */

GMCP_AVAILABLE_IN_0_1
const char *gmcp_outgoing_get_text (const GmcpOutgoing *message, gsize *length);

GMCP_AVAILABLE_IN_0_1
void gmcp_transport_received (GmcpTransport *self, GBytes *message);

GMCP_AVAILABLE_IN_0_1
void gmcp_transport_closed (GmcpTransport *self, const GError *error);

G_END_DECLS
