/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a command starts a gateway of ours, “gmcp gateway”, itself or through a program such as env or
 * flatpak-spawn. FALSE for NULL. */
gboolean gmcp_is_gateway_command (const char *const *argv);

/* Whether such a command takes the servers from a file that it names. */
gboolean gmcp_gateway_command_has_file (const char *const *argv);

G_END_DECLS
