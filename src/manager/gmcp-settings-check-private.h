/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-server-config.h>

G_BEGIN_DECLS

/* What is to be said about the settings of one server, each with the path of its key. */
void
gmcp_settings_find_problems (GSettings *settings, GmcpServerConfig *config, GPtrArray *findings);

/* Whether a number is 0, which is the manager's default, or in its range, which a schema cannot say
 * together. low and high (both nullable) get the range. */
gboolean gmcp_settings_check_number (GSettings *settings, const char *key, guint *low, guint *high);

G_END_DECLS
