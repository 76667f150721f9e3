/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/supervisor/start/gmcp-server-step.h>

G_BEGIN_DECLS

/* What may help a server that failed at that step: commands for a shell, and sentences. words follow a command of
 * gmcp to name the server. */
GStrv
gmcp_server_advice_find (GmcpServerConfig *config, GmcpServerStepKind step, const char *words);

G_END_DECLS
