/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/gmcp-tool-provider.h>
#include <gmcp/provider/registry/gmcp-tool-registry.h>

#include "gmcp-object-list-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-private.h"
#include "set-file.h"
#include "unit-test.h"

/* A provider such as an application would write. It answers calls by what the tool is called, at once
 * or when the main loop comes round again. */

#define TEST_TYPE_PROVIDER (test_provider_get_type ())
G_DECLARE_FINAL_TYPE (TestProvider, test_provider, TEST, PROVIDER, GObject)

struct _TestProvider
{
  GObject parent_instance;

  GmcpObjectList *tools;
  char *config_file;
  char *host;
  GmcpToolCall *kept_call;
  GmcpToolLoad *kept_load;
  gboolean load_later;
};

static void test_provider_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestProvider,
                               test_provider,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      test_provider_iface_init))

typedef enum
{
  PROP_CONFIG_FILE = 1,
  PROP_HOST,
} TestProviderProperty;

static GListModel *
test_provider_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (TEST_PROVIDER (provider)->tools);
}

static void
test_provider_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  TestProvider *self = TEST_PROVIDER (provider);

  if (self->load_later)
    self->kept_load = g_object_ref (load);
  else if (self->config_file != NULL && g_str_equal (self->config_file, "/bad"))
    {
      g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "No /bad");

      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
    }
  else
    gmcp_tool_load_return_success (load);
}

static void
test_provider_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  TestProvider *self = TEST_PROVIDER (provider);
  const char *name = gmcp_tool_call_get_name (call);
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GmcpToolResult) second = NULL;
  g_autoptr (GError) error = NULL;

  if (g_str_equal (name, "echo"))
    {
      result = gmcp_tool_result_new_text (gmcp_tool_call_get_arguments_json (call));
      gmcp_tool_call_report_progress (call, 1, 2, "half");
      gmcp_tool_call_return_result (call, result);
    }
  else if (g_str_equal (name, "fail"))
    {
      error = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT, "Too late");
      gmcp_tool_call_return_error (call, error);
    }
  else if (g_str_equal (name, "keep"))
    {
      self->kept_call = g_object_ref (call);
    }
  else if (g_str_equal (name, "twice"))
    {
      result = gmcp_tool_result_new_text ("once");
      second = gmcp_tool_result_new_text ("twice");
      gmcp_tool_call_return_result (call, result);
      gmcp_tool_call_return_result (call, second);
    }
}

static char *
test_provider_dup_instructions (GmcpToolProvider *provider)
{
  return g_strdup ("Be nice");
}

static void
test_provider_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = test_provider_get_tools;
  iface->load = test_provider_load;
  iface->call_tool = test_provider_call_tool;
  iface->dup_instructions = test_provider_dup_instructions;
}

static void
test_provider_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  TestProvider *self = TEST_PROVIDER (object);

  switch ((TestProviderProperty) prop_id)
    {
    case PROP_CONFIG_FILE:
      g_free (self->config_file);
      self->config_file
        = g_value_get_object (value) != NULL ? g_file_get_path (g_value_get_object (value)) : NULL;
      break;
    case PROP_HOST:
      g_free (self->host);
      self->host = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
test_provider_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  TestProvider *self = TEST_PROVIDER (object);

  switch ((TestProviderProperty) prop_id)
    {
    case PROP_CONFIG_FILE:
      g_value_take_object (
        value, self->config_file != NULL ? g_file_new_for_path (self->config_file) : NULL);
      break;
    case PROP_HOST:
      g_value_set_string (value, self->host);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
test_provider_finalize (GObject *object)
{
  TestProvider *self = TEST_PROVIDER (object);

  g_clear_object (&self->tools);
  g_free (self->config_file);
  g_free (self->host);
  G_OBJECT_CLASS (test_provider_parent_class)->finalize (object);
}

static void
test_provider_class_init (TestProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = test_provider_set_property;
  object_class->get_property = test_provider_get_property;
  object_class->finalize = test_provider_finalize;
  g_object_class_install_property (
    object_class, PROP_CONFIG_FILE,
    g_param_spec_object ("config-file", NULL, NULL, G_TYPE_FILE, G_PARAM_READWRITE));
  g_object_class_install_property (
    object_class, PROP_HOST, g_param_spec_string ("host", NULL, NULL, NULL, G_PARAM_READWRITE));
}

static void
test_provider_init (TestProvider *self)
{
  self->tools = gmcp_object_list_new (GMCP_TYPE_TOOL);
}

static GmcpToolProvider *
new_provider (void)
{
  return GMCP_TOOL_PROVIDER (g_object_new (TEST_TYPE_PROVIDER, NULL));
}

static void
add_tool (GmcpToolProvider *provider, const char *server, const char *listed, const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) original = gmcp_tool_new_from_json (json, &error);
  g_autoptr (GmcpTool) tool = NULL;
  GmcpObjectList *tools = TEST_PROVIDER (provider)->tools;
  gpointer item;

  g_assert_no_error (error);
  tool = listed != NULL ? gmcp_tool_new_listed (original, server, listed) : g_object_ref (original);
  item = tool;
  gmcp_object_list_splice (tools, gmcp_object_list_get_length (tools), 0, &item, 1);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  GAsyncResult **out = data;

  g_assert_null (*out);
  *out = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_call (void)
{
  static const struct
  {
    const char *given;
    const char *seen;
  } cases[] = {
    { NULL, "{}" },
    { "{}", "{}" },
    { "{\"a\":[1,2.50,\"x\"]}", "{\"a\":[1,2.50,\"x\"]}" },
  };
  GmcpToolProvider *provider = new_provider ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GAsyncResult) done = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpToolResult) result = NULL;

      gmcp_tool_provider_call_tool_json_async (provider, "echo", cases[i].given, NULL, NULL,
                                               keep_result, &done);
      g_assert_null (done);
      wait_for (&done);
      result = gmcp_tool_provider_call_tool_finish (provider, done, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, cases[i].seen);
    }
  g_assert_finalize_object (provider);
}

static void
test_call_node (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (JsonNode) node = json_from_string ("{\"a\":1}", NULL);
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  GmcpToolCall *call;
  JsonNode *seen;

  gmcp_tool_provider_call_tool_async (provider, "keep", node, NULL, NULL, keep_result, &done);
  call = g_steal_pointer (&TEST_PROVIDER (provider)->kept_call);

  /* What the caller does with its node later is its own affair. */
  json_object_set_int_member (json_node_get_object (node), "a", 2);
  seen = gmcp_tool_call_get_arguments (call);
  g_assert_true (json_node_is_immutable (seen));
  g_assert_true (seen == gmcp_tool_call_get_arguments (call));
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (seen), "a"), ==, 1);
  g_assert_cmpstr (gmcp_tool_call_get_arguments_json (call), ==, "{\"a\":1}");

  result = gmcp_tool_result_new_error ("late");
  gmcp_tool_call_return_result (call, result);
  g_clear_pointer (&result, gmcp_tool_result_unref);
  wait_for (&done);
  g_assert_finalize_object (call);
  result = gmcp_tool_provider_call_tool_finish (provider, done, &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_tool_result_is_error (result));
  g_clear_object (&done);
  g_assert_finalize_object (provider);
}

static void
test_call_without_arguments (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("");
  g_autoptr (GmcpToolCall) call = NULL;

  gmcp_tool_provider_call_tool_async (provider, "keep", NULL, NULL, NULL, keep_result, &done);
  call = g_steal_pointer (&TEST_PROVIDER (provider)->kept_call);
  g_assert_false (gmcp_json_value_is_present (gmcp_tool_call_get_arguments_value (call)));
  g_assert_cmpuint (
    json_object_get_size (json_node_get_object (gmcp_tool_call_get_arguments (call))), ==, 0);
  g_assert_cmpstr (gmcp_tool_call_get_arguments_json (call), ==, "{}");
  g_assert_null (gmcp_tool_call_get_options (call));
  g_assert_false (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (call)));
  gmcp_tool_call_return_result (call, result);
  wait_for (&done);
  g_clear_object (&done);
  g_assert_finalize_object (provider);
}

static void
test_bad_arguments (void)
{
  static const char *const texts[]
    = { "", "[]", "null", "7", "\"{}\"", "{\"a\":}", "{a:1}", "{} x",
        /* A server may take the first of two, and what was looked at here is the last. */
        "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "{\"a\":[{\"b\":{\"c\":1,\"c\":2}}]}",
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"a\":1}" };
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (JsonNode) list = json_from_string ("[1]", NULL);
  g_autoptr (JsonNode) infinite = json_from_string ("{\"a\":0}", NULL);
  JsonNode *nodes[] = { list, infinite };

  json_object_set_double_member (json_node_get_object (infinite), "a", INFINITY);
  for (guint i = 0; i < G_N_ELEMENTS (texts) + G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (GAsyncResult) done = NULL;
      g_autoptr (GError) error = NULL;

      if (i < G_N_ELEMENTS (texts))
        gmcp_tool_provider_call_tool_json_async (provider, "echo", texts[i], NULL, NULL,
                                                 keep_result, &done);
      else
        gmcp_tool_provider_call_tool_async (provider, "echo", nodes[i - G_N_ELEMENTS (texts)], NULL,
                                            NULL, keep_result, &done);
      wait_for (&done);
      g_assert_null (gmcp_tool_provider_call_tool_finish (provider, done, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
  g_assert_finalize_object (provider);
}

static void
test_call_error (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_tool_provider_call_tool_json_async (provider, "fail", NULL, NULL, NULL, keep_result, &done);
  wait_for (&done);
  g_assert_null (gmcp_tool_provider_call_tool_finish (provider, done, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_clear_object (&done);
  g_assert_finalize_object (provider);
}

static void
test_call_dropped (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a provider that forgets a call does not leave its caller waiting");
  gmcp_tool_provider_call_tool_json_async (provider, "drop", NULL, NULL, NULL, keep_result, &done);
  wait_for (&done);
  g_assert_null (gmcp_tool_provider_call_tool_finish (provider, done, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "drop"));
  g_clear_object (&done);
  g_assert_finalize_object (provider);
}

static void
test_call_twice (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("the second answer of a call is ignored");
  gmcp_tool_provider_call_tool_json_async (provider, "twice", NULL, NULL, NULL, keep_result, &done);
  wait_for (&done);
  result = gmcp_tool_provider_call_tool_finish (provider, done, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "once");
  g_clear_object (&done);
  g_assert_finalize_object (provider);
}

static void
test_call_cancelled (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("too late");
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) second_error = NULL;
  GmcpToolCall *call;

  gmcp_tool_provider_call_tool_json_async (provider, "keep", NULL, NULL, cancellable, keep_result,
                                           &done);
  call = g_steal_pointer (&TEST_PROVIDER (provider)->kept_call);
  g_assert_false (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (call)));
  g_cancellable_cancel (cancellable);
  g_assert_true (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (call)));
  gmcp_tool_call_return_result (call, result);
  g_assert_finalize_object (call);
  wait_for (&done);
  g_assert_null (gmcp_tool_provider_call_tool_finish (provider, done, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  gmcp_tool_provider_call_tool_json_async (provider, "keep", NULL, NULL, cancellable, keep_result,
                                           &second);
  g_assert_null (TEST_PROVIDER (provider)->kept_call);
  wait_for (&second);
  g_assert_null (gmcp_tool_provider_call_tool_finish (provider, second, &second_error));
  g_assert_error (second_error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&done);
  g_clear_object (&second);
  g_assert_finalize_object (provider);
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer data)
{
  guint *n_reports = data;

  (*n_reports)++;
  g_assert_cmpfloat (progress, ==, 1);
  g_assert_cmpfloat (total, ==, 2);
  g_assert_cmpstr (message, ==, "half");
}

static void
test_progress (void)
{
  GmcpToolProvider *provider = new_provider ();
  GmcpCallOptions *options = gmcp_call_options_new ();
  g_autoptr (GAsyncResult) done = NULL;
  guint n_reports = 0;

  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &n_reports);
  gmcp_tool_provider_call_tool_json_async (provider, "echo", NULL, options, NULL, keep_result,
                                           &done);
  wait_for (&done);
  g_assert_cmpuint (n_reports, ==, 1);
  g_clear_object (&done);
  g_assert_finalize_object (options);
  g_assert_finalize_object (provider);
}

static void
note_progress (GmcpCallOptions *options,
               double progress,
               double total,
               const char *message,
               gpointer data)
{
  g_array_append_val ((GArray *) data, progress);
}

static void
test_progress_backwards (void)
{
  static const double reported[]
    = { 0, 0, -1, (double) NAN, (double) INFINITY, (double) -INFINITY, 2, 1, 2, 3 };
  static const double seen[] = { 0, 2, 3 };
  GmcpToolProvider *provider = new_provider ();
  GmcpCallOptions *options = gmcp_call_options_new ();
  g_autoptr (GArray) reports = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GAsyncResult) done = NULL;

  g_test_summary ("progress that does not grow is dropped");
  g_signal_connect (options, "progress", G_CALLBACK (note_progress), reports);
  gmcp_tool_provider_call_tool_json_async (provider, "keep", NULL, options, NULL, keep_result,
                                           &done);
  for (guint i = 0; i < G_N_ELEMENTS (reported); i++)
    gmcp_tool_call_report_progress (TEST_PROVIDER (provider)->kept_call, reported[i], -1, NULL);
  g_clear_object (&TEST_PROVIDER (provider)->kept_call);
  wait_for (&done);
  g_assert_cmpmem (reports->data, reports->len * sizeof (double), seen, sizeof seen);
  g_clear_object (&done);
  g_assert_finalize_object (options);
  g_assert_finalize_object (provider);
}

static gpointer
call_in_thread (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  GmcpToolProvider *provider = data;
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GError) error = NULL;

  g_main_context_push_thread_default (context);
  gmcp_tool_provider_call_tool_json_async (provider, "drop", NULL, NULL, NULL, keep_result, &done);
  while (done == NULL)
    g_main_context_iteration (context, TRUE);
  g_assert_null (gmcp_tool_provider_call_tool_finish (provider, done, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_context (void)
{
  GmcpToolProvider *provider = new_provider ();

  g_test_summary ("the callback comes in the context that the call was made in");
  g_thread_join (g_thread_new ("caller", call_in_thread, provider));
  g_assert_finalize_object (provider);
}

static void
test_load (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GAsyncResult) bad = NULL;
  g_autoptr (GAsyncResult) dropped = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) bad_error = NULL;
  g_autoptr (GError) dropped_error = NULL;

  gmcp_tool_provider_load_async (provider, NULL, keep_result, &done);
  wait_for (&done);
  g_assert_true (gmcp_tool_provider_load_finish (provider, done, &error));
  g_assert_no_error (error);

  set_file (provider, "config-file", "/bad");
  gmcp_tool_provider_load_async (provider, NULL, keep_result, &bad);
  wait_for (&bad);
  g_assert_false (gmcp_tool_provider_load_finish (provider, bad, &bad_error));
  g_assert_error (bad_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);

  TEST_PROVIDER (provider)->load_later = TRUE;
  gmcp_tool_provider_load_async (provider, NULL, keep_result, &dropped);
  g_assert_false (g_cancellable_is_cancelled (gmcp_provider_request_get_cancellable (
    GMCP_PROVIDER_REQUEST (TEST_PROVIDER (provider)->kept_load))));
  g_clear_object (&TEST_PROVIDER (provider)->kept_load);
  wait_for (&dropped);
  g_assert_false (gmcp_tool_provider_load_finish (provider, dropped, &dropped_error));
  g_assert_error (dropped_error, GMCP_ERROR, GMCP_ERROR_FAILED);

  g_clear_object (&done);
  g_clear_object (&bad);
  g_clear_object (&dropped);
  g_assert_finalize_object (provider);
}

static void
test_find (void)
{
  static const struct
  {
    const char *name;
    const char *listed;
    GmcpError code;
  } cases[] = {
    { "fs__read", "fs__read", 0 },
    { "fs.read", "fs__read", 0 },
    { "fs.a.b", "fs__a_b", 0 },
    { "a.b", "fs__a_b", 0 },
    { "plain", "plain", 0 },
    { "read", NULL, GMCP_ERROR_AMBIGUOUS_TOOL },
    { "fs.write", NULL, GMCP_ERROR_UNKNOWN_TOOL },
    { "", NULL, GMCP_ERROR_UNKNOWN_TOOL },
    { ".", NULL, GMCP_ERROR_UNKNOWN_TOOL },
  };
  GmcpToolProvider *provider = new_provider ();

  add_tool (provider, "fs", "fs__read", "{\"name\":\"read\"}");
  add_tool (provider, "fs", "fs__a_b", "{\"name\":\"a.b\"}");
  add_tool (provider, "web", "web__read", "{\"name\":\"read\"}");
  add_tool (provider, NULL, NULL, "{\"name\":\"plain\"}");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpTool) tool = gmcp_tool_provider_find_tool (provider, cases[i].name, &error);

      g_test_message ("%s", cases[i].name);
      if (cases[i].listed == NULL)
        {
          g_assert_null (tool);
          g_assert_error (error, GMCP_ERROR, (int) cases[i].code);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, cases[i].listed);
    }
  g_assert_finalize_object (provider);
}

static void
test_find_messages (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autoptr (GError) ambiguous = NULL;
  g_autoptr (GError) unknown = NULL;

  add_tool (provider, "fs", "fs__read", "{\"name\":\"read\"}");
  add_tool (provider, "web", "web__read", "{\"name\":\"read\"}");
  g_assert_null (gmcp_tool_provider_find_tool (provider, "read", &ambiguous));
  g_assert_nonnull (strstr (ambiguous->message, "fs.read, web.read"));
  g_assert_null (gmcp_tool_provider_find_tool (provider, "fs__raed", &unknown));
  g_assert_nonnull (strstr (unknown->message, "fs__read"));
  g_assert_finalize_object (provider);
}

static GmcpTool *
find_nothing (GmcpToolProvider *provider, const char *name, GError **error)
{
  return NULL;
}

static void
test_find_without_error (void)
{
  GmcpToolProvider *provider = new_provider ();
  GmcpToolProviderInterface *iface = GMCP_TOOL_PROVIDER_GET_IFACE (provider);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a provider that finds no tool need not say so");
  add_tool (provider, NULL, NULL, "{\"name\":\"plain\"}");
  iface->find_tool = find_nothing;
  g_assert_null (gmcp_tool_provider_find_tool (provider, "plains", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_nonnull (strstr (error->message, "plain"));
  g_assert_null (gmcp_tool_provider_find_tool (provider, "plains", NULL));
  iface->find_tool = NULL;
  g_assert_finalize_object (provider);
}

static GListModel *
get_no_list (GmcpToolProvider *provider)
{
  return NULL;
}

static GListModel *
get_files (GmcpToolProvider *provider)
{
  static GListStore *files;

  if (files == NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path ("/");

      files = g_list_store_new (G_TYPE_FILE);
      g_list_store_append (files, file);
    }
  return G_LIST_MODEL (files);
}

static void
on_log (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  g_ptr_array_add (data, g_strdup (message));
}

static void
test_unusable_list (void)
{
  static const struct
  {
    GListModel *(*get_tools) (GmcpToolProvider *provider);
    const char *named;
  } cases[] = {
    { NULL, "TestProvider" },
    { get_no_list, "TestProvider" },
    { get_files, "GFile" },
  };

  g_test_summary ("a provider without a list of tools has none");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GmcpToolRegistry) registry = gmcp_tool_registry_new ();
      guint handler = g_log_set_handler ("Gmcp", G_LOG_LEVEL_MESSAGE, on_log, messages);
      GmcpToolProvider *provider = new_provider ();
      GmcpToolProviderInterface *iface = GMCP_TOOL_PROVIDER_GET_IFACE (provider);
      g_autofree char *json = NULL;
      g_autoptr (GError) error = NULL;
      GListModel *tools;

      iface->get_tools = cases[i].get_tools;
      tools = gmcp_tool_provider_get_tools (provider);
      g_assert_true (g_list_model_get_item_type (tools) == GMCP_TYPE_TOOL);
      g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 0);
      g_assert_true (gmcp_tool_provider_get_tools (provider) == tools);
      json = gmcp_tool_provider_dup_tools_json (provider, GMCP_TOOLS_FORMAT_MCP);
      g_assert_cmpstr (json, ==, "[]");
      g_assert_null (gmcp_tool_provider_find_tool (provider, "x", &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
      g_clear_error (&error);

      g_assert_true (gmcp_tool_registry_add_provider (registry, "p", provider, &error));
      g_assert_no_error (error);
      g_assert_null (gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (registry), "x", &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
      g_assert_true (gmcp_tool_registry_remove_provider (registry, "p"));

      g_assert_cmpuint (messages->len, ==, 1);
      g_assert_nonnull (strstr (g_ptr_array_index (messages, 0), "TestProvider"));
      g_assert_nonnull (strstr (g_ptr_array_index (messages, 0), cases[i].named));
      g_log_remove_handler ("Gmcp", handler);
      iface->get_tools = test_provider_get_tools;
      g_object_unref (provider);
    }
}

static void
test_tools_json (void)
{
  GmcpToolProvider *provider = new_provider ();
  g_autofree char *empty = gmcp_tool_provider_dup_tools_json (provider, GMCP_TOOLS_FORMAT_MCP);
  g_autofree char *mcp = NULL;
  g_autofree char *anthropic = NULL;
  g_autofree char *openai = NULL;

  g_assert_cmpstr (empty, ==, "[]");
  add_tool (provider, "s", "s__a_b",
            "{\"inputSchema\":{\"type\":\"object\", \"maximum\":1.50},\"name\":\"a.b\","
            "\"description\":\"d \\u0022\",\"outputSchema\":{\"type\":\"array\"},"
            "\"annotations\":{\"title\":\"T\"},\"_meta\":{\"x\":1}}");
  add_tool (provider, NULL, NULL, "{\"name\":\"plain\",\"description\":null}");

  mcp = gmcp_tool_provider_dup_tools_json (provider, GMCP_TOOLS_FORMAT_MCP);
  g_assert_cmpstr (mcp, ==,
                   "[{\"name\":\"s__a_b\",\"title\":\"T\",\"description\":\"d \\\"\","
                   "\"inputSchema\":{\"type\":\"object\", \"maximum\":1.50},"
                   "\"outputSchema\":{\"type\":\"array\"},\"annotations\":{\"title\":\"T\"}},"
                   "{\"name\":\"plain\",\"inputSchema\":{\"type\":\"object\"}}]");
  anthropic = gmcp_tool_provider_dup_tools_json (provider, GMCP_TOOLS_FORMAT_ANTHROPIC);
  g_assert_cmpstr (anthropic, ==,
                   "[{\"name\":\"s__a_b\",\"description\":\"d \\\"\","
                   "\"input_schema\":{\"type\":\"object\", \"maximum\":1.50}},"
                   "{\"name\":\"plain\",\"input_schema\":{\"type\":\"object\"}}]");
  openai = gmcp_tool_provider_dup_tools_json (provider, GMCP_TOOLS_FORMAT_OPENAI);
  g_assert_cmpstr (openai, ==,
                   "[{\"type\":\"function\",\"function\":{\"name\":\"s__a_b\","
                   "\"description\":\"d \\\"\","
                   "\"parameters\":{\"type\":\"object\", \"maximum\":1.50}}},"
                   "{\"type\":\"function\",\"function\":{\"name\":\"plain\","
                   "\"parameters\":{\"type\":\"object\"}}}]");
  g_assert_finalize_object (provider);
}

static void
test_providers_none (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("gmcp-modules-XXXXXX", NULL);
  g_autofree char *broken = g_build_filename (folder, "libbroken.so", NULL);
  g_autofree char *path = g_strdup_printf ("%s:/nowhere/at/all::", folder);

  if (g_file_test (GMCP_MODULE_DIR "/libgmcp-tools.so", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("libgmcp-tools.so is installed in this prefix");
      return;
    }

  g_assert_true (g_file_set_contents (broken, "no module", -1, NULL));
  g_setenv ("GMCP_MODULE_PATH", path, TRUE);
  g_assert_null (gmcp_load_tool_providers (NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, folder));
  g_assert_nonnull (strstr (error->message, "/nowhere/at/all"));
  g_assert_nonnull (strstr (error->message, GMCP_MODULE_DIR));
  g_unlink (broken);
  g_rmdir (folder);
}

static void
test_providers (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) providers = NULL;
  g_autoptr (GPtrArray) again = NULL;
  g_autofree char *instructions = NULL;
  g_autoptr (GFile) file = g_file_new_for_path ("/etc/servers.json");
  g_autoptr (GFile) remote = g_file_new_for_uri ("https://example.org/servers.json");
  TestProvider *provider;

  gmcp_tool_provider_register_extension_point ();
  gmcp_tool_provider_register_extension_point ();
  g_io_extension_point_implement (GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME, TEST_TYPE_PROVIDER,
                                  "test", 1000);

  providers = gmcp_load_tool_providers ("org.example.Host", file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (providers->len, >=, 1);
  g_assert_true (TEST_IS_PROVIDER (g_ptr_array_index (providers, 0)));
  provider = g_ptr_array_index (providers, 0);
  g_assert_cmpstr (provider->config_file, ==, "/etc/servers.json");
  instructions = gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (provider));
  g_assert_cmpstr (provider->host, ==, "org.example.Host");
  g_assert_cmpstr (instructions, ==, "Be nice");

  again = gmcp_load_tool_providers (NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->len, ==, providers->len);
  g_assert_true (g_ptr_array_index (again, 0) != (gpointer) provider);
  g_assert_null (TEST_PROVIDER (g_ptr_array_index (again, 0))->config_file);
  g_assert_null (TEST_PROVIDER (g_ptr_array_index (again, 0))->host);

  g_test_message ("a file that is not in the file system");
  g_assert_null (gmcp_load_tool_providers (NULL, remote, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  /* The modules of the build link the shared library, which this program must not have beside its own
   * copy. */
  g_setenv ("GMCP_MODULE_PATH", "", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/provider/call/json", test_call);
  g_test_add_func ("/provider/call/node", test_call_node);
  g_test_add_func ("/provider/call/without-arguments", test_call_without_arguments);
  g_test_add_func ("/provider/call/bad-arguments", test_bad_arguments);
  g_test_add_func ("/provider/call/error", test_call_error);
  g_test_add_func ("/provider/call/dropped", test_call_dropped);
  g_test_add_func ("/provider/call/twice", test_call_twice);
  g_test_add_func ("/provider/call/cancelled", test_call_cancelled);
  g_test_add_func ("/provider/call/progress", test_progress);
  g_test_add_func ("/provider/call/progress-backwards", test_progress_backwards);
  g_test_add_func ("/provider/call/context", test_context);
  g_test_add_func ("/provider/load", test_load);
  g_test_add_func ("/provider/find/names", test_find);
  g_test_add_func ("/provider/find/messages", test_find_messages);
  g_test_add_func ("/provider/find/without-error", test_find_without_error);
  g_test_add_func ("/provider/unusable-list", test_unusable_list);
  g_test_add_func ("/provider/tools-json", test_tools_json);
  g_test_add_func ("/provider/providers/none", test_providers_none);
  g_test_add_func ("/provider/providers/registered", test_providers);
  return g_test_run ();
}
