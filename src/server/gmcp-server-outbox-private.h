/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* What goes to one client: the message that is being written, and its way into the transport. */

typedef struct _GmcpServerOutbox GmcpServerOutbox;

GmcpServerOutbox *gmcp_server_outbox_new (GmcpTransport *transport);
void gmcp_server_outbox_free (GmcpServerOutbox *self);

/* Nothing is sent any more. */
void gmcp_server_outbox_close (GmcpServerOutbox *self);
gboolean gmcp_server_outbox_is_closed (const GmcpServerOutbox *self);

/* The buffer that every message is written into, emptied. */
GString *gmcp_server_outbox_begin (GmcpServerOutbox *self);
/* The buffer as it is. */
GString *gmcp_server_outbox_peek_message (GmcpServerOutbox *self);
/* Large values that belong into that message without being copied, and are dropped when it is sent or another begins. */
GArray *gmcp_server_outbox_peek_parts (GmcpServerOutbox *self);
void gmcp_server_outbox_drop_parts (GmcpServerOutbox *self);

/* A request or a notification that was written; method is given for the latter only. request_id is that of the
 * client's request in whose course it is sent, or none. FALSE: it could not be sent. */
gboolean
gmcp_server_outbox_send (GmcpServerOutbox *self, const char *method, GmcpJsonValue request_id);
/* The answer that was written; error_code is 0 for a result. refuses: the request was none that can be run. */
gboolean gmcp_server_outbox_send_answer (GmcpServerOutbox *self,
                                         GmcpJsonValue request_id,
                                         int error_code,
                                         gboolean refuses);
/* A request that was cancelled, of which the client expects nothing more. */
void gmcp_server_outbox_leave_unanswered (GmcpServerOutbox *self, GmcpJsonValue request_id);

/* Begins a notification, up to the first member of its params. No other message may be begun before it is sent. */
GmcpJsonWriter gmcp_server_outbox_begin_notification (GmcpServerOutbox *self, const char *method);
/* Ends the notification that was begun, and sends it. */
gboolean gmcp_server_outbox_send_notification (GmcpServerOutbox *self,
                                               GmcpJsonWriter *writer,
                                               const char *method,
                                               GmcpJsonValue request_id);

G_END_DECLS
