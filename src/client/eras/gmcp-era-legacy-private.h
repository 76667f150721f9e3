/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-eras-private.h"

G_BEGIN_DECLS

/* The parts of the legacy era: gmcp-era-legacy-subscribe.c */

void gmcp_era_legacy_open_stream (GmcpSession *self, GmcpChangeStream *stream);
void gmcp_era_legacy_close_stream (GmcpSession *self, GmcpChangeStream *stream);
void gmcp_era_legacy_forget_streams (GmcpSession *self);
gboolean
gmcp_era_legacy_find_stream (GmcpSession *self, GmcpJsonValue params, GmcpChangeStream **stream);

/* An era's own tasks: gmcp-era-legacy-tasks.c. */
gboolean gmcp_era_legacy_check_task (GmcpSession *self,
                                     GmcpExchange *exchange,
                                     GmcpJsonValue result,
                                     GError **error);
gboolean gmcp_era_legacy_note_task (GmcpSession *self, const GmcpRpcMessage *notification);
gboolean gmcp_era_legacy_offers_tasks (GmcpSession *self);
gboolean gmcp_era_legacy_can_cancel_tasks (GmcpSession *self);
void gmcp_era_legacy_task_needs_input (GmcpTaskWait *wait, GmcpJsonValue state);
void gmcp_era_legacy_task_ended (GmcpTaskWait *wait, GmcpJsonValue state);

/* gmcp-era-legacy-url.c: whether an error of the peer's says that the user has to visit addresses
 * first; then the exchange is held for it. */
gboolean
gmcp_era_legacy_take_visits (GmcpSession *self, GmcpExchange *exchange, const GError *error);

G_END_DECLS
