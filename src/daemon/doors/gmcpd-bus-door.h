/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-door.h"
#include "gmcpd-export.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_BUS_DOOR (gmcpd_bus_door_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdBusDoor, gmcpd_bus_door, GMCPD, BUS_DOOR, GObject)

/* The session bus, under a name that is a constant. Where there is no bus it opens, and nobody comes. */
GmcpdDoor *gmcpd_bus_door_new (GmcpdExport *export, const char *name);

G_END_DECLS
