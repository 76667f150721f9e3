/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* A bucket that fills with time, so that short bursts pass and floods do not. */
typedef struct
{
  double allowance;
  gint64 time_us;
} GmcpServerBucket;

void gmcp_server_bucket_init (GmcpServerBucket *self);
gboolean gmcp_server_bucket_take (GmcpServerBucket *self);

/* How far one call is, as its client has been told. */
typedef struct
{
  double last;
  GmcpServerBucket bucket;
} GmcpServerProgress;

void gmcp_server_progress_init (GmcpServerProgress *self);
/* Whether the step is to be told: it leads on, and is not one of a flood. */
gboolean gmcp_server_progress_take (GmcpServerProgress *self, double progress, double total);

/* What the client wants to know the progress of a request by; none where it does not want to. */
GmcpJsonValue gmcp_server_progress_get_token (const GmcpServerExchange *exchange);
/* Tells the client, where it wants to know. task_id is NULL for a call that is no task. */
void gmcp_server_progress_tell (GmcpServerExchange *exchange,
                                const char *task_id,
                                double progress,
                                double total,
                                const char *message);

G_END_DECLS
