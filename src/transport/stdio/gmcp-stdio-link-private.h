/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-stdio-opening-private.h"
#include "gmcp-stdout-text-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* Told how a command that fetches its program gets on with that. */
typedef void (*GmcpInstallFunc) (GmcpGuardInstallPhase phase,
                                 const GmcpInstaller *installer,
                                 gpointer data);

typedef struct
{
  GmcpInstallFunc func; /* NULL where nobody wants to know */
  gpointer data;
  gboolean is_on;
  gboolean is_late; /* it had no more time */
  GSource *hold;    /* while the program is waited for before anything is said */
} GmcpStdioInstall;

/* What connects a transport with a program: it is opened and closed again, and what comes of its runs
 * in between is told to the transport. Part of its transport, which it holds no reference on. */
typedef struct
{
  GmcpTransport *transport;
  GmcpStdioOrder order;
  GmcpStdioStopTimes stop_times;
  GmcpStderrTail tail;

  GmcpStdioOpening *opening; /* until its run is stopped, or the next opening */
  GmcpStdioRun *run;
  GmcpStdioInstall install;
  GmcpStdoutText text;    /* of its standard output */
  gboolean heard;         /* it has sent something that looks like a message */
  gboolean lacks_command; /* the last opening failed since there is no such program */
  gboolean was_killed;    /* the last server ended by a signal that comes from elsewhere */

  GTask *open_task;
  GSource *open_cancelled;
  GTask *close_task;
} GmcpStdioLink;

void gmcp_stdio_link_init (GmcpStdioLink *self, GmcpTransport *transport);
/* What still runs is ended in the background. */
void gmcp_stdio_link_clear (GmcpStdioLink *self);

/* The task's source is the transport; it returns TRUE once the server has been started. */
void gmcp_stdio_link_open (GmcpStdioLink *self, GTask *task);
/* From now on messages come in. */
void gmcp_stdio_link_read (GmcpStdioLink *self);
/* The task returns TRUE once nothing is left of the server. */
void gmcp_stdio_link_close (GmcpStdioLink *self, GTask *task);

/* The first lines that the server printed to standard output, where no message has come from it; else
 * NULL. */
char *gmcp_stdio_link_dup_text (GmcpStdioLink *self);

/* The new times also hold for a stop that is under way. */
void gmcp_stdio_link_update_stop_times (GmcpStdioLink *self);

G_END_DECLS
