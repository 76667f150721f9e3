/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-options.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_SETTINGS (gmcpd_settings_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdSettings, gmcpd_settings, GMCPD, SETTINGS, GObject)

/* The keys of org.gmcp.Daemon. The signal “changed”, with the key as its detail, tells of a new value. */
#define GMCPD_SETTING_CONTROL_PORT "control-port"
#define GMCPD_SETTING_GATEWAY_PORT "gateway-port"
#define GMCPD_SETTING_GATEWAY_ROLE "gateway-role"
#define GMCPD_SETTING_TOOLS_ROLE   "tools-role"

/* Which doors of the daemon are open, and to what: the command line decides, then GSettings. With a configuration
 * file that was named GSettings are not looked at. */
GmcpdSettings *gmcpd_settings_new (const GmcpdOptions *options);

/* -1 for none, 0 for one that is free. */
int gmcpd_settings_get_port (GmcpdSettings *self, const char *key);

/* NULL for none. */
char *gmcpd_settings_dup_role (GmcpdSettings *self, const char *key);

/* Whether the command line says it. Such a value does not change. */
gboolean gmcpd_settings_is_given (GmcpdSettings *self, const char *key);

G_END_DECLS
