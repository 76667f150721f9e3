/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-fill-private.h"
#include "gmcp-manager-places-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-manager-projects-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-provider-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpManager:
 *
 * Looks after the servers that the user has configured, so that a host never thinks about them: a
 * tool provider over all of them, and a live list of [class@Gmcp.ManagedServer].
 *
 * Where the configuration comes from is said by [method@Gmcp.Manager.add_source] or
 * [property@Gmcp.ToolProvider:config-file]. Nothing is read or started before somebody asks for it. The
 * first load, or the first call of a tool, reads the configuration and starts the servers that it
 * needs, side by side. A server that fails is left out, says so by [signal@Gmcp.ToolProvider::notice] and
 * [property@Gmcp.ManagedServer:last-error], and does not stop the others. One that ends is started
 * again by the next call of one of its tools; a call is never sent twice. Once the tools have been
 * loaded the list follows the configuration: what is added is started, what changes is restarted,
 * what is removed is stopped.
 *
 * A manager, and what it gives out, belongs to the main context that was the thread's default when it
 * was made, and is used in the thread that runs it.
 *
 * Since: 0.1
 */

static void gmcp_manager_list_model_init (GListModelInterface *iface);

G_DEFINE_TYPE_WITH_CODE (GmcpManager,
                         gmcp_manager,
                         G_TYPE_OBJECT,
                         G_ADD_PRIVATE (GmcpManager)
                           G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, gmcp_manager_list_model_init)
                             G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                    gmcp_manager_provider_init))

typedef enum
{
  PROP_TOOL_NAME_STYLE = 1,
  PROP_ROLE,
  PROP_ASK_FIRST,
  PROP_ASK_DESTRUCTIVE,
  PROP_PIN_POLICY,
  PROP_STATE_DIR,
  PROP_PROJECT,
  PROP_RESOURCE_TIMEOUT_MS,
  PROP_RESPONSE_CACHE,
  PROP_CALL_TIMEOUT_MS,
  PROP_MAX_CALL_TIMEOUT_MS,
  PROP_STARTUP_TIMEOUT_MS,
  PROP_SHUTDOWN_TIMEOUT_MS,
  PROP_HEALTH_INTERVAL_MS,
  PROP_HEALTH_TIMEOUT_MS,
  PROP_MAX_RESTART_ATTEMPTS,
  PROP_AUDIT,
  PROP_AUDIT_HASH_ARGUMENTS,
  PROP_AUDIT_LOG,
  PROP_LOG_DIRECTORY,
  PROP_MAX_RESULT_BYTES,
  PROP_WORKSPACE,
  /* Of the interface. */
  PROP_CONFIG_FILE,
  PROP_HOST,
  PROP_INSTRUCTIONS,
} GmcpManagerProperty;

enum
{
  SIGNAL_CONFIG_INPUT_REQUESTED,
  N_SIGNALS
};

static GParamSpec *properties[PROP_WORKSPACE + 1];
static guint signals[N_SIGNALS];

static void
gmcp_manager_dispose (GObject *object)
{
  GmcpManager *self = GMCP_MANAGER (object);
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GError) reason = gmcp_manager_closed_error ();

  /* A garbage collector may be at work, as in GJS, and no handler can run then. */
  priv->disposing = TRUE;
  gmcp_manager_hold_list (self);
  priv->closed = TRUE;
  gmcp_manager_drop_config (self);
  gmcp_manager_drop_servers (self, reason);
  gmcp_manager_drop_audit (self);

  G_OBJECT_CLASS (gmcp_manager_parent_class)->dispose (object);
}

static void
gmcp_manager_finalize (GObject *object)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (GMCP_MANAGER (object));

  g_free (priv->config_file);
  g_free (priv->workspace);
  g_clear_pointer (&priv->answers, g_hash_table_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (priv->before_files); i++)
    g_value_unset (&priv->before_files[i]);
  g_free (priv->host);
  g_free (priv->instructions);
  g_free (priv->node_searched);
  gmcp_call_book_unref (priv->book);
  g_ptr_array_unref (priv->sources);
  g_ptr_array_unref (priv->added);
  gmcp_manager_filling_free (priv->filling);
  g_hash_table_unref (priv->withdrawn);
  g_ptr_array_unref (priv->sections);
  g_ptr_array_unref (priv->leaving);
  g_hash_table_unref (priv->by_id);
  gmcp_tool_names_free (priv->names);
  g_object_unref (priv->tools);
  g_object_unref (priv->cache);
  gmcp_manager_projects_free (priv->projects);
  gmcp_manager_policy_free (priv->policy);
  g_main_context_unref (priv->context);

  G_OBJECT_CLASS (gmcp_manager_parent_class)->finalize (object);
}

static void
gmcp_manager_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (GMCP_MANAGER (object));

  switch ((GmcpManagerProperty) prop_id)
    {
    case PROP_TOOL_NAME_STYLE:
      g_value_set_enum (value, priv->tool_name_style);
      break;
    case PROP_ROLE:
      g_value_set_string (value, priv->policy->role);
      break;
    case PROP_ASK_FIRST:
      g_value_set_boxed (value, priv->policy->ask_first);
      break;
    case PROP_ASK_DESTRUCTIVE:
      g_value_set_boolean (value, priv->policy->ask_destructive);
      break;
    case PROP_PIN_POLICY:
      g_value_set_enum (value, priv->policy->pin_policy);
      break;
    case PROP_STATE_DIR:
      g_value_set_string (value, priv->policy->state_dir);
      break;
    case PROP_PROJECT:
      g_value_set_string (value, priv->projects->chosen);
      break;
    case PROP_RESOURCE_TIMEOUT_MS:
      g_value_set_uint (value, priv->projects->resource_timeout_ms);
      break;
    case PROP_RESPONSE_CACHE:
      g_value_set_object (value, priv->cache);
      break;
    case PROP_CALL_TIMEOUT_MS:
      g_value_set_uint (value, priv->limits.call_timeout_ms);
      break;
    case PROP_MAX_CALL_TIMEOUT_MS:
      g_value_set_uint (value, priv->limits.max_call_timeout_ms);
      break;
    case PROP_STARTUP_TIMEOUT_MS:
      g_value_set_uint (value, priv->limits.startup_timeout_ms);
      break;
    case PROP_SHUTDOWN_TIMEOUT_MS:
      g_value_set_uint (value, priv->limits.shutdown_timeout_ms);
      break;
    case PROP_HEALTH_INTERVAL_MS:
      g_value_set_uint (value, priv->limits.health_interval_ms);
      break;
    case PROP_HEALTH_TIMEOUT_MS:
      g_value_set_uint (value, priv->limits.health_timeout_ms);
      break;
    case PROP_MAX_RESTART_ATTEMPTS:
      g_value_set_uint (value, priv->limits.max_restart_attempts);
      break;
    case PROP_AUDIT:
      g_value_set_boolean (value, priv->audit);
      break;
    case PROP_AUDIT_HASH_ARGUMENTS:
      g_value_set_boolean (value, priv->audit_hash_arguments);
      break;
    case PROP_AUDIT_LOG:
      g_value_set_object (value, gmcp_manager_get_audit_log (GMCP_MANAGER (object)));
      break;
    case PROP_LOG_DIRECTORY:
      g_value_set_string (value, priv->book->log_dir);
      break;
    case PROP_MAX_RESULT_BYTES:
      g_value_set_uint (value, gmcp_manager_get_max_result_bytes (GMCP_MANAGER (object)));
      break;
    case PROP_WORKSPACE:
      g_value_set_string (value, priv->workspace);
      break;
    case PROP_CONFIG_FILE:
      g_value_set_string (value, priv->config_file);
      break;
    case PROP_HOST:
      g_value_set_string (value, priv->host);
      break;
    case PROP_INSTRUCTIONS:
      g_value_set_string (value, priv->instructions);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_manager_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpManager *self = GMCP_MANAGER (object);

  switch ((GmcpManagerProperty) prop_id)
    {
    case PROP_TOOL_NAME_STYLE:
      gmcp_manager_set_tool_name_style (self, g_value_get_enum (value));
      break;
    case PROP_ROLE:
      gmcp_manager_set_role (self, g_value_get_string (value));
      break;
    case PROP_ASK_FIRST:
      gmcp_manager_set_ask_first (self, g_value_get_boxed (value));
      break;
    case PROP_ASK_DESTRUCTIVE:
      gmcp_manager_set_ask_destructive (self, g_value_get_boolean (value));
      break;
    case PROP_PIN_POLICY:
      gmcp_manager_set_pin_policy (self, g_value_get_enum (value));
      break;
    case PROP_STATE_DIR:
      gmcp_manager_set_state_dir (self, g_value_get_string (value));
      break;
    case PROP_PROJECT:
      gmcp_manager_set_project (self, g_value_get_string (value));
      break;
    case PROP_RESOURCE_TIMEOUT_MS:
      gmcp_manager_set_resource_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_CALL_TIMEOUT_MS:
      gmcp_manager_set_call_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_MAX_CALL_TIMEOUT_MS:
      gmcp_manager_set_max_call_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_STARTUP_TIMEOUT_MS:
      gmcp_manager_set_startup_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_SHUTDOWN_TIMEOUT_MS:
      gmcp_manager_set_shutdown_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_HEALTH_INTERVAL_MS:
      gmcp_manager_set_health_interval_ms (self, g_value_get_uint (value));
      break;
    case PROP_HEALTH_TIMEOUT_MS:
      gmcp_manager_set_health_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_MAX_RESTART_ATTEMPTS:
      gmcp_manager_set_max_restart_attempts (self, g_value_get_uint (value));
      break;
    case PROP_AUDIT:
      gmcp_manager_set_audit (self, g_value_get_boolean (value));
      break;
    case PROP_AUDIT_HASH_ARGUMENTS:
      gmcp_manager_set_audit_hash_arguments (self, g_value_get_boolean (value));
      break;
    case PROP_AUDIT_LOG:
      if (g_value_get_object (value) != NULL)
        gmcp_manager_set_audit_log (self, g_value_get_object (value));
      break;
    case PROP_LOG_DIRECTORY:
      gmcp_manager_set_log_directory (self, g_value_get_string (value));
      break;
    case PROP_MAX_RESULT_BYTES:
      gmcp_manager_set_max_result_bytes (self, g_value_get_uint (value));
      break;
    case PROP_WORKSPACE:
      gmcp_manager_set_workspace (self, g_value_get_string (value));
      break;
    case PROP_CONFIG_FILE:
      gmcp_manager_set_config_file (self, g_value_get_string (value));
      break;
    case PROP_HOST:
      gmcp_manager_set_host (self, g_value_get_string (value));
      break;
    case PROP_RESPONSE_CACHE:
    case PROP_INSTRUCTIONS:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_policy_properties (void)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpManager:role: (getter get_role) (setter set_role)
   *
   * The name of the role that all calls are made under, or %NULL. Only what it allows is listed,
   * found and called. [property@Gmcp.CallOptions:role] of a call holds beside it.
   *
   * Since: 0.1
   */
  properties[PROP_ROLE] = g_param_spec_string ("role", NULL, NULL, NULL, flags);

  /**
   * GmcpManager:ask-first: (getter get_ask_first) (setter set_ask_first)
   *
   * Rules for what may be called only after somebody was asked, under any role. Follows the key
   * `ask-first` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_ASK_FIRST] = g_param_spec_boxed ("ask-first", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpManager:ask-destructive: (getter get_ask_destructive) (setter set_ask_destructive)
   *
   * Whether somebody is asked before a tool is called that may destroy something. Follows the key
   * `ask-destructive` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_ASK_DESTRUCTIVE]
    = g_param_spec_boolean ("ask-destructive", NULL, NULL, FALSE, flags);

  /**
   * GmcpManager:pin-policy: (getter get_pin_policy) (setter set_pin_policy)
   *
   * What is done about tools that are new, or have changed, since their server was first seen.
   * Follows the key `pin-policy` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_PIN_POLICY] = g_param_spec_enum ("pin-policy", NULL, NULL, GMCP_TYPE_PIN_POLICY,
                                                   GMCP_PIN_POLICY_NOTICE, flags);

  /**
   * GmcpManager:state-dir: (getter get_state_dir) (setter set_state_dir)
   *
   * The folder in which it is kept what was decided; %NULL for `gmcp` in `$XDG_STATE_HOME`. To be set
   * before the configuration is first read.
   *
   * Since: 0.1
   */
  properties[PROP_STATE_DIR] = g_param_spec_string ("state-dir", NULL, NULL, NULL, flags);
}

static void
install_project_properties (void)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpManager:project: (getter get_project) (setter set_project)
   *
   * The id of the project whose servers are listed, or %NULL for all servers. A project that names no
   * server has none. A tool that is not listed can still be called by its name.
   *
   * Since: 0.1
   */
  properties[PROP_PROJECT] = g_param_spec_string ("project", NULL, NULL, NULL, flags);

  /**
   * GmcpManager:resource-timeout-ms: (getter get_resource_timeout_ms) (setter set_resource_timeout_ms)
   *
   * How long [method@Gmcp.Manager.get_context_async] waits for servers, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_RESOURCE_TIMEOUT_MS]
    = g_param_spec_uint ("resource-timeout-ms", NULL, NULL, 1, G_MAXUINT,
                         GMCP_DEFAULT_CONTEXT_RESOURCE_TIMEOUT_MS, flags);

  /**
   * GmcpManager:response-cache: (getter get_response_cache)
   *
   * What servers answered before, in memory only, one cache for all of them. Lists stay fresh for a
   * minute and resources for five where their server does not say. What a server answered is
   * dropped when it is started again, when its configuration changes or is removed, and by
   * [method@Gmcp.Manager.sync_async].
   *
   * Since: 0.1
   */
  properties[PROP_RESPONSE_CACHE]
    = g_param_spec_object ("response-cache", NULL, NULL, GMCP_TYPE_RESPONSE_CACHE,
                           G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpManager:tool-name-style: (getter get_tool_name_style) (setter set_tool_name_style)
   *
   * How tools are named to the host. Follows the key `tool-name-style` of `org.gmcp.Manager` where
   * settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_TOOL_NAME_STYLE]
    = g_param_spec_enum ("tool-name-style", NULL, NULL, GMCP_TYPE_TOOL_NAME_STYLE,
                         GMCP_TOOL_NAME_STYLE_SERVER_TOOL, flags);

  /**
   * GmcpManager:call-timeout-ms: (getter get_call_timeout_ms) (setter set_call_timeout_ms)
   *
   * The time limit of a call, in milliseconds, where neither the call nor the server's configuration
   * has one. Follows the key `call-timeout-ms` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_CALL_TIMEOUT_MS] = g_param_spec_uint ("call-timeout-ms", NULL, NULL, 1, G_MAXUINT,
                                                        GMCP_DEFAULT_CALL_TIMEOUT_MS, flags);

  /**
   * GmcpManager:max-call-timeout-ms: (getter get_max_call_timeout_ms) (setter set_max_call_timeout_ms)
   *
   * The time limit of a call that reports progress, in milliseconds. Follows the key
   * `max-call-timeout-ms` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_CALL_TIMEOUT_MS] = g_param_spec_uint (
    "max-call-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS, flags);

  /**
   * GmcpManager:startup-timeout-ms: (getter get_startup_timeout_ms) (setter set_startup_timeout_ms)
   *
   * The time limit of a server's start, in milliseconds, where its configuration has none. Follows the
   * key `startup-timeout-ms` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_STARTUP_TIMEOUT_MS] = g_param_spec_uint (
    "startup-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_MANAGER_STARTUP_TIMEOUT_MS, flags);

  /**
   * GmcpManager:shutdown-timeout-ms: (getter get_shutdown_timeout_ms) (setter set_shutdown_timeout_ms)
   *
   * How long the calls under way may take once their server is to stop, in milliseconds, where
   * its configuration has no limit. Follows the key `shutdown-timeout-ms` of `org.gmcp.Manager`
   * where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_SHUTDOWN_TIMEOUT_MS] = g_param_spec_uint (
    "shutdown-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_DRAIN_TIMEOUT_MS, flags);

  /**
   * GmcpManager:health-interval-ms: (getter get_health_interval_ms) (setter set_health_interval_ms)
   *
   * The time between two health checks, in milliseconds, where a server's configuration has
   * none. Follows the key `health-interval-ms` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_HEALTH_INTERVAL_MS] = g_param_spec_uint (
    "health-interval-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_HEALTH_INTERVAL_MS, flags);

  /**
   * GmcpManager:health-timeout-ms: (getter get_health_timeout_ms) (setter set_health_timeout_ms)
   *
   * The time limit of a health check, in milliseconds, where a server's configuration has none.
   * Follows the key `health-timeout-ms` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_HEALTH_TIMEOUT_MS] = g_param_spec_uint (
    "health-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_HEALTH_TIMEOUT_MS, flags);

  /**
   * GmcpManager:max-restart-attempts: (getter get_max_restart_attempts) (setter set_max_restart_attempts)
   *
   * How many starts in a row may fail before a server is given up, where its configuration does
   * not say. Follows the key `max-restart-attempts` of `org.gmcp.Manager` where settings are in
   * use.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_RESTART_ATTEMPTS] = g_param_spec_uint (
    "max-restart-attempts", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_MAX_RESTART_ATTEMPTS, flags);

  /**
   * GmcpManager:audit: (getter get_audit) (setter set_audit)
   *
   * Whether calls are written down in an audit log, with their arguments but without secrets, see
   * [class@Gmcp.AuditLog]. Follows the key `audit` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_AUDIT] = g_param_spec_boolean ("audit", NULL, NULL, TRUE, flags);

  /**
   * GmcpManager:audit-hash-arguments: (getter get_audit_hash_arguments) (setter set_audit_hash_arguments)
   *
   * Whether the audit log holds a hash in place of the arguments of calls. Follows the key
   * `audit-hash-arguments` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_AUDIT_HASH_ARGUMENTS]
    = g_param_spec_boolean ("audit-hash-arguments", NULL, NULL, FALSE, flags);

  /**
   * GmcpManager:audit-log: (getter get_audit_log) (setter set_audit_log)
   *
   * The log that calls are written to. Where none is set, it is `$XDG_STATE_HOME/gmcp/audit.jsonl`.
   *
   * Since: 0.1
   */
  properties[PROP_AUDIT_LOG]
    = g_param_spec_object ("audit-log", NULL, NULL, GMCP_TYPE_AUDIT_LOG, flags);

  /**
   * GmcpManager:log-directory: (getter get_log_directory) (setter set_log_directory)
   *
   * The folder that holds a log of each server; %NULL for `$XDG_STATE_HOME/gmcp/servers`. Follows the
   * key `log-directory` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_LOG_DIRECTORY] = g_param_spec_string ("log-directory", NULL, NULL, NULL, flags);

  /**
   * GmcpManager:max-result-bytes: (getter get_max_result_bytes) (setter set_max_result_bytes)
   *
   * How large a tool's result may be, in bytes of its JSON text. Of a larger one the host gets what fits,
   * and a text that says in which file the whole of it is; the file is gone when the program ends.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_RESULT_BYTES] = g_param_spec_uint (
    "max-result-bytes", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_RESULT_BYTES, flags);

  /**
   * GmcpManager:workspace: (getter get_workspace) (setter set_workspace)
   *
   * The folder that is worked in, a full path: what `{workspace}` and `${workspaceFolder}` stand for in
   * configurations, and where a project's files are looked for.
   *
   * Since: 0.1
   */
  properties[PROP_WORKSPACE] = g_param_spec_string ("workspace", NULL, NULL, NULL, flags);

  install_policy_properties ();
  install_project_properties ();
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
  g_object_class_override_property (object_class, PROP_CONFIG_FILE, "config-file");
  g_object_class_override_property (object_class, PROP_HOST, "host");
  g_object_class_override_property (object_class, PROP_INSTRUCTIONS, "instructions");
}

static void
gmcp_manager_class_init (GmcpManagerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_manager_dispose;
  object_class->finalize = gmcp_manager_finalize;
  object_class->get_property = gmcp_manager_get_property;
  object_class->set_property = gmcp_manager_set_property;

  install_properties (object_class);

  /**
   * GmcpManager::config-input-requested:
   * @self: a manager
   * @input: what is asked for
   *
   * Emitted when a server is to be started whose configuration leaves a value to the user:
   * `${input:ID}`. A handler that takes the request returns %TRUE and answers it when it can. Where
   * none does, the start fails.
   *
   * Returns: whether the request is taken
   *
   * Since: 0.1
   */
  signals[SIGNAL_CONFIG_INPUT_REQUESTED] = g_signal_new (
    "config-input-requested", GMCP_TYPE_MANAGER, G_SIGNAL_RUN_LAST, 0,
    g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN, 1, GMCP_TYPE_CONFIG_INPUT);
}

gboolean
gmcp_manager_request_config_input (GmcpManager *self, GmcpConfigInput *input)
{
  gboolean taken = FALSE;

  if (!gmcp_manager_get_private (self)->disposing)
    g_signal_emit (self, signals[SIGNAL_CONFIG_INPUT_REQUESTED], 0, input, &taken);
  return taken;
}

static void
gmcp_manager_init (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  priv->context = g_main_context_ref_thread_default ();
  priv->book = gmcp_call_book_new ();
  priv->audit = TRUE;
  priv->tool_name_style = GMCP_TOOL_NAME_STYLE_SERVER_TOOL;
  priv->limits = (GmcpServerLimits){
    .call_timeout_ms = GMCP_DEFAULT_CALL_TIMEOUT_MS,
    .max_call_timeout_ms = GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS,
    .startup_timeout_ms = GMCP_DEFAULT_MANAGER_STARTUP_TIMEOUT_MS,
    .shutdown_timeout_ms = GMCP_DEFAULT_DRAIN_TIMEOUT_MS,
    .health_interval_ms = GMCP_DEFAULT_HEALTH_INTERVAL_MS,
    .health_timeout_ms = GMCP_DEFAULT_HEALTH_TIMEOUT_MS,
    .max_restart_attempts = GMCP_DEFAULT_MAX_RESTART_ATTEMPTS,
    .restart_delay_ms = GMCP_DEFAULT_RESTART_DELAY_MS,
    .max_restart_delay_ms = GMCP_DEFAULT_MAX_RESTART_DELAY_MS,
    .restart_reset_ms = GMCP_DEFAULT_RESTART_RESET_MS,
  };
  priv->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_manager_source_free);
  priv->added = g_ptr_array_new_with_free_func (g_object_unref);
  priv->filling = gmcp_manager_filling_new ();
  priv->withdrawn = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  priv->sections = g_ptr_array_new ();
  priv->leaving = g_ptr_array_new_with_free_func (g_object_unref);
  priv->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  priv->names = gmcp_tool_names_new (priv->tool_name_style);
  priv->tools = gmcp_object_list_new (GMCP_TYPE_TOOL);
  priv->cache = gmcp_manager_make_cache ();
  priv->projects = gmcp_manager_projects_new ();
  priv->policy = gmcp_manager_policy_new ();
  gmcp_manager_open_gate (self);
  g_queue_init (&priv->config_waiters);
  g_queue_init (&priv->closers);
}

static GType
gmcp_manager_get_item_type (GListModel *list)
{
  return GMCP_TYPE_MANAGED_SERVER;
}

static guint
gmcp_manager_get_n_items (GListModel *list)
{
  return gmcp_manager_get_private (GMCP_MANAGER (list))->sections->len;
}

static gpointer
gmcp_manager_get_item (GListModel *list, guint position)
{
  GPtrArray *sections = gmcp_manager_get_private (GMCP_MANAGER (list))->sections;

  if (position >= sections->len)
    return NULL;

  return g_object_ref (((GmcpManagerSection *) g_ptr_array_index (sections, position))->server);
}

static void
gmcp_manager_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = gmcp_manager_get_item_type;
  iface->get_n_items = gmcp_manager_get_n_items;
  iface->get_item = gmcp_manager_get_item;
}

GmcpManagerPrivate *
gmcp_manager_get_private (GmcpManager *self)
{
  return gmcp_manager_get_instance_private (self);
}

void
gmcp_manager_forward_notice (GmcpManager *self,
                             const char *server_id,
                             GmcpNoticeLevel level,
                             const char *message)
{
  gmcp_tool_provider_emit_notice (GMCP_TOOL_PROVIDER (self), server_id, level, message);
}

void
gmcp_manager_notice (GmcpManager *self,
                     const char *server_id,
                     GmcpNoticeLevel level,
                     const char *message)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagerSection *section
    = server_id != NULL ? g_hash_table_lookup (priv->by_id, server_id) : NULL;
  g_autofree char *redacted = gmcp_redactor_redact (priv->book->redactor, message);

  if (redacted != NULL)
    message = redacted;
  gmcp_notice_log (server_id, level, message);
  if (section != NULL)
    gmcp_managed_server_write_log (section->server, level, message);
  gmcp_manager_forward_notice (self, server_id, level, message);
}

GError *
gmcp_manager_closed_error (void)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED,
                              _ ("The manager of the servers has been closed"));
}

GError *
gmcp_manager_not_configured_error (const char *server_id)
{
  g_autofree char *shown = gmcp_protocol_shorten (server_id);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED, _ ("Server “%s” is not configured"),
                      shown);
}

/**
 * gmcp_manager_new:
 *
 * Makes a manager without a source of configuration.
 *
 * Returns: (transfer full): a manager
 *
 * Since: 0.1
 */
GmcpManager *
gmcp_manager_new (void)
{
  return g_object_new (GMCP_TYPE_MANAGER, NULL);
}
