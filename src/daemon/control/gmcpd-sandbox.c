/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gmcpd-sandbox.h"

/* What Flatpak puts into the root of each of its sandboxes, where nobody inside can take it away. */
#define FLATPAK_INFO ".flatpak-info"
/* It holds the environment, too. */
#define MAX_FLATPAK_INFO_BYTES (1024 * 1024)

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

static GKeyFile *
load_info (int root)
{
  g_autoptr (GKeyFile) info = g_key_file_new ();
  g_autofree char *text = g_malloc (MAX_FLATPAK_INFO_BYTES);
  int fd = openat (root, FLATPAK_INFO, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  gssize n_bytes = -1;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    n_bytes = read (fd, text, MAX_FLATPAK_INFO_BYTES);
  close (fd);
  return n_bytes >= 0 && n_bytes < MAX_FLATPAK_INFO_BYTES
             && g_key_file_load_from_data (info, text, (gsize) n_bytes, G_KEY_FILE_NONE, NULL)
           ? g_steal_pointer (&info)
           : NULL;
}

/* A runtime can be run without an application. Whose file cannot be read could be any application. */
static GmcpdSandbox
read_info (int root, char **application_id)
{
  g_autoptr (GKeyFile) info = load_info (root);
  g_autofree char *id = NULL;

  if (info == NULL)
    return GMCPD_SANDBOX_UNKNOWN;
  if (!g_key_file_has_group (info, "Application"))
    return g_key_file_has_group (info, "Runtime") ? GMCPD_SANDBOX_FLATPAK : GMCPD_SANDBOX_UNKNOWN;

  id = g_key_file_get_string (info, "Application", "name", NULL);
  if (id == NULL || !g_application_id_is_valid (id))
    return GMCPD_SANDBOX_UNKNOWN;
  if (application_id != NULL)
    *application_id = g_steal_pointer (&id);
  return GMCPD_SANDBOX_FLATPAK;
}

static GmcpdSandbox
look_at_root (int pid, char **application_id)
{
  char path[40];
  struct stat status;
  GmcpdSandbox sandbox;
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
  sandbox = is_there ? read_info (root, application_id) : GMCPD_SANDBOX_NONE;
  close (root);
  return sandbox;
}

GmcpdSandbox
gmcpd_sandbox_look_up (int pid, int pidfd, char **application_id)
{
  int own_fd = pidfd < 0 ? open_process (pid) : -1;
  int fd = pidfd >= 0 ? pidfd : own_fd;
  GmcpdSandbox sandbox;

  if (application_id != NULL)
    *application_id = NULL;
  /* A kernel before 5.3 has no such descriptors. */
  if (fd < 0 && errno != ENOSYS)
    return GMCPD_SANDBOX_UNKNOWN;

  sandbox = look_at_root (pid, application_id);
  /* Only while the process lives what was looked at was its own. */
  if (fd >= 0 && has_ended (fd))
    {
      sandbox = GMCPD_SANDBOX_UNKNOWN;
      if (application_id != NULL)
        g_clear_pointer (application_id, g_free);
    }
  if (own_fd >= 0)
    close (own_fd);
  return sandbox;
}
