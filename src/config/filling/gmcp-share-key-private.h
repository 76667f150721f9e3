/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-expand-private.h"

G_BEGIN_DECLS

/* To be counted up with each change in how a server is started or served: programs that differ in it have other keys. */
#define GMCP_SHARE_SCHEME "gmcp-share-1"

/* What tells a process of a server from one that would be started in another way: 32 hexadecimal digits over
 * command, arguments, environment, folder, sandbox and limits as they are once variables are filled in. Programs
 * with the same key may share the process.
 *
 * own_folder is where the program runs unless something else is said; is_offered is for whoever offers the process,
 * which is above others as a gateway. NULL for a process that no other program
 * would have: one that needs what somebody is asked for, or gets this program's whole environment; and for a
 * server that is no process. No secret is looked up: they count by their names. */
char *gmcp_share_key_make (GmcpServerConfig *config,
                           const GmcpConfigExpandContext *context,
                           const char *own_folder,
                           gboolean is_offered);

G_END_DECLS
