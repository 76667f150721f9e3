/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-door.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_API_DOOR (gmcpd_api_door_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdApiDoor, gmcpd_api_door, GMCPD, API_DOOR, GObject)

/* The control API over HTTP, for programs of this machine that have its token. 0 for any port. */
GmcpdDoor *gmcpd_api_door_new (GmcpManager *manager, guint16 port);

G_END_DECLS
