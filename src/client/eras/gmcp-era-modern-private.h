/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-eras-private.h"

G_BEGIN_DECLS

/* Between the files of the modern era. */

/* The revision in which requests are made from now on. */
void gmcp_era_modern_set_version (GmcpSession *self, const char *version);

/* gmcp-era-modern-input.c: a result that asks for input. FALSE and an error, or the exchange is
 * taken over. */
gboolean gmcp_era_modern_take_input (GmcpSession *self,
                                     GmcpExchange *exchange,
                                     GmcpJsonValue result,
                                     GError **error);

/* gmcp-era-modern-http.c */

void gmcp_era_modern_dress (GmcpSession *self, GmcpOutgoing *outgoing, GPtrArray *headers);
/* Whether an error of the peer's is a refusal after which the request goes on by itself. */
gboolean gmcp_era_modern_goes_on (GmcpSession *self, GmcpExchange *exchange, const GError *error);
/* The parts of the modern era: gmcp-era-modern-listen.c */

void gmcp_era_modern_open_stream (GmcpSession *self, GmcpChangeStream *stream);
void gmcp_era_modern_close_stream (GmcpSession *self, GmcpChangeStream *stream);
gboolean
gmcp_era_modern_find_stream (GmcpSession *self, GmcpJsonValue params, GmcpChangeStream **stream);
gboolean
gmcp_era_modern_handle_listen_notification (GmcpSession *self, const GmcpRpcMessage *notification);

/* An era's own tasks: gmcp-era-modern-tasks.c. */
gboolean gmcp_era_modern_check_task (GmcpSession *self,
                                     GmcpExchange *exchange,
                                     GmcpJsonValue result,
                                     GError **error);
gboolean gmcp_era_modern_note_task (GmcpSession *self, const GmcpRpcMessage *notification);
gboolean gmcp_era_modern_offers_tasks (GmcpSession *self);
gboolean gmcp_era_modern_can_cancel_tasks (GmcpSession *self);
void gmcp_era_modern_task_needs_input (GmcpTaskWait *wait, GmcpJsonValue state);
void gmcp_era_modern_task_ended (GmcpTaskWait *wait, GmcpJsonValue state);

G_END_DECLS
