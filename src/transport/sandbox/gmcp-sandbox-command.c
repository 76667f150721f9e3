/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-sandbox-command-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-fd-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-program-search-private.h"
#include "gmcp-sandbox-filter-private.h"
#include "gmcp-sandbox-paths-private.h"

/* Parts of /run without which programs do not find their names, or themselves. */
static const char *const kept_dirs[] = {
  "/run/systemd/resolve",
  "/run/NetworkManager",
  "/run/resolvconf",
  "/run/current-system",
};

/* Parts of /proc that concern the whole machine, and that root may write to without any capability. */
static const char *const machine_files[] = {
  "/proc/sys",  "/proc/sysrq-trigger", "/proc/irq", "/proc/bus",
  "/proc/acpi", "/proc/scsi",          "/proc/fs",
};

typedef struct
{
  const GmcpConfinement *confinement;
  const char *command; /* of the server, for messages */
  GPtrArray *words;
  GArray *fds;
  GPtrArray *hidden;
  const char *private_dir; /* nullable: hidden as well, wherever it is */
  gboolean hides_private;  /* by a folder in its place */
  char *cwd_shown;         /* bound although it lies in a hidden folder; NULL for none */
  gboolean binds_fds;
} Builder;

static void
add_words (GPtrArray *argv, const char *word, ...)
{
  va_list words;

  va_start (words, word);
  for (; word != NULL; word = va_arg (words, const char *))
    g_ptr_array_add (argv, g_strdup (word));
  va_end (words);
}

char *
gmcp_sandbox_command_find_bubblewrap (const char *command, const char *host_path, GError **error)
{
  char *bwrap = gmcp_program_search ("bwrap", host_path);

  if (bwrap == NULL)
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
      _ ("“%s” was not started: its sandbox takes bubblewrap, and “bwrap” was not found. Install "
         "the package “bubblewrap”\n\nDirectories searched (PATH): %s"),
      command, host_path != NULL ? host_path : "");
  return bwrap;
}

/* Distributions bring it to older versions too, so that the version's number does not tell. */
static gboolean
can_bind_fds (const char *bwrap)
{
  static const char option[] = "--bind-fd";
  g_autoptr (GMappedFile) file = g_mapped_file_new (bwrap, FALSE, NULL);

  return file != NULL
         && memmem (g_mapped_file_get_contents (file), g_mapped_file_get_length (file), option,
                    sizeof option)
              != NULL;
}

/* The word for a descriptor that goes with the command; takes it. */
static char *
pass_fd (Builder *self, int fd)
{
  g_array_append_val (self->fds, fd);
  return g_strdup_printf ("%u", GMCP_GUARD_FIRST_FD + self->fds->len - 1);
}

static void
hide_private (Builder *self)
{
  add_words (self->words, "--tmpfs", self->private_dir, NULL);
  self->hides_private = TRUE;
}

static void
add_own_dirs (Builder *self)
{
  GPtrArray *hidden = self->hidden;

  add_words (self->words, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", NULL);
  for (gsize i = 0; getuid () == 0 && i < G_N_ELEMENTS (machine_files); i++)
    add_words (self->words, "--ro-bind-try", machine_files[i], machine_files[i], NULL);
  for (guint i = 0; i < hidden->len; i++)
    {
      const char *dir = hidden->pdata[i];
      gboolean is_inner = FALSE;

      for (guint j = 0; j < hidden->len; j++)
        is_inner |= i != j && gmcp_sandbox_paths_is_below (dir, hidden->pdata[j]);
      if (is_inner)
        add_words (self->words, "--perms", "0700", "--dir", dir, NULL);
      else
        add_words (self->words, "--tmpfs", dir, NULL);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (kept_dirs); i++)
    add_words (self->words, "--ro-bind-try", kept_dirs[i], kept_dirs[i], NULL);
  if (self->private_dir != NULL
      && gmcp_sandbox_paths_find_hidden (hidden, self->private_dir) == NULL)
    hide_private (self);
}

/* The hidden folder that path is or lies below of; NULL where there is none. */
static const char *
find_hidden (Builder *self, const char *path)
{
  if (self->private_dir != NULL && gmcp_sandbox_paths_is_below (path, self->private_dir))
    return self->private_dir;
  return gmcp_sandbox_paths_find_hidden (self->hidden, path);
}

static gboolean
covers_private (Builder *self, const char *path)
{
  return self->private_dir != NULL && gmcp_sandbox_paths_is_below (self->private_dir, path);
}

static gboolean
set_cwd_error (Builder *self, const char *dir, const char *hidden, GError **error)
{
  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
    _ ("“%s” could not be started: it is to run in “%s”, which its sandbox does not show: the "
       "sandbox has a “%s” of its own, and of the real one it shows only folders that belong to "
       "you and hold nothing of the session’s. Set “cwd” to another folder"),
    self->command, dir, hidden);
  return FALSE;
}

static gboolean
set_path_error (Builder *self, const char *path, GError **error)
{
  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
    _ ("“%s” could not be started: “%s”, which its sandbox is to show, cannot be opened: %s"),
    self->command, path, g_strerror (errno));
  return FALSE;
}

/* What is at path now, and not what is there when bubblewrap comes to it, where it can be told so. */
static gboolean
bind_path (Builder *self, const char *path, gboolean is_writable, GError **error)
{
  g_autofree char *number = NULL;
  int fd = gmcp_sandbox_paths_open (path);

  if (fd < 0)
    return set_path_error (self, path, error);

  if (self->binds_fds)
    {
      number = pass_fd (self, fd);
      add_words (self->words, is_writable ? "--bind-fd" : "--ro-bind-fd", number, path, NULL);
    }
  else
    {
      gmcp_clear_fd (&fd);
      add_words (self->words, is_writable ? "--bind" : "--ro-bind", path, path, NULL);
    }
  if (covers_private (self, path))
    hide_private (self);
  return TRUE;
}

/* Where the way to it leads through a link that is not seen inside. */
static void
add_link (Builder *self, const char *path, const char *real)
{
  if (!g_str_equal (path, real) && find_hidden (self, path) != NULL
      && !gmcp_sandbox_paths_covers_hidden (self->hidden, path))
    add_words (self->words, "--symlink", real, path, NULL);
}

/* The folder that the program starts in. A hidden one is the sandbox's own, and empty. */
static gboolean
show_cwd (Builder *self, const char *dir, GError **error)
{
  const char *runtime_dir = g_getenv ("XDG_RUNTIME_DIR");
  const char *hidden;
  struct stat info;
  char *real = realpath (dir, NULL);
  gboolean is_shown = TRUE;

  if (real == NULL)
    return set_path_error (self, dir, error);

  hidden = find_hidden (self, real);
  if (hidden != NULL && !gmcp_sandbox_paths_covers_hidden (self->hidden, real))
    {
      char *real_runtime_dir = runtime_dir != NULL ? realpath (runtime_dir, NULL) : NULL;

      if (g_strcmp0 (hidden, real_runtime_dir) == 0 || stat (real, &info) != 0
          || info.st_uid != geteuid ())
        is_shown = set_cwd_error (self, real, hidden, error);
      else
        is_shown = bind_path (self, real, FALSE, error);
      free (real_runtime_dir);
      if (is_shown)
        self->cwd_shown = g_strdup (real);
    }

  if (is_shown)
    add_link (self, dir, real);
  free (real);
  return is_shown;
}

/* A program in a folder that is hidden is shown as a single file. */
static gboolean
show_program (Builder *self, const char *program, GError **error)
{
  char *real = realpath (program, NULL);
  gboolean is_shown = TRUE;

  if (real == NULL)
    return set_path_error (self, program, error);

  if (find_hidden (self, real) != NULL
      && (self->cwd_shown == NULL || !gmcp_sandbox_paths_is_below (real, self->cwd_shown)))
    is_shown = bind_path (self, real, FALSE, error);
  if (is_shown
      && (self->cwd_shown == NULL || !gmcp_sandbox_paths_is_below (program, self->cwd_shown)))
    add_link (self, program, real);
  free (real);
  return is_shown;
}

static gboolean
set_writable_error (Builder *self, const char *path, const char *target, GError **error)
{
  if (target != NULL)
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
      _ ("“%s” could not be started: “%s”, where it may write, leads elsewhere by a link: to "
         "“%s”. Write that into “writable-paths”, if it is what you mean"),
      self->command, path, target);
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
                 _ ("“%s” could not be started: “%s”, where it may write, cannot be opened: %s. "
                    "Make it, or take it out of “writable-paths”"),
                 self->command, path, g_strerror (errno));
  return FALSE;
}

static gboolean
add_writable_path (Builder *self, const char *path, gboolean is_around_private, GError **error)
{
  g_autofree char *target = NULL;
  g_autofree char *real = gmcp_sandbox_paths_resolve_writable (path, &target);

  if (real == NULL)
    return set_writable_error (self, path, target, error);
  if (covers_private (self, real) != is_around_private)
    return TRUE;

  if (gmcp_sandbox_paths_covers_hidden (self->hidden, real)
      || g_strcmp0 (real, self->private_dir) == 0)
    {
      g_set_error (
        error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
        _ ("“%s” could not be started: “%s”, where it may write, is or holds a folder that "
           "its sandbox hides, with the sockets of the session. Write folders below it into "
           "“writable-paths”"),
        self->command, path);
      return FALSE;
    }

  return bind_path (self, real, TRUE, error);
}

static gboolean
add_writable_paths (Builder *self, gboolean is_around_private, GError **error)
{
  char **paths = self->confinement->writable_paths;

  for (gsize i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      if (!add_writable_path (self, paths[i], is_around_private, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_filter (Builder *self, GError **error)
{
  g_autofree char *number = NULL;
  gboolean allows_unix_sockets = self->confinement->unix_sockets;
  int fd = gmcp_sandbox_filter_open (allows_unix_sockets);

  if (fd < 0 && errno == ENOSYS && allows_unix_sockets)
    return TRUE;
  if (fd < 0)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
                   _ ("“%s” was not started: its sandbox cannot keep it from the sockets of other "
                      "programs here: %s. Set “unix-sockets” to true, if it may use them"),
                   self->command, g_strerror (errno));
      return FALSE;
    }

  number = pass_fd (self, fd);
  add_words (self->words, "--seccomp", number, NULL);
  return TRUE;
}

static gboolean
is_private (Builder *self, const char *path)
{
  char *real = realpath (path, NULL);
  gboolean is_below = self->private_dir != NULL && real != NULL
                      && gmcp_sandbox_paths_is_below (real, self->private_dir);

  free (real);
  return is_below;
}

/* What the server starts with, of the private folder or outside of it. A writable folder that holds what lies outside comes
 * after it, and hides the private one, so that what lies in there comes after that. */
static gboolean
show_start (Builder *self,
            const char *program,
            const char *dir,
            gboolean of_private,
            GError **error)
{
  if (is_private (self, dir) == of_private && !show_cwd (self, dir, error))
    return FALSE;
  return is_private (self, program) != of_private || show_program (self, program, error);
}

static gboolean
add_all (Builder *self, const char *program, const char *dir, GError **error)
{
  /* No session of its own: a signal to the group reaches it. */
  add_words (self->words, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
             "--unshare-cgroup-try", NULL);
  if (self->confinement->no_network)
    add_words (self->words, "--unshare-net", NULL);
  /* Root would keep what it takes to make it all writable again. */
  if (getuid () == 0)
    add_words (self->words, "--cap-drop", "ALL", NULL);
  if (!add_filter (self, error))
    return FALSE;

  add_own_dirs (self);
  if (!show_start (self, program, dir, FALSE, error) || !add_writable_paths (self, TRUE, error)
      || !show_start (self, program, dir, TRUE, error) || !add_writable_paths (self, FALSE, error))
    return FALSE;

  /* Once what of it is to be seen has its place there. */
  if (self->hides_private)
    add_words (self->words, "--remount-ro", self->private_dir, NULL);
  add_words (self->words, "--chdir", dir, "--", program, NULL);
  return TRUE;
}

static void
clear_fd (gpointer fd)
{
  gmcp_clear_fd (fd);
}

GmcpSandboxCommand *
gmcp_sandbox_command_new (const GmcpConfinement *confinement,
                          const char *program,
                          const char *const *argv,
                          const char *cwd,
                          const char *host_path,
                          GError **error)
{
  g_autoptr (GmcpSandboxCommand) self = g_new0 (GmcpSandboxCommand, 1);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) hidden = gmcp_sandbox_paths_list_hidden ();
  g_autofree char *private_dir = gmcp_sandbox_paths_dup_private ();
  g_autofree char *bwrap = gmcp_sandbox_command_find_bubblewrap (argv[0], host_path, error);
  g_autofree char *here = g_get_current_dir ();
  g_autofree char *dir = g_canonicalize_filename (cwd != NULL ? cwd : here, here);
  Builder builder = { .confinement = confinement,
                      .command = argv[0],
                      .words = words,
                      .hidden = hidden,
                      .private_dir = private_dir };
  struct stat info;
  gboolean is_built;

  self->fds = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_clear_func (self->fds, clear_fd);
  if (bwrap == NULL)
    return NULL;

  self->is_unprivileged = stat (bwrap, &info) == 0 && (info.st_mode & (S_ISUID | S_ISGID)) == 0;
  builder.fds = self->fds;
  builder.binds_fds = can_bind_fds (bwrap);
  add_words (words, bwrap, NULL);
  is_built = add_all (&builder, program, dir, error);
  g_free (builder.cwd_shown);
  if (!is_built)
    return NULL;

  for (gsize i = 1; argv[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (argv[i]));
  g_ptr_array_add (words, NULL);
  self->argv = (GStrv) g_ptr_array_free (g_steal_pointer (&words), FALSE);
  return g_steal_pointer (&self);
}

void
gmcp_sandbox_command_free (GmcpSandboxCommand *self)
{
  g_strfreev (self->argv);
  g_array_unref (self->fds);
  g_free (self);
}
