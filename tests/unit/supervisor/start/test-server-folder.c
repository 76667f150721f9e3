/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manager-fixture.h"
#include "set-file.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/file/gmcp-file-config-source.h>

#include "unit-test.h"

typedef struct
{
  ManagerFixture base;
  char *workspace;
  char *program;       /* in it */
  GPtrArray *requests; /* that were not answered at once */
  guint n_asked;
  gboolean trusts; /* the user, each time */
  gboolean answers;
} Fixture;

static char *
make_folder (const char *parent, const char *name)
{
  char *path = g_build_filename (parent, name, NULL);

  g_assert_no_errno (g_mkdir (path, 0700));
  return path;
}

static void
on_requested (GmcpManager *manager, GmcpFolderRequest *request, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_asked++;
  g_assert_cmpstr (g_file_peek_path (gmcp_folder_request_get_folder (request)), ==,
                   fixture->workspace);
  if (!fixture->answers)
    g_ptr_array_add (fixture->requests, g_object_ref (request));
  else if (fixture->trusts)
    gmcp_folder_request_trust (request);
  else
    gmcp_input_request_decline (GMCP_INPUT_REQUEST (request));
}

static GmcpConfigSource *
add_source (Fixture *fixture, const char *path, gboolean project)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpConfigSource) source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file,
                                                      "optional", TRUE, "project", project, NULL);

  gmcp_manager_add_source (fixture->base.manager, source);
  return source;
}

static void
begin (Fixture *fixture)
{
  set_file (fixture->base.manager, "config-file", NULL);
  set_file (fixture->base.manager, "workspace", fixture->workspace);
  add_source (fixture, fixture->base.config, FALSE);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->base, NULL);
  fixture->workspace = make_folder (fixture->base.dir, "workspace");
  fixture->program = g_build_filename (fixture->workspace, "tool-of-ours", NULL);
  fixture->requests = g_ptr_array_new_with_free_func (g_object_unref);
  begin (fixture);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir
    = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_all (child);
    }
  g_assert_no_errno (g_remove (path));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_ptr_array_unref (fixture->requests);
  manager_fixture_close (&fixture->base);
  if (g_file_test (fixture->base.state, G_FILE_TEST_EXISTS))
    remove_all (fixture->base.state);
  remove_all (fixture->workspace);
  g_free (fixture->workspace);
  g_free (fixture->program);
  manager_fixture_tear_down (&fixture->base, NULL);
}

/* The server again, as another program has it. */
static void
begin_again (Fixture *fixture)
{
  manager_fixture_close (&fixture->base);
  g_assert_finalize_object (fixture->base.manager);
  manager_fixture_begin (&fixture->base);
  begin (fixture);
}

static char *
entry (Fixture *fixture, const char *id, const char *settings)
{
  char *text = manager_fixture_entry_of (&fixture->base, id, "confined-server.py", "");
  char *more;

  text[strlen (text) - 1] = '\0';
  more = g_strconcat (text, settings, "}", NULL);
  g_free (text);
  return more;
}

static void
configure (Fixture *fixture, const char *settings)
{
  manager_fixture_write (&fixture->base, entry (fixture, "one", settings), NULL);
}

/* The script is made to be the command itself. */
static void
configure_command (Fixture *fixture, const char *command, const char *settings)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "confined-server.py", NULL);
  g_autofree char *text
    = g_strdup_printf ("{\"mcpServers\":{\"one\":{\"command\":\"%s\"%s}}}", command, settings);

  if (!g_file_test (fixture->program, G_FILE_TEST_EXISTS))
    g_assert_no_errno (symlink (script, fixture->program));
  g_assert_true (g_file_set_contents (fixture->base.config, text, -1, NULL));
}

static char *
see (Fixture *fixture, const char *code, GError **error)
{
  g_autofree char *arguments = g_strdup_printf ("{\"code\":\"%s\"}", code);

  return manager_fixture_call (&fixture->base, "one.look", arguments, NULL, error);
}

static void
assert_runs_in (Fixture *fixture, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *seen = see (fixture, "os.getcwd()", &error);
  g_autofree char *expected = g_strdup_printf ("\"%s\"", folder);

  g_assert_no_error (error);
  g_assert_cmpstr (seen, ==, expected);
}

static void
assert_fails (Fixture *fixture, int code, const char *part, const char *other)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *seen = see (fixture, "os.getcwd()", &error);

  g_assert_null (seen);
  g_assert_error (error, GMCP_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_nonnull (strstr (error->message, other));
}

static void
assert_refused (Fixture *fixture)
{
  g_autofree char *way_out = g_strdup_printf ("gmcp config trust '%s'", fixture->workspace);

  assert_fails (fixture, GMCP_ERROR_INVALID_CONFIG, "Server “one”", way_out);
}

static void
on_trusted (GObject *object, GAsyncResult *result, gpointer data)
{
  GError **error = data;
  GError *reason = NULL;

  if (gmcp_manager_trust_folder_finish (GMCP_MANAGER (object), result, &reason))
    reason = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_EXISTS, "it is");
  *error = reason;
}

/* NULL where it could be done. */
static GError *
trust (Fixture *fixture, const char *folder, gboolean trusted)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  GError *error = NULL;

  gmcp_manager_trust_folder_async (fixture->base.manager, file, trusted, NULL, on_trusted, &error);
  manager_fixture_wait_until (error != NULL);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    g_clear_error (&error);
  return error;
}

static void
test_own (Fixture *fixture, gconstpointer data)
{
  g_autofree char *work = g_build_filename (fixture->base.state, "work", NULL);
  g_autofree char *own = g_build_filename (work, "one", NULL);
  g_autofree char *pwd = NULL;
  struct stat info;

  g_test_summary ("a server of the user's runs in a folder of its own, which is nobody else's");
  configure (fixture, ",\"inheritEnvironment\":true");
  g_setenv ("PWD", fixture->workspace, TRUE);
  assert_runs_in (fixture, own);
  g_assert_no_errno (stat (own, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  pwd = see (fixture, "os.environ['PWD'] == os.getcwd()", NULL);
  g_assert_cmpstr (pwd, ==, "true");
  g_unsetenv ("PWD");

  g_assert_no_errno (g_chmod (work, 0755));
  g_assert_no_errno (g_chmod (own, 0777));
  begin_again (fixture);
  assert_runs_in (fixture, own);
  g_assert_no_errno (stat (work, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  g_assert_no_errno (stat (own, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  g_assert_cmpuint (fixture->n_asked, ==, 0);
}

static void
test_own_taken (Fixture *fixture, gconstpointer data)
{
  g_autofree char *work = g_build_filename (fixture->base.state, "work", NULL);
  g_autofree char *own = g_build_filename (work, "one", NULL);

  g_test_summary ("a link in the place of that folder, or of the one above, is not followed");
  configure (fixture, "");
  g_assert_no_errno (g_mkdir_with_parents (work, 0700));
  g_assert_no_errno (symlink (fixture->workspace, own));
  assert_fails (fixture, GMCP_ERROR_START_FAILED, own, "is a link");

  g_assert_no_errno (g_unlink (own));
  g_assert_no_errno (g_rmdir (work));
  g_assert_no_errno (symlink (fixture->workspace, work));
  begin_again (fixture);
  assert_fails (fixture, GMCP_ERROR_START_FAILED, work, "is a link");
  g_assert_no_errno (g_unlink (work));
}

static void
test_named (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sub = make_folder (fixture->base.dir, "sub");
  g_autofree char *cwd = g_strdup_printf (",\"cwd\":\"%s\"", sub);

  g_test_summary (
    "the servers of a file that was named run in its folder, unless cwd says otherwise");
  configure (fixture, "");
  set_file (fixture->base.manager, "config-file", fixture->base.config);
  assert_runs_in (fixture, fixture->base.dir);

  configure (fixture, ",\"cwd\":\"sub\"");
  begin_again (fixture);
  set_file (fixture->base.manager, "config-file", fixture->base.config);
  assert_runs_in (fixture, sub);

  /* A file that is named wherever one works is not the workspace's, also where it is above it. */
  configure (fixture, ",\"cwd\":\"${workspaceFolder}\"");
  begin_again (fixture);
  set_file (fixture->base.manager, "config-file", fixture->base.config);
  assert_refused (fixture);
  begin_again (fixture);
  set_file (fixture->base.manager, "config-file", fixture->base.config);
  set_file (fixture->base.manager, "workspace", fixture->base.dir);
  assert_runs_in (fixture, fixture->base.dir);

  configure (fixture, cwd);
  begin_again (fixture);
  assert_runs_in (fixture, sub);
  g_assert_no_errno (g_rmdir (sub));
}

static void
on_file_trusted (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_file_config_source_set_trusted_finish (GMCP_FILE_CONFIG_SOURCE (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
trust_file (GmcpFileConfigSource *source, gboolean trusted)
{
  gboolean done = FALSE;

  gmcp_file_config_source_set_trusted_async (source, trusted, NULL, on_file_trusted, &done);
  manager_fixture_wait_until (done);
}

static void
test_project (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->base.dir, "way", NULL);
  g_autofree char *path = g_build_filename (other, ".mcp.json", NULL);
  g_autofree char *text = NULL;
  GmcpFileConfigSource *source;
  GError *error;

  g_test_summary ("the servers of a project's file that is trusted run in the project");
  configure (fixture, "");
  g_assert_true (g_file_get_contents (fixture->base.config, &text, NULL, NULL));
  g_assert_no_errno (symlink (fixture->workspace, other));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_no_errno (g_unlink (fixture->base.config));
  source = GMCP_FILE_CONFIG_SOURCE (add_source (fixture, path, TRUE));
  error = manager_fixture_load (&fixture->base, NULL);
  g_assert_no_error (error);
  trust_file (source, TRUE);
  manager_fixture_wait_until (gmcp_file_config_source_is_trusted (source));
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->base.manager, "one") != NULL);
  assert_runs_in (fixture, fixture->workspace);
  trust_file (source, FALSE);
  g_assert_cmpuint (fixture->n_asked, ==, 0);
  g_assert_no_errno (g_unlink (other));
}

static void
test_workspace (Fixture *fixture, gconstpointer data)
{
  static const char *const settings[] = {
    ",\"cwd\":\"${workspaceFolder}\"",
    ",\"cwd\":\"{workspace}\"",
    ",\"cwd\":\"${workspaceFolder}/.\"",
    ",\"cwd\":\"${env:GMCP_TEST_HERE}\"",
    ",\"cwd\":\"${GMCP_TEST_UNSET:-/}${GMCP_TEST_HERE}\"",
    ",\"env\":{\"PATH\":\"/usr/bin:/bin:${workspaceFolder}/bin\"}",
    ",\"env\":{\"PATH\":\"/usr/bin:/bin:${GMCP_TEST_HERE}\"}",
    ",\"env\":{\"PYTHONPATH\":\"${workspaceFolder}\"}",
    ",\"env\":{\"LD_PRELOAD\":\"/lib/a.so ${GMCP_TEST_HERE}/b.so\"}",
    ",\"env\":{\"NODE_OPTIONS\":\"--require=${workspaceFolder}/hook.js\"}",
    ",\"env\":{\"JAVA_TOOL_OPTIONS\":\"-javaagent:${workspaceFolder}/a.jar=x\"}",
  };
  g_autofree char *name
    = g_strdup_printf (",\"cwd\":\"%s/${workspaceFolderBasename}\"", fixture->base.dir);
  g_autofree char *literal = g_strdup_printf (",\"cwd\":\"%s\"", fixture->workspace);
  g_autofree char *way = g_build_filename (fixture->base.dir, "way", NULL);

  g_test_summary ("the workspace is run in, or searched for programs, only where it is trusted");
  g_assert_no_errno (symlink (fixture->workspace, way));
  g_setenv ("GMCP_TEST_HERE", way, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (settings) + 1; i++)
    {
      configure (fixture, i < G_N_ELEMENTS (settings) ? settings[i] : name);
      begin_again (fixture);
      g_test_message ("%s", i < G_N_ELEMENTS (settings) ? settings[i] : name);
      assert_refused (fixture);
    }

  configure_command (fixture, "${workspaceFolder}/tool-of-ours", "");
  begin_again (fixture);
  assert_refused (fixture);
  configure_command (fixture, "${GMCP_TEST_HERE}/tool-of-ours", "");
  begin_again (fixture);
  assert_refused (fixture);

  /* What the user has written out is meant. */
  configure (fixture, literal);
  begin_again (fixture);
  assert_runs_in (fixture, fixture->workspace);

  g_assert_no_error (trust (fixture, way, TRUE));
  for (gsize i = 0; i < 4; i++)
    {
      configure (fixture, settings[i]);
      begin_again (fixture);
      assert_runs_in (fixture, fixture->workspace);
    }
  g_assert_no_error (trust (fixture, fixture->workspace, FALSE));
  begin_again (fixture);
  assert_refused (fixture);
  g_unsetenv ("GMCP_TEST_HERE");
  g_assert_no_errno (g_unlink (way));
}

static void
test_trust_reach (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inner = make_folder (fixture->workspace, "inner");
  g_autofree char *none = g_build_filename (fixture->workspace, "none", NULL);
  g_autofree char *store = g_build_filename (fixture->base.state, "trusted-folders.json", NULL);
  g_autoptr (GError) open = NULL;
  g_autoptr (GError) missing = NULL;

  g_test_summary ("trust is of one folder that is worked in");
  configure (fixture, ",\"cwd\":\"${workspaceFolder}\"");
  g_assert_no_error (trust (fixture, fixture->workspace, TRUE));
  set_file (fixture->base.manager, "workspace", inner);
  assert_fails (fixture, GMCP_ERROR_INVALID_CONFIG, "gmcp config trust", inner);

  missing = trust (fixture, none, TRUE);
  g_assert_error (missing, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);

  /* Anybody may fill it, now or later. */
  g_assert_no_errno (g_chmod (fixture->workspace, 0777));
  open = trust (fixture, fixture->workspace, TRUE);
  g_assert_error (open, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  begin_again (fixture);
  assert_fails (fixture, GMCP_ERROR_START_FAILED, fixture->workspace, "any user");
  g_assert_no_errno (g_chmod (fixture->workspace, 0700));
  begin_again (fixture);
  assert_runs_in (fixture, fixture->workspace);

  /* What cannot be read trusts nothing, and says so. */
  g_assert_true (g_file_set_contents (store, "{", -1, NULL));
  begin_again (fixture);
  assert_fails (fixture, GMCP_ERROR_START_FAILED, "Server “one”", store);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, NULL);
  *(gboolean *) data = TRUE;
}

static void
test_asked (Fixture *fixture, gconstpointer data)
{
  const char *settings = ",\"cwd\":\"${workspaceFolder}\"";
  gboolean done = FALSE;

  g_test_summary ("the user is asked about a folder once, however many servers need it");
  manager_fixture_write (&fixture->base, entry (fixture, "one", settings),
                         entry (fixture, "two", settings), NULL);
  g_signal_connect (fixture->base.manager, "folder-requested", G_CALLBACK (on_requested), fixture);
  gmcp_tool_provider_load_async (fixture->base.provider, NULL, on_loaded, &done);
  manager_fixture_wait_until (fixture->requests->len > 0);
  gmcp_folder_request_trust (fixture->requests->pdata[0]);
  /* A second answer is dropped. */
  gmcp_input_request_decline (fixture->requests->pdata[0]);
  gmcp_folder_request_trust (fixture->requests->pdata[0]);
  g_ptr_array_set_size (fixture->requests, 0);
  manager_fixture_wait_until (done);
  manager_fixture_assert_tools (&fixture->base, "one__look two__look");
  g_assert_cmpuint (fixture->n_asked, ==, 1);

  begin_again (fixture);
  g_signal_connect (fixture->base.manager, "folder-requested", G_CALLBACK (on_requested), fixture);
  assert_runs_in (fixture, fixture->workspace);
  g_assert_cmpuint (fixture->n_asked, ==, 1);
}

static void
count_notice (GmcpManager *manager,
              const char *server_id,
              GmcpNoticeLevel level,
              const char *message,
              gpointer n_notices)
{
  ++*(guint *) n_notices;
}

static void
test_dropped (Fixture *fixture, gconstpointer data)
{
  gboolean done = FALSE;
  guint n_notices = 0;
  guint n_before;

  g_test_summary (
    "a question that is dropped is refused, and nothing is emitted while that happens");
  manager_fixture_write (&fixture->base, entry (fixture, "one", ",\"cwd\":\"${workspaceFolder}\""),
                         NULL);
  g_signal_connect (fixture->base.manager, "folder-requested", G_CALLBACK (on_requested), fixture);
  g_signal_connect (fixture->base.manager, "notice", G_CALLBACK (count_notice), &n_notices);
  gmcp_tool_provider_load_async (fixture->base.provider, NULL, on_loaded, &done);
  manager_fixture_wait_until (fixture->requests->len > 0);
  n_before = n_notices;
  g_ptr_array_set_size (fixture->requests, 0);
  g_assert_cmpuint (n_notices, ==, n_before);
  g_assert_false (done);
  manager_fixture_wait_until (done);
  g_assert_cmpuint (n_notices, >, n_before);
  manager_fixture_assert_tools (&fixture->base, "");
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  const char *settings = ",\"cwd\":\"${workspaceFolder}\"";

  g_test_summary ("who refuses is not asked again by that manager");
  fixture->answers = TRUE;
  manager_fixture_write (&fixture->base, entry (fixture, "one", settings),
                         entry (fixture, "two", settings), NULL);
  g_signal_connect (fixture->base.manager, "folder-requested", G_CALLBACK (on_requested), fixture);
  assert_refused (fixture);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  manager_fixture_assert_tools (&fixture->base, "");
  g_assert_cmpuint (fixture->n_asked, ==, 1);

  fixture->trusts = TRUE;
  g_assert_no_error (trust (fixture, fixture->workspace, TRUE));
  begin_again (fixture);
  assert_runs_in (fixture, fixture->workspace);
}

static gboolean
has_finding (Fixture *fixture, const char *word)
{
  g_autoptr (GPtrArray) findings = gmcp_manager_list_findings (fixture->base.manager);
  g_autofree char *quoted = g_strdup_printf ("“%s” is a relative path", word);

  for (guint i = 0; i < findings->len; i++)
    {
      if (g_str_has_prefix (gmcp_config_finding_get_message (g_ptr_array_index (findings, i)),
                            quoted))
        return TRUE;
    }
  return FALSE;
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
load_config (Fixture *fixture)
{
  gboolean done = FALSE;

  gmcp_manager_load_config_async (fixture->base.manager, NULL, on_config_loaded, &done);
  manager_fixture_wait_until (done);
}

static void
test_relative (Fixture *fixture, gconstpointer data)
{
  static const char *const found[] = { ".", "../x", "server.py", "src/index.js", "--dir=./x" };
  static const char *const fine[] = {
    "-y",
    "@scope/name",
    "/full/server.py",
    "mcp.server.py",
    "https://x.org/a.js",
    "owner/repo",
    "${workspaceFolder}",
    "ghcr.io/a/b:c",
    "pkg@1.0.js",
    "--x=/a.py",
    "text/plain",
    "~/a.py",
    "${userHome}/server.py",
  };
  g_autoptr (GString) text = g_string_new ("{\"mcpServers\":{\"one\":{\"command\":\"bin/run\","
                                           "\"args\":[\"-y\",\"-m\",\"mcp.server.py\"");

  g_test_summary ("relative paths are told of where the server runs in a folder of its own");
  for (gsize i = 0; i < G_N_ELEMENTS (found); i++)
    g_string_append_printf (text, ",\"%s\"", found[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (fine); i++)
    {
      if (!g_str_equal (fine[i], "mcp.server.py"))
        g_string_append_printf (text, ",\"%s\"", fine[i]);
    }
  g_string_append (text, "]}}}");
  g_assert_true (g_file_set_contents (fixture->base.config, text->str, -1, NULL));
  load_config (fixture);
  g_assert_true (has_finding (fixture, "bin/run"));
  for (gsize i = 0; i < G_N_ELEMENTS (found); i++)
    g_assert_true (has_finding (fixture, found[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (fine); i++)
    g_assert_false (has_finding (fixture, fine[i]));

  begin_again (fixture);
  set_file (fixture->base.manager, "config-file", fixture->base.config);
  load_config (fixture);
  g_assert_false (has_finding (fixture, "."));
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/server-folder/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  ADD ("own", test_own);
  ADD ("own/taken", test_own_taken);
  ADD ("named", test_named);
  ADD ("project", test_project);
  ADD ("workspace", test_workspace);
  ADD ("trust", test_trust_reach);
  ADD ("asked", test_asked);
  ADD ("dropped", test_dropped);
  ADD ("refused", test_refused);
  ADD ("relative", test_relative);
  return g_test_run ();
}
