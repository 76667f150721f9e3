/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-requirement.h>

G_BEGIN_DECLS

#define GMCP_TYPE_REQUIREMENTS_REPORT (gmcp_requirements_report_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpRequirementsReport,
                      gmcp_requirements_report,
                      GMCP,
                      REQUIREMENTS_REPORT,
                      GObject)

GMCP_AVAILABLE_IN_0_1
GmcpReadiness gmcp_requirements_report_get_readiness (GmcpRequirementsReport *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_requirements_report_list_requirements (GmcpRequirementsReport *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_requirements_report_dup_text (GmcpRequirementsReport *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_requirements_report_may_work (GmcpRequirementsReport *self, GError **error);

G_END_DECLS
