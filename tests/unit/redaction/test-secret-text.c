/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/redaction/gmcp-secret-text.h>

#include "unit-test.h"

static void
test_secrets (void)
{
  static const char *const texts[] = {
    "call api.login password=hunter2",
    "call api.login password:=1234",
    "call api.login '{\"password\": \"hunter2\"}'",
    "add web https://example.com/mcp --header 'Authorization: Bearer abcdef'",
    "add web https://ada:hunter2@example.com/mcp",
    "add web https://example.com/mcp?api_key=abcdef",
    "add x --env GITHUB_TOKEN=abcdef -- npx server",
    "add x -- server --token abcdef",
    "add x -- server --api-key=abcdef",
    "call x.y text=ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "call x.y id=3f2a9c1e7b5d4a608f1e",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      if (!gmcp_text_has_secret (texts[i]))
        g_test_message ("not found in: %s", texts[i]);
      g_assert_true (gmcp_text_has_secret (texts[i]));
    }
}

static void
test_others (void)
{
  static const char *const texts[] = {
    "",
    "=",
    ":",
    "tools",
    "call everything.get-sum a=1 b=2",
    "call everything.echo message='a word or two: three'",
    "add time -- uvx mcp-server-time --local-timezone=Europe/Berlin",
    "add web https://example.com/mcp",
    "add x --env API_KEY=${API_KEY} -- server",
    "call x.y password=",
    "secret set weather API_KEY",
    "read files file:///home/ada/notes.txt",
    "call x.y at=2026-11-23T10:00",
    "call x.y text='no token here'",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      if (gmcp_text_has_secret (texts[i]))
        g_test_message ("found in: %s", texts[i]);
      g_assert_false (gmcp_text_has_secret (texts[i]));
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/secret-text/secrets", test_secrets);
  g_test_add_func ("/secret-text/others", test_others);
  return g_test_run ();
}
