/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Tells the servers, by the variable GMCP_GATEWAYS, that this daemon is above them and which configuration it serves:
 * “gmcp gateway” then neither connects to the daemon that has started it nor starts the same servers once more. file is
 * that of --config, or NULL. Before there are other threads. */
void gmcpd_gateway_marks_set (GFile *file);

G_END_DECLS
