/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-redactor-config-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

static void
assert_redacted (GmcpRedactor *redactor, const char *text, const char *expected)
{
  g_autofree char *redacted = gmcp_redactor_redact (redactor, text);

  g_assert_cmpstr (redacted, ==, expected);
}

static void
test_forms (void)
{
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();

  g_test_summary ("a secret is known as it is, in JSON and in URLs");
  gmcp_redactor_add_secret (redactor, "pa\"ss w\\d");
  gmcp_redactor_add_secret (redactor, "abc");
  assert_redacted (redactor, "it is pa\"ss w\\d.", "it is [redacted].");
  assert_redacted (redactor, "{\"a\":\"pa\\\"ss w\\\\d\"}", "{\"a\":\"[redacted]\"}");
  assert_redacted (redactor, "http://h/?k=pa%22ss%20w%5Cd&", "http://h/?k=[redacted]&");
  assert_redacted (redactor, "abc is too short", NULL);
  assert_redacted (redactor, "pa\"ss w\\", NULL);
}

static void
add_arguments (GmcpRedactor *redactor, const char *json)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);

  g_assert_nonnull (doc);
  gmcp_redactor_add_arguments (redactor, gmcp_json_doc_get_root (doc));
}

static void
test_arguments (void)
{
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();

  g_test_summary ("what a call is given as a secret is looked for until there were many others");
  gmcp_redactor_add_secret (redactor, "for ever and ever");
  add_arguments (redactor,
                 "{\"text\":\"no secret at all\",\"list\":[{\"Api-Key\":\"key of a call\"}],"
                 "\"token\":\"short\",\"password\":17}");
  add_arguments (redactor, "{\"password\":\"for ever and ever\"}");
  assert_redacted (redactor, "key of a call", "[redacted]");
  assert_redacted (redactor, "no secret at all, short, 17", NULL);

  for (guint i = 0; i < GMCP_LIMIT_RECENT_SECRETS; i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"password\":\"number %u of many\"}", i);

      add_arguments (redactor, json);
    }
  assert_redacted (redactor, "key of a call", NULL);
  assert_redacted (redactor, "number 0 of many, for ever and ever", "[redacted], [redacted]");
}

static void
test_certain (void)
{
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();
  g_autoptr (GmcpServerConfig) config
    = gmcp_server_config_new_from_json ("a",
                                        "{\"command\":\"a\",\"env\":{\"REGION\":\"somewhere\","
                                        "\"MY_TOKEN\":\"somewhat\",\"X\":\"0123456789abcdef\","
                                        "\"Y\":\"${SOME_VARIABLE}\",\"PATH\":\"/usr/bin:/bin\"}}",
                                        NULL);

  g_test_summary ("a word in the environment is a secret for certain by its name or its form");
  g_assert_nonnull (config);
  gmcp_redactor_add_config (redactor, config);
  assert_redacted (redactor, "somewhere somewhat 0123456789abcdef",
                   "[redacted] [redacted] [redacted]");
  assert_redacted (gmcp_redactor_get_certain (redactor), "somewhere somewhat 0123456789abcdef",
                   "somewhere [redacted] [redacted]");
  assert_redacted (redactor, "${SOME_VARIABLE} /usr/bin:/bin", NULL);
}

/* Of whole configurations: what is a secret in them, and what is none. */
static void
test_places (void)
{
  static const struct
  {
    const char *config;
    const char *secret;
    const char *plain;
  } cases[] = {
    { "{\"command\":\"npx\",\"args\":[\"mcp-remote\",\"https://h/sse\",\"--header\","
      "\"Authorization: Bearer tok-AAAABBBBCCCC1111\"]}",
      "tok-AAAABBBBCCCC1111", "mcp-remote --header Authorization: Bearer" },
    { "{\"command\":\"a\",\"args\":[\"--header=X-Api-Key:hunter2\"]}", "hunter2", "--header" },
    { "{\"command\":\"a\",\"args\":[\"Authorization: Basic dXNlcjpwYXNzd29yZA==\"]}",
      "dXNlcjpwYXNzd29yZA==", "Basic" },
    { "{\"command\":\"a\",\"args\":[\"postgresql://bob:S3cretPass@db.example/x?sslmode=on\"]}",
      "S3cretPass", "postgresql://bob db.example sslmode" },
    { "{\"command\":\"a\",\"args\":[\"redis://:p%40ss@h/0\"]}", "p@ss", "redis" },
    { "{\"command\":\"a\",\"args\":[\"https://h/x?api_key=aaaa-bbbb&page=3\"]}", "aaaa-bbbb",
      "page=3" },
    { "{\"command\":\"a\",\"args\":[\"https://h/x?key=aaaa-bbbb\"]}", "aaaa-bbbb", "https://h/x" },
    { "{\"command\":\"a\",\"args\":[\"Server=db;User=bob;Password=fluffy;Port=99\"]}", "fluffy",
      "Server=db User=bob Port=99" },
    { "{\"command\":\"a\",\"args\":[\"ghp_0123456789abcdefABCDEF01234567\"]}",
      "ghp_0123456789abcdefABCDEF01234567", "ghp_" },
    { "{\"command\":\"a\",\"args\":[\"Ab3dEf6hIj9lMn2pQr5t\"]}", "Ab3dEf6hIj9lMn2pQr5t", "Ab3" },
    { "{\"command\":\"a\",\"args\":[\"--token\",\"rose bud\"]}", "rose bud", "--token" },
    { "{\"command\":\"a\",\"env\":{\"DATABASE_URL\":\"postgresql://bob:Fluffy99@db/x\"}}",
      "Fluffy99", "bob" },
    { "{\"command\":\"a\",\"env\":{\"HEADERS\":"
      "\"{\\\"Authorization\\\": \\\"Bearer ntn-1234\\\"}\"}}",
      "ntn-1234", "Authorization Bearer" },
    { "{\"url\":\"https://h/mcp\",\"headers\":{\"Cookie\":\"a=first-one; b=second-one\"}}",
      "second-one", "Cookie" },
    { "{\"url\":\"http://h/mcp/s/PATHSECRETabcdef123456/sse\"}", "PATHSECRETabcdef123456",
      "http://h/mcp/s/ /sse" },
    { "{\"url\":\"https://bob:pass@h/mcp\"}", "Ym9iOnBhc3M", "https h mcp" },
    { "{\"command\":\"npx\",\"args\":[\"-y\",\"@scope/server-everything@2025.11.25\","
      "\"--root=/home/me/a-very-long-folder-2025\",\"--max-tokens=1000\",\"${TOKEN}\","
      "\"Bearer ${TOKEN}\",\"https://u:${TOKEN}@h/\",\"sqlite:///var/lib/a@b:c.db\"]}",
      NULL,
      "@scope/server-everything@2025.11.25 --root=/home/me/a-very-long-folder-2025 "
      "--max-tokens=1000 ${TOKEN} sqlite:///var/lib/a@b:c.db" },
  };

  g_test_summary ("what is a secret in a configuration is known by what is around it, or its form");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpServerConfig) config
        = gmcp_server_config_new_from_json ("a", cases[i].config, &error);

      g_assert_no_error (error);
      gmcp_redactor_add_config (redactor, config);
      g_test_message ("%s", cases[i].config);
      if (cases[i].secret != NULL)
        assert_redacted (gmcp_redactor_get_certain (redactor), cases[i].secret, "[redacted]");
      assert_redacted (redactor, cases[i].plain, NULL);
    }
}

static void
test_arguments_within (void)
{
  static const struct
  {
    const char *json;
    const char *secret; /* NULL for none */
  } cases[] = {
    { "{\"url\":\"https://u:pw12345678@h/\"}", "pw12345678" },
    { "{\"url\":\"https://u:pw@h/\"}", "u:pw@" },
    { "{\"cmd\":\"curl -H \\\"Authorization: Bearer abc-def-ghi\\\" h\"}", "abc-def-ghi" },
    { "{\"cmd\":\"git clone https://x1y2z3x1y2z3x1y2z3@h/r\"}", "x1y2z3x1y2z3x1y2z3" },
    { "{\"auth\":\"{\\\"token\\\" : \\\"abc123abc123\\\"}\"}", "abc123abc123" },
    { "{\"auth\":\"'api-key': 'abc123abc123'\"}", "abc123abc123" },
    { "{\"list\":[[\"use sk-aaaaaaaaaaaaaaaaaaaaaaaa please\"]]}", "sk-aaaaaaaaaaaaaaaaaaaaaaaa" },
    { "{\"text\":\"with Bearer 0123456789abcdefgh\"}", "0123456789abcdefgh" },
    { "{\"text\":\"the bearer of bad news: token = 3, a risk-taking-and-otherwise-long word\"}",
      NULL },
    { "{\"text\":\"max_tokens=10000000 at 12:30:45, see http://h/a:b@c, password=${PASSWORD}\"}",
      NULL },
    { "{\"text\":\"=:=: : = :// ://@ //:@ http://:@/ Bearer \"}", NULL },
  };

  g_test_summary ("a credential within a string of a call's arguments is looked for from then on");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();

      add_arguments (redactor, cases[i].json);
      g_test_message ("%s", cases[i].json);
      if (cases[i].secret != NULL)
        assert_redacted (redactor, cases[i].secret, "[redacted]");
      else
        g_assert_true (gmcp_redactor_is_empty (redactor));
    }
}

/* A server that ends, with what it prints, and one that is refused what it asks for. */
static void
test_errors (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "servers", "leaky-server.py", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GmcpManagedServer *server;
  g_autofree char *status = NULL;
  g_autofree char *data_json = NULL;

  g_test_summary (
    "what is filled in for a variable is in no error, notice, status or data of an error");
  g_setenv ("GMCP_TEST_HIDDEN", "hidden value 17", TRUE);
  g_string_printf (
    text,
    "{\"mcpServers\":{\"leaky\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\","
    "\"%s\"],\"env\":{\"WORD\":\"${GMCP_TEST_HIDDEN}\"},\"restartOnFailure\":false}}}",
    script);
  g_assert_true (g_file_set_contents (fixture->config, text->str, -1, NULL));

  g_assert_null (manager_fixture_call (fixture, "leaky.refuse", "{}", NULL, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);
  g_assert_nonnull (strstr (error->message, "WORD=[redacted]"));
  g_assert_null (strstr (error->message, "hidden value"));
  data_json = gmcp_rpc_error_dup_data_json (error);
  g_assert_nonnull (strstr (data_json, "WORD=[redacted]"));
  g_assert_null (strstr (data_json, "hidden value"));
  g_clear_error (&error);

  g_assert_null (
    manager_fixture_call (fixture, "leaky.end", "{\"password\":\"other value 18\"}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_assert_nonnull (strstr (error->message, "\"password\": \"[redacted]\""));
  g_assert_null (strstr (error->message, " value 1"));

  server = gmcp_manager_get_server (fixture->manager, "leaky");
  manager_fixture_wait_until (gmcp_managed_server_get_last_error (server) != NULL);
  status = gmcp_manager_dup_status_json (fixture->manager);
  g_assert_nonnull (strstr (status, "WORD=[redacted]"));
  g_assert_null (strstr (status, " value 1"));
  g_assert_true (manager_fixture_has_notice (fixture, "WORD=[redacted]"));
  g_assert_false (manager_fixture_has_notice (fixture, " value 1"));
  g_unsetenv ("GMCP_TEST_HIDDEN");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/redactor/forms", test_forms);
  g_test_add_func ("/redactor/arguments", test_arguments);
  g_test_add_func ("/redactor/arguments/within", test_arguments_within);
  g_test_add_func ("/redactor/certain", test_certain);
  g_test_add_func ("/redactor/places", test_places);
  g_test_add ("/redactor/errors", ManagerFixture, NULL, manager_fixture_set_up, test_errors,
              manager_fixture_tear_down);
  return g_test_run ();
}
