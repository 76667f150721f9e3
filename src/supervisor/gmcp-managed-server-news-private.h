/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* Properties and signals of a server. */

/* Notifies properties that follow from the state. */
void gmcp_managed_server_state_changed (GmcpManagedServer *self);
void gmcp_managed_server_set_last_error (GmcpManagedServer *self, const GError *error);
/* Sets the property awaited anew, after a change of whether the first list of tools is on its way. */
void gmcp_managed_server_refresh_awaited (GmcpManagedServer *self);
/* What became of the server is kept: it failed; it is ready; it is another one than before. */
void gmcp_managed_server_note_failure (GmcpManagedServer *self, const GError *error);
void gmcp_managed_server_note_ready (GmcpManagedServer *self);
void gmcp_managed_server_forget_outcome (GmcpManagedServer *self);
/* There is a process, or nothing is left of it, whatever the state is now. */
void gmcp_managed_server_process_changed (GmcpManagedServer *self);
/* The connection has been made anew: the server may be another revision, or another one. */
void gmcp_managed_server_peer_changed (GmcpManagedServer *self);
void gmcp_managed_server_checked (GmcpManagedServer *self);
void gmcp_managed_server_tools_changed (GmcpManagedServer *self);
void
gmcp_managed_server_notice (GmcpManagedServer *self, GmcpNoticeLevel level, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

G_END_DECLS
