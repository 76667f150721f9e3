/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-login-path-private.h"
#include "gmcp-preflight-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* What is looked for before a server is started. The programs of a test are in one folder, which only the
 * login shell knows. */

#define NODE_NOTICE "warning - Node.js not found, MCP server auto-start disabled"

typedef struct
{
  ManagerFixture base;
  char *bin;
  char *shell;
  char *path; /* of this process, for afterwards */
} Fixture;

static void
write_program (const char *dir, const char *name, const char *text)
{
  g_autofree char *file = g_build_filename (dir, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (file, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  /* The shell runs there. */
  g_assert_no_errno (g_mkdir_with_parents (g_get_home_dir (), 0700));
  manager_fixture_set_up (&fixture->base, data);
  fixture->bin = g_build_filename (fixture->base.dir, "bin", NULL);
  g_assert_no_errno (g_mkdir (fixture->bin, 0700));
  fixture->path = g_strdup (g_getenv ("PATH"));
  fixture->shell = g_build_filename (fixture->base.dir, "shell", NULL);
  text = g_strdup_printf ("#!/bin/sh\necho 'gmcp: PATH follows'; echo %s\n", fixture->bin);
  write_program (fixture->base.dir, "shell", text);
  g_setenv ("SHELL", fixture->shell, TRUE);
  g_setenv ("PATH", "/nonexistent/gmcp", TRUE);
  gmcp_login_path_reset (60000);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "npx", "script", "node" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_build_filename (fixture->bin, names[i], NULL);

      g_unlink (file);
    }
  g_unlink (fixture->shell);
  g_rmdir (fixture->bin);
  g_setenv ("PATH", fixture->path, TRUE);
  gmcp_login_path_reset (GMCP_DEFAULT_LOGIN_SHELL_MS);
  manager_fixture_tear_down (&fixture->base, data);
  g_free (fixture->bin);
  g_free (fixture->shell);
  g_free (fixture->path);
}

/* A program of that name is a server, whatever its arguments. */
static void
install_server (Fixture *fixture, const char *name)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  g_autofree char *text
    = g_strdup_printf ("#!/bin/sh\nexec /usr/bin/python3 -S '%s' --tools echo,exit --log '%s'\n",
                       script, fixture->base.log);

  write_program (fixture->bin, name, text);
}

static guint
count_notices (Fixture *fixture, const char *prefix)
{
  guint count = 0;

  for (guint i = 0; i < fixture->base.notices->len; i++)
    count += g_str_has_prefix (g_ptr_array_index (fixture->base.notices, i), prefix);
  return count;
}

static void
store (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static GError *
start (Fixture *fixture, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->base.manager, id);
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gmcp_managed_server_start_async (server, NULL, store, &result);
  manager_fixture_wait_until (result != NULL);
  gmcp_managed_server_start_finish (server, result, &error);
  return error;
}

static void
assert_lacks_node (Fixture *fixture, const GError *error, const char *hint)
{
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING);
  g_assert_nonnull (strstr (error->message, fixture->bin));
  g_assert_nonnull (strstr (error->message, "/nonexistent/gmcp"));
  g_assert_nonnull (strstr (error->message, hint));
}

static char *
npx_entry (const char *id, const char *package, const char *more)
{
  return g_strdup_printf ("\"%s\":{\"command\":\"npx\",\"args\":[\"-y\",\"%s\"]%s}", id, package,
                          more);
}

/* Some fail, and are left out. */
static void
load (Fixture *fixture)
{
  g_autoptr (GError) error = manager_fixture_load (&fixture->base, NULL);

  g_assert_no_error (error);
}

static void
load_without_node (Fixture *fixture)
{
  write_program (fixture->bin, "script", "#!/usr/bin/env node\n");
  manager_fixture_write (
    &fixture->base, npx_entry ("one", "@acme/one", ",\"start\":\"at-load\""),
    npx_entry ("two", "two@1.2", ""),
    g_strdup ("\"three\":{\"command\":\"script\",\"package\":\"server-three\"}"),
    g_strdup ("\"four\":{\"command\":\"server-four\",\"package\":\"@acme/four\"}"),
    manager_fixture_entry (&fixture->base, "well", "--tools echo"), NULL);
  load (fixture);
}

static void
test_node_missing (Fixture *fixture, gconstpointer data)
{
  static const char *const calls[][2] = {
    { "one__echo", "install: npm install -g @acme/one" },
    { "two__echo", "install: npm install -g two@1.2" },
    { "three__echo", "install: npm install -g server-three" },
    { "four__echo", "install: npm install -g @acme/four" },
  };

  g_test_summary ("one warning for all servers that need it; none of them is started");
  load_without_node (fixture);
  manager_fixture_assert_tools (&fixture->base, "well__echo");
  g_assert_cmpuint (count_notices (fixture, NODE_NOTICE), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "warning -"), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "error"), ==, 0);
  g_assert_false (manager_fixture_has_notice (&fixture->base, "is restarted in"));

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text
        = manager_fixture_call (&fixture->base, calls[i][0], NULL, NULL, &error);

      g_assert_null (text);
      assert_lacks_node (fixture, error, calls[i][1]);
    }
  g_assert_cmpint (manager_fixture_get_state (&fixture->base, "one"), ==, GMCP_SERVER_STATE_FAILED);
  g_assert_cmpuint (count_notices (fixture, "warning -"), ==, 1);
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 1);
}

static void
test_node_appears (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_test_summary ("whoever starts a server by hand has it looked for again");
  load_without_node (fixture);
  error = start (fixture, "one");
  assert_lacks_node (fixture, error, "gmcp start --foreground one");
  g_clear_error (&error);

  install_server (fixture, "npx");
  before = manager_fixture_call (&fixture->base, "two__echo", NULL, NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING);
  g_clear_error (&error);

  g_assert_no_error (start (fixture, "two"));
  after = manager_fixture_call (&fixture->base, "two__echo", "{\"a\":1}", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (after);
  g_assert_cmpuint (count_notices (fixture, NODE_NOTICE), ==, 1);
  g_assert_no_error (start (fixture, "one"));
}

static gboolean
is_ready (Fixture *fixture, const char *id)
{
  return manager_fixture_get_state (&fixture->base, id) == GMCP_SERVER_STATE_READY;
}

static void
load_waiting (Fixture *fixture, const char *last)
{
  manager_fixture_write (&fixture->base, npx_entry ("eager", "eager", ",\"start\":\"at-load\""),
                         npx_entry ("lazy", "lazy", ""),
                         npx_entry ("manual", "manual", ",\"start\":\"manual\""),
                         npx_entry ("last", "last", last), NULL);
}

static void
test_node_starts_waiting (Fixture *fixture, gconstpointer data)
{
  const char *occasion = data;

  g_test_summary ("servers that waited for Node.js are started when it is found");
  load_waiting (fixture, "");
  load (fixture);
  manager_fixture_assert_tools (&fixture->base, "");
  g_assert_cmpuint (count_notices (fixture, NODE_NOTICE), ==, 1);

  g_test_message ("nothing is said again while it is not there");
  load (fixture);
  g_assert_cmpuint (count_notices (fixture, "warning -"), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "info eager Starting"), ==,
                    count_notices (fixture, "info lazy Starting"));

  install_server (fixture, "npx");
  if (g_str_equal (occasion, "load"))
    load (fixture);
  else if (g_str_equal (occasion, "configuration"))
    load_waiting (fixture, ",\"disabled\":true");
  else
    g_assert_no_error (start (fixture, "last"));

  manager_fixture_wait_until (is_ready (fixture, "eager") && is_ready (fixture, "lazy"));
  g_assert_cmpint (manager_fixture_get_state (&fixture->base, "manual"), ==,
                   GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpuint (count_notices (fixture, "warning -"), ==, 1);
  if (g_str_equal (occasion, "load"))
    manager_fixture_assert_tools (
      &fixture->base, "eager__echo eager__exit lazy__echo lazy__exit last__echo last__exit");
}

static void
test_own_node_appears (Fixture *fixture, gconstpointer data)
{
  g_autofree char *environment
    = g_strdup_printf (",\"env\":{\"PATH\":\"%s\"},\"start\":\"at-load\"", fixture->bin);

  g_test_summary ("also one that has a PATH of its own");
  manager_fixture_write (&fixture->base, npx_entry ("one", "one", environment), NULL);
  load (fixture);
  g_assert_cmpint (manager_fixture_get_state (&fixture->base, "one"), ==, GMCP_SERVER_STATE_FAILED);
  install_server (fixture, "npx");
  load (fixture);
  g_assert_true (is_ready (fixture, "one"));
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 1);
}

static void
test_node_goes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *npx = g_build_filename (fixture->bin, "npx", NULL);
  g_autofree char *node = g_build_filename (fixture->bin, "node", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server that ends when Node.js is gone is not restarted");
  write_program (fixture->bin, "node", "#!/bin/sh\n");
  install_server (fixture, "npx");
  manager_fixture_write (&fixture->base, npx_entry ("one", "one", ""), NULL);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  manager_fixture_assert_tools (&fixture->base, "one__echo one__exit");

  g_unlink (npx);
  g_unlink (node);
  text = manager_fixture_call (&fixture->base, "one__exit", NULL, NULL, &error);
  g_assert_null (text);
  manager_fixture_wait_until (manager_fixture_get_state (&fixture->base, "one")
                              == GMCP_SERVER_STATE_FAILED);
  g_assert_cmpuint (count_notices (fixture, NODE_NOTICE), ==, 1);
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 1);
  manager_fixture_assert_tools (&fixture->base, "");
}

static void
test_own_path (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a server with a PATH of its own is nobody else's measure");
  install_server (fixture, "npx");
  manager_fixture_write (&fixture->base,
                         npx_entry ("one", "one", ",\"env\":{\"PATH\":\"/nonexistent/own\"}"),
                         npx_entry ("two", "two", ""), NULL);
  load (fixture);
  manager_fixture_assert_tools (&fixture->base, "two__echo two__exit");
  g_assert_cmpuint (count_notices (fixture, NODE_NOTICE), ==, 1);
  text = manager_fixture_call (&fixture->base, "one__echo", NULL, NULL, &error);
  g_assert_null (text);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING);
  g_assert_nonnull (strstr (error->message, "(PATH): /nonexistent/own"));
}

static void
test_command_missing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("the error says where was looked, and how to get the package");
  write_program (fixture->bin, "node", "#!/bin/sh\n");
  manager_fixture_write (
    &fixture->base,
    g_strdup (
      "\"one\":{\"command\":\"gmcp-no-such-program\",\"package\":\"@acme/x\",\"restartOnFailure\":"
      "false}"),
    npx_entry ("two", "two", ",\"restartOnFailure\":false"), NULL);
  load (fixture);

  error = start (fixture, "one");
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_nonnull (strstr (error->message, fixture->bin));
  g_assert_nonnull (strstr (error->message, "(install: npm install -g @acme/x)"));
  g_clear_error (&error);

  error = start (fixture, "two");
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_nonnull (strstr (error->message, "“npx” was not found"));
  g_assert_nonnull (strstr (error->message, "(install: npm install -g two)"));
  g_assert_cmpuint (count_notices (fixture, NODE_NOTICE), ==, 0);
}

static void
test_requirements (Fixture *fixture, gconstpointer data)
{
  static const char *const required[] = { "one", NULL };
  g_autoptr (GmcpRequirements) requirements = gmcp_requirements_new ("work", required, NULL, NULL);
  g_autoptr (GmcpRequirementsReport) report = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  manager_fixture_write (&fixture->base, npx_entry ("one", "@acme/one", ""), NULL);
  gmcp_manager_check_requirements_async (fixture->base.manager, requirements, NULL, store, &result);
  manager_fixture_wait_until (result != NULL);
  report = gmcp_manager_check_requirements_finish (fixture->base.manager, result, &error);
  g_assert_no_error (error);
  g_assert_false (gmcp_requirements_report_may_work (report, &error));
  g_assert_nonnull (strstr (error->message, "install: npm install -g @acme/one"));
  g_assert_cmpuint (count_notices (fixture, NODE_NOTICE), ==, 1);
}

/* Another manager, as in the next run of the program. */
static void
begin_next_run (Fixture *fixture)
{
  manager_fixture_close (&fixture->base);
  g_assert_finalize_object (fixture->base.manager);
  g_ptr_array_set_size (fixture->base.notices, 0);
  manager_fixture_begin (&fixture->base);
}

static char *
secretive_entry (Fixture *fixture, const char *last)
{
  return g_strdup_printf (
    "\"one\":{\"title\":\"One\",\"command\":\"%s/script\",\"restartOnFailure\":false,"
    "\"args\":[\"--token\",\"s3cr3t-value\",\"\",\"a b\",\"%s\"]}",
    fixture->bin, last);
}

static void
test_privileges (Fixture *fixture, gconstpointer data)
{
  g_autofree char *expected = g_strdup_printf (
    "warning one One runs with all your privileges: %s/script --token '[redacted]' '' 'a b' ${HOME}",
    fixture->bin);
  g_test_summary ("a command is told of once, over all runs, with nothing in it that is a secret");
  install_server (fixture, "script");
  manager_fixture_write (&fixture->base, secretive_entry (fixture, "${HOME}"), NULL);
  load (fixture);
  g_assert_cmpuint (count_notices (fixture, expected), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "warning"), ==, 1);
  g_assert_no_error (start (fixture, "one"));

  begin_next_run (fixture);
  load (fixture);
  g_assert_no_error (start (fixture, "one"));
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 2);
  g_assert_cmpuint (count_notices (fixture, "warning"), ==, 0);

  /* Another argument is another command; that is told of as soon as it is started. */
  manager_fixture_write (&fixture->base, secretive_entry (fixture, "other"), NULL);
  manager_fixture_wait_until (manager_fixture_has_notice (&fixture->base, "'a b' other"));
  g_assert_cmpuint (count_notices (fixture, "warning"), ==, 1);
}

static void
test_privileges_failed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->base.state, "started-commands.json", NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a command that does not run is not told of, or remembered, before it does");
  manager_fixture_write (&fixture->base, secretive_entry (fixture, "x"), NULL);
  load (fixture);
  error = start (fixture, "one");
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_false (manager_fixture_has_notice (&fixture->base, "privileges"));
  g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));

  install_server (fixture, "script");
  g_assert_no_error (start (fixture, "one"));
  g_assert_true (manager_fixture_has_notice (&fixture->base, "runs with all your privileges"));
}

static void
test_privileges_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->base.state, "started-commands.json", NULL);

  g_test_summary ("a file that cannot be read is left as it is, and everything is told of");
  g_assert_no_errno (g_mkdir_with_parents (fixture->base.state, 0700));
  g_assert_true (g_file_set_contents (file, data, -1, NULL));
  manager_fixture_write (&fixture->base, manager_fixture_entry (&fixture->base, "one", ""), NULL);
  load (fixture);
  manager_fixture_assert_tools (&fixture->base, "one__echo");
  g_assert_true (manager_fixture_has_notice (&fixture->base, "started-commands.json could not be"));
  g_assert_cmpuint (count_notices (fixture, "warning one one runs with all your privileges: "), ==,
                    1);
  manager_fixture_wait_until (
    manager_fixture_has_notice (&fixture->base, "What was decided could not be kept in"));
}

static void
test_package (void)
{
  static const struct
  {
    const char *argv[6];
    const char *package;
    const char *hint;
  } cases[] = {
    { { "npx", "-y", "@a/b", "--root", "/x" }, NULL, "install: npm install -g @a/b" },
    { { "/opt/bin/npx", "b@latest" }, NULL, "install: npm install -g b@latest" },
    { { "npx", "--yes", "--package=c", "d" }, NULL, "install: npm install -g c" },
    { { "npx", "-p", "c", "d" }, NULL, "install: npm install -g c" },
    { { "npx", "-y", "--", "e" }, NULL, "install: npm install -g e" },
    { { "npx", "-y", "e" }, "f", "install: npm install -g f" },
    { { "node", "server.js" }, "f", "install: npm install -g f" },
    { { "node", "server.js" }, NULL, NULL },
    { { "npx" }, NULL, NULL },
    { { "npx", "-p" }, NULL, NULL },
    { { "npx", "-c", "rm -rf /" }, NULL, NULL },
    { { "npx", "a;reboot" }, NULL, NULL },
    { { "npx", "${secret:package}" }, NULL, NULL },
    { { "npx", "--", "-g" }, NULL, NULL },
    { { "python3", "server.py" }, NULL, NULL },
    { { NULL }, NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpServerConfig) config
        = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "x", "argv", cases[i].argv, "package",
                        cases[i].package, NULL);
      g_autofree char *hint = gmcp_preflight_dup_hint (config);

      g_assert_cmpstr (hint, ==, cases[i].hint);
    }
}

static const char *const occasions[] = { "load", "configuration", "start" };
static const char *const bad_files[] = { "{", "[]", "{\"commands\":[1]}" };

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/managed-server/preflight/" name, Fixture, NULL, set_up, func, tear_down)

  ADD ("node-missing", test_node_missing);
  ADD ("node-appears", test_node_appears);
  ADD ("own-node-appears", test_own_node_appears);
  ADD ("node-goes", test_node_goes);
  ADD ("own-path", test_own_path);
  ADD ("command-missing", test_command_missing);
  ADD ("requirements", test_requirements);
  ADD ("privileges", test_privileges);
  ADD ("privileges-failed", test_privileges_failed);
  for (gsize i = 0; i < G_N_ELEMENTS (bad_files); i++)
    {
      g_autofree char *path
        = g_strdup_printf ("/managed-server/preflight/privileges-file/%" G_GSIZE_FORMAT, i);

      g_test_add (path, Fixture, bad_files[i], set_up, test_privileges_file, tear_down);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (occasions); i++)
    {
      g_autofree char *path
        = g_strconcat ("/managed-server/preflight/node-starts-waiting/", occasions[i], NULL);

      g_test_add (path, Fixture, occasions[i], set_up, test_node_starts_waiting, tear_down);
    }
  g_test_add_func ("/managed-server/preflight/package", test_package);

  return g_test_run ();
}
