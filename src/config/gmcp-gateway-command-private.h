/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a command starts a gateway of ours, “gmcp gateway”, itself or through a program such as env or
 * flatpak-spawn. FALSE for NULL. */
gboolean gmcp_is_gateway_command (const char *const *argv);

G_END_DECLS
