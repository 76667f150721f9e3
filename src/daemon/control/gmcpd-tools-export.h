/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-export.h"
#include "gmcpd-open-questions.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_TOOLS_EXPORT (gmcpd_tools_export_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdToolsExport, gmcpd_tools_export, GMCPD, TOOLS_EXPORT, GObject)

/* The tools of all servers as org.gmcp.Tools1, under a role, or under none where it is NULL. */
GmcpdExport *
gmcpd_tools_export_new (GmcpManager *manager, GmcpdOpenQuestions *questions, const char *role);

/* For calls to come. */
void gmcpd_tools_export_set_role (GmcpdToolsExport *self, const char *role);

G_END_DECLS
