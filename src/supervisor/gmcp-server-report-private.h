/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-server-report.h>

G_BEGIN_DECLS

/* Takes the error. */
GmcpServerReport *gmcp_server_report_new (const char *server, GError *error);

G_END_DECLS
