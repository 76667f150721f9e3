/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-server-config-private.h"
#include "gmcp-share-key-private.h"
#include "unit-test.h"

static char *
make_key_of (const char *id, const char *json, const char *workspace, const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new_from_json (id, json, &error);
  g_autoptr (GmcpConfigOrigin) origin = gmcp_config_origin_new (file, NULL, NULL, FALSE);
  const GmcpConfigExpandContext context = { .workspace = workspace };
  g_autofree char *folder = g_build_filename ("/state/work", id, NULL);

  g_assert_no_error (error);
  gmcp_server_config_set_origin (config, origin);
  return gmcp_share_key_make (config, &context, folder, FALSE);
}

static char *
make_key (const char *json)
{
  return make_key_of ("web", json, "/w", NULL);
}

static void
test_same (void)
{
  static const char *const groups[][3] = {
    { "{\"command\": \"a\", \"args\": [\"b\"]}",
      "{\"command\": \"a\", \"args\": [\"b\"], \"title\": \"T\"}",
      "{\"command\": \"a\", \"args\": [\"b\"], \"maxCalls\": 5, \"deniedTools\": [\"x\"]}" },
    { "{\"command\": \"a\", \"env\": {\"A\": \"1\", \"B\": \"2\"}}",
      "{\"command\": \"a\", \"env\": {\"B\": \"2\", \"A\": \"1\"}}",
      "{\"command\": \"a\", \"env\": {\"B\": \"${SHARE_KEY_B}\", \"A\": \"1\"}}" },
    { "{\"command\": \"a\", \"cwd\": \"/w\"}",
      "{\"command\": \"a\", \"cwd\": \"${workspaceFolder}\"}",
      "{\"command\": \"${SHARE_KEY_A}\", \"cwd\": \"{workspace}\"}" },
    { "{\"command\": \"a\", \"env\": {\"T\": \"${secret:t}\"}}",
      "{\"command\": \"a\", \"env\": {\"T\": \"${secret:t}\"}, \"title\": \"T\"}", NULL },
  };

  g_test_summary ("what is started in the same way has one key");
  g_setenv ("SHARE_KEY_A", "a", TRUE);
  g_setenv ("SHARE_KEY_B", "2", TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autofree char *first = make_key (groups[i][0]);

      g_assert_nonnull (first);
      g_assert_cmpuint (strlen (first), ==, 32);
      for (gsize j = 1; j < 3 && groups[i][j] != NULL; j++)
        {
          g_autofree char *other = make_key (groups[i][j]);

          g_assert_cmpstr (other, ==, first);
        }
    }
}

static void
test_different (void)
{
  static const char *const all[] = {
    "{\"command\": \"a\"}",
    "{\"command\": \"b\"}",
    "{\"command\": \"a\", \"args\": [\"b\", \"c\"]}",
    "{\"command\": \"a\", \"args\": [\"bc\"]}",
    "{\"command\": \"a\", \"args\": [\"b\", \"c\", \"\"]}",
    "{\"command\": \"a\", \"args\": [\"c\", \"b\"]}",
    "{\"command\": \"a\", \"cwd\": \"/b\"}",
    "{\"command\": \"a\", \"env\": {\"A\": \"1\"}}",
    "{\"command\": \"a\", \"env\": {\"A\": \"\"}}",
    "{\"command\": \"a\", \"env\": {\"PATH\": \"/own\"}}",
    "{\"command\": \"a\", \"env\": {\"A\": \"${secret:a}\"}}",
    "{\"command\": \"a\", \"env\": {\"A\": \"${secret:b}\"}}",
    "{\"command\": \"a\", \"sandbox\": \"read-only-home\"}",
    "{\"command\": \"a\", \"sandbox\": \"read-only-home\", \"noNetwork\": true}",
    "{\"command\": \"a\", \"sandbox\": \"read-only-home\", \"unixSockets\": true}",
    "{\"command\": \"a\", \"sandbox\": \"read-only-home\", \"writablePaths\": [\"/a\"]}",
    "{\"command\": \"a\", \"maxCpuMs\": 5000}",
    "{\"command\": \"a\", \"maxMemoryMib\": 5}",
    "{\"command\": \"a\", \"maxProcesses\": 5}",
    "{\"command\": \"a\", \"protocolEra\": \"legacy\"}",
  };
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_test_summary ("what is started in another way has another key");
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      char *key = make_key (all[i]);

      g_assert_nonnull (key);
      g_assert_true (g_hash_table_add (keys, key));
    }
}

static void
test_none (void)
{
  static const char *const all[] = {
    "{\"url\": \"https://example.org/mcp\"}",
    "{\"command\": \"a\", \"args\": [\"${input:a}\"]}",
    "{\"command\": \"a\", \"args\": [\"${secret:a:-b}\"]}",
    "{\"command\": \"a\", \"args\": [\"${SHARE_KEY_THAT_IS_NOT_SET}\"]}",
    "{\"command\": \"a\", \"inheritEnvironment\": true}",
  };

  g_test_summary ("what is for one program only has none");
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    g_assert_null (make_key (all[i]));
}

static void
assert_changes (const char *variable, const char *value, gboolean changes)
{
  g_autofree char *before = make_key ("{\"command\": \"a\"}");
  g_autofree char *kept = g_strdup (g_getenv (variable));
  g_autofree char *after = NULL;

  g_setenv (variable, value, TRUE);
  after = make_key ("{\"command\": \"a\"}");
  if (kept != NULL)
    g_setenv (variable, kept, TRUE);
  else
    g_unsetenv (variable);
  g_assert_cmpint (g_strcmp0 (before, after) != 0, ==, changes);
}

static void
test_environment (void)
{
  g_test_summary (
    "what servers get of this program's environment counts, but for its terminal and login");
  assert_changes ("LANG", "xx_XX.UTF-8", TRUE);
  assert_changes ("DISPLAY", ":77", TRUE);
  assert_changes ("XDG_DATA_DIRS", "/somewhere", TRUE);
  assert_changes ("PATH", "/somewhere", TRUE);
  assert_changes ("SHARE_KEY_OTHER", "1", FALSE);
  assert_changes ("TERM", "strange", FALSE);
  assert_changes ("XDG_SESSION_ID", "77", FALSE);
  assert_changes ("XDG_ACTIVATION_TOKEN", "77", FALSE);
}

static char *
make_key_at_bus (const char *address)
{
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
  return make_key ("{\"command\": \"a\"}");
}

static void
test_bus_guid (void)
{
  g_autofree char *kept = g_strdup (g_getenv ("DBUS_SESSION_BUS_ADDRESS"));
  g_autofree char *bare = make_key_at_bus ("unix:path=/a;tcp:host=b,port=1");
  g_autofree char *with = make_key_at_bus ("unix:path=/a,guid=0a;tcp:host=b,guid=0b,port=1");
  g_autofree char *other = make_key_at_bus ("unix:path=/b,guid=0a;tcp:host=b,guid=0b,port=1");

  g_test_summary ("a program that the bus started has the keys of those that it did not start");
  if (kept != NULL)
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", kept, TRUE);
  else
    g_unsetenv ("DBUS_SESSION_BUS_ADDRESS");
  g_assert_cmpstr (with, ==, bare);
  g_assert_cmpstr (other, !=, bare);
}

static void
test_place (void)
{
  static const char plain[] = "{\"command\": \"a\"}";
  static const char placed[] = "{\"command\": \"a\", \"cwd\": \"/a\"}";
  static const char keyed[]
    = "{\"command\": \"a\", \"cwd\": \"/a\", \"env\": {\"A\": \"${secret:a}\"}}";
  const struct
  {
    const char *json;
    const char *id;
    const char *workspace;
    const char *file;
    gboolean same;
  } cases[] = {
    { plain, "other", "/w", NULL, FALSE },   /* in another folder of its own */
    { placed, "other", "/w", NULL, TRUE },   /* called in another way */
    { placed, "web", "/other", "/f", TRUE }, /* configured elsewhere */
    { keyed, "other", "/w", NULL, FALSE },   /* with secrets of its own */
    { keyed, "web", "/w", "/f", FALSE },     /* with secrets of that file */
  };

  g_test_summary ("where it is configured counts as far as it makes the process another one");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *usual = make_key (cases[i].json);
      g_autofree char *key
        = make_key_of (cases[i].id, cases[i].json, cases[i].workspace, cases[i].file);

      g_assert_nonnull (key);
      g_assert_cmpint (g_str_equal (usual, key), ==, cases[i].same);
    }
}

static void
test_below_gateways (void)
{
  g_autoptr (GmcpServerConfig) config
    = gmcp_server_config_new_from_json ("web", "{\"command\": \"a\"}", NULL);
  const GmcpConfigExpandContext context = { .workspace = "/w" };
  g_autofree char *outside = gmcp_share_key_make (config, &context, "/f", FALSE);
  g_autofree char *below = NULL;
  g_autofree char *offered = NULL;

  g_test_summary (
    "a program below a gateway shares nothing; whoever offers means those that are below none");
  g_setenv ("GMCP_GATEWAYS", "0123456789abcdef", TRUE);
  below = gmcp_share_key_make (config, &context, "/f", FALSE);
  offered = gmcp_share_key_make (config, &context, "/f", TRUE);
  g_unsetenv ("GMCP_GATEWAYS");
  g_assert_nonnull (outside);
  g_assert_cmpstr (offered, ==, outside);
  g_assert_cmpstr (below, !=, outside);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/share-key/same", test_same);
  g_test_add_func ("/share-key/different", test_different);
  g_test_add_func ("/share-key/none", test_none);
  g_test_add_func ("/share-key/environment", test_environment);
  g_test_add_func ("/share-key/bus-guid", test_bus_guid);
  g_test_add_func ("/share-key/place", test_place);
  g_test_add_func ("/share-key/below-gateways", test_below_gateways);
  return g_test_run ();
}
