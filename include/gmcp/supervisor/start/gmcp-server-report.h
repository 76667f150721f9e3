/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/supervisor/start/gmcp-server-step.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SERVER_REPORT (gmcp_server_report_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpServerReport, gmcp_server_report, GMCP, SERVER_REPORT, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_report_get_server_id (GmcpServerReport *self);

GMCP_AVAILABLE_IN_0_1
const GError *gmcp_server_report_get_error (GmcpServerReport *self);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_server_report_get_steps (GmcpServerReport *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_report_get_output (GmcpServerReport *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_server_report_get_advice (GmcpServerReport *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_report_succeeded (GmcpServerReport *self, GError **error);

G_END_DECLS
