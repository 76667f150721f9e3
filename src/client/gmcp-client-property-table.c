/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-parts-private.h"

#include "gmcp-limits.h"

typedef enum
{
  PROP_TRANSPORT = 1,
  PROP_NAME,
  PROP_CLIENT_INFO,
  PROP_ERA,
  PROP_CALL_TIMEOUT_MS,
  PROP_MAX_CALL_TIMEOUT_MS,
  PROP_MAX_TASK_TIMEOUT_MS,
  PROP_STARTUP_TIMEOUT_MS,
  PROP_PROBE_TIMEOUT_MS,
  PROP_CACHE_KEY,
  PROP_RESPONSE_CACHE,
  PROP_SIGN_IN,
  PROP_STRICT_OUTPUT,
  PROP_INPUT_TIMEOUT_MS,
  PROP_ALLOW_SAMPLING,
  PROP_ROOTS,
  PROP_OPEN,
  PROP_PROTOCOL_VERSION,
  PROP_SERVER_INFO,
  PROP_SERVER_CAPABILITIES,
  PROP_INSTRUCTIONS,
  PROP_TOOLS,
  PROP_RESOURCES,
  PROP_RESOURCE_TEMPLATES,
  PROP_PROMPTS,
  PROP_LOG_LEVEL,
} GmcpClientProperty;

static GParamSpec *properties[PROP_LOG_LEVEL + 1];

void
gmcp_client_notify_open (gpointer client)
{
  g_object_freeze_notify (client);
  g_object_notify_by_pspec (client, properties[PROP_OPEN]);
  g_object_notify_by_pspec (client, properties[PROP_ERA]);
  g_object_thaw_notify (client);
}

void
gmcp_client_notify_server (gpointer client)
{
  g_object_freeze_notify (client);
  g_object_notify_by_pspec (client, properties[PROP_PROTOCOL_VERSION]);
  g_object_notify_by_pspec (client, properties[PROP_SERVER_INFO]);
  g_object_notify_by_pspec (client, properties[PROP_SERVER_CAPABILITIES]);
  g_object_notify_by_pspec (client, properties[PROP_INSTRUCTIONS]);
  g_object_thaw_notify (client);
}

static void
gmcp_client_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpClient *self = GMCP_CLIENT (object);

  switch ((GmcpClientProperty) prop_id)
    {
    case PROP_TRANSPORT:
      g_value_set_object (value, gmcp_client_get_transport (self));
      break;
    case PROP_NAME:
      g_value_set_string (value, gmcp_client_get_name (self));
      break;
    case PROP_CLIENT_INFO:
      g_value_set_boxed (value, gmcp_client_get_client_info (self));
      break;
    case PROP_ERA:
      g_value_set_enum (value, gmcp_client_get_era (self));
      break;
    case PROP_CALL_TIMEOUT_MS:
      g_value_set_uint (value, gmcp_client_get_call_timeout_ms (self));
      break;
    case PROP_MAX_CALL_TIMEOUT_MS:
      g_value_set_uint (value, gmcp_client_get_max_call_timeout_ms (self));
      break;
    case PROP_MAX_TASK_TIMEOUT_MS:
      g_value_set_uint (value, gmcp_client_get_max_task_timeout_ms (self));
      break;
    case PROP_STARTUP_TIMEOUT_MS:
      g_value_set_uint (value, gmcp_client_get_startup_timeout_ms (self));
      break;
    case PROP_PROBE_TIMEOUT_MS:
      g_value_set_uint (value, gmcp_client_get_probe_timeout_ms (self));
      break;
    case PROP_CACHE_KEY:
      g_value_set_string (value, gmcp_client_get_cache_key (self));
      break;
    case PROP_RESPONSE_CACHE:
      g_value_set_object (value, gmcp_client_get_response_cache (self));
      break;
    case PROP_SIGN_IN:
      g_value_set_string (value, gmcp_client_get_sign_in (self));
      break;
    case PROP_STRICT_OUTPUT:
      g_value_set_boolean (value, gmcp_client_get_strict_output (self));
      break;
    case PROP_INPUT_TIMEOUT_MS:
      g_value_set_uint (value, gmcp_client_get_input_timeout_ms (self));
      break;
    case PROP_ALLOW_SAMPLING:
      g_value_set_boolean (value, gmcp_client_get_allow_sampling (self));
      break;
    case PROP_ROOTS:
      g_value_set_object (value, gmcp_client_get_roots (self));
      break;
    case PROP_OPEN:
      g_value_set_boolean (value, gmcp_client_is_open (self));
      break;
    case PROP_PROTOCOL_VERSION:
      g_value_set_string (value, gmcp_client_get_protocol_version (self));
      break;
    case PROP_SERVER_INFO:
      g_value_set_boxed (value, gmcp_client_get_server_info (self));
      break;
    case PROP_SERVER_CAPABILITIES:
      g_value_set_boxed (value, gmcp_client_get_server_capabilities (self));
      break;
    case PROP_INSTRUCTIONS:
      g_value_set_string (value, gmcp_client_get_instructions (self));
      break;
    case PROP_TOOLS:
      g_value_set_object (value, gmcp_client_get_tools (self));
      break;
    case PROP_RESOURCES:
      g_value_set_object (value, gmcp_client_get_resources (self));
      break;
    case PROP_RESOURCE_TEMPLATES:
      g_value_set_object (value, gmcp_client_get_resource_templates (self));
      break;
    case PROP_PROMPTS:
      g_value_set_object (value, gmcp_client_get_prompts (self));
      break;
    case PROP_LOG_LEVEL:
      g_value_set_enum (value, gmcp_client_get_log_level (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_client_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpClient *self = GMCP_CLIENT (object);

  switch ((GmcpClientProperty) prop_id)
    {
    case PROP_TRANSPORT:
      gmcp_session_take_transport (gmcp_client_get_session (self), g_value_dup_object (value));
      break;
    case PROP_NAME:
      gmcp_client_set_name (self, g_value_get_string (value));
      break;
    case PROP_CLIENT_INFO:
      gmcp_client_set_client_info (self, g_value_get_boxed (value));
      break;
    case PROP_ERA:
      gmcp_client_set_era (self, g_value_get_enum (value));
      break;
    case PROP_CALL_TIMEOUT_MS:
      gmcp_client_set_call_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_MAX_CALL_TIMEOUT_MS:
      gmcp_client_set_max_call_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_MAX_TASK_TIMEOUT_MS:
      gmcp_client_set_max_task_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_STARTUP_TIMEOUT_MS:
      gmcp_client_set_startup_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_PROBE_TIMEOUT_MS:
      gmcp_client_set_probe_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_CACHE_KEY:
      gmcp_client_set_cache_key (self, g_value_get_string (value));
      break;
    case PROP_RESPONSE_CACHE:
      gmcp_client_set_response_cache (self, g_value_get_object (value));
      break;
    case PROP_SIGN_IN:
      gmcp_client_set_sign_in (self, g_value_get_string (value));
      break;
    case PROP_STRICT_OUTPUT:
      gmcp_client_set_strict_output (self, g_value_get_boolean (value));
      break;
    case PROP_INPUT_TIMEOUT_MS:
      gmcp_client_set_input_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_ALLOW_SAMPLING:
      gmcp_client_set_allow_sampling (self, g_value_get_boolean (value));
      break;
    case PROP_ROOTS:
      gmcp_client_set_roots (self, g_value_get_object (value));
      break;
    case PROP_OPEN:
    case PROP_PROTOCOL_VERSION:
    case PROP_SERVER_INFO:
    case PROP_SERVER_CAPABILITIES:
    case PROP_INSTRUCTIONS:
    case PROP_TOOLS:
    case PROP_RESOURCES:
    case PROP_RESOURCE_TEMPLATES:
    case PROP_PROMPTS:
    case PROP_LOG_LEVEL:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_answer_properties (void)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpClient:response-cache:
   *
   * Where answers are kept that may be used again; %NULL, the default, keeps none.
   *
   * Since: 0.1
   */
  properties[PROP_RESPONSE_CACHE]
    = g_param_spec_object ("response-cache", NULL, NULL, GMCP_TYPE_RESPONSE_CACHE, flags);

  /**
   * GmcpClient:sign-in:
   *
   * Whose sign-in the connection has: a name that is another one for each account, and no secret.
   * Answers that a server calls private are kept under it, and given to clients with the same only.
   * %NULL, the default, is a connection without a sign-in.
   *
   * Since: 0.1
   */
  properties[PROP_SIGN_IN] = g_param_spec_string ("sign-in", NULL, NULL, NULL, flags);

  /**
   * GmcpClient:strict-output:
   *
   * Whether calls of tools fail where the structured content does not match the tool's output
   * schema. By default they do not, and [method@Gmcp.ToolResult.get_schema_error] tells.
   *
   * Since: 0.1
   */
  properties[PROP_STRICT_OUTPUT] = g_param_spec_boolean ("strict-output", NULL, NULL, FALSE, flags);
}

void
gmcp_client_install_properties (GObjectClass *object_class)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags readwrite
    = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = gmcp_client_get_property;
  object_class->set_property = gmcp_client_set_property;

  /**
   * GmcpClient:transport:
   *
   * What carries the messages.
   *
   * Since: 0.1
   */
  properties[PROP_TRANSPORT] = g_param_spec_object (
    "transport", NULL, NULL, GMCP_TYPE_TRANSPORT,
    (GParamFlags) (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));

  /**
   * GmcpClient:name:
   *
   * What the server is called in error messages. By default what the transport says of its
   * other end.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, readwrite);

  /**
   * GmcpClient:client-info:
   *
   * What the client says of itself to the server. By default the name and version of this
   * library.
   *
   * Since: 0.1
   */
  properties[PROP_CLIENT_INFO]
    = g_param_spec_boxed ("client-info", NULL, NULL, GMCP_TYPE_IMPLEMENTATION, readwrite);

  /**
   * GmcpClient:era:
   *
   * The era that the server speaks: once the client is open the one that was found, before it
   * the one that is wanted, where `auto` means to find out. What is set takes effect at the
   * next opening.
   *
   * Since: 0.1
   */
  properties[PROP_ERA]
    = g_param_spec_enum ("era", NULL, NULL, GMCP_TYPE_ERA, GMCP_ERA_AUTO, readwrite);

  /**
   * GmcpClient:call-timeout-ms:
   *
   * How long a call may go without an answer or progress, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_CALL_TIMEOUT_MS] = g_param_spec_uint ("call-timeout-ms", NULL, NULL, 1, G_MAXUINT,
                                                        GMCP_DEFAULT_CALL_TIMEOUT_MS, readwrite);

  /**
   * GmcpClient:max-call-timeout-ms:
   *
   * How long a call may take whatever progress it reports, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_CALL_TIMEOUT_MS] = g_param_spec_uint (
    "max-call-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS, readwrite);

  /**
   * GmcpClient:max-task-timeout-ms:
   *
   * How long a call may take that the server goes on with as a task, in milliseconds. By default a
   * day. [property@Gmcp.CallOptions:max-timeout-ms] has precedence.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_TASK_TIMEOUT_MS] = g_param_spec_uint (
    "max-task-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_MAX_TASK_TIMEOUT_MS, readwrite);

  /**
   * GmcpClient:startup-timeout-ms:
   *
   * How long opening may take, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_STARTUP_TIMEOUT_MS] = g_param_spec_uint (
    "startup-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_STARTUP_TIMEOUT_MS, readwrite);

  /**
   * GmcpClient:probe-timeout-ms:
   *
   * How long a server may be silent when it is asked for its era before it counts as a legacy
   * one, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_PROBE_TIMEOUT_MS] = g_param_spec_uint (
    "probe-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_PROBE_TIMEOUT_MS, readwrite);

  /**
   * GmcpClient:cache-key:
   *
   * Under which key the era that was found is remembered in the user's cache folder, a text
   * that changes with whatever could change the era, such as a hash of the server's
   * configuration. %NULL, the default, remembers nothing. Clients with the same key share what
   * is in a [class@Gmcp.ResponseCache].
   *
   * Since: 0.1
   */
  properties[PROP_CACHE_KEY] = g_param_spec_string ("cache-key", NULL, NULL, NULL, readwrite);

  install_answer_properties ();

  /**
   * GmcpClient:input-timeout-ms:
   *
   * How long a question of the server may stay open, in milliseconds. That time is not the call's:
   * [property@Gmcp.Client:call-timeout-ms] stands still meanwhile.
   *
   * Since: 0.1
   */
  properties[PROP_INPUT_TIMEOUT_MS] = g_param_spec_uint (
    "input-timeout-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_INPUT_TIMEOUT_MS, readwrite);

  /**
   * GmcpClient:allow-sampling:
   *
   * Whether the server may ask for the application's model, by
   * [signal@Gmcp.Client::input-requested] with a [class@Gmcp.Sampling]. A legacy server is told when
   * the connection is opened.
   *
   * Since: 0.1
   */
  properties[PROP_ALLOW_SAMPLING]
    = g_param_spec_boolean ("allow-sampling", NULL, NULL, FALSE, readwrite);

  /**
   * GmcpClient:roots:
   *
   * The folders that the application wants the server to work with, a list of [class@Gmcp.Root], or
   * %NULL where it has none to name. The server learns of changes of the list where its era has a way
   * for that; whether there is a list at all, a legacy server learns when the connection is opened.
   *
   * Since: 0.1
   */
  properties[PROP_ROOTS] = g_param_spec_object ("roots", NULL, NULL, G_TYPE_LIST_MODEL, readwrite);

  /**
   * GmcpClient:open:
   *
   * Whether the connection is open.
   *
   * Since: 0.1
   */
  properties[PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE, readable);

  /**
   * GmcpClient:protocol-version:
   *
   * The revision of MCP that is spoken, such as `2026-07-28`; %NULL before the client was
   * open.
   *
   * Since: 0.1
   */
  properties[PROP_PROTOCOL_VERSION]
    = g_param_spec_string ("protocol-version", NULL, NULL, NULL, readable);

  /**
   * GmcpClient:server-info:
   *
   * What the server says of itself; %NULL where it says nothing.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_INFO]
    = g_param_spec_boxed ("server-info", NULL, NULL, GMCP_TYPE_IMPLEMENTATION, readable);

  /**
   * GmcpClient:server-capabilities:
   *
   * What the server declares that it can do; %NULL before the client was open.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_CAPABILITIES]
    = g_param_spec_boxed ("server-capabilities", NULL, NULL, GMCP_TYPE_CAPABILITIES, readable);

  /**
   * GmcpClient:instructions:
   *
   * How the server wants to be used, for a model to read; %NULL where it says nothing.
   *
   * Since: 0.1
   */
  properties[PROP_INSTRUCTIONS] = g_param_spec_string ("instructions", NULL, NULL, NULL, readable);

  /**
   * GmcpClient:tools:
   *
   * The server's tools, a list of [class@Gmcp.Tool]: empty until
   * [method@Gmcp.Client.list_tools_async] was called, and brought up to date by the client
   * from then on, when the server says that it has changed.
   *
   * Since: 0.1
   */
  properties[PROP_TOOLS] = g_param_spec_object ("tools", NULL, NULL, G_TYPE_LIST_MODEL, readable);

  /**
   * GmcpClient:resources: (getter get_resources)
   *
   * The server's resources, a list of [class@Gmcp.Resource]: empty until
   * [method@Gmcp.Client.list_resources_async] was called, and brought up to date by the client
   * from then on, when the server says that it has changed.
   *
   * Since: 0.1
   */
  properties[PROP_RESOURCES]
    = g_param_spec_object ("resources", NULL, NULL, G_TYPE_LIST_MODEL, readable);

  /**
   * GmcpClient:resource-templates: (getter get_resource_templates)
   *
   * The server's templates of resources, a list of [class@Gmcp.ResourceTemplate]: empty until
   * [method@Gmcp.Client.list_resource_templates_async] was called, and brought up to date by the
   * client from then on, when the server says that its resources have changed.
   *
   * Since: 0.1
   */
  properties[PROP_RESOURCE_TEMPLATES]
    = g_param_spec_object ("resource-templates", NULL, NULL, G_TYPE_LIST_MODEL, readable);

  /**
   * GmcpClient:prompts: (getter get_prompts)
   *
   * The server's prompts, a list of [class@Gmcp.Prompt]: empty until
   * [method@Gmcp.Client.list_prompts_async] was called, and brought up to date by the client from
   * then on, when the server says that it has changed.
   *
   * Since: 0.1
   */
  properties[PROP_PROMPTS]
    = g_param_spec_object ("prompts", NULL, NULL, G_TYPE_LIST_MODEL, readable);

  /**
   * GmcpClient:log-level: (getter get_log_level)
   *
   * From which level on the server is asked for what it logs.
   * [method@Gmcp.Client.set_log_level_async] sets it.
   *
   * Since: 0.1
   */
  properties[PROP_LOG_LEVEL] = g_param_spec_enum ("log-level", NULL, NULL, GMCP_TYPE_LOG_LEVEL,
                                                  GMCP_LOG_LEVEL_UNSET, readable);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}
