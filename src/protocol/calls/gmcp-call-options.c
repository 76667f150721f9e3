/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"

/**
 * GmcpCallOptions:
 *
 * What is special about one call of a tool. One object serves one call: make it, set what differs
 * from the defaults, connect to [signal@Gmcp.CallOptions::progress] where progress is to be shown,
 * and hand it in.
 *
 * Since: 0.1
 */
G_DEFINE_FINAL_TYPE (GmcpCallOptions, gmcp_call_options, G_TYPE_OBJECT)

typedef enum
{
  PROP_TIMEOUT_MS = 1,
  PROP_MAX_TIMEOUT_MS,
  PROP_EXPECTED_TOOL,
  PROP_META_JSON,
  PROP_AS_TASK,
  PROP_TASK_TTL_MS,
  PROP_CACHE_MODE,
  PROP_STALE_ON_ERROR,
  PROP_STRICT_OUTPUT,
  PROP_TRACEPARENT,
  PROP_TRACESTATE,
  PROP_BAGGAGE,
  PROP_LOG_LEVEL,
  PROP_ROLE,
  PROP_CLIENT,
} GmcpCallOptionsProperty;

static GParamSpec *properties[PROP_CLIENT + 1];

enum
{
  SIGNAL_PROGRESS,
  SIGNAL_TASK_CREATED,
  SIGNAL_LOG_MESSAGE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
gmcp_call_options_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpCallOptions *self = GMCP_CALL_OPTIONS (object);

  switch ((GmcpCallOptionsProperty) prop_id)
    {
    case PROP_TIMEOUT_MS:
      g_value_set_uint (value, self->timeout_ms);
      break;
    case PROP_MAX_TIMEOUT_MS:
      g_value_set_uint (value, self->max_timeout_ms);
      break;
    case PROP_EXPECTED_TOOL:
      g_value_set_object (value, self->expected_tool);
      break;
    case PROP_META_JSON:
      g_value_set_string (value, self->meta_json);
      break;
    case PROP_AS_TASK:
      g_value_set_boolean (value, self->as_task);
      break;
    case PROP_TASK_TTL_MS:
      g_value_set_uint (value, self->task_ttl_ms);
      break;
    case PROP_CACHE_MODE:
      g_value_set_enum (value, self->cache_mode);
      break;
    case PROP_STALE_ON_ERROR:
      g_value_set_boolean (value, self->stale_on_error);
      break;
    case PROP_STRICT_OUTPUT:
      g_value_set_boolean (value, self->strict_output);
      break;
    case PROP_TRACEPARENT:
      g_value_set_string (value, self->traceparent);
      break;
    case PROP_TRACESTATE:
      g_value_set_string (value, self->tracestate);
      break;
    case PROP_BAGGAGE:
      g_value_set_string (value, self->baggage);
      break;
    case PROP_LOG_LEVEL:
      g_value_set_enum (value, self->log_level);
      break;
    case PROP_ROLE:
      g_value_set_string (value, self->role);
      break;
    case PROP_CLIENT:
      g_value_set_string (value, self->client);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

/* A property cannot fail, and the text may be a peer's, of a header: nothing that would end the program. */
static void
set_checked (GmcpCallOptions *self,
             gboolean (*set_text) (GmcpCallOptions *self, const char *text, GError **error),
             const GValue *value,
             GParamSpec *pspec)
{
  g_autoptr (GError) error = NULL;

  if (!set_text (self, g_value_get_string (value), &error))
    g_message ("GmcpCallOptions:%s stays as it was: %s", pspec->name, error->message);
}

static void
gmcp_call_options_set_property (GObject *object,
                                guint prop_id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  GmcpCallOptions *self = GMCP_CALL_OPTIONS (object);

  switch ((GmcpCallOptionsProperty) prop_id)
    {
    case PROP_TIMEOUT_MS:
      gmcp_call_options_set_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_MAX_TIMEOUT_MS:
      gmcp_call_options_set_max_timeout_ms (self, g_value_get_uint (value));
      break;
    case PROP_EXPECTED_TOOL:
      gmcp_call_options_set_expected_tool (self, g_value_get_object (value));
      break;
    case PROP_AS_TASK:
      gmcp_call_options_set_as_task (self, g_value_get_boolean (value));
      break;
    case PROP_TASK_TTL_MS:
      gmcp_call_options_set_task_ttl_ms (self, g_value_get_uint (value));
      break;
    case PROP_CACHE_MODE:
      gmcp_call_options_set_cache_mode (self, g_value_get_enum (value));
      break;
    case PROP_LOG_LEVEL:
      gmcp_call_options_set_log_level (self, g_value_get_enum (value));
      break;
    case PROP_STALE_ON_ERROR:
      gmcp_call_options_set_stale_on_error (self, g_value_get_boolean (value));
      break;
    case PROP_STRICT_OUTPUT:
      gmcp_call_options_set_strict_output (self, g_value_get_boolean (value));
      break;
    case PROP_ROLE:
      gmcp_call_options_set_role (self, g_value_get_string (value));
      break;
    case PROP_CLIENT:
      gmcp_call_options_set_client (self, g_value_get_string (value));
      break;
    case PROP_META_JSON:
      set_checked (self, gmcp_call_options_set_meta_json, value, pspec);
      break;
    case PROP_TRACEPARENT:
      set_checked (self, gmcp_call_options_set_traceparent, value, pspec);
      break;
    case PROP_TRACESTATE:
      set_checked (self, gmcp_call_options_set_tracestate, value, pspec);
      break;
    case PROP_BAGGAGE:
      set_checked (self, gmcp_call_options_set_baggage, value, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_call_options_dispose (GObject *object)
{
  GmcpCallOptions *self = GMCP_CALL_OPTIONS (object);

  g_clear_object (&self->expected_tool);
  g_clear_object (&self->caller);

  G_OBJECT_CLASS (gmcp_call_options_parent_class)->dispose (object);
}

static void
gmcp_call_options_finalize (GObject *object)
{
  GmcpCallOptions *self = GMCP_CALL_OPTIONS (object);

  g_clear_pointer (&self->meta, gmcp_json_doc_unref);
  g_free (self->meta_json);
  g_free (self->traceparent);
  g_free (self->tracestate);
  g_free (self->baggage);
  g_free (self->role);
  g_free (self->client);
  g_free (self->error_data_json);

  G_OBJECT_CLASS (gmcp_call_options_parent_class)->finalize (object);
}

static void
install_answer_properties (void)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpCallOptions:cache-mode: (getter get_cache_mode) (setter set_cache_mode)
   *
   * Whether the answer may come from the client's [class@Gmcp.ResponseCache], and be kept there.
   * Calls of tools have nothing to do with it.
   *
   * Since: 0.1
   */
  properties[PROP_CACHE_MODE] = g_param_spec_enum ("cache-mode", NULL, NULL, GMCP_TYPE_CACHE_MODE,
                                                   GMCP_CACHE_MODE_DEFAULT, flags);

  /**
   * GmcpCallOptions:stale-on-error: (getter get_stale_on_error) (setter set_stale_on_error)
   *
   * Whether a stale answer is better than none where the server cannot be asked or fails. An error
   * that says something about the request itself is not hidden by it.
   *
   * Since: 0.1
   */
  properties[PROP_STALE_ON_ERROR]
    = g_param_spec_boolean ("stale-on-error", NULL, NULL, FALSE, flags);

  /**
   * GmcpCallOptions:strict-output: (getter get_strict_output) (setter set_strict_output)
   *
   * Whether the call of a tool fails where its structured content does not match the tool's output
   * schema, as with [property@Gmcp.Client:strict-output]. Otherwise
   * [method@Gmcp.ToolResult.get_schema_error] tells.
   *
   * Since: 0.1
   */
  properties[PROP_STRICT_OUTPUT] = g_param_spec_boolean ("strict-output", NULL, NULL, FALSE, flags);
}

static void
install_trace_properties (void)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpCallOptions:traceparent: (getter get_traceparent)
   *
   * Which span of a distributed trace the call belongs to, in the format of the W3C's Trace Context.
   * [method@Gmcp.CallOptions.set_traceparent] refuses another format with an error; where the
   * property is set to such a text, the former one is kept and a message is logged.
   *
   * Since: 0.1
   */
  properties[PROP_TRACEPARENT] = g_param_spec_string ("traceparent", NULL, NULL, NULL, flags);

  /**
   * GmcpCallOptions:tracestate: (getter get_tracestate)
   *
   * What makers of tracing systems add to [property@Gmcp.CallOptions:traceparent].
   * [method@Gmcp.CallOptions.set_tracestate] refuses another format with an error; where the
   * property is set to such a text, the former one is kept and a message is logged.
   *
   * Since: 0.1
   */
  properties[PROP_TRACESTATE] = g_param_spec_string ("tracestate", NULL, NULL, NULL, flags);

  /**
   * GmcpCallOptions:baggage: (getter get_baggage)
   *
   * What the application passes along with the trace, in the format of the W3C's Baggage.
   * [method@Gmcp.CallOptions.set_baggage] refuses another format with an error; where the
   * property is set to such a text, the former one is kept and a message is logged.
   *
   * Since: 0.1
   */
  properties[PROP_BAGGAGE] = g_param_spec_string ("baggage", NULL, NULL, NULL, flags);
}

static void
gmcp_call_options_class_init (GmcpCallOptionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_call_options_get_property;
  object_class->set_property = gmcp_call_options_set_property;
  object_class->dispose = gmcp_call_options_dispose;
  object_class->finalize = gmcp_call_options_finalize;

  /**
   * GmcpCallOptions:timeout-ms: (getter get_timeout_ms) (setter set_timeout_ms)
   *
   * How long the call may go without an answer or progress, in milliseconds. 0 is the default of
   * the server that is called.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT_MS]
    = g_param_spec_uint ("timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:max-timeout-ms: (getter get_max_timeout_ms) (setter set_max_timeout_ms)
   *
   * How long the call may take in all, whatever progress it reports, in milliseconds. 0 is the
   * default of the server that is called.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_TIMEOUT_MS]
    = g_param_spec_uint ("max-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:expected-tool: (getter get_expected_tool) (setter set_expected_tool)
   *
   * The tool as the model was told of it. Where its definition has changed since, the call fails
   * with [error@Gmcp.Error] `TOOL_CHANGED` and nothing is sent.
   *
   * Since: 0.1
   */
  properties[PROP_EXPECTED_TOOL]
    = g_param_spec_object ("expected-tool", NULL, NULL, GMCP_TYPE_TOOL, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:meta-json: (getter get_meta_json)
   *
   * Metadata to send along in the request's `_meta`, a JSON object as text in one line.
   * [method@Gmcp.CallOptions.set_meta_json] refuses what is no JSON object with an error; where
   * the property is set to such a text, the former one is kept and a message is logged.
   *
   * Since: 0.1
   */
  properties[PROP_META_JSON]
    = g_param_spec_string ("meta-json", NULL, NULL, NULL, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:as-task: (getter get_as_task) (setter set_as_task)
   *
   * Whether the call is made as a task where the tool leaves that to the caller (in revision
   * 2025-11-25; in later ones the server alone decides).
   *
   * Since: 0.1
   */
  properties[PROP_AS_TASK]
    = g_param_spec_boolean ("as-task", NULL, NULL, FALSE, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:task-ttl-ms: (getter get_task_ttl_ms) (setter set_task_ttl_ms)
   *
   * For how long the server is asked to keep the task and its result, in milliseconds. 0 leaves it
   * to the server, which has the last word anyway. Revision 2025-11-25 only.
   *
   * Since: 0.1
   */
  properties[PROP_TASK_TTL_MS]
    = g_param_spec_uint ("task-ttl-ms", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:log-level: (getter get_log_level) (setter set_log_level)
   *
   * From which level on the server is asked for what it logs about this call; by default that of
   * [property@Gmcp.Client:log-level]. A server before 2026-07-28 knows one level for all calls: it is
   * asked for the lowest that the client or any call of the connection has wanted, and what it logs
   * below the level of a call is not told as the call's.
   *
   * Since: 0.1
   */
  properties[PROP_LOG_LEVEL] = g_param_spec_enum ("log-level", NULL, NULL, GMCP_TYPE_LOG_LEVEL,
                                                  GMCP_LOG_LEVEL_UNSET, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:role: (getter get_role) (setter set_role)
   *
   * The name of the role that the call is made under, where a manager makes it: a
   * [class@Gmcp.Role] of its configuration. %NULL for none but that of the manager,
   * which holds in any case.
   *
   * Since: 0.1
   */
  properties[PROP_ROLE] = g_param_spec_string ("role", NULL, NULL, NULL, G_PARAM_READWRITE | flags);

  /**
   * GmcpCallOptions:client: (getter get_client) (setter set_client)
   *
   * The program that a manager makes the call for, where that is another one, as it is to stand in the audit
   * log: `FILE (PID)`, as the system has it and not as the program says, or by what else it was let in. A call that
   * comes by a socket or over HTTP to a [class@Gmcp.Server] has it without that.
   *
   * Since: 0.1
   */
  properties[PROP_CLIENT]
    = g_param_spec_string ("client", NULL, NULL, NULL, G_PARAM_READWRITE | flags);

  install_answer_properties ();
  install_trace_properties ();
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpCallOptions::log-message:
   * @self: the options of the call
   * @message: what was logged
   *
   * The server has logged something about this call. [signal@Gmcp.Client::log-message] is emitted
   * too; where it cannot be known which call a message belongs to, that one alone: where several
   * calls under way have asked for messages and, with servers before 2026-07-28, where another call
   * is under way or one was given up in this connection.
   *
   * Spec: MCP 2026-07-28, server/utilities/logging.
   *
   * Since: 0.1
   */
  signals[SIGNAL_LOG_MESSAGE]
    = g_signal_new ("log-message", GMCP_TYPE_CALL_OPTIONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, GMCP_TYPE_LOG_MESSAGE);

  /**
   * GmcpCallOptions::progress:
   * @self: the options of the call
   * @progress: how far the call is; grows with each report
   * @total: what @progress is to reach, or -1 where the server does not know
   * @message: (nullable): what the server is doing, for people
   *
   * The server has told how far the call is.
   *
   * Spec: MCP 2026-07-28, basic/patterns/progress.
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROGRESS]
    = g_signal_new ("progress", GMCP_TYPE_CALL_OPTIONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_STRING);

  /**
   * GmcpCallOptions::task-created:
   * @self: the options of the call
   * @handle: the task's handle
   *
   * The server goes on with the call as a task. The call still ends with the tool's result; until
   * then @handle tells how far it is, and its text can be kept, see [class@Gmcp.TaskHandle].
   *
   * Spec: MCP extension `io.modelcontextprotocol/tasks`, "Task Creation".
   *
   * Since: 0.1
   */
  signals[SIGNAL_TASK_CREATED]
    = g_signal_new ("task-created", GMCP_TYPE_CALL_OPTIONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, GMCP_TYPE_TASK_HANDLE);
}

static void
gmcp_call_options_init (GmcpCallOptions *self)
{
}

void
gmcp_call_options_set_caller (GmcpCallOptions *self, gpointer caller)
{
  g_set_object (&self->caller, caller);
}

gpointer
gmcp_call_options_get_caller (GmcpCallOptions *self)
{
  return self->caller;
}

void
gmcp_call_options_set_origin (GmcpCallOptions *self, guint64 origin)
{
  self->origin = origin;
}

guint64
gmcp_call_options_get_origin (GmcpCallOptions *self)
{
  return self != NULL ? self->origin : 0;
}

void
gmcp_call_options_set_default_log_level (GmcpCallOptions *self, GmcpLogLevel level)
{
  gmcp_call_options_set_log_level (self, level);
  self->log_level_is_default = TRUE;
}

gboolean
gmcp_call_options_has_default_log_level (GmcpCallOptions *self)
{
  return self->log_level_is_default;
}

void
gmcp_call_origins_add (GmcpCallOrigins *self, guint64 origin)
{
  self->only = !self->any || self->only == origin ? origin : 0;
  self->any = TRUE;
}

void
gmcp_call_options_set_agreed (GmcpCallOptions *self, gboolean is_agreed)
{
  self->is_agreed = is_agreed;
}

gboolean
gmcp_call_options_is_agreed (GmcpCallOptions *self)
{
  return self != NULL && self->is_agreed;
}

void
gmcp_call_options_emit_progress (GmcpCallOptions *self,
                                 double progress,
                                 double total,
                                 const char *message)
{
  if (!g_signal_has_handler_pending (self, signals[SIGNAL_PROGRESS], 0, FALSE))
    return;

  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0, progress, total, message);
}

void
gmcp_call_options_emit_task_created (GmcpCallOptions *self, GmcpTaskHandle *handle)
{
  g_signal_emit (self, signals[SIGNAL_TASK_CREATED], 0, handle);
}

void
gmcp_call_options_emit_log_message (GmcpCallOptions *self, GmcpLogMessage *message)
{
  g_signal_emit (self, signals[SIGNAL_LOG_MESSAGE], 0, message);
}

/**
 * gmcp_call_options_new:
 *
 * Makes options with the defaults.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
GmcpCallOptions *
gmcp_call_options_new (void)
{
  return g_object_new (GMCP_TYPE_CALL_OPTIONS, NULL);
}
