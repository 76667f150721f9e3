/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/start/gmcp-server-step.h>

G_BEGIN_DECLS

/* Takes the detail, which may be NULL. */
GmcpServerStep *gmcp_server_step_new (GmcpServerStepKind kind,
                                      gboolean is_remote,
                                      GmcpStepOutcome outcome,
                                      gint64 duration_us,
                                      char *detail);

G_END_DECLS
