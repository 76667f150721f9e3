/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "set-file.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <glib/gstdio.h>
#include <string.h>

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* A manager over one file, and settings in a key file where a test wants them. */
typedef struct
{
  char *folder;
  char *path;
  GmcpConfigSource *file;
  GmcpManager *manager;
  GPtrArray *notices; /* of char * */
} Fixture;

static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           gpointer data)
{
  g_ptr_array_add (
    ((Fixture *) data)->notices,
    g_strdup_printf ("%d %s %s", (int) level, server_id != NULL ? server_id : "-", message));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = NULL;

  fixture->folder = g_dir_make_tmp ("gmcp-shown-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "mcp.json", NULL);
  fixture->notices = g_ptr_array_new_with_free_func (g_free);
  fixture->manager = gmcp_manager_new ();
  g_signal_connect (fixture->manager, "notice", G_CALLBACK (on_notice), fixture);
  file = g_file_new_for_path (fixture->path);
  fixture->file = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "delay-ms", 1,
                                "project", data != NULL, NULL);
}

/* The file may be being read just now, since it was changed. */
static void
wait_for_end (gpointer object)
{
  g_object_add_weak_pointer (object, &object);
  g_object_unref (object);
  while (object != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  wait_for_end (fixture->manager);
  wait_for_end (fixture->file);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_ptr_array_unref (fixture->notices);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static void
write_servers (Fixture *fixture, const char *servers)
{
  g_autofree char *text = g_strconcat ("{\"mcpServers\":{\n", servers, "}}", NULL);

  g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
load (Fixture *fixture)
{
  gboolean done = FALSE;

  gmcp_manager_load_config_async (fixture->manager, NULL, on_loaded, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static void
load_servers (Fixture *fixture, const char *servers)
{
  write_servers (fixture, servers);
  gmcp_manager_add_source (fixture->manager, fixture->file);
  load (fixture);
}

static GmcpServerConfig *
get_config (Fixture *fixture, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->manager, id);

  g_assert_nonnull (server);
  return gmcp_managed_server_get_config (server);
}

static guint
count_findings (Fixture *fixture, GmcpNoticeLevel severity, const char *part)
{
  g_autoptr (GPtrArray) findings = gmcp_manager_list_findings (fixture->manager);
  guint n_found = 0;

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      g_test_message ("%s", text);
      if (gmcp_config_finding_get_severity (finding) == severity && strstr (text, part) != NULL)
        n_found++;
    }
  return n_found;
}

#define assert_error_found(fixture, part)                                                          \
  g_assert_cmpuint (count_findings (fixture, GMCP_NOTICE_LEVEL_ERROR, part), ==, 1)

static void
test_fields (Fixture *fixture, gconstpointer data)
{
  GmcpServerConfig *config;
  g_autoptr (GmcpManagedServer) named = NULL;
  g_autoptr (GmcpServerConfig) raw = NULL;

  g_test_summary ("what is shown has its variables filled in, though nothing is started");
  load_servers (fixture,
                "\"web\":{\"command\":\"x\",\"title\":\"The ${GMCP_A} ${GMCP_UNSET:-server}\","
                "\"package\":\"@${GMCP_A}/x\",\"instructions\":\"Use $${GMCP_A}, ${GMCP_LOOP}\","
                "\"allowedTools\":[\"read\",\"${GMCP_A}_*\"],\"deniedTools\":[\"${env:GMCP_A}\"],"
                "\"start\":\"${GMCP_UNSET:-manual}\",\"type\":\"${GMCP_UNSET:-stdio}\"},"
                "\"plain\":{\"command\":\"x\",\"title\":\"$ {GMCP_A} $GMCP_A\"},"
                "\"a${GMCP_A}\":{\"command\":\"x\"}");
  config = get_config (fixture, "web");
  g_assert_cmpstr (
    gmcp_managed_server_get_title (gmcp_manager_get_server (fixture->manager, "web")), ==,
    "The one server");
  g_assert_cmpstr (gmcp_server_config_get_package (config), ==, "@one/x");
  g_assert_cmpstr (gmcp_server_config_get_instructions (config), ==, "Use ${GMCP_A}, ${GMCP_LOOP}");
  g_assert_cmpstr (gmcp_server_config_get_allowed_tools (config)[1], ==, "one_*");
  g_assert_cmpstr (gmcp_server_config_get_denied_tools (config)[0], ==, "one");
  g_assert_cmpint (gmcp_server_config_get_start (config), ==, GMCP_SERVER_START_MANUAL);
  g_assert_cmpstr (gmcp_server_config_get_title (get_config (fixture, "plain")), ==,
                   "$ {GMCP_A} $GMCP_A");
  /* What an entry is called is no text of it. */
  named = g_list_model_get_item (G_LIST_MODEL (fixture->manager), 2);
  g_assert_cmpstr (gmcp_managed_server_get_title (named), ==, "a${GMCP_A}");
  g_assert_cmpuint (fixture->notices->len, ==, 0);

  /* What is written elsewhere is the text. */
  raw = g_list_model_get_item (gmcp_config_source_get_servers (fixture->file), 0);
  g_assert_cmpstr (gmcp_server_config_get_package (raw), ==, "@${GMCP_A}/x");
}

static void
test_bad (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *entry;
    const char *finding;
  } cases[] = {
    { "\"title\":\"${GMCP_UNSET}\"", "mcp.json:3: mcpServers.b.title: the variable GMCP_UNSET" },
    { "\n\n\"package\":\"x${GMCP_UNSET}\"",
      "mcp.json:5: mcpServers.b.package: the variable GMCP_UNSET" },
    { "\"instructions\":\"${env:GMCP_UNSET}\"", "mcpServers.b.instructions: the variable" },
    { "\"allowed_tools\":[\"a\",\n\"${GMCP_UNSET}\"]",
      "mcp.json:4: mcpServers.b.allowed_tools[1]: the variable" },
    { "\"disabledTools\":[\"${GMCP_UNSET}\"]", "mcpServers.b.disabledTools[0]: the variable" },
    { "\"title\":\"${secret:key}\"", "title: “${secret:key}” cannot stand here, where it would" },
    { "\"package\":\"${secret:key}\"", "package: “${secret:key}” cannot stand here" },
    { "\"instructions\":\"${secret:key:-x}\"", "instructions: “${secret:key}” cannot stand here" },
    { "\"allowedTools\":[\"${secret:key}\"]", "allowedTools[0]: “${secret:key}” cannot stand" },
    { "\"deniedTools\":[\"${input:key}\"]", "deniedTools[0]: “${input:key}” cannot stand here" },
    { "\"title\":\"${config:x}\"", "title: “${config:x}” is not known" },
    { "\"title\":\"${GMCP_A\"", "title: a “${” has no “}”" },
    { "\"title\":\"${}\"", "title: “${}” is not known" },
    { "\"title\":\"${workspaceFolder}\"", "title: there is no workspace" },
    { "\"title\":\"{workspace}\"", "title: there is no workspace" },
    { "\"title\":\"${GMCP_LATIN}\"", "title: the value of GMCP_LATIN is no UTF-8" },
  };

  g_test_summary ("a text that cannot be filled in leaves out that server, and says where it is");
  gmcp_manager_add_source (fixture->manager, fixture->file);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *servers = g_strdup_printf (
        "\"a\":{\"command\":\"x\"},\n\"b\":{\"command\":\"x\",%s}", cases[i].entry);

      g_ptr_array_set_size (fixture->notices, 0);
      write_servers (fixture, servers);
      load (fixture);
      g_assert_nonnull (gmcp_manager_get_server (fixture->manager, "a"));
      g_assert_null (gmcp_manager_get_server (fixture->manager, "b"));
      assert_error_found (fixture, cases[i].finding);
      assert_error_found (fixture, "Until then this server is left out");
      g_assert_cmpuint (fixture->notices->len, ==, 1);
      g_assert_nonnull (strstr (g_ptr_array_index (fixture->notices, 0), cases[i].finding));
      g_assert_nonnull (strstr (g_ptr_array_index (fixture->notices, 0), " b "));

      /* The next one is not taken for a change of one that was well. */
      write_servers (fixture, "\"a\":{\"command\":\"x\"}");
      load (fixture);
      g_assert_cmpuint (count_findings (fixture, GMCP_NOTICE_LEVEL_ERROR, ""), ==, 0);
    }
}

static void
test_bad_words (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[] = { "\"start\"", "\"type\"", "\"sandbox\"", "\"healthMethod\"" };

  g_test_summary ("a word that decides how an entry is read is filled in when it is read");
  gmcp_manager_add_source (fixture->manager, fixture->file);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *json
        = g_strdup_printf ("{\"command\":\"x\",%s:\"${GMCP_UNSET}\"}", cases[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_server_config_new_from_json ("b", json, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, "GMCP_UNSET"));
    }
}

static void
test_change (Fixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;

  g_test_summary ("what was well before holds until what is wrong is mended");
  load_servers (fixture, "\"a\":{\"command\":\"x\",\"title\":\"${GMCP_A}\"}");
  server = gmcp_manager_get_server (fixture->manager, "a");
  g_assert_cmpstr (gmcp_managed_server_get_title (server), ==, "one");

  write_servers (fixture, "\"a\":{\"command\":\"y\",\"title\":\"${GMCP_UNSET}\"}");
  load (fixture);
  g_assert_true (gmcp_manager_get_server (fixture->manager, "a") == server);
  g_assert_cmpstr (gmcp_managed_server_get_title (server), ==, "one");
  assert_error_found (fixture, "title: the variable GMCP_UNSET");
  assert_error_found (fixture, "Until then what held before for this server holds");
  g_assert_cmpuint (fixture->notices->len, ==, 1);

  /* The same is told once. */
  load (fixture);
  g_assert_cmpuint (fixture->notices->len, ==, 1);

  write_servers (fixture, "\"a\":{\"command\":\"y\",\"title\":\"two\"}");
  load (fixture);
  g_assert_true (gmcp_manager_get_server (fixture->manager, "a") == server);
  g_assert_cmpstr (gmcp_managed_server_get_title (server), ==, "two");
  g_assert_cmpuint (count_findings (fixture, GMCP_NOTICE_LEVEL_ERROR, ""), ==, 0);

  /* What is off may be half done. */
  write_servers (fixture,
                 "\"a\":{\"command\":\"y\",\"title\":\"${GMCP_UNSET}\",\"enabled\":false}");
  load (fixture);
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_DISABLED);
  g_assert_cmpuint (count_findings (fixture, GMCP_NOTICE_LEVEL_WARNING, "title: the variable"), ==,
                    1);
}

static void
test_workspace (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("another workspace is filled in at once");
  set_file (fixture->manager, "workspace", "/work");
  load_servers (fixture, "\"a\":{\"command\":\"x\",\"title\":\"{workspace} one\"}");
  g_assert_cmpstr (gmcp_server_config_get_title (get_config (fixture, "a")), ==, "/work one");
  set_file (fixture->manager, "workspace", "/play");
  g_assert_cmpstr (gmcp_server_config_get_title (get_config (fixture, "a")), ==, "/play one");
}

static void
test_project (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a file that is not trusted does not make the environment show");
  load_servers (fixture, "\"a\":{\"command\":\"x\",\"title\":\"${GMCP_A}${GMCP_UNSET}\"}");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager)), ==, 0);
  g_assert_cmpuint (count_findings (fixture, GMCP_NOTICE_LEVEL_ERROR, ""), ==, 0);
}

static GmcpRole *
get_role (Fixture *fixture, const char *name)
{
  g_autoptr (GPtrArray) roles = gmcp_manager_list_roles (fixture->manager);

  for (guint i = 0; i < roles->len; i++)
    {
      if (g_str_equal (gmcp_role_get_name (g_ptr_array_index (roles, i)), name))
        return g_ptr_array_index (roles, i);
    }
  g_assert_not_reached ();
}

static void
test_rules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) projects = NULL;
  GmcpProject *project;
  GmcpRole *role;

  g_test_summary ("rules, tiers and projects of a file are filled in, and checked as that");
  set_file (fixture->manager, "workspace", "/work");
  load_servers (
    fixture, "\"one\":{\"command\":\"x\"}},\n"
             "\"tools\":{\"t\":{\"mcp_tools\":{\"required\":[\"${GMCP_A}\",\"${GMCP_OTHER}\"]}}},\n"
             "\"roles\":{\"good\":{\"allowed_tools\":[\"${GMCP_A}.read\"],"
             "\"denied_tools\":[\"${GMCP_A}.write\"]},\n"
             "\"bad\":{\"allowed_tools\":[\"${GMCP_A}.read\"],"
             "\"denied_tools\":[\"${GMCP_UNSET}.write\"]}},\n"
             "\"projects\":{\"p\":{\"servers\":[\"${GMCP_A}\"],"
             "\"resources\":[\"file://{workspace}/a\",\"${secret:x}\"]}");
  role = get_role (fixture, "good");
  g_assert_cmpstr (gmcp_role_get_allowed_tools (role)[0], ==, "one.read");
  g_assert_cmpstr (gmcp_role_get_denied_tools (role)[0], ==, "one.write");
  g_assert_true (gmcp_role_validate (role, NULL));

  /* What was to be denied is not known, so nothing is allowed. */
  role = get_role (fixture, "bad");
  g_assert_false (gmcp_role_validate (role, NULL));

  projects = gmcp_manager_list_projects (fixture->manager);
  g_assert_cmpuint (projects->len, ==, 1);
  project = g_ptr_array_index (projects, 0);
  g_assert_true (gmcp_project_has_server (project, "one"));
  g_assert_cmpstr (gmcp_project_get_resources (project)[0], ==, "file:///work/a");

  assert_error_found (fixture, "mcp.json:5: roles.bad: the variable GMCP_UNSET is not set");
  assert_error_found (fixture, "projects.p: “${secret:x}” cannot stand here");
  g_assert_cmpuint (count_findings (fixture, GMCP_NOTICE_LEVEL_ERROR, ""), ==, 2);
  g_assert_cmpuint (
    count_findings (fixture, GMCP_NOTICE_LEVEL_WARNING, "References unknown MCP server: ${GMCP_A}"),
    ==, 1);
}

static void
add_settings (Fixture *fixture, const char *values)
{
  g_autofree char *path = g_build_filename (fixture->folder, "keyfile", NULL);
  g_autoptr (GSettingsBackend) backend = NULL;
  g_autoptr (GmcpConfigSource) source = NULL;

  g_assert_true (g_file_set_contents (path, values, -1, NULL));
  backend = g_keyfile_settings_backend_new (path, "/", NULL);
  source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", backend, NULL);
  gmcp_manager_add_source (fixture->manager, source);
}

static void
test_settings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) projects = NULL;
  g_autofree char *title = NULL;
  g_autofree char *instructions = NULL;

  g_test_summary ("texts of the settings are filled in as those of files are");
  set_file (fixture->manager, "workspace", "/work");
  add_settings (
    fixture,
    "[org/gmcp]\nservers=['a','b']\nroles=['r']\nrequirements=['h']\nprojects=['p']\n"
    "ask-first=['${GMCP_A}.*']\nlog-directory='/logs/${GMCP_A}'\n"
    "[org/gmcp/servers/a]\nenabled=true\ncommand=['x']\ntitle='${GMCP_A}'\n"
    "allowed-tools=['${GMCP_A}']\n"
    "[org/gmcp/servers/b]\nenabled=true\ncommand=['x']\ndenied-tools=['${secret:k}']\n"
    "[org/gmcp/roles/r]\nallowed-tools=['${GMCP_A}.x','*']\nask-first=['${GMCP_UNSET}.y']\n"
    "[org/gmcp/requirements/h]\nrequired=['${GMCP_A}']\n"
    "[org/gmcp/projects/p]\ntitle='Of ${GMCP_A}'\ninstructions='${secret:k}'\n"
    "servers=['${GMCP_UNSET:-a}']\n");
  load (fixture);
  g_assert_cmpstr (gmcp_server_config_get_title (get_config (fixture, "a")), ==, "one");
  g_assert_cmpstr (gmcp_server_config_get_allowed_tools (get_config (fixture, "a"))[0], ==, "one");
  g_assert_null (gmcp_manager_get_server (fixture->manager, "b"));
  assert_error_found (fixture, "/org/gmcp/servers/b/denied-tools: “${secret:k}” cannot stand here");

  g_assert_cmpstr (gmcp_role_get_allowed_tools (get_role (fixture, "r"))[0], ==, "one.x");
  g_assert_false (gmcp_role_validate (get_role (fixture, "r"), NULL));
  assert_error_found (fixture, "/org/gmcp/roles/r/ask-first: the variable GMCP_UNSET");
  g_assert_cmpstr (gmcp_manager_get_ask_first (fixture->manager)[0], ==, "one.*");
  g_assert_cmpstr (g_file_peek_path (gmcp_manager_get_log_directory (fixture->manager)), ==,
                   "/logs/one");

  projects = gmcp_manager_list_projects (fixture->manager);
  g_assert_cmpuint (projects->len, ==, 1);
  g_object_get (g_ptr_array_index (projects, 0), "title", &title, "instructions", &instructions,
                NULL);
  g_assert_cmpstr (title, ==, "Of one");
  g_assert_true (gmcp_project_has_server (g_ptr_array_index (projects, 0), "a"));
  assert_error_found (fixture, "/org/gmcp/projects/p/instructions: “${secret:k}” cannot stand");
  g_assert_cmpuint (count_findings (fixture, GMCP_NOTICE_LEVEL_WARNING,
                                    "required: References unknown MCP server: one"),
                    ==, 1);
}

static void
test_bad_settings (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a rule that cannot be filled in is none, and a folder is the default");
  add_settings (fixture, "[org/gmcp]\nask-first=['${GMCP_UNSET}.*']\n"
                         "log-directory='${GMCP_UNSET}/logs'\n");
  load (fixture);
  g_assert_cmpstr (gmcp_manager_get_ask_first (fixture->manager)[0], ==, "${GMCP_UNSET}.*");
  g_assert_null (gmcp_manager_get_log_directory (fixture->manager));
  assert_error_found (fixture, "/org/gmcp/ask-first: the variable GMCP_UNSET");
  assert_error_found (fixture, "/org/gmcp/log-directory: the variable GMCP_UNSET");
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/display-context/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_setenv ("GMCP_A", "one", TRUE);
  g_setenv ("GMCP_OTHER", "${GMCP_A}", TRUE);
  g_setenv ("GMCP_LOOP", "${GMCP_LOOP}", TRUE);
  g_setenv ("GMCP_LATIN", "\xe9", TRUE);
  g_unsetenv ("GMCP_UNSET");
  g_test_init (&argc, &argv, NULL);
  ADD ("fields", test_fields);
  ADD ("bad", test_bad);
  ADD ("bad-words", test_bad_words);
  ADD ("change", test_change);
  ADD ("workspace", test_workspace);
  g_test_add ("/manager/display-context/project", Fixture, "project", set_up, test_project,
              tear_down);
  ADD ("rules", test_rules);
  ADD ("settings", test_settings);
  ADD ("settings/bad", test_bad_settings);
  return g_test_run ();
}
