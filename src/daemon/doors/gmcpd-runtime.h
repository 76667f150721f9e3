/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The folder $XDG_RUNTIME_DIR/gmcp, in which the sockets of the session's daemon are, and its lock: one daemon
 * at a time has the folder. */
typedef struct _GmcpdRuntime GmcpdRuntime;

/* Makes the folder where it is not there, and waits for a daemon that ends. Fails with G_IO_ERROR_EXISTS where another one
 * has it. */
GmcpdRuntime *gmcpd_runtime_new (GError **error);
/* From now on the next one waits. */
void gmcpd_runtime_set_ending (GmcpdRuntime *self);

/* The path of a file in it. */
char *gmcpd_runtime_dup_path (GmcpdRuntime *self, const char *name);

void gmcpd_runtime_free (GmcpdRuntime *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpdRuntime, gmcpd_runtime_free)

G_END_DECLS
