/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-daemon.h"

G_BEGIN_DECLS

/* What systemd, or another program in its way, has opened for this one. */
typedef struct
{
  GPtrArray *sockets; /* of GSocket */
  char **names;
} GmcpdActivated;

void gmcpd_activated_clear (GmcpdActivated *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpdActivated, gmcpd_activated_clear)

/* Gives a daemon all doors that it has; some of them open when the settings say so. */
void
gmcpd_doors_add (GmcpdDaemon *daemon, const GmcpdOptions *options, const GmcpdActivated *activated);

G_END_DECLS
