/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-task-struct-private.h"
#include "gmcp-task-state-private.h"
#include "gmcp-tool-result-private.h"

#define RECORD_VERSION 1
#define MEMBER_VERSION "version"
#define MEMBER_OWNER   "owner"
#define MEMBER_TOOL    "tool"
#define MEMBER_RESULT  "result"
#define MEMBER_ERROR   "error"

static void
write_error (GmcpServerTask *self, GmcpJsonWriter *writer)
{
  gmcp_json_writer_key (writer, MEMBER_ERROR);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_int64 (writer, "code", self->code);
  gmcp_json_writer_member_string (writer, "message", self->error_message);
  if (self->error_data_json != NULL)
    {
      gmcp_json_writer_key (writer, "data");
      gmcp_json_writer_raw (writer, self->error_data_json, -1);
    }
  gmcp_json_writer_end_object (writer);
}

GBytes *
gmcp_server_task_write_record (GmcpServerTask *self, GmcpTaskStatus status)
{
  GString *text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_int64 (&writer, MEMBER_VERSION, RECORD_VERSION);
  gmcp_json_writer_member_string (&writer, "taskId", self->id);
  gmcp_json_writer_member_string (&writer, MEMBER_OWNER, self->owner);
  gmcp_json_writer_member_string (&writer, MEMBER_TOOL, self->tool);
  gmcp_json_writer_member_string (&writer, "status", gmcp_task_status_to_string (status));
  if (self->message != NULL)
    gmcp_json_writer_member_string (&writer, "statusMessage", self->message);
  gmcp_task_write_time (&writer, "createdAt", self->created);
  gmcp_task_write_time (&writer, "lastUpdatedAt", self->updated);
  gmcp_json_writer_member_int64 (&writer, "ttlMs", self->ttl_ms);
  if (self->result != NULL)
    {
      gmcp_json_writer_key (&writer, MEMBER_RESULT);
      gmcp_tool_result_write (self->result, &writer);
    }
  else if (self->error_message != NULL)
    write_error (self, &writer);
  gmcp_json_writer_end_object (&writer);
  return g_string_free_to_bytes (text);
}

static gboolean
read_outcome (GmcpServerTask *self, GmcpJsonValue root)
{
  GmcpJsonValue result = gmcp_json_value_get_member (root, MEMBER_RESULT);
  GmcpJsonValue error = gmcp_json_value_get_member (root, MEMBER_ERROR);
  GmcpJsonValue data = gmcp_json_value_get_member (error, "data");
  gint64 code = 0;

  if (gmcp_json_value_is_present (result) != (self->status == GMCP_TASK_STATUS_COMPLETED))
    return FALSE;
  if (self->status == GMCP_TASK_STATUS_COMPLETED)
    {
      self->result = gmcp_tool_result_new_from_value (result, NULL);
      return self->result != NULL;
    }
  if (!gmcp_task_status_is_final (self->status))
    return TRUE;

  self->error_message = gmcp_json_value_dup_string (gmcp_json_value_get_member (error, "message"));
  if (gmcp_json_value_is_present (data))
    self->error_data_json = gmcp_json_value_dup_raw (data);
  if (!gmcp_json_value_get_int64 (gmcp_json_value_get_member (error, "code"), &code)
      || code < G_MININT || code > G_MAXINT)
    return FALSE;
  self->code = (int) code;
  return self->error_message != NULL;
}

GmcpServerTask *
gmcp_server_task_read_record (const char *id, GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, bytes, 0, NULL);
  g_auto (GmcpTaskState) state = { 0 };
  g_autoptr (GmcpServerTask) self = NULL;
  g_autofree char *owner = NULL;
  g_autofree char *tool = NULL;
  GmcpJsonValue root;
  gint64 version = 0;

  if (doc == NULL)
    return NULL;
  root = gmcp_json_doc_get_root (doc);
  owner = gmcp_json_value_dup_string (gmcp_json_value_get_member (root, MEMBER_OWNER));
  tool = gmcp_json_value_dup_string (gmcp_json_value_get_member (root, MEMBER_TOOL));
  if (!gmcp_json_value_get_int64 (gmcp_json_value_get_member (root, MEMBER_VERSION), &version)
      || version != RECORD_VERSION || owner == NULL || tool == NULL
      || !gmcp_task_state_read (root, &state, NULL) || !g_str_equal (state.id, id)
      || state.created_at == NULL || state.updated_at == NULL || state.ttl_ms < 0)
    return NULL;

  self = gmcp_server_task_new (id, owner, tool);
  self->status = state.status;
  self->message = g_steal_pointer (&state.status_message);
  g_date_time_unref (self->created);
  self->created = g_steal_pointer (&state.created_at);
  g_date_time_unref (self->updated);
  self->updated = g_steal_pointer (&state.updated_at);
  self->ttl_ms = state.ttl_ms;
  self->n_bytes = length;
  return read_outcome (self, root) ? g_steal_pointer (&self) : NULL;
}
