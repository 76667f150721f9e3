/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-task-handle-private.h"
#include "gmcp-task-state-private.h"

/**
 * GmcpTaskHandle:
 *
 * A tool's call that the server goes on with by itself, a *task*: the server has answered the call
 * at once with an id, and is asked for the result from time to time.
 *
 * [signal@Gmcp.CallOptions::task-created] hands it out; the call itself goes on and ends with the
 * tool's result as any other, and the handle's properties say meanwhile how far it is. A host that
 * keeps the text of [method@Gmcp.TaskHandle.dup_json] can go on waiting for the result after a
 * restart, with [ctor@Gmcp.TaskHandle.new_from_json] and [method@Gmcp.Client.resume_task_async].
 * The id in it may be all that is needed to read the result, so the text is to be kept like a secret.
 *
 * Spec: MCP extension `io.modelcontextprotocol/tasks`; MCP 2025-11-25, basic/utilities/tasks.
 *
 * Since: 0.1
 */
struct _GmcpTaskHandle
{
  GObject parent_instance;

  char *task_id;
  char *tool_name;
  char *server_name;
  GmcpTaskStatus status;
  char *status_message;
  GDateTime *created_at;
  GDateTime *updated_at;
  gint64 ttl_ms;
  guint poll_interval_ms;
};

typedef enum
{
  PROP_TASK_ID = 1,
  PROP_TOOL_NAME,
  PROP_SERVER_NAME,
  PROP_STATUS,
  PROP_STATUS_MESSAGE,
  PROP_CREATED_AT,
  PROP_UPDATED_AT,
  PROP_TTL_MS,
  PROP_POLL_INTERVAL_MS,
} GmcpTaskHandleProperty;

static GParamSpec *properties[PROP_POLL_INTERVAL_MS + 1];

G_DEFINE_ENUM_TYPE (GmcpTaskStatus,
                    gmcp_task_status,
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_STATUS_WORKING, "working"),
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_STATUS_INPUT_REQUIRED, "input-required"),
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_STATUS_COMPLETED, "completed"),
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_STATUS_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_STATUS_CANCELLED, "cancelled"))

G_DEFINE_FINAL_TYPE (GmcpTaskHandle, gmcp_task_handle, G_TYPE_OBJECT)

static void
gmcp_task_handle_finalize (GObject *object)
{
  GmcpTaskHandle *self = GMCP_TASK_HANDLE (object);

  g_free (self->task_id);
  g_free (self->tool_name);
  g_free (self->server_name);
  g_free (self->status_message);
  g_clear_pointer (&self->created_at, g_date_time_unref);
  g_clear_pointer (&self->updated_at, g_date_time_unref);

  G_OBJECT_CLASS (gmcp_task_handle_parent_class)->finalize (object);
}

static void
gmcp_task_handle_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpTaskHandle *self = GMCP_TASK_HANDLE (object);

  switch ((GmcpTaskHandleProperty) prop_id)
    {
    case PROP_TASK_ID:
      g_value_set_string (value, self->task_id);
      break;
    case PROP_TOOL_NAME:
      g_value_set_string (value, self->tool_name);
      break;
    case PROP_SERVER_NAME:
      g_value_set_string (value, self->server_name);
      break;
    case PROP_STATUS:
      g_value_set_enum (value, self->status);
      break;
    case PROP_STATUS_MESSAGE:
      g_value_set_string (value, self->status_message);
      break;
    case PROP_CREATED_AT:
      g_value_set_boxed (value, self->created_at);
      break;
    case PROP_UPDATED_AT:
      g_value_set_boxed (value, self->updated_at);
      break;
    case PROP_TTL_MS:
      g_value_set_int64 (value, self->ttl_ms);
      break;
    case PROP_POLL_INTERVAL_MS:
      g_value_set_uint (value, self->poll_interval_ms);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_names (void)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpTaskHandle:task-id: (getter get_task_id)
   *
   * The server's name for the task.
   *
   * Since: 0.1
   */
  properties[PROP_TASK_ID] = g_param_spec_string ("task-id", NULL, NULL, NULL, flags);

  /**
   * GmcpTaskHandle:tool-name: (getter get_tool_name)
   *
   * The tool that was called, as the server names it; %NULL where that is not known.
   *
   * Since: 0.1
   */
  properties[PROP_TOOL_NAME] = g_param_spec_string ("tool-name", NULL, NULL, NULL, flags);

  /**
   * GmcpTaskHandle:server-name: (getter get_server_name)
   *
   * Whose task it is: the server's [property@Gmcp.Client:name].
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_NAME] = g_param_spec_string ("server-name", NULL, NULL, NULL, flags);

  /**
   * GmcpTaskHandle:created-at: (getter get_created_at)
   *
   * When the server made the task, by its own clock.
   *
   * Since: 0.1
   */
  properties[PROP_CREATED_AT]
    = g_param_spec_boxed ("created-at", NULL, NULL, G_TYPE_DATE_TIME, flags);
}

static void
install_state (void)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpTaskHandle:status: (getter get_status)
   *
   * Where the task stands, as the server last said.
   *
   * Since: 0.1
   */
  properties[PROP_STATUS] = g_param_spec_enum ("status", NULL, NULL, GMCP_TYPE_TASK_STATUS,
                                               GMCP_TASK_STATUS_WORKING, flags);

  /**
   * GmcpTaskHandle:status-message: (getter get_status_message)
   *
   * What the server says about the status, for people and models.
   *
   * Since: 0.1
   */
  properties[PROP_STATUS_MESSAGE] = g_param_spec_string ("status-message", NULL, NULL, NULL, flags);

  /**
   * GmcpTaskHandle:updated-at: (getter get_updated_at)
   *
   * When the status last changed, by the server's clock.
   *
   * Since: 0.1
   */
  properties[PROP_UPDATED_AT]
    = g_param_spec_boxed ("updated-at", NULL, NULL, G_TYPE_DATE_TIME, flags);

  /**
   * GmcpTaskHandle:ttl-ms: (getter get_ttl_ms)
   *
   * For how long after its making the server keeps the task, in milliseconds; -1 where there is no
   * limit, or none is known.
   *
   * Since: 0.1
   */
  properties[PROP_TTL_MS] = g_param_spec_int64 ("ttl-ms", NULL, NULL, -1, G_MAXINT64, -1, flags);

  /**
   * GmcpTaskHandle:poll-interval-ms: (getter get_poll_interval_ms)
   *
   * How often the server wants to be asked at most, in milliseconds; 0 where it does not say.
   *
   * Since: 0.1
   */
  properties[PROP_POLL_INTERVAL_MS]
    = g_param_spec_uint ("poll-interval-ms", NULL, NULL, 0, G_MAXUINT, 0, flags);
}

static void
gmcp_task_handle_class_init (GmcpTaskHandleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_task_handle_get_property;
  object_class->finalize = gmcp_task_handle_finalize;

  install_names ();
  install_state ();
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_task_handle_init (GmcpTaskHandle *self)
{
  self->ttl_ms = -1;
}

static void
set_status (GmcpTaskHandle *self, GmcpTaskStatus status)
{
  if (self->status == status)
    return;

  self->status = status;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

static void
set_status_message (GmcpTaskHandle *self, char *message)
{
  g_autofree char *taken = gmcp_protocol_cut_text (message, GMCP_LIMIT_STATUS_BYTES);

  if (g_strcmp0 (self->status_message, taken) == 0)
    return;

  g_free (self->status_message);
  self->status_message = g_steal_pointer (&taken);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS_MESSAGE]);
}

static void
set_time (GmcpTaskHandle *self, GDateTime **slot, GDateTime *time, GmcpTaskHandleProperty property)
{
  /* A description without a time says nothing about it. */
  if (time == NULL || (*slot != NULL && g_date_time_equal (*slot, time)))
    return;

  g_clear_pointer (slot, g_date_time_unref);
  *slot = g_date_time_ref (time);
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
take_state (GmcpTaskHandle *self, GmcpTaskState *state)
{
  g_object_freeze_notify (G_OBJECT (self));
  set_status (self, state->status);
  set_status_message (self, g_steal_pointer (&state->status_message));
  set_time (self, &self->created_at, state->created_at, PROP_CREATED_AT);
  set_time (self, &self->updated_at, state->updated_at, PROP_UPDATED_AT);
  if (self->ttl_ms != state->ttl_ms)
    {
      self->ttl_ms = state->ttl_ms;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TTL_MS]);
    }
  if (self->poll_interval_ms != state->poll_interval_ms)
    {
      self->poll_interval_ms = state->poll_interval_ms;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_POLL_INTERVAL_MS]);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

GmcpTaskHandle *
gmcp_task_handle_new_from_value (GmcpJsonValue value,
                                 const char *server_name,
                                 const char *tool_name,
                                 GError **error)
{
  g_auto (GmcpTaskState) state = { 0 };
  GmcpTaskHandle *self;

  if (!gmcp_task_state_read (value, &state, error))
    return NULL;

  self = g_object_new (GMCP_TYPE_TASK_HANDLE, NULL);
  self->task_id = g_steal_pointer (&state.id);
  self->server_name = g_strdup (server_name);
  self->tool_name = g_strdup (tool_name);
  take_state (self, &state);
  return self;
}

gboolean
gmcp_task_handle_update (GmcpTaskHandle *self, GmcpJsonValue value, GError **error)
{
  g_auto (GmcpTaskState) state = { 0 };

  if (!gmcp_task_state_read (value, &state, error))
    return FALSE;
  if (g_strcmp0 (state.id, self->task_id) != 0)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("the answer is about another task"));
      return FALSE;
    }
  if (gmcp_task_status_is_final (self->status) && state.status != self->status)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("the task went from “%s” to “%s”, though the first is final"),
                   gmcp_task_status_to_string (self->status),
                   gmcp_task_status_to_string (state.status));
      return FALSE;
    }

  take_state (self, &state);
  return TRUE;
}

void
gmcp_task_handle_fill_in (GmcpTaskHandle *self, const char *server_name)
{
  if (self->server_name != NULL)
    return;

  self->server_name = g_strdup (server_name);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SERVER_NAME]);
}

/**
 * gmcp_task_handle_new_from_json:
 * @json: what [method@Gmcp.TaskHandle.dup_json] gave
 * @error: return location for an error
 *
 * Makes a handle of a text that was kept.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is not the text of a handle.
 *
 * Returns: (transfer full): a new handle
 *
 * Since: 0.1
 */
GmcpTaskHandle *
gmcp_task_handle_new_from_json (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GError) reason = NULL;
  g_autofree char *server_name = NULL;
  g_autofree char *tool_name = NULL;
  GmcpTaskHandle *self;
  GmcpJsonValue root;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_protocol_parse_object (json, "TaskHandle", error);
  if (doc == NULL)
    return NULL;

  root = gmcp_json_doc_get_root (doc);
  server_name = gmcp_json_value_dup_string (gmcp_json_value_get_member (root, "server"));
  tool_name = gmcp_json_value_dup_string (gmcp_json_value_get_member (root, "tool"));
  self = gmcp_task_handle_new_from_value (root, server_name, tool_name, &reason);
  if (self == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 /* Translators: why the text is not what it should be */
                 _ ("This is not the text of a task’s handle: %s"), reason->message);
  return self;
}

/**
 * gmcp_task_handle_get_task_id: (get-property task-id)
 * @self: a task's handle
 *
 * Gives the server's name for the task.
 *
 * Returns: (transfer none): the id
 *
 * Since: 0.1
 */
const char *
gmcp_task_handle_get_task_id (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), NULL);

  return self->task_id;
}

/**
 * gmcp_task_handle_get_tool_name: (get-property tool-name)
 * @self: a task's handle
 *
 * Gives the tool that was called, as the server names it.
 *
 * Returns: (transfer none) (nullable): the tool's name, or %NULL where it is not known
 *
 * Since: 0.1
 */
const char *
gmcp_task_handle_get_tool_name (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), NULL);

  return self->tool_name;
}

/**
 * gmcp_task_handle_get_server_name: (get-property server-name)
 * @self: a task's handle
 *
 * Gives whose task it is.
 *
 * Returns: (transfer none) (nullable): the server's name, or %NULL where it is not known
 *
 * Since: 0.1
 */
const char *
gmcp_task_handle_get_server_name (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), NULL);

  return self->server_name;
}

/**
 * gmcp_task_handle_get_status: (get-property status)
 * @self: a task's handle
 *
 * Gives where the task stands, as the server last said.
 *
 * Returns: the status
 *
 * Since: 0.1
 */
GmcpTaskStatus
gmcp_task_handle_get_status (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), GMCP_TASK_STATUS_WORKING);

  return self->status;
}

/**
 * gmcp_task_handle_is_finished:
 * @self: a task's handle
 *
 * Tells whether the status is final: completed, failed or cancelled.
 *
 * Returns: whether nothing more will come of the task
 *
 * Since: 0.1
 */
gboolean
gmcp_task_handle_is_finished (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), FALSE);

  return gmcp_task_status_is_final (self->status);
}

/**
 * gmcp_task_handle_get_status_message: (get-property status-message)
 * @self: a task's handle
 *
 * Gives what the server says about the status, for people and models.
 *
 * Returns: (transfer none) (nullable): a text, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_task_handle_get_status_message (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), NULL);

  return self->status_message;
}

/**
 * gmcp_task_handle_get_created_at: (get-property created-at)
 * @self: a task's handle
 *
 * Gives when the server made the task, by its own clock.
 *
 * Returns: (transfer none) (nullable): the time, or %NULL where the server did not say
 *
 * Since: 0.1
 */
GDateTime *
gmcp_task_handle_get_created_at (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), NULL);

  return self->created_at;
}

/**
 * gmcp_task_handle_get_updated_at: (get-property updated-at)
 * @self: a task's handle
 *
 * Gives when the status last changed, by the server's clock.
 *
 * Returns: (transfer none) (nullable): the time, or %NULL where the server did not say
 *
 * Since: 0.1
 */
GDateTime *
gmcp_task_handle_get_updated_at (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), NULL);

  return self->updated_at;
}

/**
 * gmcp_task_handle_get_ttl_ms: (get-property ttl-ms)
 * @self: a task's handle
 *
 * Gives for how long after its making the server keeps the task.
 *
 * Returns: milliseconds; -1 where there is no limit, or none is known
 *
 * Since: 0.1
 */
gint64
gmcp_task_handle_get_ttl_ms (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), -1);

  return self->ttl_ms;
}

/**
 * gmcp_task_handle_get_poll_interval_ms: (get-property poll-interval-ms)
 * @self: a task's handle
 *
 * Gives how often the server wants to be asked at most.
 *
 * Returns: milliseconds; 0 where the server does not say
 *
 * Since: 0.1
 */
guint
gmcp_task_handle_get_poll_interval_ms (GmcpTaskHandle *self)
{
  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), 0);

  return self->poll_interval_ms;
}

static void
write_string (GmcpJsonWriter *writer, const char *key, const char *value)
{
  if (value != NULL)
    gmcp_json_writer_member_string (writer, key, value);
}

/**
 * gmcp_task_handle_dup_json:
 * @self: a task's handle
 *
 * Gives all that the handle says as text, to be kept and read again with
 * [ctor@Gmcp.TaskHandle.new_from_json].
 *
 * Returns: (transfer full): a JSON object in one line
 *
 * Since: 0.1
 */
char *
gmcp_task_handle_dup_json (GmcpTaskHandle *self)
{
  GString *text;
  GmcpJsonWriter writer;

  g_return_val_if_fail (GMCP_IS_TASK_HANDLE (self), NULL);

  text = g_string_new (NULL);
  writer = gmcp_json_writer_init (text);
  gmcp_json_writer_begin_object (&writer);
  write_string (&writer, "taskId", self->task_id);
  write_string (&writer, "server", self->server_name);
  write_string (&writer, "tool", self->tool_name);
  gmcp_json_writer_member_string (&writer, "status", gmcp_task_status_to_string (self->status));
  write_string (&writer, "statusMessage", self->status_message);
  gmcp_task_write_time (&writer, "createdAt", self->created_at);
  gmcp_task_write_time (&writer, "lastUpdatedAt", self->updated_at);
  if (self->ttl_ms >= 0)
    gmcp_json_writer_member_int64 (&writer, "ttlMs", self->ttl_ms);
  if (self->poll_interval_ms > 0)
    gmcp_json_writer_member_int64 (&writer, "pollIntervalMs", self->poll_interval_ms);
  gmcp_json_writer_end_object (&writer);

  return g_string_free (text, FALSE);
}
