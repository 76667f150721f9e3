/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-making-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-project-set-private.h"
#include "gmcp-unlisted-servers-private.h"

typedef enum
{
  PROP_ROLE = 1,
  PROP_STATE_DIRECTORY,
  PROP_PROJECT,
  PROP_RESPONSE_CACHE,
  PROP_AUDIT_LOG,
  PROP_WORKSPACE,
  PROP_AWAITED_SERVERS,
  PROP_CONFIG_FILE,
  PROP_HOST,
  PROP_INSTRUCTIONS,
  PROP_NEEDS_INPUT,
  PROP_ACTIVATES_DAEMON,
  /* The settings of GmcpSetting, in their order. */
  PROP_FIRST_SETTING,
  PROP_LAST_SETTING = PROP_FIRST_SETTING + GMCP_N_SETTINGS - 1,
} GmcpManagerProperty;

static GParamSpec *properties[PROP_LAST_SETTING + 1];

static gboolean
is_setting (guint prop_id)
{
  return prop_id >= PROP_FIRST_SETTING && prop_id <= PROP_LAST_SETTING;
}

static void
gmcp_manager_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpManager *self = GMCP_MANAGER (object);

  if (is_setting (prop_id))
    {
      gmcp_effective_settings_get_value (gmcp_manager_get_settings (self),
                                         prop_id - PROP_FIRST_SETTING, value);
      return;
    }

  switch ((GmcpManagerProperty) prop_id)
    {
    case PROP_ROLE:
      g_value_set_string (value, gmcp_manager_get_role (self));
      break;
    case PROP_STATE_DIRECTORY:
      g_value_set_object (value, gmcp_manager_get_state_directory (self));
      break;
    case PROP_PROJECT:
      g_value_set_string (value, gmcp_manager_get_project (self));
      break;
    case PROP_RESPONSE_CACHE:
      g_value_set_object (value, gmcp_manager_get_response_cache (self));
      break;
    case PROP_AUDIT_LOG:
      g_value_set_object (value, gmcp_manager_get_audit_log (self));
      break;
    case PROP_WORKSPACE:
      g_value_set_object (value, gmcp_manager_get_workspace (self));
      break;
    case PROP_AWAITED_SERVERS:
      g_value_set_boxed (
        value, gmcp_unlisted_servers_get_awaited (gmcp_manager_get_unlisted_servers (self)));
      break;
    case PROP_CONFIG_FILE:
      g_value_set_object (value, gmcp_manager_get_config_file (self));
      break;
    case PROP_HOST:
      g_value_set_string (value, gmcp_manager_get_host (self));
      break;
    case PROP_NEEDS_INPUT:
      g_value_set_boolean (value, gmcp_manager_get_needs_input (self));
      break;
    case PROP_ACTIVATES_DAEMON:
      g_value_set_boolean (value, gmcp_manager_get_activates_daemon (self));
      break;
    case PROP_INSTRUCTIONS:
      g_value_set_string (value, gmcp_manager_get_instructions (self));
      break;
    case PROP_FIRST_SETTING:
    case PROP_LAST_SETTING:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_manager_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpManager *self = GMCP_MANAGER (object);

  if (is_setting (prop_id))
    {
      gmcp_effective_settings_set_value (gmcp_manager_get_settings (self),
                                         prop_id - PROP_FIRST_SETTING, value);
      return;
    }

  switch ((GmcpManagerProperty) prop_id)
    {
    case PROP_ROLE:
      gmcp_manager_set_role (self, g_value_get_string (value));
      break;
    case PROP_STATE_DIRECTORY:
      gmcp_manager_set_state_directory (self, g_value_get_object (value));
      break;
    case PROP_PROJECT:
      gmcp_manager_set_project (self, g_value_get_string (value));
      break;
    case PROP_AUDIT_LOG:
      if (g_value_get_object (value) != NULL)
        gmcp_manager_set_audit_log (self, g_value_get_object (value));
      break;
    case PROP_WORKSPACE:
      gmcp_manager_set_workspace (self, g_value_get_object (value));
      break;
    case PROP_CONFIG_FILE:
      gmcp_manager_set_config_file (self, g_value_get_object (value));
      break;
    case PROP_HOST:
      gmcp_manager_set_host (self, g_value_get_string (value));
      break;
    case PROP_NEEDS_INPUT:
      gmcp_manager_set_needs_input (self, g_value_get_boolean (value));
      break;
    case PROP_ACTIVATES_DAEMON:
      gmcp_manager_set_activates_daemon (self, g_value_get_boolean (value));
      break;
    case PROP_RESPONSE_CACHE:
    case PROP_INSTRUCTIONS:
    case PROP_FIRST_SETTING:
    case PROP_LAST_SETTING:
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
  properties[PROP_FIRST_SETTING + GMCP_SETTING_ASK_FIRST]
    = g_param_spec_boxed ("ask-first", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpManager:ask-destructive: (getter get_ask_destructive) (setter set_ask_destructive)
   *
   * Whether somebody is asked before a tool is called that may destroy something. Follows the key
   * `ask-destructive` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_FIRST_SETTING + GMCP_SETTING_ASK_DESTRUCTIVE]
    = g_param_spec_boolean ("ask-destructive", NULL, NULL, FALSE, flags);

  /**
   * GmcpManager:pin-policy: (getter get_pin_policy) (setter set_pin_policy)
   *
   * What is done about tools that are new, or have changed, since their server was first seen.
   * Follows the key `pin-policy` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_FIRST_SETTING + GMCP_SETTING_PIN_POLICY] = g_param_spec_enum (
    "pin-policy", NULL, NULL, GMCP_TYPE_PIN_POLICY, GMCP_PIN_POLICY_NOTICE, flags);

  /**
   * GmcpManager:share: (getter get_share) (setter set_share)
   *
   * Whether the programs of a session share one process of a server, where the server's configuration
   * ([property@Gmcp.ServerConfig:share]) says nothing else. It holds for servers that start from then on. Follows
   * the key `share` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_FIRST_SETTING + GMCP_SETTING_SHARE]
    = g_param_spec_enum ("share", NULL, NULL, GMCP_TYPE_SHARE, GMCP_SHARE_AUTO, flags);

  /**
   * GmcpManager:needs-input: (getter get_needs_input) (setter set_needs_input)
   *
   * Whether this program has to get what any server asks: elicitation, sampling and roots. A process of a revision
   * before 2026-07-28 that programs share cannot ask, since it does not say which program's call its question
   * belongs to; then the program gets a process of its own, also where [property@Gmcp.Manager:share] or
   * [property@Gmcp.ServerConfig:share] is %GMCP_SHARE_YES, and a notice says why. A handler of
   * [signal@Gmcp.ToolProvider::input-requested] alone does not mean that. It holds for servers that start from then
   * on.
   *
   * Since: 0.1
   */
  properties[PROP_NEEDS_INPUT] = g_param_spec_boolean ("needs-input", NULL, NULL, FALSE, flags);

  /**
   * GmcpManager:activates-daemon: (getter get_activates_daemon) (setter set_activates_daemon)
   *
   * Whether gmcpd is started where a server is to be shared ([property@Gmcp.Manager:share]) and gmcpd does not run: by
   * the session bus, where that knows how to. The server that waits for it gets a process of its own where gmcpd is not
   * there within three seconds, and it is not tried again then. With [property@Gmcp.Manager:config-file] it is not tried: the
   * daemon of the session has other servers.
   *
   * Since: 0.1
   */
  properties[PROP_ACTIVATES_DAEMON]
    = g_param_spec_boolean ("activates-daemon", NULL, NULL, TRUE, flags);

  /**
   * GmcpManager:state-directory: (getter get_state_directory) (setter set_state_directory)
   *
   * The folder in which it is kept what was decided, and in which servers have folders of their own to
   * run in; %NULL for `gmcp` in `$XDG_STATE_HOME`. To be set before the configuration is first read.
   *
   * Since: 0.1
   */
  properties[PROP_STATE_DIRECTORY]
    = g_param_spec_object ("state-directory", NULL, NULL, G_TYPE_FILE, flags);
}

static void
install_host_properties (void)
{
  const GParamFlags flags = G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpManager:config-file: (getter get_config_file) (setter set_config_file)
   *
   * The configuration file to read in place of every other source, or %NULL for the sources. To be set
   * before the tools are first loaded.
   *
   * Since: 0.1
   */
  properties[PROP_CONFIG_FILE]
    = g_param_spec_object ("config-file", NULL, NULL, G_TYPE_FILE, G_PARAM_READWRITE | flags);

  /**
   * GmcpManager:host: (getter get_host) (setter set_host)
   *
   * The id of the program that uses the manager, such as `org.example.Notes`, or %NULL. To be set
   * before the tools are first loaded.
   *
   * Since: 0.1
   */
  properties[PROP_HOST] = g_param_spec_string ("host", NULL, NULL, NULL, G_PARAM_READWRITE | flags);

  /**
   * GmcpManager:instructions: (getter get_instructions)
   *
   * What the servers want the model to be told beside the list of tools, or %NULL.
   *
   * Since: 0.1
   */
  properties[PROP_INSTRUCTIONS]
    = g_param_spec_string ("instructions", NULL, NULL, NULL, G_PARAM_READABLE | flags);
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
install_limits (void)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);

      if (gmcp_manager_limit_is_of_bytes (i))
        properties[PROP_FIRST_SETTING + i] = g_param_spec_uint64 (
          info->name, NULL, NULL, info->minimum, info->maximum, info->value, flags);
      else
        properties[PROP_FIRST_SETTING + i] = g_param_spec_uint (
          info->name, NULL, NULL, info->minimum, info->maximum, info->value, flags);
    }
}

void
gmcp_manager_install_properties (GObjectClass *object_class)
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
  properties[PROP_FIRST_SETTING + GMCP_SETTING_TOOL_NAME_STYLE]
    = g_param_spec_enum ("tool-name-style", NULL, NULL, GMCP_TYPE_TOOL_NAME_STYLE,
                         GMCP_TOOL_NAME_STYLE_SERVER_TOOL, flags);

  /**
   * GmcpManager:audit: (getter get_audit) (setter set_audit)
   *
   * Whether calls are written down in an audit log, with their arguments but without secrets, see
   * [class@Gmcp.AuditLog]. Follows the key `audit` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_FIRST_SETTING + GMCP_SETTING_AUDIT]
    = g_param_spec_boolean ("audit", NULL, NULL, TRUE, flags);

  /**
   * GmcpManager:audit-hash-arguments: (getter get_audit_hash_arguments) (setter set_audit_hash_arguments)
   *
   * Whether the audit log holds a hash in place of the arguments of calls. Follows the key
   * `audit-hash-arguments` of `org.gmcp.Manager` where settings are in use.
   *
   * Since: 0.1
   */
  properties[PROP_FIRST_SETTING + GMCP_SETTING_AUDIT_HASH_ARGUMENTS]
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
  properties[PROP_FIRST_SETTING + GMCP_SETTING_LOG_DIRECTORY]
    = g_param_spec_object ("log-directory", NULL, NULL, G_TYPE_FILE, flags);

  /**
   * GmcpManager:workspace: (getter get_workspace) (setter set_workspace)
   *
   * The folder that is worked in, a full path: what `{workspace}` and `${workspaceFolder}` stand for in
   * configurations, and where a project's files are looked for.
   *
   * Since: 0.1
   */
  properties[PROP_WORKSPACE] = g_param_spec_object ("workspace", NULL, NULL, G_TYPE_FILE, flags);

  /**
   * GmcpManager:auto-start-default: (getter get_auto_start_default) (setter set_auto_start_default)
   *
   * Whether servers start when they are needed that stand below `mcp_servers` in a file, where neither
   * they nor the file say it. Follows the key `auto-start-default` of `org.gmcp.Manager` where settings
   * are in use.
   *
   * Since: 0.1
   */
  properties[PROP_FIRST_SETTING + GMCP_SETTING_AUTO_START_DEFAULT]
    = g_param_spec_boolean ("auto-start-default", NULL, NULL, FALSE, flags);

  /**
   * GmcpManager:awaited-server-ids: (getter dup_awaited_server_ids)
   *
   * Ids of the servers that the list of tools may still grow by: those that start, or are started
   * again, and whose tools were never listed. Once one of them is listed, or has failed for good, it is
   * no longer here.
   *
   * Since: 0.1
   */
  properties[PROP_AWAITED_SERVERS]
    = g_param_spec_boxed ("awaited-server-ids", NULL, NULL, G_TYPE_STRV,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  install_limits ();
  install_policy_properties ();
  install_project_properties ();
  install_host_properties ();
  object_class->get_property = gmcp_manager_get_property;
  object_class->set_property = gmcp_manager_set_property;
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}
