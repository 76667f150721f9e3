/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-door.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_DOOR_SWITCH (gmcpd_door_switch_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdDoorSwitch, gmcpd_door_switch, GMCPD, DOOR_SWITCH, GObject)

/* Makes a door as the settings have it now. */
typedef GmcpdDoor *(*GmcpdDoorMaker) (gpointer data);

/* A door that settings open and close while the daemon runs: for each change there is a new one, which opens as soon
 * as the one before lets nobody in any more. What is under way at that one may end.
 *
 * Takes the data. The daemon is not open before a required door is, nor without it. It does not wait for others, which a
 * keyring that is to be unlocked can hold up; what keeps them from opening is told on standard error. */
GmcpdDoorSwitch *gmcpd_door_switch_new (GmcpdDoorMaker make_door,
                                        gpointer data,
                                        GDestroyNotify free_data,
                                        gboolean is_required);

/* The settings have changed. */
void gmcpd_door_switch_renew (GmcpdDoorSwitch *self);

/* The present one, open or not. Borrowed. */
GmcpdDoor *gmcpd_door_switch_get_door (GmcpdDoorSwitch *self);

G_END_DECLS
