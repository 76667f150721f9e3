/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stdio-opening-private.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-fd-private.h"
#include "gmcp-flatpak-host-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-login-path-private.h"
#include "gmcp-npm-folder-private.h"
#include "gmcp-program-search-private.h"
#include "gmcp-sandbox-command-private.h"
#include "gmcp-stdio-environment-private.h"
#include "gmcp-stdio-error-private.h"
#include "gmcp-systemd-service-private.h"

struct _GmcpStdioOpening
{
  GObject *owner; /* not owned; NULL once freed, while an answer is on its way */
  const GmcpStdioOpeningFuncs *funcs;
  GMainContext *context;
  const GmcpStdioOrder *order; /* the owner's, like the tail and the run */
  GmcpStderrTail *tail;
  GmcpStdioRun *run;

  GStrv environment;           /* of the run */
  GmcpSandboxCommand *command; /* what is run in place of argv; NULL for argv itself */
  GmcpGuardLimit limit;        /* what it takes of those, where it takes one */
  int service_fd;           /* what systemd is given of the run, until it has answered; else -1 */
  GCancellable *service;    /* while the run waits for systemd */
  GStrv host_environment;   /* where it is to run on the host, out of Flatpak's sandbox */
  gboolean kept_inside;     /* since that was not to be had */
  GmcpInstaller *installer; /* what the command is where it fetches its program */
  GStrv install;            /* what the guard is told of that */
  gboolean marks_install;   /* and whether it has to write down that the program is there */
  gboolean lacks_command;
};

static void
opening_clear (gpointer data)
{
  GmcpStdioOpening *self = data;

  gmcp_clear_fd (&self->service_fd);
  g_strfreev (self->environment);
  g_clear_pointer (&self->command, gmcp_sandbox_command_free);
  g_strfreev (self->host_environment);
  g_strfreev (self->install);
  g_clear_pointer (&self->installer, gmcp_installer_free);
  g_main_context_unref (self->context);
}

static void
opening_unref (GmcpStdioOpening *self)
{
  g_rc_box_release_full (self, opening_clear);
}

static GmcpSpawnOptions
get_spawn_options (GmcpStdioOpening *self)
{
  const GmcpStdioOrder *order = self->order;
  GmcpSpawnOptions options = {
    .argv = (const char *const *) (self->command != NULL ? self->command->argv : order->argv),
    .environment = (const char *const *) self->environment,
    .cwd = order->cwd,
    .on_host = self->host_environment != NULL,
    .keep_environment = order->inherit_environment,
  };

  if (self->install != NULL)
    {
      options.install_ms = order->install_timeout_ms;
      options.install = (const char *const *) self->install;
      options.guard_flags |= !self->installer->is_seen ? GMCP_GUARD_FLAG_INSTALL_UNSEEN : 0;
      options.guard_flags |= self->marks_install ? GMCP_GUARD_FLAG_INSTALL_MARK : 0;
      if (self->installer->is_direct && self->command == NULL)
        options.guard_flags |= GMCP_GUARD_FLAG_INSTALL_DIRECT;
    }
  if (order->confinement == NULL)
    return options;

  options.limits = &self->limit;
  options.n_limits = gmcp_confinement_get_limit (order->confinement, &self->limit) ? 1 : 0;
  if (self->command != NULL)
    {
      options.fds = (const int *) (gpointer) self->command->fds->data;
      options.n_fds = self->command->fds->len;
      options.guard_flags |= GMCP_GUARD_FLAG_SPARE_LEADER;
      if (self->command->is_unprivileged)
        options.guard_flags |= GMCP_GUARD_FLAG_SCOPED;
    }
  options.by_systemd = gmcp_confinement_needs_service (order->confinement);
  if (options.by_systemd)
    options.guard_flags |= GMCP_GUARD_FLAG_WAIT;
  return options;
}

static void
on_service_started (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpStdioOpening *self = data;
  GError *error = NULL;
  gboolean started = gmcp_systemd_service_start_finish (result, &error);

  /* Not before: its end would be seen as that of the guard. */
  gmcp_clear_fd (&self->service_fd);

  /* The run that it was for has been dropped. */
  if (self->owner == NULL)
    {
      g_clear_error (&error);
      opening_unref (self);
      return;
    }

  g_clear_object (&self->service);
  if (started)
    gmcp_stdio_run_start (self->run);
  else
    self->funcs->failed (self->owner, error);
  opening_unref (self);
}

static void
begin_service (GmcpStdioOpening *self)
{
  self->service = g_cancellable_new ();
  self->service_fd = gmcp_stdio_run_take_service_fd (self->run);
  gmcp_systemd_service_start_async (self->order->confinement, self->service_fd, self->context,
                                    self->service, on_service_started, g_rc_box_acquire (self));
}

static gboolean
enter_sandbox (GmcpStdioOpening *self, const char *host_path, GError **error)
{
  const GmcpStdioOrder *order = self->order;
  const char *const *argv = (const char *const *) order->argv;
  g_autofree char *file = strchr (argv[0], '/') != NULL
                            ? g_canonicalize_filename (argv[0], order->cwd)
                            : g_strdup (argv[0]);
  g_autofree char *program
    = gmcp_program_search (file, g_environ_getenv (self->environment, "PATH"));

  /* Bubblewrap would say so in its own words. */
  if (program == NULL)
    {
      const GmcpChildFailure failure = { GMCP_GUARD_STEP_EXEC, ENOENT, NULL };

      g_propagate_error (error, gmcp_stdio_opening_describe_failure (self, &failure));
      return FALSE;
    }

  self->command
    = gmcp_sandbox_command_new (order->confinement, program, argv, order->cwd, host_path, error);
  self->environment = gmcp_confinement_trim_environment (order->confinement, self->environment,
                                                         (const char *const *) order->environment);
  return self->command != NULL;
}

/* On the host nothing has all of the environment by our hand, and only a shell's own names get there. */
static gboolean
build_host_environment (GmcpStdioOpening *self, GError **error)
{
  const GmcpStdioOrder *order = self->order;
  const char *path[] = { NULL, NULL };
  g_autofree char *path_variable = NULL;

  if (order->inherit_environment)
    {
      path_variable
        = g_strconcat ("PATH=", g_environ_getenv (self->host_environment, "PATH"), NULL);
      path[0] = path_variable;
    }

  if (!gmcp_stdio_environment_check_for_host ((const char *const *) order->environment, error))
    return FALSE;

  self->environment = gmcp_stdio_environment_build (
    order->inherit_environment ? path : (const char *const *) self->host_environment,
    (const char *const *) order->environment, FALSE, error);
  return self->environment != NULL;
}

/* On the host no guard of ours looks after it. */
static void
describe_install (GmcpStdioOpening *self)
{
  const char *const *argv = (const char *const *) self->order->argv;
  g_autofree char *lock = NULL;
  g_autofree char *present = NULL;
  const char *strings[GMCP_GUARD_N_INSTALL + 1] = { NULL };

  if (self->installer == NULL)
    return;

  lock = gmcp_installer_dup_lock_path (self->installer);
  present = gmcp_installer_dup_present_path (
    self->installer, argv, (const char *const *) self->environment, &self->marks_install);
  strings[GMCP_GUARD_INSTALL_NAMES] = self->installer->names;
  strings[GMCP_GUARD_INSTALL_LOCK] = lock != NULL ? lock : "";
  strings[GMCP_GUARD_INSTALL_PRESENT] = present != NULL ? present : "";
  self->install = g_strdupv ((char **) strings);
}

static gboolean
make_run (GmcpStdioOpening *self, GError **error)
{
  GmcpSpawnOptions options = get_spawn_options (self);

  self->run = gmcp_stdio_run_new (self->owner, self->funcs->run, self->context, &options,
                                  self->tail, error);
  if (self->run == NULL)
    return FALSE;

  self->funcs->made (self->owner, self->run);
  if (options.by_systemd)
    begin_service (self);
  return TRUE;
}

static gboolean
spawn_on_host (GmcpStdioOpening *self, GError **error)
{
  const GmcpConfinement *confinement = self->order->confinement;

  /* Sandbox and service would have to be set up on the host before the server starts. */
  if (confinement != NULL
      && (gmcp_confinement_needs_sandbox (confinement)
          || gmcp_confinement_needs_service (confinement)))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
                   _ ("“%s” was not started: it would run on the host, out of Flatpak’s sandbox, "
                      "where “%s” cannot be had. Take that out of its configuration"),
                   self->order->argv[0],
                   gmcp_confinement_needs_sandbox (confinement) ? "sandbox"
                   : confinement->max_memory_mib > 0            ? "max-memory-mib"
                                                                : "max-processes");
      return FALSE;
    }

  gmcp_stderr_tail_clear (self->tail);
  return build_host_environment (self, error) && make_run (self, error);
}

static gboolean
spawn_server (GmcpStdioOpening *self, const char *login_path, GError **error)
{
  const GmcpStdioOrder *order = self->order;
  g_auto (GStrv) host = g_get_environ ();

  if (login_path != NULL)
    {
      g_autofree char *path = gmcp_login_path_merge (g_environ_getenv (host, "PATH"), login_path);

      host = g_environ_setenv (host, "PATH", path, TRUE);
    }

  self->environment = gmcp_stdio_environment_build ((const char *const *) host,
                                                    (const char *const *) order->environment,
                                                    order->inherit_environment, error);
  if (self->environment == NULL)
    return FALSE;

  /* That of the host would be wrong. */
  if (order->cwd != NULL && g_environ_getenv (self->environment, "PWD") != NULL
      && g_environ_getenv (order->environment, "PWD") == NULL)
    self->environment = g_environ_setenv (self->environment, "PWD", order->cwd, TRUE);

  gmcp_stderr_tail_clear (self->tail);
  describe_install (self);
  if (order->confinement != NULL && gmcp_confinement_needs_sandbox (order->confinement)
      && !enter_sandbox (self, g_environ_getenv (host, "PATH"), error))
    return FALSE;

  return make_run (self, error);
}

/* A server that has a PATH of its own says where to look. */
static gboolean
wants_login_path (const GmcpStdioOrder *order)
{
  return order->use_login_path && g_environ_getenv (order->environment, "PATH") == NULL
         && gmcp_login_path_is_wanted (order->argv[0], g_getenv ("PATH"));
}

static void
on_login_path (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpStdioOpening *self = data;
  g_autofree char *path = NULL;
  GError *error = NULL;

  gmcp_login_path_get_finish (result, &path, NULL);
  /* The opening may have been cancelled or closed meanwhile. */
  if (self->owner != NULL && !spawn_server (self, path, &error))
    self->funcs->failed (self->owner, error);
  opening_unref (self);
}

static gboolean
begin_here (GmcpStdioOpening *self, GError **error)
{
  if (!wants_login_path (self->order))
    return spawn_server (self, NULL, error);

  gmcp_login_path_get_async (self->context, NULL, on_login_path, g_rc_box_acquire (self));
  return TRUE;
}

static void
on_host_environment (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpStdioOpening *self = data;
  g_autoptr (GError) reason = NULL;
  GError *error = NULL;
  gboolean spawned;

  self->host_environment = gmcp_flatpak_host_get_finish (result, &reason);
  if (self->owner == NULL)
    {
      opening_unref (self);
      return;
    }

  if (reason != NULL)
    {
      gmcp_flatpak_host_tell_of_denial (reason);
      self->kept_inside = TRUE;
      spawned = begin_here (self, &error);
    }
  else
    {
      spawned = spawn_on_host (self, &error);
    }

  if (!spawned)
    self->funcs->failed (self->owner, error);
  opening_unref (self);
}

GmcpStdioOpening *
gmcp_stdio_opening_new (GObject *owner,
                        const GmcpStdioOpeningFuncs *funcs,
                        GMainContext *context,
                        const GmcpStdioOrder *order,
                        GmcpStderrTail *tail)
{
  GmcpStdioOpening *self = g_rc_box_new0 (GmcpStdioOpening);

  self->owner = owner;
  self->funcs = funcs;
  self->context = g_main_context_ref (context);
  self->order = order;
  self->tail = tail;
  self->service_fd = -1;
  return self;
}

void
gmcp_stdio_opening_free (GmcpStdioOpening *self)
{
  self->owner = NULL;
  g_cancellable_cancel (self->service);
  g_clear_object (&self->service);
  opening_unref (self);
}

gboolean
gmcp_stdio_opening_begin (GmcpStdioOpening *self, GError **error)
{
  const GmcpStdioOrder *order = self->order;

  if (order->argv == NULL || order->argv[0] == NULL || order->argv[0][0] == '\0')
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("No command is given for the server"));
      return FALSE;
    }

  if (order->install_timeout_ms > 0)
    self->installer = gmcp_installer_find ((const char *const *) order->argv);
  if (!gmcp_flatpak_is_inside () || gmcp_flatpak_has_program (order->argv[0]))
    return begin_here (self, error);

  gmcp_flatpak_host_get_async (self->context, NULL, on_host_environment, g_rc_box_acquire (self));
  return TRUE;
}

gboolean
gmcp_stdio_opening_is_on_host (GmcpStdioOpening *self)
{
  return self->host_environment != NULL;
}

gboolean
gmcp_stdio_opening_lacks_command (GmcpStdioOpening *self)
{
  return self->lacks_command;
}

GError *
gmcp_stdio_opening_describe_failure (GmcpStdioOpening *self, const GmcpChildFailure *failure)
{
  GmcpSpawnOptions options = get_spawn_options (self);
  GError *error;

  self->lacks_command = failure->step == GMCP_GUARD_STEP_EXEC && failure->error_number == ENOENT;
  error = gmcp_stdio_error_new_start_failed (&options, failure);
  if (self->lacks_command && self->kept_inside)
    {
      g_autofree char *hint = gmcp_flatpak_host_dup_hint ();
      g_autofree char *message = error->message;

      error->message
        = g_strdup_printf (_ ("%s It was looked for in the sandbox of Flatpak. %s"), message, hint);
    }
  return error;
}

const GmcpInstaller *
gmcp_stdio_opening_get_installer (GmcpStdioOpening *self)
{
  return self->installer;
}

/* What npm left half written, before or now. */
static void
add_npm_hint (GmcpStdioOpening *self, int wait_status, GError *error)
{
  g_autofree char *text = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *hint = NULL;
  g_autofree char *message = NULL;

  if (self->installer == NULL || !g_str_equal (self->installer->family, "npm"))
    return;

  text = gmcp_stderr_tail_dup (self->tail, GMCP_LIMIT_STDERR_TAIL_BYTES);
  folder
    = gmcp_npm_folder_dup_path (self->installer->packages, (const char *const *) self->environment);
  hint = gmcp_npm_folder_dup_hint (
    text, wait_status != -1 && WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : -1, folder);
  if (hint == NULL)
    return;

  message = error->message;
  error->message = g_strdup_printf ("%s\n%s", message, hint);
}

GError *
gmcp_stdio_opening_describe_exit (GmcpStdioOpening *self, int wait_status, gboolean is_late)
{
  const char *command = self->order->argv[0];
  GError *error = NULL;

  if (is_late)
    return gmcp_stdio_error_new_late_install (self->installer->program, self->installer->package,
                                              self->order->install_timeout_ms, self->tail);

  if (self->command != NULL)
    {
      error = gmcp_stdio_error_new_no_sandbox (command, self->tail);
      /* Bubblewrap says it as a shell does. */
      if (wait_status != -1 && WIFEXITED (wait_status) && WEXITSTATUS (wait_status) > 128)
        wait_status = WEXITSTATUS (wait_status) - 128;
    }

  if (error == NULL)
    {
      error = gmcp_stdio_error_new_exited (command, wait_status, self->tail);
      add_npm_hint (self, wait_status, error);
    }
  return error;
}
