/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-stdio-transport.h>

#include "gmcp-confinement-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-login-path-private.h"
#include "gmcp-stdio-environment-private.h"
#include "gmcp-stdio-error-private.h"
#include "gmcp-stdio-run-private.h"
#include "gmcp-program-search-private.h"
#include "gmcp-stdio-transport-private.h"
#include "gmcp-systemd-scope-private.h"
#include "gmcp-transport-private.h"

/**
 * GmcpStdioTransport:
 *
 * A server as a child process, spoken to over its standard input and output, one message a line.
 *
 * The server runs in a session and a process group of its own, below a small watching process, so
 * that neither it nor anything it starts survives this program, however this program ends. The
 * command is never given to a shell. Unless [property@Gmcp.StdioTransport:inherit-environment] is
 * set, the server gets only those variables of this program that programs commonly need (`HOME`,
 * `PATH`, `LANG`, proxies and the like), and its own on top.
 *
 * What the server prints to standard error is read all the time; the end of it is kept for error
 * messages. Lines on standard output that are no JSON are skipped and counted.
 *
 * Closing closes the server's standard input, waits, sends SIGTERM, waits, and sends SIGKILL. It can
 * be opened again, which starts a new process.
 *
 * Spec: MCP 2026-07-28, basic/transports/stdio.
 *
 * Since: 0.1
 */
struct _GmcpStdioTransport
{
  GmcpTransport parent_instance;

  GStrv argv;
  GStrv own_environment;
  char *cwd;
  gboolean inherit_environment;
  gboolean use_login_path;
  gboolean lacks_command;
  guint stop_stdin_timeout_ms;
  guint stop_term_timeout_ms;

  GmcpConfinement *confinement; /* nullable */
  GmcpGuardLimit limit;         /* what it takes of those, where it takes one */
  GStrv command;                /* of the run, where it is another than argv */
  GCancellable *scope;          /* while the run waits for its scope */

  GStrv environment; /* of the run */
  GmcpStdioRun *run; /* until it is stopped, or the next opening */
  GmcpStderrTail tail;
  GDestroyNotify stderr_destroy;
  guint64 n_skipped_lines;

  GTask *open_task;
  GSource *open_cancelled;
  GTask *close_task;
};

G_DEFINE_FINAL_TYPE (GmcpStdioTransport, gmcp_stdio_transport, GMCP_TYPE_TRANSPORT)

typedef enum
{
  PROP_ARGV = 1,
  PROP_ENVIRONMENT,
  PROP_CWD,
  PROP_INHERIT_ENVIRONMENT,
  PROP_USE_LOGIN_PATH,
  PROP_STOP_STDIN_TIMEOUT_MS,
  PROP_STOP_TERM_TIMEOUT_MS,
} GmcpStdioTransportProperty;

static GParamSpec *properties[PROP_STOP_TERM_TIMEOUT_MS + 1];

static GTask *
steal_open_task (GmcpStdioTransport *self)
{
  if (self->open_cancelled != NULL)
    {
      g_source_destroy (self->open_cancelled);
      g_clear_pointer (&self->open_cancelled, g_source_unref);
    }

  return g_steal_pointer (&self->open_task);
}

static GmcpSpawnOptions
get_spawn_options (GmcpStdioTransport *self)
{
  GmcpSpawnOptions options = {
    .argv = (const char *const *) (self->command != NULL ? self->command : self->argv),
    .environment = (const char *const *) self->environment,
    .cwd = self->cwd,
  };

  if (self->confinement == NULL)
    return options;

  options.limits = &self->limit;
  options.n_limits = gmcp_confinement_get_limit (self->confinement, &self->limit) ? 1 : 0;
  if (self->command != NULL)
    options.guard_flags |= GMCP_GUARD_FLAG_SPARE_LEADER;
  if (gmcp_confinement_needs_scope (self->confinement))
    options.guard_flags |= GMCP_GUARD_FLAG_WAIT;
  return options;
}

static void
drop_run (GmcpStdioTransport *self)
{
  g_cancellable_cancel (self->scope);
  g_clear_object (&self->scope);
  g_clear_pointer (&self->run, gmcp_stdio_run_free);
}

static void
on_message (gpointer owner, const char *text, gsize length, GBytes *bytes)
{
  GmcpStdioTransport *self = owner;
  gsize i = 0;

  while (i < length && g_ascii_isspace (text[i]))
    i++;

  if (G_LIKELY (i < length && (text[i] == '{' || text[i] == '[')))
    {
      gmcp_transport_deliver (owner, text, length, bytes);
      return;
    }

  if (self->n_skipped_lines++ == 0)
    {
      g_autofree char *line = g_utf8_make_valid (text, MIN (length, 200));

      g_info ("“%s” prints to standard output what is no message, which is skipped: %s",
              self->argv[0], line);
    }
}

static void
on_violation (gpointer owner, const GError *error)
{
  GmcpStdioTransport *self = owner;

  /* A message that was cut: how the server ended, which comes next, says more. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL))
    g_debug ("From “%s”: %s", self->argv[0], error->message);
  else
    gmcp_transport_report_violation (owner, error);
}

static void
on_started (gpointer owner)
{
  GmcpStdioTransport *self = owner;
  g_autoptr (GTask) task = steal_open_task (self);

  if (task == NULL)
    return;

  /* Before the task returns: its callback may open it again. */
  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      drop_run (self);
      g_task_return_error_if_cancelled (task);
    }
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_failed (gpointer owner, GmcpGuardStep step, int error_number)
{
  GmcpStdioTransport *self = owner;
  GmcpSpawnOptions options = get_spawn_options (self);
  g_autoptr (GTask) task = steal_open_task (self);
  GError *error;

  if (task == NULL)
    return;

  self->lacks_command = step == GMCP_GUARD_STEP_EXEC && error_number == ENOENT;
  error = gmcp_stdio_error_new_start_failed (&options, step, error_number);
  drop_run (self);
  g_task_return_error (task, error);
}

static void
on_exited (gpointer owner, int wait_status)
{
  GmcpStdioTransport *self = owner;
  g_autoptr (GError) error = NULL;

  if (self->command != NULL)
    {
      error = gmcp_stdio_error_new_no_sandbox (self->argv[0], &self->tail);
      /* Bubblewrap says it as a shell does. */
      if (wait_status != -1 && WIFEXITED (wait_status) && WEXITSTATUS (wait_status) > 128)
        wait_status = WEXITSTATUS (wait_status) - 128;
    }
  if (error == NULL)
    error = gmcp_stdio_error_new_exited (self->argv[0], wait_status, &self->tail);

  gmcp_transport_closed (GMCP_TRANSPORT (self), error);
}

static void
on_went_deaf (gpointer owner)
{
  GmcpStdioTransport *self = owner;
  g_autoptr (GError) error = gmcp_stdio_error_new_deaf (self->argv[0], &self->tail);

  gmcp_transport_closed (GMCP_TRANSPORT (self), error);
}

static void
on_stopped (gpointer owner)
{
  GmcpStdioTransport *self = owner;
  g_autoptr (GTask) task = g_steal_pointer (&self->close_task);

  drop_run (self);
  g_task_return_boolean (task, TRUE);
}

static const GmcpStdioRunFuncs run_funcs = {
  .started = on_started,
  .failed = on_failed,
  .message = on_message,
  .violation = on_violation,
  .exited = on_exited,
  .went_deaf = on_went_deaf,
  .stopped = on_stopped,
};

static gboolean
open_cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  GmcpStdioTransport *self = g_task_get_source_object (user_data);
  g_autoptr (GTask) task = steal_open_task (self);

  drop_run (self);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled"));
  return G_SOURCE_REMOVE;
}

static void
set_stop_times (GmcpStdioTransport *self)
{
  const GmcpStdioStopTimes times = { self->stop_stdin_timeout_ms, self->stop_term_timeout_ms };

  if (self->run != NULL)
    gmcp_stdio_run_set_stop_times (self->run, &times);
}

static void
on_scope_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpStdioTransport) self = data;
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;
  gboolean started = gmcp_systemd_scope_start_finish (result, &error);

  /* The run that it was for has been dropped, and there may be another. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_error_free (error);
      return;
    }

  g_clear_object (&self->scope);
  if (started)
    {
      gmcp_stdio_run_start (self->run);
      return;
    }

  task = steal_open_task (self);
  drop_run (self);
  if (task != NULL)
    g_task_return_error (task, error);
  else
    g_error_free (error);
}

static void
begin_scope (GmcpStdioTransport *self)
{
  self->scope = g_cancellable_new ();
  gmcp_systemd_scope_start_async (self->confinement, gmcp_stdio_run_get_guard_pid (self->run),
                                  gmcp_transport_get_context (GMCP_TRANSPORT (self)), self->scope,
                                  on_scope_started, g_object_ref (self));
}

static gboolean
enter_sandbox (GmcpStdioTransport *self, const char *host_path, GError **error)
{
  const char *const *argv = (const char *const *) self->argv;
  g_autofree char *file = strchr (argv[0], '/') != NULL
                            ? g_canonicalize_filename (argv[0], self->cwd)
                            : g_strdup (argv[0]);
  g_autofree char *program
    = gmcp_program_search (file, g_environ_getenv (self->environment, "PATH"));

  /* Bubblewrap would say so in its own words. */
  if (program == NULL)
    {
      GmcpSpawnOptions options = get_spawn_options (self);

      self->lacks_command = TRUE;
      g_propagate_error (
        error, gmcp_stdio_error_new_start_failed (&options, GMCP_GUARD_STEP_EXEC, ENOENT));
      return FALSE;
    }

  self->command
    = gmcp_confinement_build_argv (self->confinement, program, argv, self->cwd, host_path, error);
  self->environment = gmcp_confinement_trim_environment (
    self->confinement, self->environment, (const char *const *) self->own_environment);
  return self->command != NULL;
}

static gboolean
spawn (GmcpStdioTransport *self, const char *login_path, GError **error)
{
  g_auto (GStrv) host = g_get_environ ();
  GmcpSpawnOptions options;

  if (self->argv == NULL || self->argv[0] == NULL || self->argv[0][0] == '\0')
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("No command is given for the server"));
      return FALSE;
    }

  if (login_path != NULL)
    {
      g_autofree char *path = gmcp_login_path_merge (g_environ_getenv (host, "PATH"), login_path);

      host = g_environ_setenv (host, "PATH", path, TRUE);
    }

  g_strfreev (self->environment);
  self->environment = gmcp_stdio_environment_build ((const char *const *) host,
                                                    (const char *const *) self->own_environment,
                                                    self->inherit_environment, error);
  if (self->environment == NULL)
    return FALSE;

  gmcp_stderr_tail_clear (&self->tail);
  self->n_skipped_lines = 0;
  self->lacks_command = FALSE;
  g_clear_pointer (&self->command, g_strfreev);
  if (self->confinement != NULL && gmcp_confinement_needs_sandbox (self->confinement)
      && !enter_sandbox (self, g_environ_getenv (host, "PATH"), error))
    return FALSE;

  options = get_spawn_options (self);
  self->run = gmcp_stdio_run_new (G_OBJECT (self), &run_funcs,
                                  gmcp_transport_get_context (GMCP_TRANSPORT (self)), &options,
                                  &self->tail, error);
  set_stop_times (self);
  if (self->run != NULL && (options.guard_flags & GMCP_GUARD_FLAG_WAIT) != 0)
    begin_scope (self);
  return self->run != NULL;
}

static void
wait_for_start (GmcpStdioTransport *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (cancellable != NULL)
    {
      self->open_cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (self->open_cancelled, "[gmcp] start cancelled");
      g_task_attach_source (task, self->open_cancelled, G_SOURCE_FUNC (open_cancelled_cb));
    }
  self->open_task = task;
}

/* A server that has a PATH of its own says where to look. */
static gboolean
wants_login_path (GmcpStdioTransport *self)
{
  return self->use_login_path && self->argv != NULL && self->argv[0] != NULL
         && g_environ_getenv (self->own_environment, "PATH") == NULL
         && gmcp_login_path_is_wanted (self->argv[0], g_getenv ("PATH"));
}

static void
on_login_path (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) asked = data;
  GmcpStdioTransport *self = g_task_get_source_object (asked);
  g_autofree char *path = NULL;
  GError *error = NULL;

  gmcp_login_path_get_finish (result, &path, NULL);
  /* Cancelled or closed meanwhile, and perhaps opened anew. */
  if (self->open_task != asked)
    return;

  if (!spawn (self, path, &error))
    {
      g_autoptr (GTask) task = steal_open_task (self);

      g_task_return_error (task, error);
    }
}

static void
gmcp_stdio_transport_open_async (GmcpTransport *transport,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GError *error = NULL;

  g_task_set_source_tag (task, gmcp_stdio_transport_open_async);
  /* Once it runs it runs, and the one who opens has to know. */
  g_task_set_check_cancellable (task, FALSE);

  /* One before, which has ended. */
  drop_run (self);

  if (wants_login_path (self))
    {
      gmcp_login_path_get_async (gmcp_transport_get_context (transport), NULL, on_login_path,
                                 g_object_ref (task));
      wait_for_start (self, g_steal_pointer (&task));
    }
  else if (spawn (self, NULL, &error))
    {
      wait_for_start (self, g_steal_pointer (&task));
    }
  else
    {
      g_task_return_error (task, error);
    }
}

static void
max_message_bytes_changed (GmcpStdioTransport *self)
{
  if (self->run != NULL)
    gmcp_stdio_run_set_max_message_bytes (
      self->run, gmcp_transport_get_max_message_bytes (GMCP_TRANSPORT (self)));
}

static gboolean
gmcp_stdio_transport_open_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;

  /* Not before: nothing may come in while the opening is under way. */
  if (self->run != NULL)
    gmcp_stdio_run_read (self->run, gmcp_transport_get_max_message_bytes (transport));

  return TRUE;
}

static gboolean
gmcp_stdio_transport_send (GmcpTransport *transport, const GmcpOutgoing *message, GError **error)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);

  return gmcp_stdio_run_send (self->run, message->text, message->length, error);
}

static void
gmcp_stdio_transport_close_async (GmcpTransport *transport,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);
  g_autoptr (GTask) open_task = steal_open_task (self);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_stdio_transport_close_async);

  if (open_task != NULL)
    g_task_return_new_error (open_task, GMCP_ERROR, GMCP_ERROR_CLOSED,
                             _ ("The connection was closed while it was being opened"));

  if (self->run == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  self->close_task = g_steal_pointer (&task);
  gmcp_stdio_run_stop (self->run);
}

static gboolean
gmcp_stdio_transport_close_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
gmcp_stdio_transport_dup_description (GmcpTransport *transport)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);

  /* Without the arguments, which may hold secrets. */
  return g_strdup (self->argv != NULL && self->argv[0] != NULL ? self->argv[0] : "");
}

static int
gmcp_stdio_transport_get_pid (GmcpTransport *transport)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);

  return self->run != NULL ? gmcp_stdio_run_get_pid (self->run) : 0;
}

static char *
gmcp_stdio_transport_dup_diagnostics (GmcpTransport *transport)
{
  return gmcp_stdio_transport_dup_stderr_tail (GMCP_STDIO_TRANSPORT (transport));
}

static void
gmcp_stdio_transport_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (object);

  switch ((GmcpStdioTransportProperty) prop_id)
    {
    case PROP_ARGV:
      g_value_set_boxed (value, self->argv);
      break;

    case PROP_ENVIRONMENT:
      g_value_set_boxed (value, self->own_environment);
      break;

    case PROP_CWD:
      g_value_set_string (value, self->cwd);
      break;

    case PROP_INHERIT_ENVIRONMENT:
      g_value_set_boolean (value, self->inherit_environment);
      break;

    case PROP_USE_LOGIN_PATH:
      g_value_set_boolean (value, self->use_login_path);
      break;

    case PROP_STOP_STDIN_TIMEOUT_MS:
      g_value_set_uint (value, self->stop_stdin_timeout_ms);
      break;

    case PROP_STOP_TERM_TIMEOUT_MS:
      g_value_set_uint (value, self->stop_term_timeout_ms);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_uint (GmcpStdioTransport *self, guint *field, guint value, GParamSpec *pspec)
{
  if (*field == value)
    return;

  *field = value;
  set_stop_times (self);
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

static void
gmcp_stdio_transport_set_property (GObject *object,
                                   guint prop_id,
                                   const GValue *value,
                                   GParamSpec *pspec)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (object);

  switch ((GmcpStdioTransportProperty) prop_id)
    {
    case PROP_ARGV:
      self->argv = g_value_dup_boxed (value);
      break;

    case PROP_ENVIRONMENT:
      gmcp_stdio_transport_set_environment (self, g_value_get_boxed (value));
      break;

    case PROP_CWD:
      gmcp_stdio_transport_set_cwd (self, g_value_get_string (value));
      break;

    case PROP_INHERIT_ENVIRONMENT:
      gmcp_stdio_transport_set_inherit_environment (self, g_value_get_boolean (value));
      break;

    case PROP_USE_LOGIN_PATH:
      gmcp_stdio_transport_set_use_login_path (self, g_value_get_boolean (value));
      break;

    case PROP_STOP_STDIN_TIMEOUT_MS:
      set_uint (self, &self->stop_stdin_timeout_ms, g_value_get_uint (value), pspec);
      break;

    case PROP_STOP_TERM_TIMEOUT_MS:
      set_uint (self, &self->stop_term_timeout_ms, g_value_get_uint (value), pspec);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

void
gmcp_stdio_transport_set_stderr_func (GmcpStdioTransport *self,
                                      GmcpStderrFunc func,
                                      gpointer data,
                                      GDestroyNotify destroy)
{
  if (self->stderr_destroy != NULL)
    self->stderr_destroy (self->tail.func_data);

  self->tail.func = func;
  self->tail.func_data = data;
  self->stderr_destroy = destroy;
}

static void
gmcp_stdio_transport_finalize (GObject *object)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (object);

  drop_run (self);
  gmcp_stderr_tail_clear (&self->tail);
  gmcp_stdio_transport_set_stderr_func (self, NULL, NULL, NULL);
  g_strfreev (self->argv);
  g_strfreev (self->own_environment);
  g_strfreev (self->environment);
  g_strfreev (self->command);
  g_clear_pointer (&self->confinement, gmcp_confinement_free);
  g_free (self->cwd);

  G_OBJECT_CLASS (gmcp_stdio_transport_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpStdioTransport:argv:
   *
   * The command and its arguments. A command without a slash is looked for in the server's own
   * `PATH`.
   *
   * Since: 0.1
   */
  properties[PROP_ARGV]
    = g_param_spec_boxed ("argv", NULL, NULL, G_TYPE_STRV,
                          G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * GmcpStdioTransport:environment:
   *
   * The server's own environment variables, each `NAME=VALUE`. Used by the next opening.
   *
   * Since: 0.1
   */
  properties[PROP_ENVIRONMENT] = g_param_spec_boxed ("environment", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpStdioTransport:cwd:
   *
   * The folder that the server is started in; %NULL for this program's own. Used by the next
   * opening.
   *
   * Since: 0.1
   */
  properties[PROP_CWD] = g_param_spec_string ("cwd", NULL, NULL, NULL, flags);

  /**
   * GmcpStdioTransport:inherit-environment:
   *
   * Whether the server gets all of this program's environment, secrets of other programs included.
   * Used by the next opening.
   *
   * Since: 0.1
   */
  properties[PROP_INHERIT_ENVIRONMENT]
    = g_param_spec_boolean ("inherit-environment", NULL, NULL, FALSE, flags);

  /**
   * GmcpStdioTransport:use-login-path: (setter set_use_login_path)
   *
   * Whether the command is also looked for where the user's login shell would look, and the server
   * gets that `PATH`. A program that the desktop started does not have it. The shell is asked once,
   * and only if it is needed: where this program was not started from a shell, or the command is
   * not found.
   *
   * Since: 0.1
   */
  properties[PROP_USE_LOGIN_PATH]
    = g_param_spec_boolean ("use-login-path", NULL, NULL, FALSE, flags);

  /**
   * GmcpStdioTransport:stop-stdin-timeout-ms:
   *
   * How long a server has to exit after its standard input was closed, in milliseconds, before it
   * gets SIGTERM.
   *
   * Since: 0.1
   */
  properties[PROP_STOP_STDIN_TIMEOUT_MS] = g_param_spec_uint (
    "stop-stdin-timeout-ms", NULL, NULL, 0, 3600000, GMCP_DEFAULT_STOP_STDIN_MS, flags);

  /**
   * GmcpStdioTransport:stop-term-timeout-ms:
   *
   * How long a server has to exit after SIGTERM, in milliseconds, before it gets SIGKILL.
   *
   * Since: 0.1
   */
  properties[PROP_STOP_TERM_TIMEOUT_MS] = g_param_spec_uint (
    "stop-term-timeout-ms", NULL, NULL, 0, 3600000, GMCP_DEFAULT_STOP_TERM_MS, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_stdio_transport_class_init (GmcpStdioTransportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GmcpTransportClass *transport_class = GMCP_TRANSPORT_CLASS (klass);

  object_class->get_property = gmcp_stdio_transport_get_property;
  object_class->set_property = gmcp_stdio_transport_set_property;
  object_class->finalize = gmcp_stdio_transport_finalize;

  transport_class->open_async = gmcp_stdio_transport_open_async;
  transport_class->open_finish = gmcp_stdio_transport_open_finish;
  transport_class->send = gmcp_stdio_transport_send;
  transport_class->close_async = gmcp_stdio_transport_close_async;
  transport_class->close_finish = gmcp_stdio_transport_close_finish;
  transport_class->dup_description = gmcp_stdio_transport_dup_description;
  transport_class->get_pid = gmcp_stdio_transport_get_pid;
  transport_class->dup_diagnostics = gmcp_stdio_transport_dup_diagnostics;

  install_properties (object_class);
}

static void
gmcp_stdio_transport_init (GmcpStdioTransport *self)
{
  self->stop_stdin_timeout_ms = GMCP_DEFAULT_STOP_STDIN_MS;
  self->stop_term_timeout_ms = GMCP_DEFAULT_STOP_TERM_MS;
  g_signal_connect (self, "notify::max-message-bytes", G_CALLBACK (max_message_bytes_changed),
                    NULL);
}

/**
 * gmcp_stdio_transport_new:
 * @argv: (array zero-terminated=1): the command and its arguments
 *
 * Makes a transport for a server that runs as a child process. Nothing is started before
 * [method@Gmcp.Transport.open_async].
 *
 * Returns: (transfer full): a transport
 *
 * Since: 0.1
 */
GmcpStdioTransport *
gmcp_stdio_transport_new (const char *const *argv)
{
  g_return_val_if_fail (argv != NULL, NULL);

  return g_object_new (GMCP_TYPE_STDIO_TRANSPORT, "argv", argv, NULL);
}

/**
 * gmcp_stdio_transport_get_argv: (attributes org.gtk.Method.get_property=argv)
 * @self: a stdio transport
 *
 * Gives the command and its arguments.
 *
 * Returns: (transfer none) (array zero-terminated=1) (nullable): the arguments
 *
 * Since: 0.1
 */
const char *const *
gmcp_stdio_transport_get_argv (GmcpStdioTransport *self)
{
  g_return_val_if_fail (GMCP_IS_STDIO_TRANSPORT (self), NULL);

  return (const char *const *) self->argv;
}

static gboolean
is_same_strv (GStrv a, const char *const *b)
{
  if (a == NULL || b == NULL)
    return a == NULL && b == NULL;

  return g_strv_equal ((const char *const *) a, b);
}

/**
 * gmcp_stdio_transport_set_environment: (attributes org.gtk.Method.set_property=environment)
 * @self: a stdio transport
 * @environment: (nullable) (array zero-terminated=1): variables, each `NAME=VALUE`
 *
 * Sets the server's own environment variables. They replace those of the same name that it gets
 * from this program. Used by the next opening.
 *
 * Since: 0.1
 */
void
gmcp_stdio_transport_set_environment (GmcpStdioTransport *self, const char *const *environment)
{
  GStrv copy;

  g_return_if_fail (GMCP_IS_STDIO_TRANSPORT (self));

  if (is_same_strv (self->own_environment, environment))
    return;

  copy = g_strdupv ((char **) environment);
  g_strfreev (self->own_environment);
  self->own_environment = copy;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENVIRONMENT]);
}

/**
 * gmcp_stdio_transport_set_cwd: (attributes org.gtk.Method.set_property=cwd)
 * @self: a stdio transport
 * @cwd: (nullable) (type filename): a folder, or %NULL for this program's own
 *
 * Sets the folder that the server is started in. Used by the next opening.
 *
 * Since: 0.1
 */
void
gmcp_stdio_transport_set_cwd (GmcpStdioTransport *self, const char *cwd)
{
  char *copy;

  g_return_if_fail (GMCP_IS_STDIO_TRANSPORT (self));

  if (g_strcmp0 (self->cwd, cwd) == 0)
    return;

  copy = g_strdup (cwd);
  g_free (self->cwd);
  self->cwd = copy;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CWD]);
}

/**
 * gmcp_stdio_transport_set_inherit_environment: (attributes org.gtk.Method.set_property=inherit-environment)
 * @self: a stdio transport
 * @inherit_environment: whether to pass on everything
 *
 * Sets whether the server gets all of this program's environment. Used by the next opening.
 *
 * Since: 0.1
 */
void
gmcp_stdio_transport_set_inherit_environment (GmcpStdioTransport *self,
                                              gboolean inherit_environment)
{
  g_return_if_fail (GMCP_IS_STDIO_TRANSPORT (self));

  inherit_environment = !!inherit_environment;
  if (self->inherit_environment == inherit_environment)
    return;

  self->inherit_environment = inherit_environment;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_INHERIT_ENVIRONMENT]);
}

/**
 * gmcp_stdio_transport_set_use_login_path: (attributes org.gtk.Method.set_property=use-login-path)
 * @self: a stdio transport
 * @use_login_path: whether to look there
 *
 * Sets whether the command is also looked for where the user's login shell would look. Used by the
 * next opening.
 *
 * Since: 0.1
 */
void
gmcp_stdio_transport_set_use_login_path (GmcpStdioTransport *self, gboolean use_login_path)
{
  g_return_if_fail (GMCP_IS_STDIO_TRANSPORT (self));

  use_login_path = !!use_login_path;
  if (self->use_login_path == use_login_path)
    return;

  self->use_login_path = use_login_path;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_USE_LOGIN_PATH]);
}

/**
 * gmcp_stdio_transport_dup_stderr_tail:
 * @self: a stdio transport
 *
 * Gives the end of what the server printed to standard error, 64 KiB at most, since the last
 * opening. Bytes that are no UTF-8 come as replacement characters.
 *
 * Returns: (transfer full): the text
 *
 * Since: 0.1
 */
char *
gmcp_stdio_transport_dup_stderr_tail (GmcpStdioTransport *self)
{
  g_return_val_if_fail (GMCP_IS_STDIO_TRANSPORT (self), NULL);

  return gmcp_stderr_tail_dup (&self->tail, GMCP_LIMIT_STDERR_TAIL_BYTES);
}

/**
 * gmcp_stdio_transport_get_n_skipped_lines:
 * @self: a stdio transport
 *
 * Gives how many lines of the server's standard output were skipped since the last opening, because
 * they were no JSON.
 *
 * Returns: the number of lines
 *
 * Since: 0.1
 */
guint64
gmcp_stdio_transport_get_n_skipped_lines (GmcpStdioTransport *self)
{
  g_return_val_if_fail (GMCP_IS_STDIO_TRANSPORT (self), 0);

  return self->n_skipped_lines;
}

void
gmcp_stdio_transport_set_argv (GmcpStdioTransport *self, const char *const *argv)
{
  g_strfreev (self->argv);
  self->argv = g_strdupv ((char **) argv);
}

gboolean
gmcp_stdio_transport_lacks_command (GmcpStdioTransport *self)
{
  return self->lacks_command;
}

void
gmcp_stdio_transport_set_confinement (GmcpStdioTransport *self, const GmcpConfinement *confinement)
{
  g_clear_pointer (&self->confinement, gmcp_confinement_free);
  if (confinement != NULL)
    self->confinement = gmcp_confinement_copy (confinement);
}
