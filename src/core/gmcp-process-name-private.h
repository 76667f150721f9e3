/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A process as the audit names it: “FILE (PID)”, the file as the system has it, or “? (PID)” where the system does not
 * say. Programs have a copy of this, since it knows nothing but processes. */
char *gmcp_process_dup_name (int pid);

/* The same, and for a “gmcp”, which passes on what another program says, that program: “FILE (PID), started by FILE (PID)”. */
char *gmcp_process_dup_name_of_peer (int pid);

G_END_DECLS
