/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-change-stream-private.h"
#include "gmcp-client-private.h"
#include "gmcp-client-activity-private.h"

gboolean
gmcp_client_is_in_use (GmcpClient *self)
{
  guint n_own = self->watch != NULL && self->watch->exchange != NULL ? 1 : 0;

  for (guint i = 0; self->streams != NULL && i < self->streams->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (self->streams, i);

      if (stream != self->watch && stream->state != GMCP_SUBSCRIPTION_STATE_CLOSED)
        return TRUE;
    }

  return gmcp_pending_calls_get_length (self->pending) > n_own;
}

guint64
gmcp_client_get_n_heard (GmcpClient *self)
{
  return self->n_heard;
}

gint64
gmcp_client_get_n_requests (GmcpClient *self)
{
  return gmcp_pending_calls_get_last_id (self->pending);
}
