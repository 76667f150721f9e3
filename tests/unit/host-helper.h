/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Stands in for Flatpak's session helper, on a bus of its own: it starts what it is told to, with the
 * descriptors it is given. */
typedef struct
{
  GTestDBus *bus;
  GDBusConnection *connection;
  GDBusNodeInfo *info;
  guint name;
  guint object;
  char **environment;     /* of what it starts; not owned */
  const char *refusal;    /* the error it answers with; NULL for none */
  gboolean mute;          /* does not answer */
  GPtrArray *invocations; /* those that were not answered */
  guint n_children;
  GHashTable *pids;    /* that it started and that run: pid → sender */
  GPtrArray *commands; /* of char *: the words of each after the script's */
  GArray *flags;       /* of guint32 */
  GArray *signals;     /* of guint32, that it was asked to send */
} HostHelper;

void host_helper_set_up (HostHelper *helper);
void host_helper_tear_down (HostHelper *helper);

void host_helper_appear (HostHelper *helper);
/* Lets go of its name, and knows nothing any more of what it started. */
void host_helper_vanish (HostHelper *helper);

gboolean host_helper_was_sent (HostHelper *helper, int signal_number);
/* Of those with this in their words. */
guint host_helper_count (HostHelper *helper, const char *part);

G_END_DECLS
