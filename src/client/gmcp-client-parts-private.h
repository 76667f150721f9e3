/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"
#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* Between the files of the class. */

/* gmcp-client-property-table.c */
void gmcp_client_install_properties (GObjectClass *object_class);
/* The properties that depend on whether the client is open. */
void gmcp_client_notify_open (gpointer client);
/* The properties that tell what the server is. */
void gmcp_client_notify_server (gpointer client);

/* gmcp-client-signals.c */
void gmcp_client_install_signals (void);
extern const GmcpSessionEvents gmcp_client_session_events;
extern const GmcpFeatureEvents gmcp_client_feature_events;

/* Emits a signal whose arguments are a method and its params, as a node and as text. */
void gmcp_client_emit_notification (gpointer object,
                                    guint signal_id,
                                    const GmcpRpcMessage *notification);

G_END_DECLS
