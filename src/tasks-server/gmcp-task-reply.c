/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include "gmcp-task-error.h"
#include "gmcp-task-reply.h"

/* What a call gives back, twice: as text for people (and for models that see nothing else), and as
 * structured content {success, data, error, error_code}. */

#define LIST_DESCRIPTION_LENGTH 120

/* --- Structured content --- */

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

/* Opens a result up to the value of its `data`, which the caller adds. */
static JsonBuilder *
begin_result (const char *text, gboolean success)
{
  JsonBuilder *builder = json_builder_new_immutable ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "content");
  json_builder_begin_array (builder);
  json_builder_begin_object (builder);
  add_text (builder, "type", "text");
  add_text (builder, "text", text);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "isError");
  json_builder_add_boolean_value (builder, !success);

  json_builder_set_member_name (builder, "structuredContent");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "success");
  json_builder_add_boolean_value (builder, success);
  json_builder_set_member_name (builder, "data");
  return builder;
}

static GmcpToolResult *
end_result (JsonBuilder *builder, const GError *error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) json_error = NULL;
  GmcpToolResult *result;

  add_text (builder, "error", error != NULL ? error->message : NULL);
  add_text (builder, "error_code", error != NULL ? gmcp_task_error_get_word (error) : NULL);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);

  result = gmcp_tool_result_new_from_json (json, &json_error);
  return result != NULL ? result : gmcp_tool_result_new_error (json_error->message);
}

/* --- Text --- */

static void
append_heading (GString *text, const GmcpTaskRecord *record)
{
  g_string_append_printf (text, "[%c] %s", record->completed_at != NULL ? 'x' : ' ', record->title);
  if (record->due_date != NULL)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("(due %s)"), record->due_date);
    }
  g_string_append_printf (text, "\n    id: %s", record->id);
}

static void
append_description (GString *text, const char *description)
{
  g_auto (GStrv) lines = g_strsplit (description, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "\n    %s", g_strchomp (lines[i]));
}

/* The first line, cut where it is long. */
static void
append_short_description (GString *text, const char *description)
{
  gsize line_length = strcspn (description, "\r\n");
  g_autofree char *line = g_strndup (description, line_length);
  gboolean is_cut = description[line_length] != '\0';

  if (g_utf8_strlen (line, -1) > LIST_DESCRIPTION_LENGTH)
    {
      *g_utf8_offset_to_pointer (line, LIST_DESCRIPTION_LENGTH) = '\0';
      is_cut = TRUE;
    }

  g_string_append_printf (text, "\n    %s%s", line, is_cut ? "…" : "");
}

static void
append_summary (GString *text, const GmcpTaskPage *page, guint offset)
{
  gint64 end = (gint64) offset + page->tasks->len;

  if (page->total == 0)
    g_string_append (text, _ ("There are no such tasks."));
  else if (page->tasks->len == 0)
    g_string_append_printf (text,
                            ngettext ("There is %" PRId64 " task, before this page.",
                                      "There are %" PRId64 " tasks, all before this page.",
                                      (gulong) page->total),
                            page->total);
  else if (page->tasks->len == page->total)
    g_string_append_printf (
      text, ngettext ("%" PRId64 " task:", "%" PRId64 " tasks:", (gulong) page->total),
      page->total);
  else
    g_string_append_printf (text,
                            /* Translators: the first and the last that are shown, and the total */
                            _ ("Tasks %u to %" PRId64 " of %" PRId64 ":"), offset + 1, end,
                            page->total);
}

/* --- Replies --- */

GmcpToolResult *
gmcp_task_reply_new_page (const GmcpTaskPage *page, guint offset)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonBuilder) builder = NULL;
  gint64 end = (gint64) offset + page->tasks->len;

  append_summary (text, page, offset);
  for (guint i = 0; i < page->tasks->len; i++)
    {
      const GmcpTaskRecord *record = g_ptr_array_index (page->tasks, i);

      g_string_append_c (text, '\n');
      append_heading (text, record);
      if (record->description != NULL)
        append_short_description (text, record->description);
    }
  if (page->tasks->len > 0 && end < page->total)
    {
      g_string_append_c (text, '\n');
      g_string_append_printf (text, _ ("For the next ones use offset %" PRId64 "."), end);
    }

  builder = begin_result (text->str, TRUE);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "tasks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < page->tasks->len; i++)
    add_record (builder, g_ptr_array_index (page->tasks, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "total");
  json_builder_add_int_value (builder, page->total);
  json_builder_end_object (builder);
  return end_result (builder, NULL);
}

/* @what_happened is a translated word or two: “Created”. */
GmcpToolResult *
gmcp_task_reply_new_task (const GmcpTaskRecord *record, const char *what_happened)
{
  g_autoptr (GString) text = g_string_new (what_happened);
  g_autoptr (JsonBuilder) builder = NULL;

  g_string_append (text, ":\n");
  append_heading (text, record);
  if (record->description != NULL)
    append_description (text, record->description);

  builder = begin_result (text->str, TRUE);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "task");
  add_record (builder, record);
  json_builder_end_object (builder);
  return end_result (builder, NULL);
}

GmcpToolResult *
gmcp_task_reply_new_deleted (const char *id)
{
  g_autofree char *text = g_strdup_printf (_ ("Deleted the task with the id %s."), id);
  g_autoptr (JsonBuilder) builder = begin_result (text, TRUE);

  json_builder_begin_object (builder);
  add_text (builder, "deleted_task_id", id);
  json_builder_end_object (builder);
  return end_result (builder, NULL);
}

GmcpToolResult *
gmcp_task_reply_new_error (const GError *error)
{
  g_autoptr (JsonBuilder) builder = begin_result (error->message, FALSE);

  json_builder_add_null_value (builder);
  return end_result (builder, error);
}
