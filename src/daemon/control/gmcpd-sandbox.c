/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gmcpd-sandbox.h"

/* What Flatpak puts into the root of each of its sandboxes, where nobody inside can take it away. */
#define FLATPAK_INFO ".flatpak-info"

static int
open_process (int pid)
{
#ifdef SYS_pidfd_open
  return (int) syscall (SYS_pidfd_open, pid, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

static gboolean
has_ended (int pidfd)
{
  struct pollfd ended = { .fd = pidfd, .events = POLLIN };

  return poll (&ended, 1, 0) != 0;
}

static GmcpdSandbox
look_at_root (int pid)
{
  char path[40];
  struct stat status;
  int root;
  gboolean is_there;

  g_snprintf (path, sizeof path, "/proc/%d/root", pid);
  root = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0)
    return GMCPD_SANDBOX_UNKNOWN;

  errno = 0;
  is_there = fstatat (root, FLATPAK_INFO, &status, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) == 0;
  if (!is_there && errno != ENOENT)
    {
      close (root);
      return GMCPD_SANDBOX_UNKNOWN;
    }
  close (root);
  return is_there ? GMCPD_SANDBOX_FLATPAK : GMCPD_SANDBOX_NONE;
}

GmcpdSandbox
gmcpd_sandbox_look_up (int pid, int pidfd)
{
  int own_fd = pidfd < 0 ? open_process (pid) : -1;
  int fd = pidfd >= 0 ? pidfd : own_fd;
  GmcpdSandbox sandbox;

  /* A kernel before 5.3 has no such descriptors. */
  if (fd < 0 && errno != ENOSYS)
    return GMCPD_SANDBOX_UNKNOWN;

  sandbox = look_at_root (pid);
  /* Only while the process lives what was looked at was its own. */
  if (fd >= 0 && has_ended (fd))
    sandbox = GMCPD_SANDBOX_UNKNOWN;
  if (own_fd >= 0)
    close (own_fd);
  return sandbox;
}
