/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/json/gmcp-json.h>
#include <json-glib/json-glib.h>

#include "gmcp-task-error.h"
#include "gmcp-task-reply.h"

/* What a call gives back: {success, data, error, error_code}, once as structured content and once
 * as JSON in a text, which is all that clients of the first revisions see. */

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

static void
add_record (JsonBuilder *builder, const GmcpTaskRecord *record)
{
  gboolean completed = record->completed_at != NULL;

  json_builder_begin_object (builder);
  add_text (builder, "id", record->id);
  add_text (builder, "title", record->title);
  add_text (builder, "description", record->description);
  add_text (builder, "due_date", record->due_date);
  add_text (builder, "status", completed ? "completed" : "pending");
  json_builder_set_member_name (builder, "completed");
  json_builder_add_boolean_value (builder, completed);
  add_text (builder, "created_at", record->created_at);
  add_text (builder, "updated_at", record->updated_at);
  add_text (builder, "completed_at", record->completed_at);
  json_builder_end_object (builder);
}

static void
add_page (JsonBuilder *builder, const GmcpTaskPage *page)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "tasks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < page->tasks->len; i++)
    add_record (builder, g_ptr_array_index (page->tasks, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "total");
  json_builder_add_int_value (builder, page->total);
  json_builder_end_object (builder);
}

/* Opens a reply up to the value of its `data`, which the caller adds. */
static JsonBuilder *
begin_reply (gboolean success)
{
  JsonBuilder *builder = json_builder_new_immutable ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "success");
  json_builder_add_boolean_value (builder, success);
  json_builder_set_member_name (builder, "data");
  return builder;
}

static GmcpToolResult *
wrap_reply (JsonNode *reply, gboolean is_error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = gmcp_json_print (reply, NULL);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  GmcpToolResult *result;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "content");
  json_builder_begin_array (builder);
  json_builder_begin_object (builder);
  add_text (builder, "type", "text");
  add_text (builder, "text", text);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "structuredContent");
  json_builder_add_value (builder, json_node_ref (reply));
  json_builder_set_member_name (builder, "isError");
  json_builder_add_boolean_value (builder, is_error);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = gmcp_json_print (root, NULL);

  result = gmcp_tool_result_new_from_json (json, &error);
  return result != NULL ? result : gmcp_tool_result_new_error (error->message);
}

static GmcpToolResult *
end_reply (JsonBuilder *builder, const GError *error)
{
  g_autoptr (JsonNode) reply = NULL;

  add_text (builder, "error", error != NULL ? error->message : NULL);
  add_text (builder, "error_code", error != NULL ? gmcp_task_error_get_word (error) : NULL);
  json_builder_end_object (builder);
  reply = json_builder_get_root (builder);
  return wrap_reply (reply, error != NULL);
}

GmcpToolResult *
gmcp_task_reply_new_page (const GmcpTaskPage *page)
{
  g_autoptr (JsonBuilder) builder = begin_reply (TRUE);

  add_page (builder, page);
  return end_reply (builder, NULL);
}

GmcpToolResult *
gmcp_task_reply_new_task (const GmcpTaskRecord *record)
{
  g_autoptr (JsonBuilder) builder = begin_reply (TRUE);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "task");
  add_record (builder, record);
  json_builder_end_object (builder);
  return end_reply (builder, NULL);
}

GmcpToolResult *
gmcp_task_reply_new_deleted (const char *id)
{
  g_autoptr (JsonBuilder) builder = begin_reply (TRUE);

  json_builder_begin_object (builder);
  add_text (builder, "deleted_task_id", id);
  json_builder_end_object (builder);
  return end_reply (builder, NULL);
}

GmcpToolResult *
gmcp_task_reply_new_error (const GError *error)
{
  g_autoptr (JsonBuilder) builder = begin_reply (FALSE);

  json_builder_add_null_value (builder);
  return end_reply (builder, error);
}

static char *
end_json (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);

  return gmcp_json_print (root, NULL);
}

/* What a resource holds has the form that it has in the tools' results. */
char *
gmcp_task_reply_dup_page_json (const GmcpTaskPage *page)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();

  add_page (builder, page);
  return end_json (builder);
}

char *
gmcp_task_reply_dup_record_json (const GmcpTaskRecord *record)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();

  add_record (builder, record);
  return end_json (builder);
}
