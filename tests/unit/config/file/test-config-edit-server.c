/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-config-edit-private.h"
#include "unit-test.h"

static char *
add (GmcpConfigFormat format, const char *text, GError **error)
{
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new_from_json (
    "four", "{\"command\":\"run\",\"args\":[\"-a\"],\"env\":{\"HOME\":\"${HOME}\"}}", NULL);

  return gmcp_config_edit_add_server (format, text, text != NULL ? strlen (text) : 0, NULL, config,
                                      error);
}

static void
test_add (void)
{
  static const struct
  {
    GmcpConfigFormat format;
    const char *text; /* NULL: there is no file */
    const char *kept; /* NULL: nothing */
  } cases[] = {
    { GMCP_CONFIG_FORMAT_JSON, NULL, NULL },
    { GMCP_CONFIG_FORMAT_JSON, "", NULL },
    { GMCP_CONFIG_FORMAT_JSON, " \n\t\n", NULL },
    { GMCP_CONFIG_FORMAT_JSON, "{}", NULL },
    { GMCP_CONFIG_FORMAT_JSON, "{ /* why */ \"mcpServers\": {} }", "/* why */" },
    { GMCP_CONFIG_FORMAT_JSON,
      "{\"mcpServers\": {\"one\": {\"command\":  \"x\"}}, \"mine\": [1,  2]}",
      "\"one\": {\"command\":  \"x\"}" },
#ifdef HAVE_YAML
    { GMCP_CONFIG_FORMAT_YAML, NULL, NULL },
    { GMCP_CONFIG_FORMAT_YAML, "\n", NULL },
    { GMCP_CONFIG_FORMAT_YAML, "# why\nmcpServers:\n  one:\n    command: x # mine\n",
      "command: x # mine\n" },
#endif
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = add (cases[i].format, cases[i].text, &error);
      g_autofree char *again = NULL;

      g_test_message ("%s", text);
      g_assert_no_error (error);
      g_assert_nonnull (strstr (text, "four"));
      g_assert_nonnull (strstr (text, "${HOME}"));
      if (cases[i].kept != NULL)
        g_assert_nonnull (strstr (text, cases[i].kept));

      again = add (cases[i].format, text, &error);
      g_assert_null (again);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    GmcpConfigFormat format;
    const char *text;
  } cases[] = {
    { GMCP_CONFIG_FORMAT_JSON, "{" },
    { GMCP_CONFIG_FORMAT_JSON, "[]" },
    { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": []}" },
    { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": {\"four\": {\"command\": 5}}}" },
    { GMCP_CONFIG_FORMAT_JSON, "{\"mcpServers\": {\"Four\": {\"command\": \"x\"}}}" },
    { GMCP_CONFIG_FORMAT_YAML, "mcpServers: [\n" },
    { GMCP_CONFIG_FORMAT_TOML, "[mcp_servers.one]\ncommand = \"x\"\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = add (cases[i].format, cases[i].text, &error);

      g_test_message ("%s: %s", cases[i].text, error != NULL ? error->message : text);
      g_assert_null (text);
      g_assert_nonnull (error);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config/edit-server/add", test_add);
  g_test_add_func ("/config/edit-server/refused", test_refused);
  return g_test_run ();
}
