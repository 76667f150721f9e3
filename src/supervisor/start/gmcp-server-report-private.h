/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/start/gmcp-server-report.h>

G_BEGIN_DECLS

/* Takes the error. */
GmcpServerReport *gmcp_server_report_new (const char *server, GError *error);
/* With what was found on the way. Takes the error, the steps (of GmcpServerStep) and the advice, which may be
 * NULL, as may the output. */
GmcpServerReport *gmcp_server_report_new_diagnosis (const char *server,
                                                    GError *error,
                                                    GListStore *steps,
                                                    GStrv advice,
                                                    const char *output);

G_END_DECLS
