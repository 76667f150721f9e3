/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/stdio/gmcp-stdio-transport.h>

#include "gmcp-limits.h"
#include "gmcp-stdio-link-private.h"
#include "gmcp-stdio-transport-private.h"
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

  GmcpStdioLink link;
  GDestroyNotify stderr_destroy;
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

static void
gmcp_stdio_transport_open_async (GmcpTransport *transport,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_stdio_transport_open_async);
  /* An opening that succeeds is told as a success, even if it was cancelled meanwhile. */
  g_task_set_check_cancellable (task, FALSE);

  gmcp_stdio_link_open (&self->link, task);
}

static void
max_message_bytes_changed (GmcpStdioTransport *self)
{
  if (self->link.run != NULL)
    gmcp_stdio_run_set_max_message_bytes (
      self->link.run, gmcp_transport_get_max_message_bytes (GMCP_TRANSPORT (self)));
}

static gboolean
gmcp_stdio_transport_open_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;

  /* Not before: nothing may come in while the opening is under way. */
  gmcp_stdio_link_read (&self->link);
  return TRUE;
}

static gboolean
gmcp_stdio_transport_send (GmcpTransport *transport, const GmcpOutgoing *message, GError **error)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);

  /* A server that ends before it says a word is told of by how it ended, which is not known yet. */
  if (!self->link.heard && gmcp_stdio_run_is_ending (self->link.run))
    return TRUE;

  return gmcp_stdio_run_send (self->link.run, message, error);
}

static void
gmcp_stdio_transport_close_async (GmcpTransport *transport,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_stdio_transport_close_async);
  gmcp_stdio_link_close (&self->link, task);
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
  return g_strdup (self->link.order.argv != NULL && self->link.order.argv[0] != NULL
                     ? self->link.order.argv[0]
                     : "");
}

static int
gmcp_stdio_transport_get_pid (GmcpTransport *transport)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (transport);

  return self->link.run != NULL ? gmcp_stdio_run_get_pid (self->link.run) : 0;
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
      g_value_set_boxed (value, self->link.order.argv);
      break;

    case PROP_ENVIRONMENT:
      g_value_set_boxed (value, self->link.order.environment);
      break;

    case PROP_CWD:
      g_value_set_string (value, self->link.order.cwd);
      break;

    case PROP_INHERIT_ENVIRONMENT:
      g_value_set_boolean (value, self->link.order.inherit_environment);
      break;

    case PROP_USE_LOGIN_PATH:
      g_value_set_boolean (value, self->link.order.use_login_path);
      break;

    case PROP_STOP_STDIN_TIMEOUT_MS:
      g_value_set_uint (value, self->link.stop_times.stdin_ms);
      break;

    case PROP_STOP_TERM_TIMEOUT_MS:
      g_value_set_uint (value, self->link.stop_times.term_ms);
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
  gmcp_stdio_link_update_stop_times (&self->link);
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
      self->link.order.argv = g_value_dup_boxed (value);
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
      set_uint (self, &self->link.stop_times.stdin_ms, g_value_get_uint (value), pspec);
      break;

    case PROP_STOP_TERM_TIMEOUT_MS:
      set_uint (self, &self->link.stop_times.term_ms, g_value_get_uint (value), pspec);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

void
gmcp_stdio_transport_set_stderr_func (GmcpStdioTransport *self,
                                      GmcpStderrFunc func,
                                      GmcpStderrFilter filter,
                                      gpointer data,
                                      GDestroyNotify destroy)
{
  if (self->stderr_destroy != NULL)
    self->stderr_destroy (self->link.tail.func_data);

  self->link.tail.func = func;
  self->link.tail.filter = filter;
  self->link.tail.func_data = data;
  self->stderr_destroy = destroy;
  self->link.text.func = NULL;
}

void
gmcp_stdio_transport_set_text_func (GmcpStdioTransport *self, GmcpStderrFunc func)
{
  self->link.text.func = func;
  self->link.text.func_data = self->link.tail.func_data;
}

char *
gmcp_stdio_transport_dup_text (GmcpStdioTransport *self)
{
  return gmcp_stdio_link_dup_text (&self->link);
}

static void
gmcp_stdio_transport_finalize (GObject *object)
{
  GmcpStdioTransport *self = GMCP_STDIO_TRANSPORT (object);

  gmcp_stdio_link_clear (&self->link);
  gmcp_stdio_transport_set_stderr_func (self, NULL, NULL, NULL, NULL);

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
   * The folder that the server is started in; %NULL for this program's own. Many programs run what they
   * find there: where somebody else may have filled this program's folder, give another. (The
   * [class@Gmcp.Manager] gives its servers folders of their own.) Used by the next opening.
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

static const GmcpTransportFuncs transport_funcs = {
  .open_async = gmcp_stdio_transport_open_async,
  .open_finish = gmcp_stdio_transport_open_finish,
  .send = gmcp_stdio_transport_send,
  .close_async = gmcp_stdio_transport_close_async,
  .close_finish = gmcp_stdio_transport_close_finish,
  .dup_description = gmcp_stdio_transport_dup_description,
  .get_pid = gmcp_stdio_transport_get_pid,
  .dup_diagnostics = gmcp_stdio_transport_dup_diagnostics,
  .takes_parts = TRUE,
};

static void
gmcp_stdio_transport_class_init (GmcpStdioTransportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GmcpTransportClass *transport_class = GMCP_TRANSPORT_CLASS (klass);

  object_class->get_property = gmcp_stdio_transport_get_property;
  object_class->set_property = gmcp_stdio_transport_set_property;
  object_class->finalize = gmcp_stdio_transport_finalize;

  transport_class->funcs = &transport_funcs;

  install_properties (object_class);
}

static void
gmcp_stdio_transport_init (GmcpStdioTransport *self)
{
  gmcp_stdio_link_init (&self->link, GMCP_TRANSPORT (self));
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

  return (const char *const *) self->link.order.argv;
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

  if (is_same_strv (self->link.order.environment, environment))
    return;

  copy = g_strdupv ((char **) environment);
  g_strfreev (self->link.order.environment);
  self->link.order.environment = copy;
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

  if (g_strcmp0 (self->link.order.cwd, cwd) == 0)
    return;

  copy = g_strdup (cwd);
  g_free (self->link.order.cwd);
  self->link.order.cwd = copy;
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
  if (self->link.order.inherit_environment == inherit_environment)
    return;

  self->link.order.inherit_environment = inherit_environment;
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
  if (self->link.order.use_login_path == use_login_path)
    return;

  self->link.order.use_login_path = use_login_path;
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

  return gmcp_stderr_tail_dup (&self->link.tail, GMCP_LIMIT_STDERR_TAIL_BYTES);
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

  return self->link.text.n_lines;
}

void
gmcp_stdio_transport_set_argv (GmcpStdioTransport *self, const char *const *argv)
{
  g_strfreev (self->link.order.argv);
  self->link.order.argv = g_strdupv ((char **) argv);
}

void
gmcp_stdio_transport_set_install (GmcpStdioTransport *self,
                                  guint timeout_ms,
                                  GmcpInstallFunc func,
                                  gpointer data)
{
  self->link.order.install_timeout_ms = timeout_ms;
  self->link.install.func = func;
  self->link.install.data = data;
}

gboolean
gmcp_stdio_transport_lacks_command (GmcpStdioTransport *self)
{
  return self->link.lacks_command;
}

gboolean
gmcp_stdio_transport_was_killed (GmcpStdioTransport *self)
{
  return self->link.was_killed;
}

gboolean
gmcp_stdio_transport_is_on_host (GmcpStdioTransport *self)
{
  return self->link.opening != NULL && gmcp_stdio_opening_is_on_host (self->link.opening);
}

void
gmcp_stdio_transport_set_confinement (GmcpStdioTransport *self, const GmcpConfinement *confinement)
{
  g_clear_pointer (&self->link.order.confinement, gmcp_confinement_free);
  if (confinement != NULL)
    self->link.order.confinement = gmcp_confinement_copy (confinement);
}

GmcpStdioLink *
gmcp_stdio_transport_get_link (gpointer self)
{
  return &((GmcpStdioTransport *) self)->link;
}
