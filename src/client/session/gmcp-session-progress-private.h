/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"

G_BEGIN_DECLS

/* From the notifications. */
void gmcp_client_note_progress (GmcpClient *self, GmcpJsonValue params);

/* The exchange ends well, and is out of the table: what was held back is told before. */
void gmcp_client_flush_progress (GmcpExchange *exchange);

void gmcp_progress_gate_free (GmcpProgressGate *gate);

G_END_DECLS
