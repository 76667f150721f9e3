/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-guard-protocol.h"
#include "gmcp-stderr-tail-private.h"

G_BEGIN_DECLS

/* A server's process with the guard that is its parent. */

typedef struct _GmcpGuardedChild GmcpGuardedChild;

typedef struct
{
  const char *const *argv;
  const char *const *environment;
  const char *cwd; /* nullable */
  const GmcpGuardLimit *limits;
  gsize n_limits;
  guint guard_flags; /* GMCP_GUARD_FLAG_… */
} GmcpSpawnOptions;

/* What became of it, told in the context. Exactly one of started and failed; after started, exited;
 * in the end gone. */
typedef struct
{
  void (*started) (gpointer owner, int pid);
  /* error_number is 0 where the guard ended and said nothing. */
  void (*failed) (gpointer owner, GmcpGuardStep step, int error_number);
  /* All of standard error has been read. The status is as waitpid() gives it; -1 where the guard
   * was lost and it is not known. */
  void (*exited) (gpointer owner, int wait_status);
  /* Nothing is left of it, the guard included. */
  void (*gone) (gpointer owner);
} GmcpGuardedChildFuncs;

/* tail and owner must live until gmcp_guarded_child_release(). The descriptors are non-blocking and
 * the caller's to close. */
GmcpGuardedChild *gmcp_guarded_child_spawn (const GmcpSpawnOptions *options,
                                            const GmcpGuardedChildFuncs *funcs,
                                            gpointer owner,
                                            GmcpStderrTail *tail,
                                            GMainContext *context,
                                            int *stdin_fd,
                                            int *stdout_fd,
                                            GError **error);

/* It has sent one: so long as it does, less has to be asked whether it is there. */
void gmcp_guarded_child_note_message (GmcpGuardedChild *self);

/* The guard's own process, and what it waits for where GMCP_GUARD_FLAG_WAIT is set. */
int gmcp_guarded_child_get_guard_pid (GmcpGuardedChild *self);
void gmcp_guarded_child_start (GmcpGuardedChild *self);

/* SIGTERM to the server's group; SIGKILL to all; and where the guard itself does not answer. */
void gmcp_guarded_child_terminate (GmcpGuardedChild *self);
void gmcp_guarded_child_kill (GmcpGuardedChild *self);
void gmcp_guarded_child_kill_guard (GmcpGuardedChild *self);

/* Tells no more. What still runs is ended by the guard, which is reaped in the background. */
void gmcp_guarded_child_release (GmcpGuardedChild *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpGuardedChild, gmcp_guarded_child_release)

G_END_DECLS
