/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TRANSPORT (gmcp_transport_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_DERIVABLE_TYPE (GmcpTransport, gmcp_transport, GMCP, TRANSPORT, GObject)

/**
 * GmcpTransportClass:
 * @parent_class: the parent class
 *
 * The class of transports. Not for other programs to derive from: what has a [class@Gio.IOStream] is
 * carried by a [class@Gmcp.StreamTransport].
 *
 * Since: 0.1
 */
struct _GmcpTransportClass
{
  GObjectClass parent_class;

  /*< private >*/
  gconstpointer funcs;

  gpointer _reserved[8];
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

G_END_DECLS
