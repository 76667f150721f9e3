/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* The configuration of a server that is to count by its settings, transfer full. What is to be said about
 * them, each with the path of its key, is added to findings.
 *
 * *good (owned, NULL at first) is what counted last and could be started. It counts on while there is an
 * error in settings that enable the server, if it was enabled then too. Where nothing else counts, a server
 * with a key that cannot be read is off. */
GmcpServerConfig *gmcp_settings_judge_server (GSettings *settings,
                                              const char *id,
                                              GmcpServerConfig **good,
                                              GPtrArray *findings);

/* What is to be said of the manager's own keys. */
void gmcp_settings_find_problems (GSettings *manager, GPtrArray *findings);

G_END_DECLS
