/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-task-handle-private.h"

#include "gmcp-limits.h"
#include "unit-test.h"

static const char modern[]
  = "{\"resultType\":\"task\",\"taskId\":\"t-1\",\"status\":\"working\",\"statusMessage\":\"half\","
    "\"createdAt\":\"2025-11-25T10:30:00Z\",\"lastUpdatedAt\":\"2025-11-25T10:40:00.5+01:00\","
    "\"ttlMs\":60000,\"pollIntervalMs\":5000}";

static GmcpTaskHandle *
make (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);

  g_assert_nonnull (doc);
  return gmcp_task_handle_new_from_value (gmcp_json_doc_get_root (doc), "srv", "dig", error);
}

static gboolean
update (GmcpTaskHandle *handle, const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);

  g_assert_nonnull (doc);
  return gmcp_task_handle_update (handle, gmcp_json_doc_get_root (doc), error);
}

static void
assert_first_state (GmcpTaskHandle *handle)
{
  g_assert_cmpstr (gmcp_task_handle_get_task_id (handle), ==, "t-1");
  g_assert_cmpstr (gmcp_task_handle_get_server_name (handle), ==, "srv");
  g_assert_cmpstr (gmcp_task_handle_get_tool_name (handle), ==, "dig");
  g_assert_cmpint (gmcp_task_handle_get_status (handle), ==, GMCP_TASK_STATUS_WORKING);
  g_assert_false (gmcp_task_handle_is_finished (handle));
  g_assert_cmpstr (gmcp_task_handle_get_status_message (handle), ==, "half");
  g_assert_cmpint (g_date_time_to_unix (gmcp_task_handle_get_created_at (handle)), ==, 1764066600);
  g_assert_cmpint (g_date_time_to_unix (gmcp_task_handle_get_updated_at (handle)), ==, 1764063600);
  g_assert_cmpint (gmcp_task_handle_get_ttl_ms (handle), ==, 60000);
  g_assert_cmpuint (gmcp_task_handle_get_poll_interval_ms (handle), ==, 5000);
}

static void
test_read (void)
{
  g_autoptr (GError) error = NULL;
  GmcpTaskHandle *handle = make (modern, &error);
  GmcpTaskHandle *legacy;

  g_assert_no_error (error);
  assert_first_state (handle);
  g_assert_finalize_object (handle);

  legacy = make ("{\"taskId\":\"t-1\",\"status\":\"input_required\",\"ttl\":null,"
                 "\"pollInterval\":10.9,\"createdAt\":\"yesterday\"}",
                 &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_task_handle_get_status (legacy), ==, GMCP_TASK_STATUS_INPUT_REQUIRED);
  g_assert_null (gmcp_task_handle_get_status_message (legacy));
  g_assert_null (gmcp_task_handle_get_created_at (legacy));
  g_assert_null (gmcp_task_handle_get_updated_at (legacy));
  g_assert_cmpint (gmcp_task_handle_get_ttl_ms (legacy), ==, -1);
  g_assert_cmpuint (gmcp_task_handle_get_poll_interval_ms (legacy), ==, 10);
  g_assert_finalize_object (legacy);

  legacy
    = make ("{\"taskId\":\"t-1\",\"status\":\"working\",\"ttl\":7,\"pollInterval\":1e30}", &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_task_handle_get_ttl_ms (legacy), ==, 7);
  g_assert_cmpuint (gmcp_task_handle_get_poll_interval_ms (legacy), ==, G_MAXUINT);
  g_assert_finalize_object (legacy);
}

static void
test_read_bad (void)
{
  static const char *const bad[] = {
    "{}",
    "[]",
    "null",
    "{\"status\":\"working\"}",
    "{\"taskId\":\"\",\"status\":\"working\"}",
    "{\"taskId\":5,\"status\":\"working\"}",
    "{\"taskId\":\"t\"}",
    "{\"taskId\":\"t\",\"status\":\"Working\"}",
    "{\"taskId\":\"t\",\"status\":null}",
    "{\"taskId\":\"t\",\"status\":\"submitted\"}",
  };
  g_autofree char *long_id = g_strnfill (GMCP_LIMIT_TASK_ID_BYTES + 1, 'x');
  g_autofree char *too_long
    = g_strdup_printf ("{\"taskId\":\"%s\",\"status\":\"working\"}", long_id);

  for (guint i = 0; i <= G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (make (i < G_N_ELEMENTS (bad) ? bad[i] : too_long, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }
}

static void
on_notify (GmcpTaskHandle *handle, GParamSpec *pspec, GString *names)
{
  g_string_append_printf (names, "%s ", pspec->name);
}

static void
test_update (void)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GmcpTaskHandle *handle = make (modern, &error);

  g_signal_connect (handle, "notify", G_CALLBACK (on_notify), names);
  g_assert_true (update (handle, modern, &error));
  g_assert_cmpstr (names->str, ==, "");

  g_assert_true (update (handle,
                         "{\"taskId\":\"t-1\",\"status\":\"input_required\",\"ttlMs\":60000,"
                         "\"pollIntervalMs\":5000,\"statusMessage\":\"half\"}",
                         &error));
  g_assert_cmpstr (names->str, ==, "status ");
  g_assert_nonnull (gmcp_task_handle_get_created_at (handle));

  g_assert_true (
    update (handle, "{\"taskId\":\"t-1\",\"status\":\"completed\",\"ttlMs\":1}", &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (names->str, "ttl-ms"));
  g_assert_nonnull (strstr (names->str, "poll-interval-ms"));
  g_assert_nonnull (strstr (names->str, "status-message"));
  g_assert_true (gmcp_task_handle_is_finished (handle));
  g_assert_finalize_object (handle);
}

static void
test_update_refused (void)
{
  static const char *const bad[] = {
    "{\"taskId\":\"t-2\",\"status\":\"completed\"}", "{\"status\":\"completed\"}",
    "{\"taskId\":\"t-1\",\"status\":\"working\"}",   "{\"taskId\":\"t-1\",\"status\":\"failed\"}",
    "{\"taskId\":\"t-1\",\"status\":\"gone\"}",
  };
  g_autoptr (GError) error = NULL;
  GmcpTaskHandle *handle = make ("{\"taskId\":\"t-1\",\"status\":\"completed\"}", &error);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) refused = NULL;

      g_assert_false (update (handle, bad[i], &refused));
      g_assert_error (refused, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_assert_cmpint (gmcp_task_handle_get_status (handle), ==, GMCP_TASK_STATUS_COMPLETED);
    }
  g_assert_true (update (handle, "{\"taskId\":\"t-1\",\"status\":\"completed\"}", &error));
  g_assert_finalize_object (handle);
}

static void
test_keep (void)
{
  g_autoptr (GError) error = NULL;
  GmcpTaskHandle *handle = make (modern, &error);
  g_autofree char *text = gmcp_task_handle_dup_json (handle);
  g_autofree char *again_text = NULL;
  GmcpTaskHandle *again = gmcp_task_handle_new_from_json (text, &error);

  g_assert_no_error (error);
  g_assert_null (strchr (text, '\n'));
  assert_first_state (again);
  again_text = gmcp_task_handle_dup_json (again);
  g_assert_cmpstr (again_text, ==, text);
  g_assert_finalize_object (again);
  g_assert_finalize_object (handle);

  again = gmcp_task_handle_new_from_json ("{\"taskId\":\"x\",\"status\":\"failed\"}", &error);
  g_assert_no_error (error);
  g_assert_null (gmcp_task_handle_get_server_name (again));
  gmcp_task_handle_fill_in (again, "first");
  gmcp_task_handle_fill_in (again, "second");
  g_assert_cmpstr (gmcp_task_handle_get_server_name (again), ==, "first");
  g_assert_finalize_object (again);
}

static void
test_keep_bad (void)
{
  static const struct
  {
    const char *json;
    GmcpError code;
  } cases[] = {
    { "", GMCP_ERROR_INVALID_JSON },
    { "{", GMCP_ERROR_INVALID_JSON },
    { "\"t-1\"", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"taskId\":\"t-1\"}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"status\":\"working\"}", GMCP_ERROR_INVALID_ARGUMENT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_task_handle_new_from_json (cases[i].json, &error));
      g_assert_error (error, GMCP_ERROR, (int) cases[i].code);
    }
}

static void
test_properties (void)
{
  g_autoptr (GError) error = NULL;
  GmcpTaskHandle *handle = make (modern, &error);
  g_autofree char *id = NULL;
  g_autofree char *tool = NULL;
  g_autofree char *server = NULL;
  g_autofree char *message = NULL;
  g_autoptr (GDateTime) created = NULL;
  g_autoptr (GDateTime) updated = NULL;
  GmcpTaskStatus status;
  gint64 ttl_ms;
  guint interval_ms;

  g_object_get (handle, "task-id", &id, "tool-name", &tool, "server-name", &server, "status",
                &status, "status-message", &message, "created-at", &created, "updated-at", &updated,
                "ttl-ms", &ttl_ms, "poll-interval-ms", &interval_ms, NULL);
  g_assert_cmpstr (id, ==, "t-1");
  g_assert_cmpstr (tool, ==, "dig");
  g_assert_cmpstr (server, ==, "srv");
  g_assert_cmpint (status, ==, GMCP_TASK_STATUS_WORKING);
  g_assert_cmpstr (message, ==, "half");
  g_assert_nonnull (created);
  g_assert_nonnull (updated);
  g_assert_cmpint (ttl_ms, ==, 60000);
  g_assert_cmpuint (interval_ms, ==, 5000);
  g_assert_finalize_object (handle);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/task-handle/read", test_read);
  g_test_add_func ("/protocol/task-handle/read-bad", test_read_bad);
  g_test_add_func ("/protocol/task-handle/update", test_update);
  g_test_add_func ("/protocol/task-handle/update-refused", test_update_refused);
  g_test_add_func ("/protocol/task-handle/keep", test_keep);
  g_test_add_func ("/protocol/task-handle/keep-bad", test_keep_bad);
  g_test_add_func ("/protocol/task-handle/properties", test_properties);
  return g_test_run ();
}
