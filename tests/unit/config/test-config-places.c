/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-config-expand-private.h"
#include "gmcp-manager-private.h"
#include "manager-fixture.h"
#include "watched-file.h"
#include "set-file.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/file/gmcp-file-config-source.h>

#include "unit-test.h"

static void
write_text (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static GmcpServerConfig *
peek_server (GmcpConfigSource *source, guint i)
{
  g_autoptr (GmcpServerConfig) config
    = g_list_model_get_item (gmcp_config_source_get_servers (source), i);

  return config;
}

static guint
count_servers (GmcpConfigSource *source)
{
  return g_list_model_get_n_items (gmcp_config_source_get_servers (source));
}

static GmcpConfigSource *
make_source (const char *path, gboolean project, gboolean optional)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "project", project, "optional",
                       optional, "delay-ms", 20, NULL);
}

typedef struct
{
  gboolean done;
  GError *error;
} Outcome;

static void
on_source_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &outcome->error);
  outcome->done = TRUE;
}

static GError *
load_source (GmcpConfigSource *source)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_config_source_load_async (source, NULL, on_source_loaded, &outcome);
  manager_fixture_wait_until (outcome.done);
  return outcome.error;
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &outcome->error);
  outcome->done = TRUE;
}

static GError *
load_config (GmcpManager *manager)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_manager_load_config_async (manager, NULL, on_config_loaded, &outcome);
  manager_fixture_wait_until (outcome.done);
  return outcome.error;
}

static void
test_start (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *bad;

  g_test_summary (
    "variables are filled in at the start; one that is missing fails that server only");
  g_setenv ("GMCP_TOOLS", "echo,pid", TRUE);
  g_unsetenv ("GMCP_UNSET");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools ${GMCP_TOOLS}"),
                         manager_fixture_entry (fixture, "two", "--tools ${GMCP_UNSET}"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo one__pid");

  bad = gmcp_manager_get_server (fixture->manager, "two");
  g_assert_nonnull (gmcp_managed_server_get_last_error (bad));
  g_assert_nonnull (
    strstr (gmcp_managed_server_get_last_error (bad)->message, "the variable GMCP_UNSET"));
  g_assert_nonnull (
    strstr (gmcp_managed_server_get_last_error (bad)->message, "mcp.json:1: mcpServers.two.args["));
  g_unsetenv ("GMCP_TOOLS");
}

static void
test_filter (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *entry = manager_fixture_entry (fixture, "one", "--tools echo,pid,exit");
  g_autofree char *text = g_strdup_printf (
    "{\"mcpServers\":{%.*s,\"includeTools\":[\"*i*\"],\"disabledTools\":[\"exit\"]}}}",
    (int) strlen (entry) - 1, entry);
  g_autoptr (GError) error = NULL;

  g_test_summary ("what a file leaves of a server's tools is neither listed nor called");
  write_text (fixture->config, text);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__pid");
  g_assert_null (manager_fixture_call (fixture, "one.echo", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 0);
}

static void
on_input (GmcpManager *manager, GmcpConfigInput *input, gpointer data)
{
  g_assert_cmpstr (gmcp_config_input_get_description (input), ==, "Which tools");
  gmcp_config_input_accept (input, "pid");
  (*(guint *) data)++;
}

static void
on_restarted (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_managed_server_restart_finish (GMCP_MANAGED_SERVER (object), result, &outcome->error);
  outcome->done = TRUE;
}

static void
restart (ManagerFixture *fixture, const char *id)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_managed_server_restart_async (gmcp_manager_get_server (fixture->manager, id), NULL,
                                     on_restarted, &outcome);
  manager_fixture_wait_until (outcome.done);
  g_assert_no_error (outcome.error);
}

static void
test_input (ManagerFixture *fixture, gconstpointer data)
{
  guint n_asked = 0;
  g_autofree char *entry = manager_fixture_entry (fixture, "one", "--tools ${input:tools}");
  g_autofree char *text = g_strdup_printf (
    "{\"servers\":{%s},\"inputs\":[{\"id\":\"tools\",\"description\":\"Which tools\"}]}", entry);

  write_text (fixture->config, text);
  g_signal_connect (fixture->manager, "config-input-requested", G_CALLBACK (on_input), &n_asked);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__pid");
  restart (fixture, "one");
  g_assert_cmpuint (n_asked, ==, 1);
  gmcp_manager_forget_inputs (fixture->manager);
  restart (fixture, "one");
  g_assert_cmpuint (n_asked, ==, 2);
}

static void
test_health (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *entry = manager_fixture_entry (fixture, "one", "--tools echo,pid");
  g_autofree char *text = g_strdup_printf (
    "{\"mcpServers\":{%.*s,\"healthMethod\":\"tool-call\",\"healthTool\":\"${GMCP_UNSET:-echo}\","
    "\"healthArguments\":{\"text\":\"${GMCP_UNSET:-well}\"}}}}",
    (int) strlen (entry) - 1, entry);

  g_test_summary ("what a server is checked with may hold variables");
  g_unsetenv ("GMCP_UNSET");
  write_text (fixture->config, text);
  g_assert_null (manager_fixture_load (fixture, NULL));
  restart (fixture, "one");
  g_assert_null (
    gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->manager, "one")));
}

static void
test_bad_places (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, FALSE, TRUE);
  g_autofree char *blanks = g_strnfill (10 * 1024 * 1024, ' ');
  g_autoptr (GError) large = NULL;
  g_autoptr (GError) pipe = NULL;

  g_test_summary ("a file that is too large, or is none, leaves what was read before");
  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
  g_assert_null (load_source (source));
  write_text (fixture->config, blanks);
  large = load_source (source);
  g_assert_error (large, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (large->message, "larger than"));
  g_assert_no_errno (g_unlink (fixture->config));
  g_assert_no_errno (mkfifo (fixture->config, 0600));
  pipe = load_source (source);
  g_assert_error (pipe, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (pipe->message, "is no file"));
  g_assert_cmpstr (gmcp_server_config_get_id (peek_server (source, 0)), ==, "a");
  g_assert_no_errno (g_unlink (fixture->config));
}

static gboolean
runs (GmcpManager *manager, const char *id, const char *command)
{
  GmcpManagedServer *server = gmcp_manager_get_server (manager, id);

  return server != NULL
         && g_str_equal (gmcp_server_config_get_argv (gmcp_managed_server_get_config (server))[0],
                         command);
}

static gboolean
is_noticed (ManagerFixture *fixture, const char *start, const char *end)
{
  for (guint i = 0; i < fixture->notices->len; i++)
    {
      const char *notice = g_ptr_array_index (fixture->notices, i);

      if (g_str_has_prefix (notice, start) && g_str_has_suffix (notice, end))
        return TRUE;
    }
  return FALSE;
}

#define WELL "\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"y\"}"

static void
test_left_out (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, FALSE, TRUE);
  GListModel *servers = gmcp_config_source_get_servers (source);
  GListModel *findings = gmcp_config_source_get_findings (source);
  g_autoptr (GError) later = NULL;
  g_autoptr (GError) again = NULL;

  g_test_summary ("what is wrong at a place from the start is left out; what was well stays whole");
  set_file (fixture->manager, "config-file", NULL);
  gmcp_manager_add_source (fixture->manager, source);
  write_text (fixture->config,
              "{\"mcpServers\":{" WELL ",\n\"c\":{\"command\":3,\"args\":4},\n"
              "\"A\":{\"command\":\"z\"},\"d\":{\"command\":\"x\",\"timeout\":\"abc\"}},\n"
              "\"mcp_settings\":{\"startup_timeout_seconds\":1000}}");
  g_assert_null (load_config (fixture->manager));
  g_assert_cmpuint (g_list_model_get_n_items (servers), ==, 2);
  g_assert_cmpuint (g_list_model_get_n_items (findings), ==, 5);
  g_assert_nonnull (gmcp_manager_get_server (fixture->manager, "b"));
  g_assert_true (runs (fixture->manager, "a", "x"));
  g_assert_true (
    is_noticed (fixture, "error c ", "mcp.json:2: mcpServers.c.command: expected a string"));
  g_assert_true (
    is_noticed (fixture, "error c ", "mcpServers.c.args: expected an array of strings"));
  g_assert_true (is_noticed (fixture, "error a ", "both give the id “a”; rename one"));
  g_assert_true (is_noticed (fixture, "error d ", "to 86400000"));
  g_assert_true (is_noticed (fixture, "error - ", "a number of seconds from 1 to 60"));

  /* One thing is mended, another not. */
  write_text (fixture->config, "{\"mcpServers\":{" WELL ",\"c\":{\"command\":\"z\"},\"d\":3}}");
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->manager, "c") != NULL);
  g_assert_cmpuint (g_list_model_get_n_items (findings), ==, 1);
  write_text (fixture->config, "{\"mcpServers\":{" WELL ",\"c\":{\"command\":\"z\"}}}");
  manager_fixture_wait_until (g_list_model_get_n_items (findings) == 0);

  write_text (fixture->config, "{\"mcpServers\":{" WELL ",\"c\":{\"command\":3}}}");
  later = load_source (source);
  g_assert_error (later, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_cmpuint (g_list_model_get_n_items (servers), ==, 3);

  /* A rule that could not be read might have forbidden something. */
  g_assert_no_errno (g_unlink (fixture->config));
  g_assert_null (load_source (source));
  write_text (fixture->config, "{\"mcpServers\":{" WELL "},\"roles\":{\"r\":[]}}");
  again = load_source (source);
  g_assert_error (again, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_cmpuint (g_list_model_get_n_items (servers), ==, 0);
}

static void
test_strict (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a file that was named is right or an error");
  write_text (fixture->config, "{\"mcpServers\":{" WELL ",\"c\":{\"command\":3}}}");
  error = load_config (fixture->manager);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager)), ==, 0);
}

static void
test_overtaken (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, FALSE, TRUE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Outcome outcomes[4] = { { FALSE, NULL } };

  g_test_summary (
    "a load that a later one overtakes ends as that one does, unless it is cancelled");
  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
  gmcp_config_source_load_async (source, NULL, on_source_loaded, &outcomes[0]);
  write_text (fixture->config, "{");
  gmcp_config_source_load_async (source, NULL, on_source_loaded, &outcomes[1]);
  manager_fixture_wait_until (outcomes[0].done && outcomes[1].done);
  for (guint i = 0; i < 2; i++)
    g_assert_error (outcomes[i].error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);

  write_text (fixture->config, "{\"mcpServers\":{\"b\":{\"command\":\"x\"}}}");
  gmcp_config_source_load_async (source, NULL, on_source_loaded, &outcomes[2]);
  gmcp_config_source_load_async (source, cancellable, on_source_loaded, &outcomes[3]);
  g_cancellable_cancel (cancellable);
  manager_fixture_wait_until (outcomes[2].done && outcomes[3].done);
  g_assert_no_error (outcomes[2].error);
  g_assert_error (outcomes[3].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (gmcp_server_config_get_id (peek_server (source, 0)), ==, "b");
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    g_clear_error (&outcomes[i].error);
}

static void
test_watch (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, FALSE, TRUE);
  GListModel *servers = gmcp_config_source_get_servers (source);
  GListModel *findings = gmcp_config_source_get_findings (source);

  g_test_summary ("a file that comes, changes, breaks, is mended and goes is followed");
  g_unlink (fixture->config);
  g_assert_null (load_source (source));
  g_assert_cmpuint (g_list_model_get_n_items (servers), ==, 0);
  wait_until_watched (fixture->config);

  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
  manager_fixture_wait_until (g_list_model_get_n_items (servers) == 1);
  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"x\"},");
  manager_fixture_wait_until (g_list_model_get_n_items (findings) == 1);
  g_assert_cmpuint (g_list_model_get_n_items (servers), ==, 1);
  write_text (fixture->config,
              "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"y\"}}}");
  manager_fixture_wait_until (g_list_model_get_n_items (servers) == 2);
  g_assert_cmpuint (g_list_model_get_n_items (findings), ==, 0);
  g_unlink (fixture->config);
  manager_fixture_wait_until (g_list_model_get_n_items (servers) == 0);
  write_text (fixture->config, "{\"mcpServers\":{}}");
  g_assert_finalize_object (g_steal_pointer (&source));
}

static void
wait_for_server (GmcpConfigSource *source, const char *id)
{
  GListModel *servers = gmcp_config_source_get_servers (source);

  manager_fixture_wait_until (
    g_list_model_get_n_items (servers) == 1
    && g_str_equal (gmcp_server_config_get_id (peek_server (source, 0)), id));
}

static void
test_watch_links (ManagerFixture *fixture, gconstpointer data)
{
  char *folders[] = { g_build_filename (fixture->dir, "one", NULL),
                      g_build_filename (fixture->dir, "two", NULL) };
  char *files[]
    = { g_build_filename (folders[0], "f", NULL), g_build_filename (folders[1], "f", NULL) };
  g_autofree char *current = g_build_filename (fixture->dir, "current", NULL);
  g_autofree char *next = g_build_filename (fixture->dir, "next", NULL);
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, FALSE, TRUE);

  g_test_summary ("a file that links lead to is followed, and so are the links, folders too");
  g_unlink (fixture->config);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    g_assert_no_errno (g_mkdir (folders[i], 0700));
  write_text (files[0], "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
  write_text (files[1], "{\"mcpServers\":{\"b\":{\"command\":\"x\"}}}");
  g_assert_no_errno (symlink ("one", current));
  g_assert_no_errno (symlink ("./current/../current/f", fixture->config));
  g_assert_null (load_source (source));
  wait_for_server (source, "a");

  g_test_message ("the file itself is replaced");
  write_text (files[0], "{\"mcpServers\":{\"c\":{\"command\":\"x\"}}}");
  wait_for_server (source, "c");
  g_test_message ("a folder on the way is another one");
  g_assert_no_errno (symlink (folders[1], next));
  g_assert_no_errno (g_rename (next, current));
  wait_for_server (source, "b");
  write_text (files[1], "{\"mcpServers\":{\"d\":{\"command\":\"x\"}}}");
  wait_for_server (source, "d");
  g_test_message ("the link is another one, and leads nowhere, and round in circles");
  g_assert_no_errno (symlink (files[0], next));
  g_assert_no_errno (g_rename (next, fixture->config));
  wait_for_server (source, "c");
  g_assert_no_errno (g_unlink (files[0]));
  manager_fixture_wait_until (g_list_model_get_n_items (gmcp_config_source_get_servers (source))
                              == 0);
  write_text (files[0], "{\"mcpServers\":{\"e\":{\"command\":\"x\"}}}");
  wait_for_server (source, "e");
  g_assert_no_errno (symlink (fixture->config, next));
  g_assert_no_errno (g_rename (next, fixture->config));
  manager_fixture_wait_until (g_list_model_get_n_items (gmcp_config_source_get_findings (source))
                              == 1);

  g_assert_no_errno (g_unlink (fixture->config));
  write_text (fixture->config, "{\"mcpServers\":{\"f\":{\"command\":\"x\"}}}");
  wait_for_server (source, "f");
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_assert_no_errno (g_unlink (files[i]));
      g_assert_no_errno (g_rmdir (folders[i]));
      g_free (files[i]);
      g_free (folders[i]);
    }
  g_assert_no_errno (g_unlink (current));
}

static void
on_trusted (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_file_config_source_set_trusted_finish (GMCP_FILE_CONFIG_SOURCE (object), result,
                                              &outcome->error);
  outcome->done = TRUE;
}

static void
set_trusted (GmcpConfigSource *source, gboolean trusted)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_file_config_source_set_trusted_async (GMCP_FILE_CONFIG_SOURCE (source), trusted, NULL,
                                             on_trusted, &outcome);
  manager_fixture_wait_until (outcome.done);
  g_assert_no_error (outcome.error);
}

static void
test_trust (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, TRUE, FALSE);
  GmcpFileConfigSource *file = GMCP_FILE_CONFIG_SOURCE (source);

  g_test_summary ("a project's servers run only while its file is the one that was trusted");
  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
  g_assert_null (load_source (source));
  g_assert_false (gmcp_file_config_source_is_trusted (file));
  g_assert_cmpuint (count_servers (source), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_config_source_get_findings (source)), ==, 1);

  set_trusted (source, TRUE);
  manager_fixture_wait_until (gmcp_file_config_source_is_trusted (file));
  g_assert_true (gmcp_server_config_is_enabled (peek_server (source, 0)));
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_config_source_get_findings (source)), ==, 0);

  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"evil\"}}}");
  manager_fixture_wait_until (!gmcp_file_config_source_is_trusted (file));
  g_assert_cmpuint (count_servers (source), ==, 0);

  set_trusted (source, TRUE);
  manager_fixture_wait_until (gmcp_file_config_source_is_trusted (file));
  g_clear_object (&source);
  source = make_source (fixture->config, TRUE, FALSE);
  g_assert_null (load_source (source));
  g_assert_true (gmcp_server_config_is_enabled (peek_server (source, 0)));
  set_trusted (source, FALSE);
  manager_fixture_wait_until (count_servers (source) == 0);
}

static char *
make_folder (const char *parent, const char *name)
{
  char *path = g_build_filename (parent, name, NULL);

  g_assert_no_errno (g_mkdir (path, 0700));
  return path;
}

/* A project's source for a file that has been trusted, or not, and how it is named and based then. */
static void
assert_project (const char *path, gboolean trusted, const char *folder)
{
  g_autoptr (GmcpConfigSource) source = make_source (path, TRUE, FALSE);
  g_autofree char *command = g_build_filename (folder, "tools", NULL);
  g_autofree char *shown = g_build_filename (folder, ".mcp.json", NULL);
  GmcpConfigOrigin *origin;
  GListModel *findings;

  g_assert_null (load_source (source));
  g_assert_cmpint (gmcp_file_config_source_is_trusted (GMCP_FILE_CONFIG_SOURCE (source)), ==,
                   trusted);
  findings = gmcp_config_source_get_findings (source);
  if (!trusted)
    {
      g_autoptr (GmcpConfigFinding) finding = g_list_model_get_item (findings, 0);

      g_assert_cmpstr (g_file_peek_path (gmcp_config_finding_get_file (finding)), ==, shown);
      g_assert_cmpuint (count_servers (source), ==, 0);
      return;
    }
  g_assert_cmpstr (gmcp_server_config_get_cwd (peek_server (source, 0)), ==, command);
  origin = gmcp_server_config_get_origin (peek_server (source, 0));
  g_assert_cmpstr (origin->workspace, ==, folder);
  g_assert_cmpstr (origin->folder, ==, folder);
  g_assert_cmpstr (origin->file, ==, shown);
}

static void
test_trust_names (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) bad_file = NULL;
  g_autofree char *good = make_folder (fixture->dir, "good");
  g_autofree char *bad = make_folder (fixture->dir, "bad");
  g_autofree char *file = g_build_filename (good, ".mcp.json", NULL);
  g_autofree char *link = g_build_filename (bad, ".mcp.json", NULL);
  g_autofree char *other = g_build_filename (fixture->dir, "other-way", NULL);
  g_autofree char *through = g_build_filename (other, ".mcp.json", NULL);
  g_autofree char *inside = g_build_filename (bad, "inside", NULL);
  g_autofree char *below = g_build_filename (inside, ".mcp.json", NULL);
  g_autoptr (GmcpConfigSource) real = make_source (file, TRUE, FALSE);
  g_autoptr (GmcpConfigSource) led = NULL;
  g_autoptr (GFile) below_file = g_file_new_for_path (below);

  g_test_summary (
    "a folder is one by whatever path it is reached; a file that is a link is another "
    "one than what it leads to");
  write_text (file, "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"cwd\":\"tools\"}}}");
  g_assert_no_errno (symlink (file, link));
  g_assert_no_errno (symlink (good, other));
  g_assert_no_errno (symlink (good, inside));
  g_assert_null (load_source (real));
  set_trusted (real, TRUE);
  assert_project (file, TRUE, good);
  assert_project (through, TRUE, good);
  assert_project (link, FALSE, bad);

  /* In a workspace that it is not really in, it is not trusted for that one. */
  bad_file = g_file_new_for_path (bad);
  led = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", below_file, "project", TRUE,
                      "workspace", bad_file, NULL);
  g_assert_null (load_source (led));
  g_assert_false (gmcp_file_config_source_is_trusted (GMCP_FILE_CONFIG_SOURCE (led)));
  assert_project (below, TRUE, good);

  /* What is said of the link is said of the link. */
  {
    g_autoptr (GmcpConfigSource) linked = make_source (link, TRUE, FALSE);

    g_assert_null (load_source (linked));
    set_trusted (linked, TRUE);
    set_trusted (real, FALSE);
    assert_project (link, TRUE, bad);
    assert_project (through, FALSE, good);
    set_trusted (linked, FALSE);
  }

  g_assert_no_errno (g_unlink (link));
  g_assert_no_errno (g_unlink (other));
  g_assert_no_errno (g_unlink (inside));
  g_assert_no_errno (g_unlink (file));
  g_assert_no_errno (g_rmdir (good));
  g_assert_no_errno (g_rmdir (bad));
}

static void
set_trusted_elsewhere (ManagerFixture *fixture, gboolean trusted)
{
  g_autoptr (GmcpConfigSource) other = make_source (fixture->config, TRUE, FALSE);

  g_assert_null (load_source (other));
  set_trusted (other, trusted);
}

static void
test_trust_elsewhere (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, TRUE, FALSE);
  g_autoptr (GError) before = NULL;
  g_autoptr (GError) after = NULL;
  g_autofree char *told = NULL;
  g_autofree char *answer = NULL;

  g_test_summary (
    "what another program says of a project's file is followed while its servers run");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  set_file (fixture->manager, "config-file", NULL);
  gmcp_manager_add_source (fixture->manager, source);
  g_assert_null (load_config (fixture->manager));
  g_assert_null (manager_fixture_call (fixture, "one.pid", "{}", NULL, &before));
  g_assert_error (before, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  told = g_strdup_printf ("gmcp config trust %s", fixture->config);
  g_assert_nonnull (strstr (before->message, told));

  set_trusted_elsewhere (fixture, TRUE);
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->manager, "one") != NULL);
  answer = manager_fixture_call (fixture, "one.pid", "{}", NULL, NULL);
  g_assert_nonnull (answer);

  set_trusted_elsewhere (fixture, FALSE);
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->manager, "one") == NULL);
  g_assert_null (manager_fixture_call (fixture, "one.pid", "{}", NULL, &after));
  g_assert_error (after, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  manager_fixture_close (fixture);
}

static void
on_approved (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_file_config_source_set_approved_finish (GMCP_FILE_CONFIG_SOURCE (object), result,
                                               &outcome->error);
  outcome->done = TRUE;
}

static GError *
set_approved (GmcpConfigSource *source, const char *id, gboolean approved)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_file_config_source_set_approved_async (GMCP_FILE_CONFIG_SOURCE (source), id, approved, NULL,
                                              on_approved, &outcome);
  manager_fixture_wait_until (outcome.done);
  return outcome.error;
}

static gboolean
advises (GmcpManager *manager, const char *text)
{
  g_autoptr (GPtrArray) findings = gmcp_manager_list_findings (manager);

  for (guint i = 0; i < findings->len; i++)
    {
      if (strstr (gmcp_config_finding_get_message (g_ptr_array_index (findings, i)), text) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Names that would be found in variables, wrong entries, and rules. */
static void
write_hostile (const char *path)
{
  g_autoptr (GString) text = g_string_new ("{\"mcpServers\":{");

  for (guint i = 0; i < 1500; i++)
    g_string_append_printf (text, "\"one-%u\":{\"command\":\"x\",\"key-%u\":1},", i, i);
  g_string_append (text, "\"one\":{\"command\":\"evil\"},\"wrong\":{\"command\":[{}]}},"
                         "\"roles\":{\"r\":{\"allowed_tools\":7}},\"mcp_settings\":{\"x\":1},"
                         "\"tools\":{\"h\":{\"mcp_tools\":{\"required\":[\"none\"]}}}}");
  write_text (path, text->str);
}

static void
test_untrusted (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const broken[] = { "{", "", "[[[[", "{\"mcpServers\":{}}" };
  g_autofree char *project = g_strconcat (fixture->config, ".project.json", NULL);
  g_autoptr (GmcpConfigSource) user = make_source (fixture->config, FALSE, FALSE);
  g_autoptr (GmcpConfigSource) source = make_source (project, TRUE, TRUE);
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GPtrArray) findings = NULL;
  g_autoptr (GPtrArray) roles = NULL;
  g_autoptr (GPtrArray) needs = NULL;

  g_test_summary ("what nobody trusts has no part in anything, and is told of in one line");
  write_text (fixture->config, "{\"mcpServers\":{\"one\":{\"command\":\"users\"}}}");
  write_hostile (project);
  gmcp_manager_add_source (manager, user);
  gmcp_manager_add_source (manager, source);
  g_assert_null (load_config (manager));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (manager)), ==, 1);
  g_assert_true (runs (manager, "one", "users"));
  findings = gmcp_manager_list_findings (manager);
  g_assert_cmpuint (findings->len, ==, 1);
  g_assert_true (advises (manager, "gmcp config trust "));
  roles = gmcp_manager_list_roles (manager);
  g_assert_cmpuint (roles->len, ==, 0);
  needs = gmcp_manager_list_requirements (manager);
  g_assert_cmpuint (needs->len, ==, 0);

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      write_text (project, broken[i]);
      g_assert_null (load_source (source));
      g_assert_cmpuint (g_list_model_get_n_items (gmcp_config_source_get_findings (source)), ==, 1);
    }
  /* What cannot even be read. */
  g_assert_no_errno (g_unlink (project));
  g_assert_no_errno (g_mkdir (project, 0700));
  g_assert_null (load_source (source));
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_config_source_get_findings (source)), ==, 1);
  g_assert_no_errno (g_rmdir (project));
}

static void
test_approval (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *project = g_strconcat (fixture->config, ".project.json", NULL);
  g_autoptr (GmcpConfigSource) user = make_source (fixture->config, FALSE, FALSE);
  g_autoptr (GmcpConfigSource) source = make_source (project, TRUE, FALSE);
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("a project's server takes the place of another of that id once that is approved");
  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"users\"}}}");
  write_text (project, "{\"mcpServers\":{\"a\":{\"command\":\"projects\"}}}");
  gmcp_manager_add_source (manager, user);
  gmcp_manager_add_source (manager, source);
  g_assert_null (load_config (manager));
  g_assert_true (runs (manager, "a", "users"));

  /* To trust the file is not enough. */
  set_trusted (source, TRUE);
  manager_fixture_wait_until (
    gmcp_file_config_source_is_trusted (GMCP_FILE_CONFIG_SOURCE (source)));
  g_assert_true (runs (manager, "a", "users"));
  g_assert_true (advises (manager, "gmcp config trust"));

  error = set_approved (source, "b", TRUE);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_assert_no_error (set_approved (source, "a", TRUE));
  manager_fixture_wait_until (runs (manager, "a", "projects"));
  g_assert_false (advises (manager, "gmcp config trust"));

  /* Neither the file as it is later, nor without its trust. */
  write_text (project, "{\"mcpServers\":{\"a\":{\"command\":\"evil\"}}}");
  manager_fixture_wait_until (runs (manager, "a", "users"));
  write_text (project, "{\"mcpServers\":{\"a\":{\"command\":\"projects\"}}}");
  manager_fixture_wait_until (runs (manager, "a", "projects"));
  set_trusted (source, FALSE);
  manager_fixture_wait_until (runs (manager, "a", "users"));
  set_trusted (source, TRUE);
  manager_fixture_wait_until (
    gmcp_file_config_source_is_trusted (GMCP_FILE_CONFIG_SOURCE (source)));
  g_assert_true (runs (manager, "a", "users"));

  /* A place that goes takes its servers along. */
  gmcp_manager_remove_source (manager, user);
  g_assert_true (runs (manager, "a", "projects"));
  gmcp_manager_remove_source (manager, source);
  g_assert_null (gmcp_manager_get_server (manager, "a"));
  gmcp_manager_remove_source (manager, source);
  set_trusted (source, FALSE);
  g_assert_no_errno (g_unlink (project));
}

static void
test_loaded_before (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_strconcat (fixture->config, ".other.json", NULL);
  g_autoptr (GmcpConfigSource) source = make_source (fixture->config, FALSE, FALSE);
  g_autoptr (GmcpConfigSource) policy = make_source (other, FALSE, FALSE);
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GmcpManager) running = gmcp_manager_new ();
  g_autoptr (GPtrArray) projects = NULL;

  g_test_summary ("a place that was read before it is added counts too");
  write_text (fixture->config, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
  write_text (other, "{\"projects\":{\"p\":{\"servers\":[\"a\"]}}}");
  g_assert_null (load_source (source));
  g_assert_null (load_source (policy));

  gmcp_manager_add_source (manager, source);
  g_assert_null (gmcp_manager_get_server (manager, "a"));
  g_assert_null (load_config (manager));
  g_assert_true (runs (manager, "a", "x"));

  gmcp_manager_add_source (running, policy);
  g_assert_null (load_config (running));
  projects = gmcp_manager_list_projects (running);
  g_assert_cmpuint (projects->len, ==, 1);
  gmcp_manager_add_source (running, source);
  g_assert_true (runs (running, "a", "x"));
  g_assert_no_errno (g_unlink (other));
}

static void
test_trust_two (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_strconcat (fixture->config, ".other.json", NULL);
  const char *paths[] = { fixture->config, other };
  GmcpConfigSource *sources[2];
  Outcome outcomes[2] = { { FALSE, NULL } };

  g_test_summary ("what two programs trust at the same time is both kept");
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      write_text (paths[i], "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
      sources[i] = make_source (paths[i], TRUE, FALSE);
      g_assert_null (load_source (sources[i]));
    }
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    gmcp_file_config_source_set_trusted_async (GMCP_FILE_CONFIG_SOURCE (sources[i]), TRUE, NULL,
                                               on_trusted, &outcomes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      manager_fixture_wait_until (outcomes[i].done);
      g_assert_no_error (outcomes[i].error);
      g_clear_object (&sources[i]);
    }

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GmcpConfigSource) again = make_source (paths[i], TRUE, FALSE);

      g_assert_null (load_source (again));
      g_assert_true (gmcp_server_config_is_enabled (peek_server (again, 0)));
      set_trusted (again, FALSE);
    }
  g_assert_no_errno (g_unlink (other));
}

static void
assert_finding (GPtrArray *findings, GmcpNoticeLevel severity, const char *end)
{
  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      if (g_str_has_suffix (text, end) && gmcp_config_finding_get_severity (finding) == severity)
        return;
      g_test_message ("%s", text);
    }
  g_test_message ("missing: %s", end);
  g_test_fail ();
}

static void
test_validate (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *first = g_build_filename (dir, "first.json", NULL);
  g_autofree char *second = g_build_filename (dir, "second.toml", NULL);
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GmcpConfigSource) first_source = make_source (first, FALSE, FALSE);
  g_autoptr (GmcpConfigSource) second_source = make_source (second, FALSE, FALSE);
  g_autoptr (GPtrArray) findings = NULL;

  write_text (
    first, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}},\n"
           "\"tools\":{\"t\":{\n\"mcp_tools\":{\n\"required\":[\"a\",\"gone\"],"
           "\"optional\":[\"github\"]},\n\"role_restrictions\":{\n"
           "\"r\":{\"allowed_tools\":[\"a.x\",\"bash\",\"github.y\",\"nowhere.z\",\"*.w\"]}}}},\n"
           "\"projects\":{\"p\":{\"servers\":[\"a\",\"missing\"]}}}");
  write_text (second, "[mcp_servers.b]\ncommand = 'x'\n[mcp_servers.A]\ncommand = 'y'\n");
  gmcp_manager_add_source (manager, first_source);
  gmcp_manager_add_source (manager, second_source);
  g_assert_null (load_config (manager));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (manager)), ==, 2);

  findings = gmcp_manager_list_findings (manager);
  assert_finding (findings, GMCP_NOTICE_LEVEL_WARNING,
                  "first.json:4: tools.t.mcp_tools.required: References unknown MCP server: gone");
  assert_finding (
    findings, GMCP_NOTICE_LEVEL_ERROR,
    "first.json:6: tools.t.role_restrictions.r: References unknown MCP server: nowhere");
  assert_finding (findings, GMCP_NOTICE_LEVEL_WARNING,
                  "first.json:7: projects.p: References unknown MCP server: missing");
  assert_finding (
    findings, GMCP_NOTICE_LEVEL_WARNING,
    "second.toml:3: mcp_servers.A: this server does not count: one of that id stands in a place "
    "that comes first");
  g_assert_cmpuint (findings->len, ==, 4);

  g_unlink (first);
  g_unlink (second);
  g_rmdir (dir);
}

static void
test_validate_refused (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "mcp.json", NULL);
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GmcpConfigSource) source = make_source (path, FALSE, FALSE);
  g_autoptr (GPtrArray) findings = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what a file refers to is looked at also where another part of it is wrong");
  write_text (path, "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"b\":{\"command\":3}},\n"
                    "\"tools\":{\"t\":{\"mcp_tools\":{\"required\":[\"a\",\"gone\"]},\n"
                    "\"role_restrictions\":{\"r\":{\"allowed_tools\":[\"a.x\",\"nowhere.z\"]}}}},\n"
                    "\"projects\":{\"p\":{\"servers\":[\"b\"],\"resources\":[\"gibberish\"]}}}");
  gmcp_manager_add_source (manager, source);
  error = load_config (manager);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  findings = gmcp_manager_list_findings (manager);
  assert_finding (findings, GMCP_NOTICE_LEVEL_ERROR, "mcpServers.b.command: expected a string");
  assert_finding (findings, GMCP_NOTICE_LEVEL_WARNING, "References unknown MCP server: gone");
  assert_finding (findings, GMCP_NOTICE_LEVEL_ERROR, "References unknown MCP server: nowhere");
  assert_finding (findings, GMCP_NOTICE_LEVEL_ERROR, "write its URI, or SERVER URI");
  g_assert_cmpuint (findings->len, ==, 4);

  g_unlink (path);
  g_rmdir (dir);
}

#ifdef HAVE_YAML
static void
test_samples (void)
{
  static const char *const names[] = { "mcp_servers.yaml", "tools.yaml" };
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GPtrArray) findings = NULL;
  g_autofree char *logs
    = g_test_build_filename (G_TEST_DIST, "data", "config", "logs", "mcp_servers", NULL);
  GmcpEffectiveSettings *settings = gmcp_manager_get_settings (manager);
  const GmcpSetting interval = (GmcpSetting) GMCP_MANAGER_LIMIT_HEALTH_INTERVAL_MS;
  guint interval_ms = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "config", names[i], NULL);
      g_autoptr (GmcpConfigSource) source = make_source (path, FALSE, FALSE);

      gmcp_manager_add_source (manager, source);
    }

  g_assert_null (load_config (manager));
  findings = gmcp_manager_list_findings (manager);
  g_assert_cmpuint (findings->len, ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (manager)), ==, 3);
  g_object_get (manager, "health-interval-ms", &interval_ms, NULL);
  g_assert_cmpuint (interval_ms, ==, 30000);
  g_assert_cmpint (gmcp_effective_settings_get_layer (settings, interval), ==,
                   GMCP_SETTING_LAYER_FILE);
  g_assert_cmpstr (g_file_peek_path (gmcp_manager_get_log_directory (manager)), ==, logs);

  g_test_message ("what the program sets holds over a file");
  g_object_set (manager, "health-interval-ms", 60000, NULL);
  g_object_get (manager, "health-interval-ms", &interval_ms, NULL);
  g_assert_cmpuint (interval_ms, ==, 60000);
}
#endif

static void
test_default_places (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *project = g_build_filename (dir, ".mcp.json", NULL);
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();

  write_text (project, "{\"mcpServers\":{\"p\":{\"command\":\"x\",\"args\":[\"{workspace}\"]}}}");
  gmcp_manager_add_default_sources (manager);
  g_assert_null (load_config (manager));
  g_assert_null (gmcp_manager_get_server (manager, "p"));

  set_file (manager, "workspace", dir);
  manager_fixture_wait_until (advises (manager, "gmcp config trust"));
  g_assert_null (gmcp_manager_get_server (manager, "p"));
  set_file (manager, "workspace", NULL);
  g_assert_false (advises (manager, "gmcp config trust"));

  g_unlink (project);
  g_rmdir (dir);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/config-places/" path, ManagerFixture, NULL, manager_fixture_set_up, func,  \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_autofree char *state = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *store = g_build_filename (state, "gmcp", "trusted-files.json", NULL);
  g_autofree char *lock = g_strconcat (store, ".lock", NULL);
  g_autofree char *folder = g_build_filename (state, "gmcp", NULL);
  int status;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("start", test_start);
  ADD ("filter", test_filter);
  ADD ("input", test_input);
  ADD ("health", test_health);
  ADD ("bad-places", test_bad_places);
  ADD ("left-out", test_left_out);
  ADD ("strict", test_strict);
  ADD ("overtaken", test_overtaken);
  ADD ("watch", test_watch);
  ADD ("watch/links", test_watch_links);
  ADD ("trust", test_trust);
  ADD ("trust/none", test_untrusted);
  ADD ("trust/two", test_trust_two);
  ADD ("trust/names", test_trust_names);
  ADD ("trust/elsewhere", test_trust_elsewhere);
  ADD ("approval", test_approval);
  ADD ("loaded-before", test_loaded_before);
  g_test_add_func ("/manager/config-places/validate", test_validate);
  g_test_add_func ("/manager/config-places/validate/refused", test_validate_refused);
#ifdef HAVE_YAML
  g_test_add_func ("/manager/config-places/samples", test_samples);
#endif
  g_test_add_func ("/manager/config-places/default", test_default_places);
  status = g_test_run ();
  g_unlink (store);
  g_unlink (lock);
  g_rmdir (folder);
  g_rmdir (state);
  return status;
}
