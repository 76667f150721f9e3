/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-progress-private.h"

void
gmcp_server_bucket_init (GmcpServerBucket *self)
{
  self->allowance = GMCP_LIMIT_PROGRESS_BURST;
  self->time_us = 0;
}

gboolean
gmcp_server_bucket_take (GmcpServerBucket *self)
{
  gint64 now_us = g_get_monotonic_time ();

  if (self->time_us != 0)
    self->allowance
      += (now_us - self->time_us) * GMCP_LIMIT_PROGRESS_PER_SECOND / (double) G_USEC_PER_SEC;
  self->allowance = MIN (self->allowance, GMCP_LIMIT_PROGRESS_BURST);
  self->time_us = now_us;
  if (self->allowance < 1)
    return FALSE;

  self->allowance -= 1;
  return TRUE;
}

void
gmcp_server_progress_init (GmcpServerProgress *self)
{
  self->last = -G_MAXDOUBLE;
  gmcp_server_bucket_init (&self->bucket);
}

gboolean
gmcp_server_progress_take (GmcpServerProgress *self, double progress, double total)
{
  if (!(progress > self->last) || progress > G_MAXDOUBLE)
    return FALSE;

  /* The step to the end is always told. */
  if (!gmcp_server_bucket_take (&self->bucket)
      && !(progress >= total && self->last < total && total > 0))
    return FALSE;

  self->last = progress;
  return TRUE;
}

GmcpJsonValue
gmcp_server_progress_get_token (const GmcpServerExchange *exchange)
{
  GmcpJsonValue token = gmcp_json_value_get_member (gmcp_server_exchange_get_meta (exchange),
                                                    GMCP_META_PROGRESS_TOKEN);

  return gmcp_json_value_is_string (token) || gmcp_json_value_is_number (token) ? token
                                                                                : GMCP_JSON_NONE;
}

static void
write_related_task (GmcpJsonWriter *writer, const char *task_id)
{
  gmcp_json_writer_key (writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_key (writer, GMCP_META_RELATED_TASK);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "taskId", task_id);
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
}

void
gmcp_server_progress_tell (GmcpServerExchange *exchange,
                           const char *task_id,
                           double progress,
                           double total,
                           const char *message)
{
  GmcpServerOutbox *outbox = gmcp_server_exchange_get_outbox (exchange);
  GmcpJsonValue token = gmcp_server_progress_get_token (exchange);
  GmcpJsonWriter writer;

  if (!gmcp_json_value_is_present (token))
    return;

  writer = gmcp_server_outbox_begin_notification (outbox, GMCP_NOTIFICATION_PROGRESS);
  if (task_id != NULL)
    write_related_task (&writer, task_id);
  gmcp_json_writer_member_value (&writer, GMCP_META_PROGRESS_TOKEN, token);
  gmcp_json_writer_key (&writer, "progress");
  gmcp_json_writer_double (&writer, progress);
  if (total > 0 && total <= G_MAXDOUBLE)
    {
      gmcp_json_writer_key (&writer, "total");
      gmcp_json_writer_double (&writer, total);
    }
  if (message != NULL)
    gmcp_json_writer_member_string (&writer, "message", message);
  gmcp_server_outbox_send_notification (outbox, &writer, GMCP_NOTIFICATION_PROGRESS,
                                        gmcp_server_exchange_get_id (exchange));
}
