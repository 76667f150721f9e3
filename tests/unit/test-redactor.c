/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-redactor-private.h"
#include "manager-fixture.h"

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/redactor/forms", test_forms);
  g_test_add_func ("/redactor/arguments", test_arguments);
  g_test_add_func ("/redactor/certain", test_certain);
  g_test_add ("/redactor/errors", ManagerFixture, NULL, manager_fixture_set_up, test_errors,
              manager_fixture_tear_down);
  return g_test_run ();
}
