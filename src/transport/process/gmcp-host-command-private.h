/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-child-private.h"

G_BEGIN_DECLS

/* org.freedesktop.Flatpak.Development, as Flatpak's session helper has it, and the shell that is run
 * through it: it becomes the server, and leaves another beside it, which is told to end what is left. */

#define GMCP_HOST_BUS_NAME "org.freedesktop.Flatpak"

/* What the shell says: one byte each. Others than this one are failures. */
#define GMCP_HOST_WORD_READY 'r'

/* What the shell is told. */
#define GMCP_HOST_SAY_TERMINATE "T\n" /* SIGTERM to the group */
#define GMCP_HOST_SAY_ENDED     "E\n" /* the server has ended: end the rest, with a little time */
#define GMCP_HOST_SAY_KILL      "K\n"

typedef struct
{
  char word;
  GmcpGuardStep step;
  int error_number;
} GmcpHostFailure;

/* NULL for a word that nobody says. */
const GmcpHostFailure *gmcp_host_command_find_failure (char word);

/* The call's parameters; the descriptors are those of gmcp-host-pipes-private.h, in that order. */
GVariant *gmcp_host_command_describe (const GmcpSpawnOptions *options);

void gmcp_host_command_call_async (GDBusConnection *connection,
                                   GVariant *command,
                                   GUnixFDList *fds,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
void gmcp_host_command_signal_async (GDBusConnection *connection,
                                     guint32 pid,
                                     int signal_number,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
guint gmcp_host_command_subscribe (GDBusConnection *connection,
                                   GDBusSignalCallback callback,
                                   gpointer user_data,
                                   GDestroyNotify destroy);

/* The error of a call, without what only D-Bus needs. */
GError *gmcp_host_command_explain (const GError *error);
/* Whether the error lasts: commands on the host are not allowed, and will not be later. */
gboolean gmcp_host_command_is_denied (const GError *error);

G_END_DECLS
