/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a server gets: from host the variables that programs need and that hold no secrets of other
 * programs (all of them with inherit), then its own, which replace those of the same name. Of PATH, whoever set it, absolute
 * directories only. NULL with an error where one of its own is not NAME=VALUE. */
GStrv gmcp_stdio_environment_build (const char *const *host,
                                    const char *const *own,
                                    gboolean inherit,
                                    GError **error);

/* What gets to the host passes through D-Bus and a shell. */
gboolean gmcp_stdio_environment_check_for_host (const char *const *own, GError **error);

G_END_DECLS
