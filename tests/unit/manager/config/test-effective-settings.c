/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <glib/gstdio.h>

#include "gmcp-effective-settings-private.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/core/gmcp-enums.h>

#include "unit-test.h"

#define INTERVAL ((GmcpSetting) GMCP_MANAGER_LIMIT_HEALTH_INTERVAL_MS)

/* Settings whose changes are counted, beside GSettings in a key file whose locks are in the same folder. */
typedef struct
{
  GmcpEffectiveSettings *effective;
  guint n_rounds; /* how often it was told of changes */
  guint n_told[GMCP_N_SETTINGS];
  GPtrArray *files; /* of GmcpConfigSettings */
  GPtrArray *projects;
  char *folder;
  GSettings *settings;
} Fixture;

static void
on_changed (const GmcpSetting *changed, guint n_changed, gpointer data)
{
  Fixture *fixture = data;

  g_assert_cmpuint (n_changed, >, 0);
  fixture->n_rounds++;
  for (guint i = 0; i < n_changed; i++)
    fixture->n_told[changed[i]]++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->effective = gmcp_effective_settings_new (on_changed, fixture);
  fixture->files = g_ptr_array_new ();
  fixture->projects = g_ptr_array_new ();
  fixture->folder = g_dir_make_tmp ("gmcp-effective-XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "keyfile", "locks" };

  gmcp_effective_settings_free (fixture->effective);
  g_ptr_array_unref (fixture->files);
  g_ptr_array_unref (fixture->projects);
  if (fixture->settings != NULL)
    g_assert_finalize_object (fixture->settings);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, names[i], NULL);

      g_unlink (path);
    }
  g_assert_no_errno (g_rmdir (fixture->folder));
  g_free (fixture->folder);
}

static void
open_settings (Fixture *fixture, const char *values, const char *locks)
{
  g_autofree char *path = g_build_filename (fixture->folder, "keyfile", NULL);
  g_autofree char *locks_path = g_build_filename (fixture->folder, "locks", NULL);
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_manager_schema (NULL);
  g_autoptr (GSettingsBackend) plain = NULL;
  g_autoptr (GSettingsBackend) backend = NULL;

  g_assert_true (g_file_set_contents (path, values, -1, NULL));
  g_assert_true (g_file_set_contents (locks_path, locks, -1, NULL));
  plain = g_keyfile_settings_backend_new (path, "/", NULL);
  backend = g_object_new (G_OBJECT_TYPE (plain), "filename", path, "root-path", "/", "defaults-dir",
                          fixture->folder, NULL);
  fixture->settings = g_settings_new_full (schema, backend, NULL);
}

static void
take_files (Fixture *fixture)
{
  gmcp_effective_settings_take_files (fixture->effective, fixture->files, fixture->projects);
}

static void
say_interval (GmcpConfigSettings *settings, guint interval_ms)
{
  settings->has_limit[INTERVAL] = TRUE;
  settings->limits[INTERVAL] = interval_ms;
}

static void
set_interval (Fixture *fixture, guint interval_ms)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_UINT);
  g_value_set_uint (&value, interval_ms);
  gmcp_effective_settings_set_value (fixture->effective, INTERVAL, &value);
}

static void
assert_interval (Fixture *fixture, guint interval_ms, GmcpSettingLayer layer)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_UINT);
  gmcp_effective_settings_get_value (fixture->effective, INTERVAL, &value);
  g_assert_cmpuint (g_value_get_uint (&value), ==, interval_ms);
  g_assert_cmpuint (
    gmcp_effective_settings_peek_limits (fixture->effective)->servers.health_interval_ms, ==,
    interval_ms);
  g_assert_cmpint (gmcp_effective_settings_get_layer (fixture->effective, INTERVAL), ==, layer);
}

static void
test_built_in (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) rules
    = gmcp_effective_settings_dup_texts (fixture->effective, GMCP_SETTING_ASK_FIRST);

  g_test_summary ("each has a value from the start, which nobody has set");
  for (guint i = 0; i < GMCP_N_SETTINGS; i++)
    {
      g_assert_nonnull (gmcp_setting_get_name (i));
      g_assert_cmpint (gmcp_effective_settings_get_layer (fixture->effective, i), ==,
                       GMCP_SETTING_LAYER_BUILT_IN);
    }
  g_assert_true (gmcp_effective_settings_get_boolean (fixture->effective, GMCP_SETTING_AUDIT));
  g_assert_cmpint (
    gmcp_effective_settings_get_enum (fixture->effective, GMCP_SETTING_TOOL_NAME_STYLE), ==,
    GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_assert_cmpint (gmcp_effective_settings_get_enum (fixture->effective, GMCP_SETTING_PIN_POLICY),
                   ==, GMCP_PIN_POLICY_NOTICE);
  g_assert_null (gmcp_effective_settings_get_text (fixture->effective, GMCP_SETTING_LOG_DIRECTORY));
  g_assert_cmpuint (g_strv_length (rules), ==, 0);
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  GmcpConfigSettings file = { 0 };
  GmcpConfigSettings later = { 0 };
  GmcpConfigSettings project = { 0 };

  g_test_summary (
    "the program over a file of the user's, over what the user has set, over a project's "
    "file, over the default; and back again");
  say_interval (&file, 20000);
  say_interval (&later, 21000);
  say_interval (&project, 22000);
  open_settings (fixture, "[org/gmcp]\naudit=false\n", "");
  assert_interval (fixture, 30000, GMCP_SETTING_LAYER_BUILT_IN);
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, FALSE);
  assert_interval (fixture, 30000, GMCP_SETTING_LAYER_SYSTEM);
  g_assert_cmpint (gmcp_effective_settings_get_layer (fixture->effective, GMCP_SETTING_AUDIT), ==,
                   GMCP_SETTING_LAYER_USER_SETTINGS);
  g_assert_false (gmcp_effective_settings_get_boolean (fixture->effective, GMCP_SETTING_AUDIT));
  g_ptr_array_add (fixture->projects, &project);
  take_files (fixture);
  assert_interval (fixture, 22000, GMCP_SETTING_LAYER_PROJECT);
  g_assert_true (g_settings_set_uint (fixture->settings, "health-interval-ms", 77000));
  assert_interval (fixture, 77000, GMCP_SETTING_LAYER_USER_SETTINGS);
  g_ptr_array_add (fixture->files, &file);
  g_ptr_array_add (fixture->files, &later);
  take_files (fixture);
  assert_interval (fixture, 20000, GMCP_SETTING_LAYER_FILE);
  set_interval (fixture, 15000);
  assert_interval (fixture, 15000, GMCP_SETTING_LAYER_PROGRAM);
  /* What is below does not show. */
  g_ptr_array_set_size (fixture->files, 0);
  take_files (fixture);
  g_settings_reset (fixture->settings, "health-interval-ms");
  assert_interval (fixture, 15000, GMCP_SETTING_LAYER_PROGRAM);
  g_assert_cmpuint (fixture->n_told[INTERVAL], ==, 4);
}

static void
test_back (Fixture *fixture, gconstpointer data)
{
  GmcpConfigSettings file = { 0 };

  g_test_summary ("what goes from a file, or from the settings, leaves what is below it");
  say_interval (&file, 20000);
  open_settings (fixture, "[org/gmcp]\nhealth-interval-ms=uint32 77000\n", "");
  g_ptr_array_add (fixture->files, &file);
  take_files (fixture);
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, FALSE);
  assert_interval (fixture, 20000, GMCP_SETTING_LAYER_FILE);
  g_ptr_array_set_size (fixture->files, 0);
  take_files (fixture);
  assert_interval (fixture, 77000, GMCP_SETTING_LAYER_USER_SETTINGS);
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, TRUE);
  assert_interval (fixture, 30000, GMCP_SETTING_LAYER_BUILT_IN);
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, FALSE);
  assert_interval (fixture, 77000, GMCP_SETTING_LAYER_USER_SETTINGS);
  gmcp_effective_settings_follow (fixture->effective, NULL, FALSE);
  assert_interval (fixture, 30000, GMCP_SETTING_LAYER_BUILT_IN);
}

static void
test_ask_destructive (Fixture *fixture, gconstpointer data)
{
  GmcpConfigSettings file = { .has_ask_destructive = TRUE, .ask_destructive = FALSE };
  GmcpConfigSettings project = { .has_ask_destructive = TRUE, .ask_destructive = TRUE };
  const GmcpSetting setting = GMCP_SETTING_ASK_DESTRUCTIVE;

  g_test_summary (
    "a file can have destructive tools asked about, and a project's gives way to the user's");
  g_ptr_array_add (fixture->projects, &project);
  take_files (fixture);
  g_assert_true (gmcp_effective_settings_get_boolean (fixture->effective, setting));
  g_assert_cmpint (gmcp_effective_settings_get_layer (fixture->effective, setting), ==,
                   GMCP_SETTING_LAYER_PROJECT);
  g_ptr_array_add (fixture->files, &file);
  take_files (fixture);
  g_assert_false (gmcp_effective_settings_get_boolean (fixture->effective, setting));
  g_assert_cmpint (gmcp_effective_settings_get_layer (fixture->effective, setting), ==,
                   GMCP_SETTING_LAYER_FILE);
  g_ptr_array_set_size (fixture->files, 0);
  g_ptr_array_set_size (fixture->projects, 0);
  take_files (fixture);
  g_assert_cmpint (gmcp_effective_settings_get_layer (fixture->effective, setting), ==,
                   GMCP_SETTING_LAYER_BUILT_IN);
}

static void
test_pin_policy (Fixture *fixture, gconstpointer data)
{
  GmcpConfigSettings file = { .has_pin_policy = TRUE, .pin_policy = GMCP_PIN_POLICY_OFF };
  GmcpConfigSettings project = { .has_pin_policy = TRUE, .pin_policy = GMCP_PIN_POLICY_OFF };
  const GmcpSetting setting = GMCP_SETTING_PIN_POLICY;

  g_test_summary ("a project's file can have tools withheld, and cannot turn the comparison off");
  g_ptr_array_add (fixture->projects, &project);
  take_files (fixture);
  g_assert_cmpint (gmcp_effective_settings_get_enum (fixture->effective, setting), ==,
                   GMCP_PIN_POLICY_NOTICE);
  project.pin_policy = GMCP_PIN_POLICY_WITHHOLD;
  take_files (fixture);
  g_assert_cmpint (gmcp_effective_settings_get_enum (fixture->effective, setting), ==,
                   GMCP_PIN_POLICY_WITHHOLD);
  g_ptr_array_add (fixture->files, &file);
  take_files (fixture);
  g_assert_cmpint (gmcp_effective_settings_get_enum (fixture->effective, setting), ==,
                   GMCP_PIN_POLICY_OFF);
  g_ptr_array_set_size (fixture->files, 0);
  g_ptr_array_set_size (fixture->projects, 0);
  take_files (fixture);
}

static void
test_locked (Fixture *fixture, gconstpointer data)
{
  gboolean only_locked = GPOINTER_TO_INT (data);
  GmcpConfigSettings file = { 0 };

  g_test_summary ("what is locked holds over all, also over what the program sets");
  say_interval (&file, 20000);
  open_settings (
    fixture, "[org/gmcp]\nhealth-interval-ms=uint32 77000\naudit=true\naudit-hash-arguments=true\n",
    "/org/gmcp/health-interval-ms\n/org/gmcp/audit\n/org/gmcp/log-directory\n");
  set_interval (fixture, 15000);
  g_ptr_array_add (fixture->files, &file);
  take_files (fixture);
  gmcp_effective_settings_set_text (fixture->effective, GMCP_SETTING_LOG_DIRECTORY, "/tmp/mine");
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, only_locked);
  assert_interval (fixture, 77000, GMCP_SETTING_LAYER_LOCK);
  set_interval (fixture, 16000);
  assert_interval (fixture, 77000, GMCP_SETTING_LAYER_LOCK);
  gmcp_effective_settings_set_boolean (fixture->effective, GMCP_SETTING_AUDIT, FALSE);
  g_assert_true (gmcp_effective_settings_get_boolean (fixture->effective, GMCP_SETTING_AUDIT));
  /* That it is nowhere in particular is locked, too. */
  g_assert_null (gmcp_effective_settings_get_text (fixture->effective, GMCP_SETTING_LOG_DIRECTORY));
  g_assert_cmpint (
    gmcp_effective_settings_get_boolean (fixture->effective, GMCP_SETTING_AUDIT_HASH_ARGUMENTS), ==,
    !only_locked);
  gmcp_effective_settings_follow (fixture->effective, NULL, FALSE);
  assert_interval (fixture, 16000, GMCP_SETTING_LAYER_PROGRAM);
}

static const char *
get_logs (Fixture *fixture)
{
  return gmcp_effective_settings_get_text (fixture->effective, GMCP_SETTING_LOG_DIRECTORY);
}

static void
test_log_directory (Fixture *fixture, gconstpointer data)
{
  char usual[] = "/usual";
  char said[] = "/said";
  GmcpConfigSettings file = { .default_log_directory = usual };

  g_test_summary ("where a file's form has the logs comes after what anybody says");
  open_settings (fixture, "[org/gmcp]\n", "");
  g_ptr_array_add (fixture->files, &file);
  take_files (fixture);
  g_assert_cmpstr (get_logs (fixture), ==, "/usual");
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, FALSE);
  g_assert_cmpstr (get_logs (fixture), ==, "/usual");
  g_settings_set_string (fixture->settings, "log-directory", "{workspace}/logs");
  g_assert_cmpstr (get_logs (fixture), ==, "/usual");
  gmcp_effective_settings_set_workspace (fixture->effective, "/work");
  g_assert_cmpstr (get_logs (fixture), ==, "/work/logs");
  gmcp_effective_settings_set_workspace (fixture->effective, "/other");
  g_assert_cmpstr (get_logs (fixture), ==, "/other/logs");
  file.log_directory = said;
  take_files (fixture);
  g_assert_cmpstr (get_logs (fixture), ==, "/said");
  gmcp_effective_settings_set_text (fixture->effective, GMCP_SETTING_LOG_DIRECTORY, "/mine");
  g_assert_cmpstr (get_logs (fixture), ==, "/mine");
  /* An empty text of the program's says nothing, as none does. */
  gmcp_effective_settings_set_text (fixture->effective, GMCP_SETTING_LOG_DIRECTORY, "");
  g_assert_cmpstr (get_logs (fixture), ==, "/said");
}

static void
test_types (Fixture *fixture, gconstpointer data)
{
  static const char *const none[] = { NULL };
  g_auto (GStrv) rules = NULL;
  g_auto (GStrv) own = NULL;

  g_test_summary ("words, lists and names of a choice are read from the settings");
  open_settings (fixture,
                 "[org/gmcp]\nask-first=['${workspaceFolderBasename}.*', 'b.c']\n"
                 "pin-policy='withhold'\ntool-name-style='bare'\n",
                 "");
  gmcp_effective_settings_set_workspace (fixture->effective, "/work/web");
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, FALSE);
  rules = gmcp_effective_settings_dup_texts (fixture->effective, GMCP_SETTING_ASK_FIRST);
  g_assert_cmpstr (rules[0], ==, "web.*");
  g_assert_cmpstr (rules[1], ==, "b.c");
  g_assert_null (rules[2]);
  g_assert_cmpint (gmcp_effective_settings_get_enum (fixture->effective, GMCP_SETTING_PIN_POLICY),
                   ==, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_cmpint (
    gmcp_effective_settings_get_enum (fixture->effective, GMCP_SETTING_TOOL_NAME_STYLE), ==,
    GMCP_TOOL_NAME_STYLE_BARE);
  /* Four keys in one round. */
  g_assert_cmpuint (fixture->n_rounds, ==, 1);

  gmcp_effective_settings_set_texts (fixture->effective, GMCP_SETTING_ASK_FIRST, none);
  own = gmcp_effective_settings_dup_texts (fixture->effective, GMCP_SETTING_ASK_FIRST);
  g_assert_null (own[0]);
  gmcp_effective_settings_set_texts (fixture->effective, GMCP_SETTING_ASK_FIRST, NULL);
  g_assert_cmpint (gmcp_effective_settings_get_layer (fixture->effective, GMCP_SETTING_ASK_FIRST),
                   ==, GMCP_SETTING_LAYER_USER_SETTINGS);
}

static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what cannot be read says nothing");
  open_settings (fixture, "[org/gmcp]\nhealth-interval-ms='often'\ntool-name-style='odd'\n", "");
  gmcp_effective_settings_follow (fixture->effective, fixture->settings, FALSE);
  assert_interval (fixture, 30000, GMCP_SETTING_LAYER_SYSTEM);
  g_assert_cmpint (
    gmcp_effective_settings_get_enum (fixture->effective, GMCP_SETTING_TOOL_NAME_STYLE), ==,
    GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_assert_cmpuint (fixture->n_rounds, ==, 0);
}

static void
test_told_once (Fixture *fixture, gconstpointer data)
{
  GmcpConfigSettings file = { 0 };

  g_test_summary ("what changes together is told of once, and what does not change is not");
  say_interval (&file, 20000);
  file.has_limit[GMCP_MANAGER_LIMIT_MAX_CALLS] = TRUE;
  file.limits[GMCP_MANAGER_LIMIT_MAX_CALLS] = 3;
  g_ptr_array_add (fixture->files, &file);
  take_files (fixture);
  take_files (fixture);
  set_interval (fixture, 20000);
  g_assert_cmpuint (fixture->n_rounds, ==, 1);
  g_assert_cmpuint (fixture->n_told[INTERVAL], ==, 1);
  g_assert_cmpuint (fixture->n_told[GMCP_MANAGER_LIMIT_MAX_CALLS], ==, 1);
  gmcp_effective_settings_close (fixture->effective);
  set_interval (fixture, 11000);
  g_assert_cmpuint (fixture->n_rounds, ==, 1);
  assert_interval (fixture, 11000, GMCP_SETTING_LAYER_PROGRAM);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, func, data)                                                                      \
  g_test_add ("/manager/effective-settings/" path, Fixture, data, set_up, func, tear_down)
  ADD ("built-in", test_built_in, NULL);
  ADD ("order", test_order, NULL);
  ADD ("back", test_back, NULL);
  ADD ("ask-destructive", test_ask_destructive, NULL);
  ADD ("pin-policy", test_pin_policy, NULL);
  ADD ("locked", test_locked, GINT_TO_POINTER (FALSE));
  ADD ("locked-only", test_locked, GINT_TO_POINTER (TRUE));
  ADD ("log-directory", test_log_directory, NULL);
  ADD ("types", test_types, NULL);
  ADD ("unreadable", test_unreadable, NULL);
  ADD ("told-once", test_told_once, NULL);
  return g_test_run ();
}
