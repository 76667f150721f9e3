/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"

static void
count (guint *counter)
{
  (*counter)++;
}

static void
test_properties (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json ("{\"name\":\"t\"}", &error);
  g_autoptr (GmcpTool) got = NULL;
  GmcpCallOptions *options = gmcp_call_options_new ();
  guint n_notified = 0;
  guint timeout_ms;

  g_assert_no_error (error);
  g_assert_cmpuint (gmcp_call_options_get_timeout_ms (options), ==, 0);
  g_assert_cmpuint (gmcp_call_options_get_max_timeout_ms (options), ==, 0);
  g_assert_null (gmcp_call_options_get_expected_tool (options));
  g_assert_null (gmcp_call_options_get_meta_json (options));
  g_assert_false (gmcp_json_value_is_present (gmcp_call_options_get_meta (options)));

  g_signal_connect_swapped (options, "notify", G_CALLBACK (count), &n_notified);
  g_object_set (options, "timeout-ms", 5u, "max-timeout-ms", 7u, "expected-tool", tool, NULL);
  g_assert_cmpuint (n_notified, ==, 3);
  g_object_set (options, "timeout-ms", 5u, "max-timeout-ms", 7u, "expected-tool", tool, NULL);
  g_assert_cmpuint (n_notified, ==, 3);
  g_assert_cmpuint (gmcp_call_options_get_max_timeout_ms (options), ==, 7);

  g_object_get (options, "timeout-ms", &timeout_ms, "expected-tool", &got, NULL);
  g_assert_cmpuint (timeout_ms, ==, 5);
  g_assert_true (got == tool);
  g_assert_finalize_object (options);
}

static void
on_task_created (GmcpCallOptions *options, GmcpTaskHandle *handle, GmcpTaskHandle **got)
{
  g_assert_true (GMCP_IS_TASK_HANDLE (handle));
  *got = handle;
}

static void
test_task (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskHandle) handle
    = gmcp_task_handle_new_from_json ("{\"taskId\":\"t\",\"status\":\"working\"}", &error);
  GmcpCallOptions *options = gmcp_call_options_new ();
  GmcpTaskHandle *got = NULL;
  guint n_notified = 0;
  guint ttl_ms;
  gboolean as_task;

  g_assert_no_error (error);
  g_assert_false (gmcp_call_options_get_as_task (options));
  g_assert_cmpuint (gmcp_call_options_get_task_ttl_ms (options), ==, 0);

  g_signal_connect_swapped (options, "notify", G_CALLBACK (count), &n_notified);
  g_object_set (options, "as-task", TRUE, "task-ttl-ms", 5u, NULL);
  g_object_set (options, "as-task", TRUE, "task-ttl-ms", 5u, NULL);
  g_assert_cmpuint (n_notified, ==, 2);
  g_object_get (options, "as-task", &as_task, "task-ttl-ms", &ttl_ms, NULL);
  g_assert_true (as_task);
  g_assert_cmpuint (ttl_ms, ==, 5);

  g_signal_connect (options, "task-created", G_CALLBACK (on_task_created), &got);
  gmcp_call_options_emit_task_created (options, handle);
  g_assert_true (got == handle);
  g_assert_finalize_object (options);
}

static void
test_meta (void)
{
  g_autoptr (GError) error = NULL;
  GmcpCallOptions *options = gmcp_call_options_new ();
  guint n_notified = 0;
  gint64 number = 0;

  g_signal_connect_swapped (options, "notify::meta-json", G_CALLBACK (count), &n_notified);
  g_assert_true (
    gmcp_call_options_set_meta_json (options, "{\n\"org.x/a\":\n 1,\r\n\"b\": \"x y\"}\n", &error));
  g_assert_no_error (error);
  g_assert_null (strpbrk (gmcp_call_options_get_meta_json (options), "\r\n"));
  g_assert_nonnull (strstr (gmcp_call_options_get_meta_json (options), "\"x y\""));
  g_assert_true (gmcp_json_value_get_int64 (
    gmcp_json_value_get_member (gmcp_call_options_get_meta (options), "org.x/a"), &number));
  g_assert_cmpint (number, ==, 1);
  g_assert_cmpuint (n_notified, ==, 1);

  g_assert_true (gmcp_call_options_set_meta_json (options, NULL, &error));
  g_assert_null (gmcp_call_options_get_meta_json (options));
  g_assert_cmpuint (n_notified, ==, 2);
  g_assert_finalize_object (options);
}

static void
test_meta_bad (void)
{
  static const struct
  {
    const char *json;
    GmcpError code;
  } cases[] = {
    { "[]", GMCP_ERROR_INVALID_ARGUMENT },     { "null", GMCP_ERROR_INVALID_ARGUMENT },
    { "\"{}\"", GMCP_ERROR_INVALID_ARGUMENT }, { "{\"a\":1", GMCP_ERROR_INVALID_JSON },
    { "", GMCP_ERROR_INVALID_JSON },           { "{'a':1}", GMCP_ERROR_INVALID_JSON },
    { "{} {}", GMCP_ERROR_INVALID_JSON },
  };
  GmcpCallOptions *options = gmcp_call_options_new ();

  g_assert_true (gmcp_call_options_set_meta_json (options, "{\"kept\":1}", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_call_options_set_meta_json (options, cases[i].json, &error));
      g_assert_error (error, GMCP_ERROR, (int) cases[i].code);
      g_assert_cmpstr (gmcp_call_options_get_meta_json (options), ==, "{\"kept\":1}");
    }
  g_assert_finalize_object (options);
}

typedef struct
{
  guint n_calls;
  double progress;
  double total;
  char *message;
} Seen;

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer data)
{
  Seen *seen = data;

  seen->n_calls++;
  seen->progress = progress;
  seen->total = total;
  g_free (seen->message);
  seen->message = g_strdup (message);
}

static void
test_progress (void)
{
  GmcpCallOptions *options = gmcp_call_options_new ();
  Seen seen = { 0 };

  gmcp_call_options_emit_progress (options, 1, -1, "nobody listens");
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &seen);
  gmcp_call_options_emit_progress (options, 2.5, 10, "half");
  g_assert_cmpuint (seen.n_calls, ==, 1);
  g_assert_cmpfloat (seen.progress, ==, 2.5);
  g_assert_cmpfloat (seen.total, ==, 10);
  g_assert_cmpstr (seen.message, ==, "half");
  gmcp_call_options_emit_progress (options, 3, -1, NULL);
  g_assert_cmpfloat (seen.total, ==, -1);
  g_assert_null (seen.message);
  g_assert_finalize_object (options);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/call-options/properties", test_properties);
  g_test_add_func ("/protocol/call-options/meta", test_meta);
  g_test_add_func ("/protocol/call-options/meta-bad", test_meta_bad);
  g_test_add_func ("/protocol/call-options/progress", test_progress);
  g_test_add_func ("/protocol/call-options/task", test_task);
  return g_test_run ();
}
