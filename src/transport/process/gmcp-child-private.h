/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-guard-protocol.h"
#include "gmcp-stderr-tail-private.h"

G_BEGIN_DECLS

/* A server's process and what watches over it. There is one kind for each way to start one. */

typedef struct _GmcpChild GmcpChild;

typedef struct
{
  const char *const *argv;
  const char *const *environment;
  const char *cwd; /* nullable */
  const GmcpGuardLimit *limits;
  gsize n_limits;
  const int *fds; /* what it is given from GMCP_GUARD_FIRST_FD on; the caller's */
  gsize n_fds;
  guint guard_flags; /* GMCP_GUARD_FLAG_… */
  /* Where the command fetches the program first: how long it may take for that (0 for one that does not),
   * and GMCP_GUARD_N_INSTALL strings. Not on the host. */
  guint install_ms;
  const char *const *install;
  gboolean
    by_systemd; /* it starts the guard, once it has been asked to with the descriptor for that */
  /* Out of the sandbox that this program is in; then guard_flags count for nothing, and with
   * keep_environment it gets that of a program there, and environment on top. */
  gboolean on_host;
  gboolean keep_environment;
} GmcpSpawnOptions;

typedef struct
{
  GmcpGuardStep step;
  int error_number;     /* 0 where it is not known */
  const GError *reason; /* what was said by the one that was asked to start it; nullable */
} GmcpChildFailure;

/* What became of the child, told in the context. Exactly one of started and failed; after started,
 * exited; in the end gone. */
typedef struct
{
  void (*started) (gpointer owner, int pid);
  void (*failed) (gpointer owner, const GmcpChildFailure *failure);
  /* All of standard error has been read. The status is as waitpid() gives it; -1 where what watches
   * over it was lost and it is not known. */
  void (*exited) (gpointer owner, int wait_status);
  /* A phase of fetching the program. */
  void (*install) (gpointer owner, GmcpGuardInstallPhase phase);
  /* Nothing is left of it, nor of what watches over it. */
  void (*gone) (gpointer owner);
} GmcpChildFuncs;

typedef struct
{
  void (*note_message) (GmcpChild *self); /* nullable, as the next four */
  int (*get_guard_pid) (GmcpChild *self);
  int (*take_service_fd) (GmcpChild *self);
  void (*start) (GmcpChild *self);
  void (*tell_installed) (GmcpChild *self);
  void (*terminate) (GmcpChild *self);
  void (*kill) (GmcpChild *self);
  void (*kill_guard) (GmcpChild *self);
  void (*release) (GmcpChild *self);
} GmcpChildKind;

struct _GmcpChild
{
  const GmcpChildKind *kind;
};

/* tail and owner must live until gmcp_child_release(). The descriptors are non-blocking and the
 * caller's to close. */
GmcpChild *gmcp_child_spawn (const GmcpSpawnOptions *options,
                             const GmcpChildFuncs *funcs,
                             gpointer owner,
                             GmcpStderrTail *tail,
                             GMainContext *context,
                             int *stdin_fd,
                             int *stdout_fd,
                             GError **error);

/* A message has come: while messages come, the process need not be checked. */
void gmcp_child_note_message (GmcpChild *self);

/* The process that watches over it; 0 while there is none. */
int gmcp_child_get_guard_pid (GmcpChild *self);
/* What systemd is to be given where by_systemd is set; -1 where it is not. The caller's to close, after systemd
 * has answered. */
int gmcp_child_take_service_fd (GmcpChild *self);
/* What the guard waits for where GMCP_GUARD_FLAG_WAIT is set. */
void gmcp_child_start (GmcpChild *self);

/* The program that was fetched has said something. Until the installation is over, releasing it lets what
 * fetches go on. */
void gmcp_child_tell_installed (GmcpChild *self);

/* SIGTERM to the server's group; SIGKILL to all; and where what watches over it does not answer. */
void gmcp_child_terminate (GmcpChild *self);
void gmcp_child_kill (GmcpChild *self);
void gmcp_child_kill_guard (GmcpChild *self);

/* Tells no more. What still runs is ended in the background. */
void gmcp_child_release (GmcpChild *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpChild, gmcp_child_release)

G_END_DECLS
