/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-managed-server.h>
#include <gmcp/supervisor/start/gmcp-server-report.h>

G_BEGIN_DECLS

/* How the last start of the server went, step by step. error is why it does not work, or NULL. */
GmcpServerReport *gmcp_managed_server_report_start (GmcpManagedServer *self, const GError *error);

/* A server that runs is checked once more. */
void gmcp_managed_server_begin_check_step (GmcpManagedServer *self);
void gmcp_managed_server_end_check_step (GmcpManagedServer *self, gboolean passed);

G_END_DECLS
