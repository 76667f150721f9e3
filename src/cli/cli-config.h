/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* Prints what the configuration that was read comes to: gmcp config show. */
void cli_config_show (GmcpManager *manager, gboolean json);

G_END_DECLS
