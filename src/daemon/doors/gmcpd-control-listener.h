/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-door.h"
#include "gmcpd-export.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_CONTROL_LISTENER (gmcpd_control_listener_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdControlListener,
                      gmcpd_control_listener,
                      GMCPD,
                      CONTROL_LISTENER,
                      GObject)

/* The socket “control”, on which D-Bus is spoken without a bus in between. The socket is one that somebody has opened
 * for it, or NULL. */
GmcpdDoor *gmcpd_control_listener_new (GmcpdExport *control, const char *path, GSocket *socket);

G_END_DECLS
