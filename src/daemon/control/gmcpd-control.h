/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-dashboard.h"
#include "gmcpd-export.h"
#include "gmcpd-open-questions.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_CONTROL (gmcpd_control_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdControl, gmcpd_control, GMCPD, CONTROL, GObject)

/* The manager and its servers as objects on D-Bus, on as many connections as there are. The object of the dashboard
 * lives longer. */
GmcpdExport *
gmcpd_control_new (GmcpManager *manager, GmcpdOpenQuestions *questions, GmcpdDashboard dashboard);

G_END_DECLS
