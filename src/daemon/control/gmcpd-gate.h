/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcpd-callers.h"

G_BEGIN_DECLS

/* What stands between the bus and an object that not everybody may use: methods and properties alike. */

/* The vtable of a skeleton whose class lets it be that of all its objects: calls go through the gate, and those that
 * are let in to the vtable of the parent class. */
GDBusInterfaceVTable *gmcpd_gate_get_vtable (GDBusInterfaceSkeleton *skeleton);

/* Whom the gate asks. Before the skeleton is exported. */
void gmcpd_gate_set_callers (GDBusInterfaceSkeleton *skeleton, GmcpdCallers *callers);

/* The program of a caller that was let in; NULL where it is not known. */
char *gmcpd_gate_dup_program (GDBusInterfaceSkeleton *skeleton, GDBusMethodInvocation *invocation);

/* From all connections, be there none. */
void gmcpd_gate_unexport (GDBusInterfaceSkeleton *skeleton);

/* The error for a caller in a sandbox; NULL for one that is in none. */
GError *gmcpd_gate_refuse (GmcpdSandbox sandbox);
/* The error for a caller of whom that is not known; NULL for any other. */
GError *gmcpd_gate_refuse_unknown (GmcpdSandbox sandbox);

G_END_DECLS
