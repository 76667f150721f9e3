/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-confinement-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-program-search-private.h"
#include "gmcp-systemd-scope-private.h"

/* Sockets of the session, its buses and of other programs are there. */
static const char *const hidden_dirs[] = { "/tmp", "/var/tmp", "/run" };

/* Parts of /run without which programs do not find their names, or themselves. */
static const char *const kept_dirs[] = {
  "/run/systemd/resolve",
  "/run/NetworkManager",
  "/run/resolvconf",
  "/run/current-system",
};

static const char *const outward_variables[]
  = { "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "TMPDIR" };

GmcpConfinement *
gmcp_confinement_copy (const GmcpConfinement *self)
{
  GmcpConfinement *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->writable_paths = g_strdupv (self->writable_paths);
  return copy;
}

void
gmcp_confinement_free (GmcpConfinement *self)
{
  g_free (self->name);
  g_strfreev (self->writable_paths);
  g_free (self);
}

gboolean
gmcp_confinement_needs_scope (const GmcpConfinement *self)
{
  return self->max_memory_mib > 0 || self->max_processes > 0;
}

gboolean
gmcp_confinement_needs_sandbox (const GmcpConfinement *self)
{
  return self->read_only_home;
}

gboolean
gmcp_confinement_get_limit (const GmcpConfinement *self, GmcpGuardLimit *limit)
{
  guint64 seconds = (self->max_cpu_ms + (guint64) 999) / 1000;

  if (seconds == 0)
    return FALSE;

  /* SIGXCPU at first, and SIGKILL for one that takes no notice of it. */
  *limit = (GmcpGuardLimit){ RLIMIT_CPU, seconds, seconds + 1 };
  return TRUE;
}

static void
add (GPtrArray *argv, const char *word, ...)
{
  va_list words;

  va_start (words, word);
  for (; word != NULL; word = va_arg (words, const char *))
    g_ptr_array_add (argv, g_strdup (word));
  va_end (words);
}

static gboolean
is_below (const char *path, const char *dir)
{
  gsize length = strlen (dir);

  return strncmp (path, dir, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static gboolean
is_hidden (const char *path)
{
  for (gsize i = 0; i < G_N_ELEMENTS (hidden_dirs); i++)
    {
      if (is_below (path, hidden_dirs[i]))
        return TRUE;
    }
  return FALSE;
}

static void
add_dirs (GPtrArray *argv)
{
  const char *runtime_dir = g_getenv ("XDG_RUNTIME_DIR");

  add (argv, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (hidden_dirs); i++)
    add (argv, "--tmpfs", hidden_dirs[i], NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (kept_dirs); i++)
    add (argv, "--ro-bind-try", kept_dirs[i], kept_dirs[i], NULL);

  if (runtime_dir == NULL || *runtime_dir != '/' || !g_file_test (runtime_dir, G_FILE_TEST_IS_DIR))
    return;
  if (is_below (runtime_dir, "/run"))
    add (argv, "--perms", "0700", "--dir", runtime_dir, NULL);
  else
    add (argv, "--tmpfs", runtime_dir, NULL);
}

static gboolean
add_writable (GPtrArray *argv, const GmcpConfinement *self, const char *command, GError **error)
{
  for (gsize i = 0; self->writable_paths != NULL && self->writable_paths[i] != NULL; i++)
    {
      const char *path = self->writable_paths[i];
      char *real = realpath (path, NULL);

      if (real == NULL)
        {
          g_set_error (
            error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
            _ ("“%s” could not be started: “%s”, where it may write, cannot be opened: %s. "
               "Make it, or take it out of “writable-paths”"),
            command, path, g_strerror (errno));
          return FALSE;
        }
      add (argv, "--bind", real, real, NULL);
      free (real);
    }
  return TRUE;
}

/* It lies where nothing of the host is seen. */
static void
show (GPtrArray *argv, const char *path)
{
  char *real = realpath (path, NULL);

  if (real != NULL && is_hidden (real))
    add (argv, "--ro-bind", real, real, NULL);
  if (real != NULL && is_hidden (path) && !g_str_equal (real, path))
    add (argv, "--ro-bind", real, path, NULL);
  free (real);
}

static char *
find_bubblewrap (const char *command, const char *host_path, GError **error)
{
  char *bwrap = gmcp_program_search ("bwrap", host_path);

  if (bwrap == NULL)
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
      _ ("“%s” was not started: its sandbox takes bubblewrap, and “bwrap” was not found. "
         "Directories searched (PATH): %s. Install the package “bubblewrap”"),
      command, host_path != NULL ? host_path : "");
  return bwrap;
}

gboolean
gmcp_confinement_check (const GmcpConfinement *self,
                        const char *command,
                        const char *host_path,
                        GError **error)
{
  g_autofree char *bwrap = NULL;

  if (gmcp_confinement_needs_sandbox (self))
    {
      bwrap = find_bubblewrap (command, host_path, error);
      if (bwrap == NULL)
        return FALSE;
    }
  return !gmcp_confinement_needs_scope (self) || gmcp_systemd_scope_check (self, error);
}

GStrv
gmcp_confinement_build_argv (const GmcpConfinement *self,
                             const char *program,
                             const char *const *argv,
                             const char *cwd,
                             const char *host_path,
                             GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *bwrap = find_bubblewrap (argv[0], host_path, error);
  g_autofree char *dir = cwd != NULL ? g_strdup (cwd) : g_get_current_dir ();

  if (bwrap == NULL)
    return NULL;

  /* No session of its own: a signal to the group reaches it. */
  add (words, bwrap, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
       "--unshare-cgroup-try", NULL);
  if (self->no_network)
    add (words, "--unshare-net", NULL);
  add_dirs (words);
  show (words, dir);
  show (words, program);
  if (!add_writable (words, self, argv[0], error))
    return NULL;

  add (words, "--chdir", dir, "--", program, NULL);
  for (gsize i = 1; argv[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (argv[i]));
  g_ptr_array_add (words, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

GStrv
gmcp_confinement_trim_environment (const GmcpConfinement *self,
                                   GStrv environment,
                                   const char *const *own)
{
  for (gsize i = 0; i < G_N_ELEMENTS (outward_variables); i++)
    {
      if (g_environ_getenv ((char **) own, outward_variables[i]) == NULL)
        environment = g_environ_unsetenv (environment, outward_variables[i]);
    }
  return environment;
}
