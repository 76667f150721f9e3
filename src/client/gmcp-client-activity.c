/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-changes-private.h"

gboolean
gmcp_client_is_in_use (GmcpClient *self)
{
  GmcpSession *session = gmcp_client_get_session (self);
  guint n_own = gmcp_changes_has_own_request (session) ? 1 : 0;

  return gmcp_changes_are_wanted (session)
         || gmcp_pending_calls_get_length (gmcp_session_get_calls (session)) > n_own;
}

guint64
gmcp_client_get_n_heard (GmcpClient *self)
{
  return gmcp_session_get_n_heard (gmcp_client_get_session (self));
}

const GmcpOpeningTimes *
gmcp_client_get_opening_times (GmcpClient *self)
{
  return gmcp_session_get_opening_times (gmcp_client_get_session (self));
}

gint64
gmcp_client_get_n_requests (GmcpClient *self)
{
  return gmcp_pending_calls_get_last_id (gmcp_session_get_calls (gmcp_client_get_session (self)));
}
