/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-config-finding.h>

G_BEGIN_DECLS

/* name is nullable, and what g_file_get_parse_name() gives for the file. */
GmcpConfigFinding *gmcp_config_finding_new_for_name (GmcpNoticeLevel severity,
                                                     const char *name,
                                                     guint line,
                                                     const char *key_path,
                                                     const char *message);

G_END_DECLS
