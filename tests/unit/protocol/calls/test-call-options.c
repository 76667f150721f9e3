/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-call-options-private.h"
#include "gmcp-error-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

static void
count (guint *counter)
{
  (*counter)++;
}

static void
assert_meta (GmcpCallOptions *options, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_object (&writer);
  gmcp_call_options_write_meta (options, &writer);
  gmcp_json_writer_end_object (&writer);
  g_assert_cmpstr (text->str, ==, expected);
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
  assert_meta (options, "{}");
  g_assert_null (gmcp_call_options_get_traceparent (options));
  g_assert_null (gmcp_call_options_get_tracestate (options));
  g_assert_null (gmcp_call_options_get_baggage (options));

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

  g_signal_connect_swapped (options, "notify::meta-json", G_CALLBACK (count), &n_notified);
  g_assert_true (
    gmcp_call_options_set_meta_json (options, "{\n\"org.x/a\":\n 1,\r\n\"b\": \"x y\"}\n", &error));
  g_assert_no_error (error);
  g_assert_null (strpbrk (gmcp_call_options_get_meta_json (options), "\r\n"));
  g_assert_nonnull (strstr (gmcp_call_options_get_meta_json (options), "\"x y\""));
  assert_meta (options, "{\"org.x/a\":1,\"b\":\"x y\"}");
  g_assert_cmpuint (n_notified, ==, 1);

  g_assert_true (gmcp_call_options_set_meta_json (options, NULL, &error));
  g_assert_null (gmcp_call_options_get_meta_json (options));
  g_assert_cmpuint (n_notified, ==, 2);
  g_assert_finalize_object (options);
}

static GmcpCallOptions *
take_meta (const char *json)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  GmcpCallOptions *options = gmcp_call_options_new ();

  g_assert_nonnull (doc);
  gmcp_call_options_take_meta (options, gmcp_json_doc_get_root (doc));
  return options;
}

static void
test_meta_taken (void)
{
  static const struct
  {
    const char *json;
    const char *meta_json; /* nullable */
    const char *written;
  } cases[] = {
    { "7", NULL, "{}" },
    { "{}", NULL, "{}" },
    { "{\"a/b\":[1,2],\"c\":\"d\"}", "{\"a/b\":[1,2],\"c\":\"d\"}", "{\"a/b\":[1,2],\"c\":\"d\"}" },
    { "{\"progressToken\":1,\"io.modelcontextprotocol/clientInfo\":{}}", NULL, "{}" },
    { "{\"progress\\u0054oken\":1,\"io.modelcontextprotocol\\/x\":2,\"k\":3}", "{\"k\":3}",
      "{\"k\":3}" },
    { "{\"io\\u002emodelcontextprotocol\\u002frelated-task\":{\"taskId\":\"x\"}}", NULL, "{}" },
    { "{\"traceparent\":\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\",\"k\":1}",
      "{\"k\":1}",
      "{\"traceparent\":\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\",\"k\":1}" },
    { "{\"traceparent\":\"x\",\"tracestate\":\"a=1\\nb\",\"baggage\":{},\"k\":1}", "{\"k\":1}",
      "{\"k\":1}" },
    { "{\"tracestate\":\"a=1\",\"baggage\":\"b=2\"}", NULL,
      "{\"tracestate\":\"a=1\",\"baggage\":\"b=2\"}" },
  };
  g_autofree char *filler = g_strnfill (GMCP_LIMIT_CALL_META_BYTES, 'x');
  g_autofree char *large
    = g_strdup_printf ("{\"large\":\"%s\",\"k\":1,\"baggage\":\"b=2\"}", filler);
  g_autoptr (GmcpCallOptions) of_large = NULL;

  g_test_summary (
    "of a request's _meta all is taken but what is the protocol's, malformed or too large");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpCallOptions) options = take_meta (cases[i].json);
      g_autoptr (GmcpCallOptions) copy = gmcp_call_options_new ();

      g_assert_cmpstr (gmcp_call_options_get_meta_json (options), ==, cases[i].meta_json);
      assert_meta (options, cases[i].written);
      gmcp_call_options_copy_meta (copy, options);
      assert_meta (copy, cases[i].written);
    }
  of_large = take_meta (large);
  assert_meta (of_large, "{\"baggage\":\"b=2\"}");
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

#define PARENT "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

typedef gboolean (*SetTrace) (GmcpCallOptions *options, const char *text, GError **error);

static void
test_trace (void)
{
  g_autoptr (GError) error = NULL;
  GmcpCallOptions *options = gmcp_call_options_new ();
  g_autofree char *parent = NULL;
  guint n_notified = 0;

  g_test_summary ("a trace context stands in the metadata once, in place of what meta-json says");
  g_signal_connect_swapped (options, "notify::traceparent", G_CALLBACK (count), &n_notified);
  g_assert_true (gmcp_call_options_set_traceparent (options, PARENT, &error));
  g_assert_true (gmcp_call_options_set_traceparent (options, PARENT, &error));
  g_assert_true (gmcp_call_options_set_tracestate (options, "a=1,b@c=2", &error));
  g_assert_true (gmcp_call_options_set_meta_json (
    options,
    "{\"tracestate\":\"x=1\",\"baggage\":\"kept=1\",\"progressToken\":1,\"z\":2,"
    "\"io.modelcontextprotocol/logLevel\":\"debug\"}",
    &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_notified, ==, 1);
  assert_meta (options, "{\"traceparent\":\"" PARENT "\",\"tracestate\":\"a=1,b@c=2\","
                        "\"baggage\":\"kept=1\",\"z\":2}");
  g_object_get (options, "traceparent", &parent, NULL);
  g_assert_cmpstr (parent, ==, PARENT);
  g_assert_true (gmcp_call_options_writes_meta (options, "tracestate"));
  g_assert_true (gmcp_call_options_writes_meta (options, "z"));
  g_assert_false (gmcp_call_options_writes_meta (options, "y"));

  g_assert_true (gmcp_call_options_set_baggage (options, "user=me", &error));
  g_assert_true (gmcp_call_options_set_traceparent (options, NULL, &error));
  g_assert_true (gmcp_call_options_set_tracestate (options, NULL, &error));
  assert_meta (options, "{\"baggage\":\"user=me\",\"tracestate\":\"x=1\",\"z\":2}");
  g_assert_finalize_object (options);
}

static void
test_trace_format (void)
{
  static const struct
  {
    SetTrace set;
    const char *text;
    gboolean valid;
  } cases[] = {
    { gmcp_call_options_set_traceparent, "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
      TRUE },
    { gmcp_call_options_set_traceparent,
      "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", TRUE },
    { gmcp_call_options_set_traceparent, "", FALSE },
    { gmcp_call_options_set_traceparent, PARENT "-more", FALSE },
    { gmcp_call_options_set_traceparent, PARENT "0", FALSE },
    { gmcp_call_options_set_traceparent,
      "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more", FALSE },
    { gmcp_call_options_set_traceparent, "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      FALSE },
    { gmcp_call_options_set_traceparent, "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      FALSE },
    { gmcp_call_options_set_traceparent, "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      FALSE },
    { gmcp_call_options_set_traceparent, "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      FALSE },
    { gmcp_call_options_set_traceparent, "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
      FALSE },
    { gmcp_call_options_set_traceparent, "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01x",
      FALSE },
    { gmcp_call_options_set_tracestate, "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", TRUE },
    { gmcp_call_options_set_tracestate, " a=b c ,, 1t@x=y\t", TRUE },
    { gmcp_call_options_set_tracestate, "", FALSE },
    { gmcp_call_options_set_tracestate, " , ", FALSE },
    { gmcp_call_options_set_tracestate, "a", FALSE },
    { gmcp_call_options_set_tracestate, "a=", FALSE },
    { gmcp_call_options_set_tracestate, "=b", FALSE },
    { gmcp_call_options_set_tracestate, "A=b", FALSE },
    { gmcp_call_options_set_tracestate, "_a=b", FALSE },
    { gmcp_call_options_set_tracestate, "a=b=c", FALSE },
    { gmcp_call_options_set_tracestate, "a=b\nc", FALSE },
    { gmcp_call_options_set_tracestate, "a=\303\244", FALSE },
    { gmcp_call_options_set_baggage, "key1=value1;property1;p2=x, key2 = value2 ,key3=", TRUE },
    { gmcp_call_options_set_baggage, "userId=Am%C3%A9lie,isProduction=false", TRUE },
    { gmcp_call_options_set_baggage, "", FALSE },
    { gmcp_call_options_set_baggage, "a", FALSE },
    { gmcp_call_options_set_baggage, "=b", FALSE },
    { gmcp_call_options_set_baggage, "a b=c", FALSE },
    { gmcp_call_options_set_baggage, "a=b c", FALSE },
    { gmcp_call_options_set_baggage, "a=\"b\"", FALSE },
    { gmcp_call_options_set_baggage, "a=b;", FALSE },
    { gmcp_call_options_set_baggage, "a=b\r\nX: y", FALSE },
    { gmcp_call_options_set_baggage, "a=\303\244", FALSE },
  };
  g_autofree char *filler = g_strnfill (8192, 'x');
  g_autofree char *long_baggage = g_strconcat ("a=", filler, NULL);
  GmcpCallOptions *options = gmcp_call_options_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (cases[i].set (options, cases[i].text, &error), ==, cases[i].valid);
      if (cases[i].valid)
        g_assert_no_error (error);
      else
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
  g_assert_false (gmcp_call_options_set_baggage (options, long_baggage, NULL));

  /* The last that was taken stays. */
  g_assert_cmpstr (gmcp_call_options_get_traceparent (options), ==,
                   "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more");
  g_assert_cmpstr (gmcp_call_options_get_tracestate (options), ==, " a=b c ,, 1t@x=y\t");
  g_assert_cmpstr (gmcp_call_options_get_baggage (options), ==,
                   "userId=Am%C3%A9lie,isProduction=false");
  g_assert_finalize_object (options);
}

static void
test_made (void)
{
  static const char parent[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  g_autoptr (GmcpCallOptions) options
    = g_object_new (GMCP_TYPE_CALL_OPTIONS, "meta-json", "{\"a\":1}", "traceparent", parent, NULL);

  g_assert_cmpstr (gmcp_call_options_get_meta_json (options), ==, "{\"a\":1}");
  g_assert_cmpstr (gmcp_call_options_get_traceparent (options), ==, parent);

  g_test_message (
    "a property keeps its text where a new one, perhaps of a peer's header, is malformed");
  g_test_expect_message ("Gmcp", G_LOG_LEVEL_MESSAGE,
                         "GmcpCallOptions:meta-json stays as it was: *");
  g_object_set (options, "meta-json", "[]", NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpstr (gmcp_call_options_get_meta_json (options), ==, "{\"a\":1}");
  g_test_expect_message ("Gmcp", G_LOG_LEVEL_MESSAGE,
                         "GmcpCallOptions:traceparent stays as it was: *");
  g_object_set (options, "traceparent", "junk", NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpstr (gmcp_call_options_get_traceparent (options), ==, parent);
}

static void
test_outcome (void)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = gmcp_rpc_error_new_take (-32000, "no", g_strdup ("[1]"));
  g_autoptr (GError) other = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "no");
  g_autofree char *data = NULL;

  g_assert_null (gmcp_call_options_dup_error_data_json (options));
  gmcp_call_options_take_outcome (options, error);
  data = gmcp_call_options_dup_error_data_json (options);
  g_assert_cmpstr (data, ==, "[1]");
  gmcp_call_options_take_outcome (options, other);
  g_assert_null (gmcp_call_options_dup_error_data_json (options));
  gmcp_call_options_take_outcome (options, error);
  gmcp_call_options_take_outcome (options, NULL);
  g_assert_null (gmcp_call_options_dup_error_data_json (options));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/call-options/properties", test_properties);
  g_test_add_func ("/protocol/call-options/made", test_made);
  g_test_add_func ("/protocol/call-options/outcome", test_outcome);
  g_test_add_func ("/protocol/call-options/meta", test_meta);
  g_test_add_func ("/protocol/call-options/meta-bad", test_meta_bad);
  g_test_add_func ("/protocol/call-options/meta-taken", test_meta_taken);
  g_test_add_func ("/protocol/call-options/progress", test_progress);
  g_test_add_func ("/protocol/call-options/task", test_task);
  g_test_add_func ("/protocol/call-options/trace", test_trace);
  g_test_add_func ("/protocol/call-options/trace-format", test_trace_format);
  return g_test_run ();
}
