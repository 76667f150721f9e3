/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/config/gmcp-manager-enums.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_FINDING (gmcp_config_finding_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpConfigFinding, gmcp_config_finding, GMCP, CONFIG_FINDING, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpConfigFinding *gmcp_config_finding_new (GmcpNoticeLevel severity,
                                            GFile *file,
                                            guint line,
                                            const char *key_path,
                                            const char *message);

GMCP_AVAILABLE_IN_0_1
GmcpNoticeLevel gmcp_config_finding_get_severity (GmcpConfigFinding *self);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_config_finding_get_file (GmcpConfigFinding *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_config_finding_get_line (GmcpConfigFinding *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_finding_get_key_path (GmcpConfigFinding *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_finding_get_message (GmcpConfigFinding *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_finding_get_server_id (GmcpConfigFinding *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_config_finding_dup_text (GmcpConfigFinding *self);

G_END_DECLS
