/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-requirements-report.h>

G_BEGIN_DECLS

GmcpRequirementsReport *gmcp_requirements_report_new (void);
/* Takes the requirement. */
void gmcp_requirements_report_add (GmcpRequirementsReport *self, GmcpRequirement *requirement);

G_END_DECLS
