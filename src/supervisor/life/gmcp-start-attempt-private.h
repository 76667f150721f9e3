/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-instance-private.h"

G_BEGIN_DECLS

/* One start of a server: the client is opened; then its tools are listed, and it is checked at the same
 * time. All that within the start-up limit. */
typedef struct _GmcpStartAttempt GmcpStartAttempt;

/* What becomes of an attempt. The owner is kept meanwhile, and may give the attempt up. */
typedef struct
{
  /* The client is open. */
  void (*opened) (GObject *owner, GmcpClient *client);
  /* The tools are listed and the check has passed, or else the error says why not. */
  void (*ended) (GObject *owner, const GError *error);
} GmcpStartFuncs;

GmcpStartAttempt *gmcp_start_attempt_begin (GObject *owner,
                                            GMainContext *context,
                                            GmcpServerInstance *instance,
                                            GmcpServerConfig *config,
                                            const GmcpServerHost *host,
                                            const GmcpStartFuncs *funcs);
/* Drops an attempt that has ended. */
void gmcp_start_attempt_free (GmcpStartAttempt *self);
/* Drops an attempt that may be under way, of which nothing is told any more. */
void gmcp_start_attempt_give_up (GmcpStartAttempt *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpStartAttempt, gmcp_start_attempt_free)

/* The server of the attempt is configured in another way. */
void gmcp_start_attempt_set_config (GmcpStartAttempt *self, GmcpServerConfig *config);
/* The time up to now, as of an installation, is not the server's. */
void gmcp_start_attempt_begin_time (GmcpStartAttempt *self);
gboolean gmcp_start_attempt_has_timed_out (GmcpStartAttempt *self);

G_END_DECLS
