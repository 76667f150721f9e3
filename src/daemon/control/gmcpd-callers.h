/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcpd-sandbox.h"

G_BEGIN_DECLS

typedef struct
{
  GmcpdSandbox sandbox;
  char *application_id; /* nullable: the application's whose sandbox it is */
  char *program;        /* nullable: what the audit calls it */
  char *counted_as;     /* nullable: its application's ID, or else its process */
} GmcpdCaller;

void gmcpd_caller_unref (GmcpdCaller *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpdCaller, gmcpd_caller_unref)

/* Who calls on a bus: the bus is asked once for each of its connections. On a connection without a bus, callers
 * were let in when they connected. */

#define GMCPD_TYPE_CALLERS (gmcpd_callers_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdCallers, gmcpd_callers, GMCPD, CALLERS, GObject)

GmcpdCallers *gmcpd_callers_new (void);

/* Gives who it is; fails for callers of other users. */
void gmcpd_callers_identify_async (GmcpdCallers *self,
                                   GDBusMethodInvocation *invocation,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
GmcpdCaller *
gmcpd_callers_identify_finish (GmcpdCallers *self, GAsyncResult *result, GError **error);
/* The program of a caller that was identified, as “FILE (PID)”, or “ID (PID)” of an application in a sandbox; “? (PID)”
 * where that is not known, and NULL where not even the process is. */
char *gmcpd_callers_dup_program (GmcpdCallers *self, GDBusMethodInvocation *invocation);

G_END_DECLS
