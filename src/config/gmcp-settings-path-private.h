/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/* Where GSettings have a manager, and its servers. */
#define GMCP_SETTINGS_PATH         "/org/gmcp/"
#define GMCP_SETTINGS_SERVERS_PATH GMCP_SETTINGS_PATH "servers/"
