/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"

#include "gmcp-client-private.h"
#include "gmcp-outputs-private.h"
#include "unit-test.h"

/* Structured content against output schemas. */

#define SCHEMA                                                                                     \
  "{ \"x-kept\" : [1.0, 1e2,\"\\u0041\"],\"type\":\"object\",\"properties\":{\"sum\":{\"type\":"   \
  "\"integer\"}},\"required\":[\"sum\"],  \"additionalProperties\":false }"

/* The output schema of the tool "echo". */
static const char *schema;

static void
answer (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  g_autofree char *text = NULL;

  if (!g_str_equal (method, "tools/list"))
    {
      scripted_server_modern (server, method, message);
      return;
    }

  text = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":["
                          "{\"name\":\"plain\",\"inputSchema\":{\"type\":\"object\"}},"
                          "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}%s%s}]}}",
                          schema != NULL ? ",\"outputSchema\":" : "", schema != NULL ? schema : "");
  scripted_server_send (server, text);
}

static void
list (ClientFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GListModel) tools = NULL;
  Waiter waiter = { NULL };

  gmcp_client_list_tools_async (fixture->client, NULL, waiter_done, &waiter);
  waiter_wait (&waiter);
  tools = gmcp_client_list_tools_finish (fixture->client, waiter.result, &error);
  g_assert_no_error (error);
  g_object_unref (waiter.result);
}

static void
set_up (ClientFixture *fixture, gconstpointer data)
{
  schema = data != NULL ? data : SCHEMA;
  client_fixture_set_up (fixture, answer);
  list (fixture);
}

static GmcpToolResult *
call (ClientFixture *fixture, GmcpCallOptions *options, const char *members, GError **error)
{
  Waiter waiter = { NULL };
  g_autofree char *text = g_strdup_printf (
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\",\"content\":[]%s}}",
    members);

  client_fixture_call (fixture, options, NULL, &waiter);
  scripted_server_send (fixture->server, text);
  return client_fixture_finish (fixture, &waiter, error);
}

/* The code of what is wrong; -1 where nothing is. */
static int
check (ClientFixture *fixture, const char *members)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = call (fixture, NULL, members, &error);
  const GError *problem;

  g_assert_no_error (error);
  problem = gmcp_tool_result_get_schema_error (result);
  if (problem == NULL)
    return -1;

  g_test_message ("%s", problem->message);
  g_assert_true (problem->domain == GMCP_ERROR);
  g_assert_nonnull (strstr (problem->message, "srv"));
  g_assert_nonnull (strstr (problem->message, "echo"));
  return problem->code;
}

static void
test_match (ClientFixture *fixture, gconstpointer data)
{
  g_assert_cmpint (check (fixture, ",\"structuredContent\":{\"sum\":3}"), ==, -1);
  g_assert_cmpint (check (fixture, ",\"structuredContent\":{\"sum\":3.0}"), ==, -1);
  g_assert_cmpint (check (fixture, ",\"structuredContent\":{\"sum\":\"3\"}"), ==,
                   GMCP_ERROR_PROTOCOL);
  g_assert_cmpint (check (fixture, ",\"structuredContent\":{\"sum\":3,\"x\":1}"), ==,
                   GMCP_ERROR_PROTOCOL);
  g_assert_cmpint (check (fixture, ",\"structuredContent\":[]"), ==, GMCP_ERROR_PROTOCOL);
  g_assert_cmpint (check (fixture, ",\"structuredContent\":null"), ==, GMCP_ERROR_PROTOCOL);
  g_assert_cmpint (check (fixture, ""), ==, GMCP_ERROR_PROTOCOL);
}

static void
test_failed (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  g_test_summary ("A tool that failed promises nothing, not even to a strict client.");

  gmcp_client_set_strict_output (fixture->client, TRUE);
  result = call (fixture, NULL, ",\"isError\":true", &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_tool_result_is_error (result));
  g_assert_null (gmcp_tool_result_get_schema_error (result));
  g_clear_pointer (&result, gmcp_tool_result_unref);
  result = call (fixture, NULL, ",\"isError\":true,\"structuredContent\":{}", &error);
  g_assert_no_error (error);
  g_assert_null (gmcp_tool_result_get_schema_error (result));
}

static void
test_strict (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  gmcp_call_options_set_strict_output (options, TRUE);
  g_assert_null (call (fixture, options, ",\"structuredContent\":{}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_clear_error (&error);
  g_assert_cmpint (check (fixture, ",\"structuredContent\":{}"), ==, GMCP_ERROR_PROTOCOL);

  gmcp_client_set_strict_output (fixture->client, TRUE);
  g_assert_true (gmcp_client_get_strict_output (fixture->client));
  g_assert_null (call (fixture, NULL, "", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_clear_error (&error);
  result = call (fixture, options, ",\"structuredContent\":{\"sum\":3}", &error);
  g_assert_no_error (error);
  g_assert_null (gmcp_tool_result_get_schema_error (result));
}

static void
test_result_is_whole (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result
    = call (fixture, NULL, ",\"structuredContent\":{\"other\": 1}", &error);
  g_autofree char *content = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (gmcp_tool_result_get_schema_error (result));
  content = gmcp_tool_result_dup_structured_content_json (result);
  g_assert_cmpstr (content, ==, "{\"other\": 1}");
}

static void
test_schema_is_kept (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) tool = g_list_model_get_item (gmcp_client_get_tools (fixture->client), 1);
  g_autofree char *text = gmcp_tool_dup_output_schema_json (tool);

  g_test_summary ("A host gets the schema byte for byte, before and after it was used.");

  g_assert_cmpstr (text, ==, SCHEMA);
  check (fixture, ",\"structuredContent\":{\"sum\":3}");
  g_clear_pointer (&text, g_free);
  text = gmcp_tool_dup_output_schema_json (tool);
  g_assert_cmpstr (text, ==, SCHEMA);
}

static void
test_list_changes (ClientFixture *fixture, gconstpointer data)
{
  g_assert_cmpint (check (fixture, ",\"structuredContent\":[]"), ==, GMCP_ERROR_PROTOCOL);
  schema = "{\"type\":\"array\"}";
  list (fixture);
  g_assert_cmpint (check (fixture, ",\"structuredContent\":[]"), ==, -1);
  schema = NULL;
  list (fixture);
  g_assert_cmpuint (gmcp_outputs_get_length (gmcp_client_get_session (fixture->client)), ==, 0);
  g_assert_cmpint (check (fixture, ""), ==, -1);
  schema = "\"no object\"";
  list (fixture);
  g_assert_cmpint (check (fixture, ""), ==, -1);
}

static void
test_useless_schema (ClientFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *schema;
    int code;
  } cases[] = {
    { "{\"type\":\"nothing\"}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"$ref\":\"http://example.com/schema\"}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"$schema\":\"http://example.com/dialect\"}", GMCP_ERROR_NOT_SUPPORTED },
    { "{\"pattern\":\"(\"}", GMCP_ERROR_INVALID_ARGUMENT },
  };
  g_autoptr (GmcpCallOptions) strict = gmcp_call_options_new ();

  gmcp_call_options_set_strict_output (strict, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      schema = cases[i].schema;
      list (fixture);
      for (guint again = 0; again < 2; again++)
        g_assert_cmpint (check (fixture, ",\"structuredContent\":{}"), ==, cases[i].code);
      g_assert_null (call (fixture, strict, ",\"structuredContent\":{}", &error));
      g_assert_error (error, GMCP_ERROR, cases[i].code);
    }
}

static char *
make_hostile_schema (void)
{
  GString *text = g_string_new ("{\"$defs\":{\"a0\":{\"type\":\"object\"}");

  /* Each level looks at the same content twice, so all of it is looked at 2^60 times. */
  for (guint i = 1; i <= 60; i++)
    g_string_append_printf (text,
                            ",\"a%u\":{\"allOf\":[{\"$ref\":\"#/$defs/a%u\"},"
                            "{\"$ref\":\"#/$defs/a%u\"}]}",
                            i, i - 1, i - 1);
  g_string_append (text, "},\"$ref\":\"#/$defs/a60\"}");
  return g_string_free (text, FALSE);
}

static void
test_budget (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *hostile = make_hostile_schema ();
  g_autoptr (GString) many = g_string_new ("{\"anyOf\":[");
  gint64 start;

  schema = hostile;
  list (fixture);
  start = g_get_monotonic_time ();
  g_assert_cmpint (check (fixture, ",\"structuredContent\":{}"), ==, GMCP_ERROR_LIMIT_EXCEEDED);
  g_test_message ("gave up after %u µs", (guint) (g_get_monotonic_time () - start));

  for (guint i = 0; i < 20000; i++)
    g_string_append (many, "{},");
  g_string_append (many, "true]}");
  schema = many->str;
  list (fixture);
  start = g_get_monotonic_time ();
  g_assert_cmpint (check (fixture, ",\"structuredContent\":{}"), ==, GMCP_ERROR_LIMIT_EXCEEDED);
  g_test_message ("gave up after %u µs", (guint) (g_get_monotonic_time () - start));
}

static void
test_not_listed (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  g_test_summary ("Where the tools were never listed, nothing is known of their schemas.");

  client_fixture_set_up (fixture, answer);
  result = call (fixture, NULL, "", &error);
  g_assert_no_error (error);
  g_assert_null (gmcp_tool_result_get_schema_error (result));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add (path, ClientFixture, NULL, set_up, test, client_fixture_tear_down)
  ADD ("/client/output/match", test_match);
  ADD ("/client/output/failed", test_failed);
  ADD ("/client/output/strict", test_strict);
  ADD ("/client/output/result-is-whole", test_result_is_whole);
  ADD ("/client/output/schema-is-kept", test_schema_is_kept);
  ADD ("/client/output/list-changes", test_list_changes);
  ADD ("/client/output/useless-schema", test_useless_schema);
  ADD ("/client/output/budget", test_budget);
  g_test_add ("/client/output/not-listed", ClientFixture, NULL, NULL, test_not_listed,
              client_fixture_tear_down);

  return g_test_run ();
}
