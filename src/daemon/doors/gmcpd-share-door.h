/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-door.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_SHARE_DOOR (gmcpd_share_door_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdShareDoor, gmcpd_share_door, GMCPD, SHARE_DOOR, GObject)

/* The way in for managers of other programs, which use the daemon's processes of servers as their own. */
GmcpdDoor *gmcpd_share_door_new (GmcpManager *manager);

G_END_DECLS
