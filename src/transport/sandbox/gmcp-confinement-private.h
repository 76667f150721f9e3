/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-guard-protocol.h"

G_BEGIN_DECLS

/* What a program may not do, or how much of something it may have; 0 is no limit. */
typedef struct
{
  char *name; /* of the server, in the name of its service */
  gboolean read_only_home;
  GStrv writable_paths; /* where it may write all the same; full paths */
  gboolean no_network;
  gboolean unix_sockets; /* whether it may use any */
  guint max_cpu_ms;
  guint max_memory_mib;
  guint max_processes;
} GmcpConfinement;

GmcpConfinement *gmcp_confinement_copy (const GmcpConfinement *self);
void gmcp_confinement_free (GmcpConfinement *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfinement, gmcp_confinement_free)

/* Whether a service of systemd's is needed, or bubblewrap. */
gboolean gmcp_confinement_needs_service (const GmcpConfinement *self);
gboolean gmcp_confinement_needs_sandbox (const GmcpConfinement *self);

/* FALSE where there is none. */
gboolean gmcp_confinement_get_limit (const GmcpConfinement *self, GmcpGuardLimit *limit);

/* Whether what the confinement needs is there, as far as can be told without waiting. Fails as the
 * start would, with GMCP_ERROR_REQUIREMENT_MISSING. */
gboolean gmcp_confinement_check (const GmcpConfinement *self,
                                 const char *command,
                                 const char *host_path,
                                 GError **error);

/* What leads out of the sandbox is not passed on, unless it is in own. Takes environment. */
GStrv gmcp_confinement_trim_environment (const GmcpConfinement *self,
                                         GStrv environment,
                                         const char *const *own);

G_END_DECLS
