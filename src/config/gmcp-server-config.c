/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-server-config-struct-private.h"

/**
 * GmcpServerConfig:
 *
 * How one server is reached, and what it may take: immutable, so that a change of the configuration
 * is a new object.
 *
 * An object can be made with any values; [method@Gmcp.ServerConfig.validate] says whether a server
 * can be started with them.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpServerConfig, gmcp_server_config, G_TYPE_OBJECT)

/* The id of a property is its place among the fields, and one more. */
static const GmcpConfigField *
get_field (guint prop_id)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  g_assert (prop_id > 0 && prop_id <= n_fields);
  return &fields[prop_id - 1];
}

static void
install_property (GObjectClass *object_class, GParamSpec *pspec)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  guint i = 0;

  while (!g_str_equal (fields[i].name, pspec->name))
    i++;
  g_object_class_install_property (object_class, i + 1, pspec);
}

/* A command is stronger than a URL. */
static void
gmcp_server_config_constructed (GObject *object)
{
  GmcpServerConfig *self = GMCP_SERVER_CONFIG (object);

  if (self->transport == GMCP_SERVER_TRANSPORT_AUTO)
    self->transport = self->url != NULL && (self->argv == NULL || self->argv[0] == NULL)
                        ? GMCP_SERVER_TRANSPORT_HTTP
                        : GMCP_SERVER_TRANSPORT_STDIO;

  G_OBJECT_CLASS (gmcp_server_config_parent_class)->constructed (object);
}

static void
gmcp_server_config_finalize (GObject *object)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    gmcp_config_field_clear (&fields[i], GMCP_SERVER_CONFIG (object));
  g_free (GMCP_SERVER_CONFIG (object)->unpaired_header);
  g_clear_pointer (&GMCP_SERVER_CONFIG (object)->origin, gmcp_config_origin_unref);
  g_clear_pointer (&GMCP_SERVER_CONFIG (object)->places, gmcp_config_places_unref);

  G_OBJECT_CLASS (gmcp_server_config_parent_class)->finalize (object);
}

static void
gmcp_server_config_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpServerConfig *self = GMCP_SERVER_CONFIG (object);

  gmcp_config_field_get_value (get_field (prop_id), self, value);
  /* The id stands for a title that is not set. */
  if (G_VALUE_HOLDS_STRING (value) && g_str_equal (pspec->name, "title"))
    g_value_set_string (value, gmcp_server_config_get_title (self));
}

static void
gmcp_server_config_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  gmcp_config_field_set_value (get_field (prop_id), GMCP_SERVER_CONFIG (object), value);
}

static void
install_values (GObjectClass *object_class, GParamFlags flags)
{
  /**
   * GmcpServerConfig:id:
   *
   * What the server is called in settings, in tool names and on the command line: 1 to 63
   * lower-case ASCII letters, digits and hyphens, no hyphen at the start.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("id", NULL, NULL, "", flags));

  /**
   * GmcpServerConfig:title: (getter get_title)
   *
   * What people call the server; the id where nothing else is set.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("title", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:enabled: (getter is_enabled)
   *
   * Whether the server may be started.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_boolean ("enabled", NULL, NULL, TRUE, flags));

  /**
   * GmcpServerConfig:transport: (getter get_transport)
   *
   * How the server is reached. What is made as %GMCP_SERVER_TRANSPORT_AUTO is settled then: a command is
   * started, and a URL without one is connected to.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_enum ("transport", NULL, NULL, GMCP_TYPE_SERVER_TRANSPORT,
                                       GMCP_SERVER_TRANSPORT_AUTO, flags));

  /**
   * GmcpServerConfig:argv: (getter get_argv)
   *
   * The program and its arguments. No shell reads them.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_boxed ("argv", NULL, NULL, G_TYPE_STRV, flags));

  /**
   * GmcpServerConfig:environment: (getter get_environment)
   *
   * Variables for the program, as `NAME=VALUE`, besides those every program gets.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_boxed ("environment", NULL, NULL, G_TYPE_STRV, flags));

  /**
   * GmcpServerConfig:inherit-environment: (getter get_inherit_environment)
   *
   * Whether the program gets the host's whole environment.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_boolean ("inherit-environment", NULL, NULL, FALSE, flags));

  /**
   * GmcpServerConfig:allow-sampling: (getter get_allow_sampling)
   *
   * Whether the server may ask for the model of the program that uses it. `allowSampling` in JSON.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_boolean ("allow-sampling", NULL, NULL, FALSE, flags));

  /**
   * GmcpServerConfig:cwd: (getter get_cwd)
   *
   * The folder in which the program runs, a full path; %NULL for the project, where the server comes from
   * a project's file, the folder of the file, where that was named, and a folder of its own otherwise.
   * What leads into [property@Gmcp.Manager:workspace] by a variable counts where the user trusts that
   * folder.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("cwd", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:url: (getter get_url)
   *
   * Where the server is reached, for those that are not started as a program: `http://…`,
   * `https://…`, `unix:///SOCKET#/PATH` for HTTP over a Unix socket, or `unix:///SOCKET` for a socket
   * with one message a line. It may hold a password, so no message shows it.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("url", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:headers: (getter get_headers)
   *
   * HTTP headers that each request to the server carries: names and values in turn, such as `Authorization`
   * and `Bearer …`, not lines with a colon. Where a name has no value,
   * [method@Gmcp.ServerConfig.validate] says so. The values are secrets, and appear in no message.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_boxed ("headers", NULL, NULL, G_TYPE_STRV, flags));

  /**
   * GmcpServerConfig:ca-file: (getter get_ca_file)
   *
   * The file of certificates (PEM) to trust in place of the system's, a full path; %NULL for the
   * system's.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("ca-file", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:allowed-redirect-origins: (getter get_allowed_redirect_origins)
   *
   * The origins that a message to the server may be redirected to beside the one of its address, as
   * [property@Gmcp.HttpTransport:allowed-redirect-origins].
   *
   * Since: 0.1
   */
  install_property (
    object_class, g_param_spec_boxed ("allowed-redirect-origins", NULL, NULL, G_TYPE_STRV, flags));

  /**
   * GmcpServerConfig:era: (getter get_era)
   *
   * Which protocol the server speaks; %GMCP_ERA_AUTO asks it.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_enum ("era", NULL, NULL, GMCP_TYPE_ERA, GMCP_ERA_AUTO, flags));

  /**
   * GmcpServerConfig:call-timeout-ms: (getter get_call_timeout_ms)
   *
   * The time limit of a call, in milliseconds; 0 for the manager's.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("call-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:startup-timeout-ms: (getter get_startup_timeout_ms)
   *
   * The time limit of the start, in milliseconds; 0 for the manager's.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("startup-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:install-timeout-ms: (getter get_install_timeout_ms)
   *
   * How long a command that fetches the server's program before it runs it, such as `npx` or `uvx`, may
   * take for that, in milliseconds; 0 for the manager's limit.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("install-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));
}

/* How the server is looked after. */
static void
install_supervision (GObjectClass *object_class, GParamFlags flags)
{
  /**
   * GmcpServerConfig:start: (getter get_start)
   *
   * When the server is started.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_enum ("start", NULL, NULL, GMCP_TYPE_SERVER_START,
                                                     GMCP_SERVER_START_ON_DEMAND, flags));

  /**
   * GmcpServerConfig:package: (getter get_package)
   *
   * The package that the program comes in, as npm names it; messages say how to install it.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("package", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:instructions: (getter get_instructions)
   *
   * What the user says about the server's use, for a model.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("instructions", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:trusted: (getter is_trusted)
   *
   * Whether what the server says of its tools (read-only, for instance) may allow
   * something. Without it that can only forbid.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_boolean ("trusted", NULL, NULL, FALSE, flags));

  /**
   * GmcpServerConfig:health-method: (getter get_health_method)
   *
   * How it is found out whether the server still works.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_enum ("health-method", NULL, NULL, GMCP_TYPE_HEALTH_METHOD,
                                       GMCP_HEALTH_METHOD_PING, flags));

  /**
   * GmcpServerConfig:health-tool: (getter get_health_tool)
   *
   * The tool that is called as a health check: its name, or SERVER.NAME.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_string ("health-tool", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:health-arguments: (getter get_health_arguments)
   *
   * The arguments of that tool, the text of a JSON object; %NULL for none.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_string ("health-arguments", NULL, NULL, NULL, flags));

  /**
   * GmcpServerConfig:health-interval-ms: (getter get_health_interval_ms)
   *
   * The time between two health checks, in milliseconds; 0 for the manager's.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("health-interval-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:health-timeout-ms: (getter get_health_timeout_ms)
   *
   * The time limit of a health check, in milliseconds; 0 for the manager's.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("health-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:restart-on-failure: (getter get_restart_on_failure)
   *
   * Whether the server is started again when it ends unexpectedly, or does not answer any
   * more.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_boolean ("restart-on-failure", NULL, NULL, TRUE, flags));

  /**
   * GmcpServerConfig:max-restart-attempts: (getter get_max_restart_attempts)
   *
   * How many starts in a row may fail before the server is given up; 0 for the manager's
   * number.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("max-restart-attempts", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:idle-timeout-ms: (getter get_idle_timeout_ms)
   *
   * How long the server may be without work before it is stopped, in milliseconds; 0 for
   * ever.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("idle-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:shutdown-timeout-ms: (getter get_shutdown_timeout_ms)
   *
   * How long the calls under way may take once the server is to stop, in milliseconds; 0
   * for the manager's limit.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("shutdown-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:max-calls: (getter get_max_calls)
   *
   * How many calls the server gets at once; 0 for the manager's [property@Gmcp.Manager:max-calls].
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("max-calls", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:max-queued-calls: (getter get_max_queued_calls)
   *
   * How many calls may wait for their turn; 0 for the manager's
   * [property@Gmcp.Manager:max-queued-calls].
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("max-queued-calls", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:allowed-tools: (getter get_allowed_tools)
   *
   * The tools of the server that are listed and can be called, by the names that it gives them, with
   * `*` and `?` as in globs; empty for all.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_boxed ("allowed-tools", NULL, NULL, G_TYPE_STRV, flags));

  /**
   * GmcpServerConfig:denied-tools: (getter get_denied_tools)
   *
   * The tools of the server that are neither listed nor can be called, whatever
   * [property@Gmcp.ServerConfig:allowed-tools] says.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_boxed ("denied-tools", NULL, NULL, G_TYPE_STRV, flags));
}

static void
install_confinement_properties (GObjectClass *object_class, GParamFlags flags)
{
  /**
   * GmcpServerConfig:sandbox: (getter get_sandbox)
   *
   * What the program may do. A sandbox takes bubblewrap; without it the server does not start.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_enum ("sandbox", NULL, NULL, GMCP_TYPE_SANDBOX,
                                                     GMCP_SANDBOX_NONE, flags));

  /**
   * GmcpServerConfig:writable-paths: (getter get_writable_paths)
   *
   * Files and folders that the program may write to although it is in a sandbox, as full paths.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_boxed ("writable-paths", NULL, NULL, G_TYPE_STRV, flags));

  /**
   * GmcpServerConfig:no-network: (getter get_no_network)
   *
   * Whether the program, in its sandbox, is kept from the network.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_boolean ("no-network", NULL, NULL, FALSE, flags));

  /**
   * GmcpServerConfig:unix-sockets: (getter get_unix_sockets)
   *
   * Whether the program, in its sandbox, may use Unix sockets. Without it, it cannot connect to those
   * that other programs listen on in folders that it sees.
   *
   * Since: 0.1
   */
  install_property (object_class, g_param_spec_boolean ("unix-sockets", NULL, NULL, FALSE, flags));

  /**
   * GmcpServerConfig:share: (getter get_share)
   *
   * Whether the programs of a session share one process of the server: %GMCP_SHARE_AUTO for what
   * [property@Gmcp.Manager:share] says. It means nothing for a server that is reached by its address.
   *
   * Since: 0.1
   */
  install_property (
    object_class, g_param_spec_enum ("share", NULL, NULL, GMCP_TYPE_SHARE, GMCP_SHARE_AUTO, flags));

  /**
   * GmcpServerConfig:max-cpu-ms: (getter get_max_cpu_ms)
   *
   * How much time of a processor each process of the program may use before it is ended, in
   * milliseconds, rounded up to seconds; 0 for no limit.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("max-cpu-ms", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:max-memory-mib: (getter get_max_memory_mib)
   *
   * How much memory the program may use, with all that it starts, in MiB; 0 for no limit. It takes the
   * systemd of a user's session; without it the server does not start.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("max-memory-mib", NULL, NULL, 0, G_MAXUINT, 0, flags));

  /**
   * GmcpServerConfig:max-processes: (getter get_max_processes)
   *
   * How many processes and threads the program may have at once; 0 for no limit. It takes the systemd of
   * a user's session; without it the server does not start.
   *
   * Since: 0.1
   */
  install_property (object_class,
                    g_param_spec_uint ("max-processes", NULL, NULL, 0, G_MAXUINT, 0, flags));
}

static void
gmcp_server_config_class_init (GmcpServerConfigClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = gmcp_server_config_constructed;
  object_class->finalize = gmcp_server_config_finalize;
  object_class->get_property = gmcp_server_config_get_property;
  object_class->set_property = gmcp_server_config_set_property;

  install_values (object_class, flags);
  install_supervision (object_class, flags);
  install_confinement_properties (object_class, flags);
}

static void
gmcp_server_config_init (GmcpServerConfig *self)
{
}

/**
 * gmcp_server_config_new:
 * @id: the server's id
 * @argv: (array zero-terminated=1): the program and its arguments
 *
 * Makes the configuration of an enabled server that is a program. For all else give the properties
 * to the constructor.
 *
 * Returns: (transfer full): a configuration
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_server_config_new (const char *id, const char *const *argv)
{
  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (argv != NULL, NULL);

  return g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", id, "argv", argv, NULL);
}
