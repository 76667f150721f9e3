/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-installer-private.h"
#include "gmcp-npm-folder-private.h"
#include "unit-test.h"

static void
test_commands (void)
{
  static const struct
  {
    const char *line; /* words, with a bar between */
    const char *family;
    const char *package;
  } cases[] = {
    { "npx|-y|@x/server|/home", "npm", "@x/server" },
    { "/usr/bin/npx|server@1.2.3", "npm", "server@1.2.3" },
    { "npx|--yes|--package=@x/a|-p|b|run-it", "npm", "@x/a" },
    { "npx|--registry|https://r.example|a", "npm", "a" },
    { "npm|exec|--yes|--|a", "npm", "a" },
    { "npm|x|a", "npm", "a" },
    { "npm|start", NULL, NULL },
    { "npm", NULL, NULL },
    { "pnpm|dlx|a", "pnpm", "a" },
    { "yarn|dlx|a", "yarn", "a" },
    { "bunx|a", "bun", "a" },
    { "bun|x|a", "bun", "a" },
    { "bun|run|a", NULL, NULL },
    { "uvx|mcp-server-git|--repository|/x", "uv", "mcp-server-git" },
    { "uvx|--from|git+https://x/y|mcp", "uv", "git+https://x/y" },
    { "uvx|--python|3.12|a", "uv", "a" },
    { "uv|tool|run|a", "uv", "a" },
    { "uv|tool|list", NULL, NULL },
    { "uv|run|--with|mcp[cli]|mcp|run|server.py", "uv", "mcp[cli]" },
    { "uv|--directory|/x|run|server.py", NULL, NULL },
    { "pipx|run|--spec|a==1|b", "pipx", "a==1" },
    { "docker|run|-i|--rm|-e|TOKEN|--mount=x|-v|/a:/b|mcp/git:latest|serve", "docker",
      "mcp/git:latest" },
    { "podman|run|--rm|-i|x", "podman", "x" },
    { "docker|exec|-i|x|y", NULL, NULL },
    { "deno|run|-A|npm:server", "deno", "npm:server" },
    { "deno|run|server.ts", NULL, NULL },
    { "env|A=1|npx|a", "npm", "a" },
    { "/usr/bin/env|-i|A=1|npx|a", "npm", "a" },
    { "sh|-c|npx -y a", "npm", "a" },
    { "bash|-lc|cd /x && A=1 exec npx -y a --flag", "npm", "a" },
    { "bash|-c|source x; uvx 'a'", "uv", "a" },
    { "sh|-c|sh -c \"npx a\"", "npm", "a" },
    { "sh|-c|echo npx a", NULL, NULL },
    { "sh|-c|npx 'a", NULL, NULL },
    { "sh|-c", NULL, NULL },
    { "node|/x/npx.js", NULL, NULL },
    { "npx|-y", "npm", NULL },
    { "npx|a\x1b[1m", "npm", NULL },
    { "", NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) argv = g_strsplit (cases[i].line, "|", -1);
      g_autoptr (GmcpInstaller) found = gmcp_installer_find ((const char *const *) argv);

      g_test_message ("%s", cases[i].line);
      g_assert_cmpstr (found != NULL ? found->family : NULL, ==, cases[i].family);
      g_assert_cmpstr (found != NULL ? found->package : NULL, ==, cases[i].package);
    }
  g_assert_null (gmcp_installer_find (NULL));
}

static void
test_nested (void)
{
  g_autoptr (GString) line = g_string_new ("npx a");
  const char *argv[] = { "sh", "-c", NULL, NULL };

  g_test_summary ("a shell in a shell in a shell is looked into, but not for ever");
  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *quoted = g_shell_quote (line->str);

      g_string_printf (line, "sh -c %s", quoted);
    }
  argv[2] = line->str;
  g_assert_null (gmcp_installer_find (argv));
}

static void
test_paths (void)
{
  const char *const npx[] = { "npx", "-y", "@modelcontextprotocol/server-memory", NULL };
  const char *const uvx[] = { "uvx", "a", NULL };
  const char *const other[] = { "uvx", "b", NULL };
  const char *const environment[] = { "HOME=/home/me", NULL };
  const char *const cache[] = { "HOME=/home/me", "npm_config_cache=/var/npm", NULL };
  g_autoptr (GmcpInstaller) npm = gmcp_installer_find (npx);
  g_autoptr (GmcpInstaller) uv = gmcp_installer_find (uvx);
  g_autofree char *in_home = NULL;
  g_autofree char *in_cache = NULL;
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *lock = gmcp_installer_dup_lock_path (uv);
  gboolean is_ours = TRUE;

  g_test_summary ("npm's folder is where npm has it; of others it is written down by us");
  in_home = gmcp_installer_dup_present_path (npm, npx, environment, &is_ours);
  g_assert_false (is_ours);
  g_assert_cmpstr (in_home, ==,
                   "/home/me/.npm/_npx/15b07286cbcc3329/node_modules/.package-lock.json");
  in_cache = gmcp_installer_dup_present_path (npm, npx, cache, &is_ours);
  g_assert_true (g_str_has_prefix (in_cache, "/var/npm/_npx/15b07286cbcc3329/"));

  one = gmcp_installer_dup_present_path (uv, uvx, environment, &is_ours);
  g_assert_true (is_ours);
  two = gmcp_installer_dup_present_path (uv, other, environment, &is_ours);
  g_assert_cmpstr (one, !=, two);
  g_assert_true (g_str_has_suffix (lock, "/gmcp/install/uv.lock"));
}

static void
test_broken (void)
{
  static const struct
  {
    const char *text;
    int status;
    const char *removed;
  } cases[] = {
    { "Error: Cannot find module '/h/.npm/_npx/0123456789abcdef/node_modules/x'\n", 1,
      "/h/.npm/_npx/0123456789abcdef" },
    { "npm error code ENOTEMPTY\nnpm error path /h x/.npm/_npx/0123456789abcdef/node_modules/a\n",
      217, "'/h x/.npm/_npx/0123456789abcdef'" },
    { "sh: 1: mcp-server: not found\n", 127, "/c/_npx/fedcba9876543210" },
    { "npm error could not determine executable to run\n", 1, "/c/_npx/fedcba9876543210" },
    { "no licence at /h/.npm/_npx/0123456789abcdef/licence\n", 1, NULL },
    { "Cannot find module '/elsewhere/_npx/short/x'\n", 1, NULL },
    { "file not found\n", 1, NULL },
    { "", -1, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *hint
        = gmcp_npm_folder_dup_hint (cases[i].text, cases[i].status, "/c/_npx/fedcba9876543210");

      g_test_message ("%s%s", cases[i].text, hint != NULL ? hint : "-");
      g_assert_cmpint (hint != NULL, ==, cases[i].removed != NULL);
      if (hint != NULL)
        {
          g_autofree char *removed = g_strdelimit (g_strdup (hint), "'", '"');
          g_autofree char *expected = g_strdelimit (g_strdup (cases[i].removed), "'", '"');

          g_assert_nonnull (strstr (removed, "rm -rf "));
          g_assert_nonnull (strstr (removed, expected));
        }
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/installer/commands", test_commands);
  g_test_add_func ("/installer/nested", test_nested);
  g_test_add_func ("/installer/paths", test_paths);
  g_test_add_func ("/installer/broken", test_broken);

  return g_test_run ();
}
