/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include "gmcp-guard-spawn-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-fd-private.h"
#include "gmcp-i18n-private.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

typedef enum
{
  END_STDIN,
  END_STDOUT,
  END_STDERR,
  END_CONTROL,
  END_START, /* of the guard only */
  N_ENDS,
} End;

typedef struct
{
  int ours[N_ENDS];
  int theirs[N_ENDS];
  GArray *given; /* of int: copies of those that the server is given */
  int lowest;    /* what is expected under fixed numbers must not have one of these itself */
} Ends;

static void
clear_fd (gpointer fd)
{
  gmcp_clear_fd (fd);
}

static void
init_ends (Ends *ends, const GmcpSpawnOptions *options)
{
  for (int i = 0; i < N_ENDS; i++)
    ends->ours[i] = ends->theirs[i] = -1;

  ends->given = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_clear_func (ends->given, clear_fd);
  ends->lowest = GMCP_GUARD_FIRST_FD + (int) options->n_fds;
}

static void
clear_ends (int *ends)
{
  for (int i = 0; i < N_ENDS; i++)
    gmcp_clear_fd (&ends[i]);
}

static gboolean
lift_fd (const Ends *ends, int *fd)
{
  int lifted;

  if (*fd >= ends->lowest)
    return TRUE;

  lifted = fcntl (*fd, F_DUPFD_CLOEXEC, ends->lowest);
  if (lifted < 0)
    return FALSE;

  close (*fd);
  *fd = lifted;
  return TRUE;
}

static gboolean
make_pipe (Ends *ends, End end)
{
  int fds[2];
  gboolean ours_writes = end == END_STDIN;

  if (pipe2 (fds, O_CLOEXEC) != 0)
    return FALSE;

  ends->ours[end] = fds[ours_writes ? 1 : 0];
  ends->theirs[end] = fds[ours_writes ? 0 : 1];
  /* The flag sits on this end only: the server's stays as programs expect it. */
  return lift_fd (ends, &ends->theirs[end]) && fcntl (ends->ours[end], F_SETFL, O_NONBLOCK) == 0;
}

static gboolean
make_control (Ends *ends)
{
  int fds[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
    return FALSE;

  ends->ours[END_CONTROL] = fds[0];
  ends->theirs[END_CONTROL] = fds[1];
  return lift_fd (ends, &ends->theirs[END_CONTROL]);
}

static gboolean
copy_given (Ends *ends, const GmcpSpawnOptions *options)
{
  for (gsize i = 0; i < options->n_fds; i++)
    {
      int fd = fcntl (options->fds[i], F_DUPFD_CLOEXEC, ends->lowest);

      if (fd < 0)
        return FALSE;
      g_array_append_val (ends->given, fd);
    }
  return TRUE;
}

static void
append_strings (GByteArray *bytes, const char *const *strings, guint32 *n)
{
  *n = 0;
  for (; strings != NULL && *strings != NULL; strings++, (*n)++)
    g_byte_array_append (bytes, (const guint8 *) *strings, strlen (*strings) + 1);
}

/* That of a host which is itself a server means its own run. */
static GStrv
mark_environment (const char *const *environment, const char *mark)
{
  g_autofree char *name = g_strndup (mark, strcspn (mark, "="));

  return g_environ_setenv (g_strdupv ((char **) environment), name, mark + strlen (name) + 1, TRUE);
}

static void
describe_namespaces (guint64 *namespaces)
{
  static const char *const names[] = GMCP_GUARD_NAMESPACES;

  for (guint i = 0; i < GMCP_GUARD_N_NAMESPACES; i++)
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/ns/%s", names[i]);
      struct stat info;

      namespaces[i] = stat (path, &info) == 0 ? info.st_ino : 0;
    }
}

static GByteArray *
describe_start (const GmcpSpawnOptions *options, const char *mark)
{
  g_auto (GStrv) environment = mark_environment (options->environment, mark);
  /* That of systemd would be another. */
  g_autofree char *here = options->cwd == NULL && options->by_systemd ? g_get_current_dir () : NULL;
  const char *cwd = options->cwd != NULL ? options->cwd : here;
  GByteArray *bytes = g_byte_array_new ();
  GmcpGuardStart head = {
    .magic = GMCP_GUARD_MAGIC,
    .n_limits = options->n_limits,
    .has_cwd = cwd != NULL,
    .flags = options->guard_flags,
    .n_fds = options->n_fds,
    .install_ms = options->install_ms,
  };
  guint32 n_install;

  if (options->by_systemd)
    describe_namespaces (head.namespaces);
  g_byte_array_append (bytes, (const guint8 *) &head, sizeof head);
  if (options->n_limits > 0)
    g_byte_array_append (bytes, (const guint8 *) options->limits,
                         options->n_limits * sizeof (GmcpGuardLimit));
  if (cwd != NULL)
    g_byte_array_append (bytes, (const guint8 *) cwd, strlen (cwd) + 1);
  if (options->install_ms > 0)
    append_strings (bytes, options->install, &n_install);
  append_strings (bytes, options->argv, &head.n_arguments);
  append_strings (bytes, (const char *const *) environment, &head.n_environment);
  memcpy (bytes->data, &head, sizeof head);
  return bytes;
}

/* A file in memory takes any length at once, where a pipe would have to be waited for. */
static gboolean
make_start (Ends *ends, const GmcpSpawnOptions *options, const char *mark)
{
  g_autoptr (GByteArray) bytes = describe_start (options, mark);
  gsize written = 0;
  int fd = memfd_create ("gmcp-start", MFD_CLOEXEC | MFD_NOEXEC_SEAL);

  if (fd < 0 && errno == EINVAL)
    fd = memfd_create ("gmcp-start", MFD_CLOEXEC);
  if (fd < 0)
    return FALSE;

  ends->theirs[END_START] = fd;
  while (written < bytes->len)
    {
      gssize n = write (fd, bytes->data + written, bytes->len - written);

      if (n < 0 && errno != EINTR)
        return FALSE;
      written += MAX (n, 0);
    }

  return lift_fd (ends, &ends->theirs[END_START]);
}

static gboolean
make_ends (Ends *ends, const GmcpSpawnOptions *options, const char *mark)
{
  return make_pipe (ends, END_STDIN) && make_pipe (ends, END_STDOUT) && make_pipe (ends, END_STDERR)
         && make_control (ends) && make_start (ends, options, mark) && copy_given (ends, options);
}

char *
gmcp_guard_find (void)
{
  /* Not where the environment is less trusted than the program. */
  const char *dir = secure_getenv ("GMCP_LIBEXEC_DIR");

  return g_build_filename (dir != NULL && *dir != '\0' ? dir : GMCP_LIBEXECDIR, "gmcp-guard", NULL);
}

/* Without a copy of the host's page tables, so the host's size does not matter. */
static int
spawn_guard (const char *guard, const Ends *ends, pid_t *pid)
{
  static const int numbers[N_ENDS]
    = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, GMCP_GUARD_CONTROL_FD, GMCP_GUARD_START_FD };
  char *arguments[] = { (char *) "gmcp-guard", NULL };
  char *environment[] = { NULL };
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all;
  int result;

  posix_spawn_file_actions_init (&actions);
  for (int i = 0; i < N_ENDS; i++)
    posix_spawn_file_actions_adddup2 (&actions, ends->theirs[i], numbers[i]);
  for (guint i = 0; i < ends->given->len; i++)
    posix_spawn_file_actions_adddup2 (&actions, g_array_index (ends->given, int, i),
                                      GMCP_GUARD_FIRST_FD + (int) i);

  /* No signal of the host's terminal ever reaches the guard. */
  sigfillset (&all);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &all);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);

  result = posix_spawn (pid, guard, &actions, &attributes, arguments, environment);

  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return result;
}

/* To a guard that is not there yet: it takes its descriptors from the socket that it is started with. */
static int
send_ends (const Ends *ends)
{
  static const End order[] = { END_STDIN, END_STDOUT, END_STDERR, END_START };
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *ancillary = NULL;
  char byte = 0;
  struct iovec text = { &byte, 1 };
  struct msghdr message = { .msg_iov = &text, .msg_iovlen = 1 };
  struct cmsghdr *head;
  gsize size;

  for (gsize i = 0; i < G_N_ELEMENTS (order); i++)
    g_array_append_val (fds, ends->theirs[order[i]]);
  g_array_append_vals (fds, ends->given->data, ends->given->len);

  size = fds->len * sizeof (int);
  ancillary = g_malloc0 (CMSG_SPACE (size));
  message.msg_control = ancillary;
  message.msg_controllen = CMSG_SPACE (size);
  head = CMSG_FIRSTHDR (&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN (size);
  memcpy (CMSG_DATA (head), fds->data, size);
  return sendmsg (ends->ours[END_CONTROL], &message, MSG_NOSIGNAL) == 1 ? 0 : errno;
}

gboolean
gmcp_guard_spawn (const GmcpSpawnOptions *options, GmcpGuardSpawn *spawn, GError **error)
{
  g_autofree char *guard = gmcp_guard_find ();
  g_autofree char *run = g_uuid_string_random ();
  g_autofree char *mark = g_strconcat (GMCP_GUARD_RUN_VARIABLE "=", run, NULL);
  Ends ends;
  int result;

  init_ends (&ends, options);
  if (!make_ends (&ends, options, mark))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
                   _ ("“%s” could not be started: there are no pipes for it: %s"), options->argv[0],
                   g_strerror (errno));
      clear_ends (ends.ours);
      clear_ends (ends.theirs);
      g_array_unref (ends.given);
      return FALSE;
    }

  spawn->pid = 0;
  spawn->service_fd = -1;
  if (options->by_systemd)
    {
      result = send_ends (&ends);
      if (result == 0)
        spawn->service_fd = g_steal_fd (&ends.theirs[END_CONTROL]);
    }
  else
    {
      result = spawn_guard (guard, &ends, &spawn->pid);
    }
  clear_ends (ends.theirs);
  g_array_unref (ends.given);

  if (result != 0)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
                   _ ("“%s” could not be started: the program “%s”, which watches over servers, "
                      "could not be run: %s"),
                   options->argv[0], guard, g_strerror (result));
      clear_ends (ends.ours);
      return FALSE;
    }

  spawn->mark = g_steal_pointer (&mark);
  spawn->control_fd = ends.ours[END_CONTROL];
  spawn->stdin_fd = ends.ours[END_STDIN];
  spawn->stdout_fd = ends.ours[END_STDOUT];
  spawn->stderr_fd = ends.ours[END_STDERR];
  return TRUE;
}
