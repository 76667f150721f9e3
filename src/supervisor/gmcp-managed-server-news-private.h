/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* Properties and signals of a server. */

/* gmcp-managed-server-property-table.c */

void
gmcp_managed_server_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec);
void gmcp_managed_server_install_properties (GObjectClass *object_class);
/* Notify what has another value, or may have. */
void gmcp_managed_server_awaited_changed (GmcpManagedServer *self);
void gmcp_managed_server_last_error_changed (GmcpManagedServer *self);
void gmcp_managed_server_outcome_changed (GmcpManagedServer *self);
void gmcp_managed_server_restarts_changed (GmcpManagedServer *self);
void gmcp_managed_server_tools_count_changed (GmcpManagedServer *self);
/* There is a process, or nothing is left of it, whatever the state is now. */
void gmcp_managed_server_process_changed (GmcpManagedServer *self);
/* The connection has been made anew: the server may be another revision, or another one. */
void gmcp_managed_server_peer_changed (GmcpManagedServer *self);
void gmcp_managed_server_checked (GmcpManagedServer *self);
/* What follows from the state, too. */
void gmcp_managed_server_state_changed (GmcpManagedServer *self);

/* gmcp-managed-server.c */

void gmcp_managed_server_set_last_error (GmcpManagedServer *self, const GError *error);
/* Sets the property awaited anew, after a change of whether the first list of tools is on its way. */
void gmcp_managed_server_refresh_awaited (GmcpManagedServer *self);
/* Takes what became of it; NULL for nothing. */
void gmcp_managed_server_take_outcome (GmcpManagedServer *self, GmcpServerOutcome *outcome);
void gmcp_managed_server_tools_changed (GmcpManagedServer *self);
void gmcp_managed_server_emit_notice (GmcpManagedServer *self,
                                      GmcpNoticeLevel level,
                                      const char *message);

/* gmcp-managed-server-outcome.c */

/* What became of the server is kept: it failed; it is ready; it is another one than before. */
void gmcp_managed_server_note_failure (GmcpManagedServer *self, const GError *error);
void gmcp_managed_server_note_ready (GmcpManagedServer *self);
void gmcp_managed_server_forget_outcome (GmcpManagedServer *self);

/* gmcp-managed-server-notice.c */

void
gmcp_managed_server_notice (GmcpManagedServer *self, GmcpNoticeLevel level, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

G_END_DECLS
