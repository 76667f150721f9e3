/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "gmcp-log-registry-private.h"
#include "gmcp-backoff-private.h"
#include "gmcp-config-entry-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-settings-schema-private.h"
#include "manager-fixture.h"
#include "set-file.h"
#include "unit-test.h"

/* The numbers that a manager goes by: where they come from, and what each of them changes. */

static guint
get (GmcpManager *manager, GmcpManagerLimit limit)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (manager), gmcp_manager_limit_get_info (limit)->name, &value);
  return G_VALUE_HOLDS_UINT64 (&value) ? (guint) g_value_get_uint64 (&value)
                                       : g_value_get_uint (&value);
}

static const char *
find_unit (const char *name)
{
  static const struct
  {
    const char *suffix;
    const char *unit;
  } units[] = {
    { "-ms", "millisecond" }, { "-bytes", "byte" }, { "-percent", "percent" }, { "-mib", "MiB" }
  };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      if (g_str_has_suffix (name, units[i].suffix))
        return units[i].unit;
    }
  return "";
}

/* 1000 as 1,000. */
static char *
group (guint number)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%u", number);
  for (gssize i = (gssize) text->len - 3; i > 0; i -= 3)
    g_string_insert_c (text, i, ',');
  return g_string_free (text, FALSE);
}

/* Those of the schema are smaller where 0 stands for something else. */
static void
assert_described (GSettingsSchemaKey *key, guint low, guint high)
{
  const char *name = g_settings_schema_key_get_name (key);
  const char *description = g_settings_schema_key_get_description (key);
  g_autofree char *from = group (low);
  g_autofree char *to = group (high);
  g_autofree char *range = g_strdup_printf ("From %s to %s", from, to);

  g_test_message ("%s: %s", name, description);
  g_assert_nonnull (g_settings_schema_key_get_summary (key));
  g_assert_nonnull (description);
  g_assert_nonnull (strstr (description, range));
  g_assert_nonnull (strstr (description, find_unit (name)));
}

static void
get_range (GSettingsSchemaKey *key, guint *low, guint *high)
{
  g_autoptr (GVariant) range = g_settings_schema_key_get_range (key);
  g_autoptr (GVariant) values = NULL;
  const char *kind = NULL;

  g_variant_get (range, "(&sv)", &kind, &values);
  g_assert_cmpstr (kind, ==, "range");
  g_variant_get (values, "(uu)", low, high);
}

static void
assert_pspec (GParamSpec *pspec, const GmcpManagerLimitInfo *info)
{
  if (g_str_has_suffix (info->name, "-bytes"))
    {
      g_assert_true (G_IS_PARAM_SPEC_UINT64 (pspec));
      g_assert_cmpuint (G_PARAM_SPEC_UINT64 (pspec)->default_value, ==, info->value);
      g_assert_cmpuint (G_PARAM_SPEC_UINT64 (pspec)->minimum, <=, info->low);
      g_assert_cmpuint (G_PARAM_SPEC_UINT64 (pspec)->maximum, >=, info->high);
      g_assert_cmpuint (G_PARAM_SPEC_UINT64 (pspec)->maximum, <=, G_MAXUINT);
      return;
    }

  g_assert_true (G_IS_PARAM_SPEC_UINT (pspec));
  g_assert_cmpuint (G_PARAM_SPEC_UINT (pspec)->default_value, ==, info->value);
  g_assert_cmpuint (G_PARAM_SPEC_UINT (pspec)->minimum, <=, info->low);
  g_assert_cmpuint (G_PARAM_SPEC_UINT (pspec)->maximum, >=, info->high);
}

static void
test_table (void)
{
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_manager_schema (&error);

  g_test_summary (
    "each limit is a property, and those that people set are keys, with one default and one range");
  g_assert_no_error (error);
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (manager), info->name);
      g_autoptr (GSettingsSchemaKey) key = NULL;
      g_autoptr (GVariant) value = NULL;
      guint low, high;

      g_assert_cmpuint (get (manager, i), ==, info->value);
      assert_pspec (pspec, info);
      g_assert_true (g_settings_schema_has_key (schema, info->name) == info->in_settings);
      if (!info->in_settings)
        continue;

      key = g_settings_schema_get_key (schema, info->name);
      value = g_settings_schema_key_get_default_value (key);
      get_range (key, &low, &high);
      g_assert_cmpuint (info->value, ==, g_variant_get_uint32 (value));
      g_assert_cmpuint (low, ==, info->low);
      g_assert_cmpuint (high, ==, info->high);
      assert_described (key, low, high);
    }
}

static gboolean
is_limit (const char *name)
{
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      if (g_str_equal (gmcp_manager_limit_get_info (i)->name, name))
        return TRUE;
    }
  return FALSE;
}

static void
test_all (void)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_MANAGER);
  guint n_properties = 0;
  g_autofree GParamSpec **pspecs
    = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n_properties);
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_manager_schema (NULL);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);

  g_test_summary ("there is no number that is none of the limits");
  for (guint i = 0; i < n_properties; i++)
    g_assert_true (!G_IS_PARAM_SPEC_UINT (pspecs[i]) || is_limit (pspecs[i]->name));
  for (gsize i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);

      g_assert_true (
        !g_variant_type_equal (g_settings_schema_key_get_value_type (key), G_VARIANT_TYPE_UINT32)
        || is_limit (keys[i]));
    }
}

static void
test_server_keys (void)
{
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_server_schema (NULL);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);
  guint n_numbers = 0;

  for (gsize i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);
      guint low, high, run_low, run_high;

      if (!g_variant_type_equal (g_settings_schema_key_get_value_type (key), G_VARIANT_TYPE_UINT32))
        continue;
      get_range (key, &low, &high);
      assert_described (key, low, high);
      if (gmcp_config_entry_get_range (keys[i], &run_low, &run_high))
        {
          g_assert_cmpuint (low, ==, run_low);
          g_assert_cmpuint (high, ==, run_high);
        }
      n_numbers++;
    }
  g_assert_cmpuint (n_numbers, ==, 3);
  g_assert_cmpuint (g_strv_length (keys), ==, 24);
}

/* Loading. */

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
load_config (GmcpManager *manager)
{
  gboolean done = FALSE;

  gmcp_manager_load_config_async (manager, NULL, on_loaded, &done);
  manager_fixture_wait_until (done);
}

static void
count (gpointer data)
{
  ++*(guint *) data;
}

static void
test_settings (void)
{
  g_autoptr (GSettingsBackend) backend = g_memory_settings_backend_new ();
  g_autoptr (GmcpConfigSource) source
    = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", backend, NULL);
  GmcpManager *manager = gmcp_manager_new ();
  GSettings *settings;

  g_test_summary ("each that has a key follows it at once, and tells of it");
  gmcp_manager_add_source (manager, source);
  load_config (manager);
  settings = gmcp_settings_config_source_get_settings (GMCP_SETTINGS_CONFIG_SOURCE (source));
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);
      g_autofree char *signal = g_strconcat ("notify::", info->name, NULL);
      guint n_told = 0;

      if (!info->in_settings)
        continue;
      g_signal_connect_swapped (manager, signal, G_CALLBACK (count), &n_told);
      g_assert_true (g_settings_set_uint (settings, info->name, info->high));
      manager_fixture_wait_until (get (manager, i) == info->high);
      g_assert_true (g_settings_set_uint (settings, info->name, info->low));
      manager_fixture_wait_until (get (manager, i) == info->low);
      g_settings_reset (settings, info->name);
      manager_fixture_wait_until (get (manager, i) == info->value);
      g_assert_cmpuint (n_told, >=, 2);
      g_signal_handlers_disconnect_by_data (manager, &n_told);
    }
  g_assert_finalize_object (manager);
}

/* Files. */

typedef struct
{
  char *dir;
  char *path;
  GmcpManager *manager;
} Files;

static void
set_up_files (Files *files, gconstpointer data)
{
  files->dir = g_dir_make_tmp ("gmcp-limits-XXXXXX", NULL);
  files->path = g_build_filename (files->dir, "mcp.json", NULL);
  files->manager = gmcp_manager_new ();
}

static void
tear_down_files (Files *files, gconstpointer data)
{
  g_assert_finalize_object (files->manager);
  g_assert_cmpint (g_unlink (files->path), ==, 0);
  g_assert_cmpint (g_rmdir (files->dir), ==, 0);
  g_free (files->dir);
  g_free (files->path);
}

/* A file with one line a limit, the first of them in line 3. */
static void
write_file (Files *files, gboolean high, gdouble beyond)
{
  g_autoptr (GString) text = g_string_new ("{\"mcp_servers\": {},\n\"mcp_settings\": {");

  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);
      gdouble number = (high ? info->high : info->low) + beyond;
      char shown[G_ASCII_DTOSTR_BUF_SIZE];

      if (g_str_has_suffix (info->name, "-ms"))
        number /= 1000;
      g_string_append_printf (text, "%s\n\"%s\": %s", i > 0 ? "," : "", info->file_key,
                              g_ascii_dtostr (shown, sizeof shown, number));
    }
  g_string_append (text, "}}");
  g_assert_true (g_file_set_contents (files->path, text->str, -1, NULL));
}

static void
add_file (Files *files)
{
  g_autoptr (GFile) file = g_file_new_for_path (files->path);
  g_autoptr (GmcpConfigSource) source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file,
                                                      "delay-ms", 1, "optional", TRUE, NULL);

  gmcp_manager_add_source (files->manager, source);
  load_config (files->manager);
}

static void
test_files (Files *files, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;
  const guint last = GMCP_N_MANAGER_LIMITS - 1;

  g_test_summary (
    "each may stand in a file, a change counts, and what goes from there is as before");
  write_file (files, FALSE, 0);
  add_file (files);
  findings = gmcp_manager_list_findings (files->manager);
  g_assert_cmpuint (findings->len, ==, 0);
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    g_assert_cmpuint (get (files->manager, i), ==, gmcp_manager_limit_get_info (i)->low);

  write_file (files, TRUE, 0);
  manager_fixture_wait_until (get (files->manager, last)
                              == gmcp_manager_limit_get_info (last)->high);
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    g_assert_cmpuint (get (files->manager, i), ==, gmcp_manager_limit_get_info (i)->high);

  g_assert_true (g_file_set_contents (files->path, "{\"mcp_servers\": {}}", -1, NULL));
  manager_fixture_wait_until (get (files->manager, last)
                              == gmcp_manager_limit_get_info (last)->value);
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    g_assert_cmpuint (get (files->manager, i), ==, gmcp_manager_limit_get_info (i)->value);
}

static void
assert_finding (GPtrArray *findings, guint i, guint line)
{
  const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);
  GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
  g_autofree char *path = g_strconcat ("mcp_settings.", info->file_key, NULL);

  g_test_message ("%u %s: %s", gmcp_config_finding_get_line (finding),
                  gmcp_config_finding_get_key_path (finding),
                  gmcp_config_finding_get_message (finding));
  g_assert_cmpuint (gmcp_config_finding_get_line (finding), ==, line);
  g_assert_cmpstr (gmcp_config_finding_get_key_path (finding), ==, path);
  g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==, GMCP_NOTICE_LEVEL_ERROR);
  g_assert_nonnull (strstr (gmcp_config_finding_get_message (finding), "expected a"));
}

static void
test_bad_files (Files *files, gconstpointer data)
{
  gboolean high = GPOINTER_TO_INT (data);
  g_autoptr (GPtrArray) findings = NULL;

  g_test_summary ("a number out of its range is told of with its line, and the default holds");
  write_file (files, high, high ? 1 : -1);
  add_file (files);
  findings = gmcp_manager_list_findings (files->manager);
  g_assert_cmpuint (findings->len, ==, GMCP_N_MANAGER_LIMITS);
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      assert_finding (findings, i, 3 + i);
      g_assert_cmpuint (get (files->manager, i), ==, gmcp_manager_limit_get_info (i)->value);
    }
}

static void
test_odd_files (Files *files, gconstpointer data)
{
  static const char *const odd[]
    = { "\"many\"", "true", "[3]", "{}", "1.5", "-1", "1e400", "99999999999999999999" };

  g_test_summary ("what is no such number is told of");
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (GmcpManager) manager = gmcp_manager_new ();
      g_autofree char *text = g_strdup_printf (
        "{\"mcp_servers\": {},\n\"mcp_settings\": {\n\"max_calls\": %s}}", odd[i]);
      g_autoptr (GFile) file = g_file_new_for_path (files->path);
      g_autoptr (GmcpConfigSource) source
        = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "optional", TRUE, NULL);
      g_autoptr (GPtrArray) findings = NULL;

      g_assert_true (g_file_set_contents (files->path, text, -1, NULL));
      gmcp_manager_add_source (manager, source);
      load_config (manager);
      findings = gmcp_manager_list_findings (manager);
      g_assert_cmpuint (findings->len, ==, 1);
      g_assert_cmpstr (gmcp_config_finding_get_message (findings->pdata[0]), ==,
                       "expected a whole number from 1 to 65535");
      g_assert_cmpuint (gmcp_config_finding_get_line (findings->pdata[0]), ==, 3);
      g_assert_cmpuint (get (manager, GMCP_MANAGER_LIMIT_MAX_CALLS), ==, 16);
    }
}

static gboolean
starts (GmcpManager *manager)
{
  GmcpManagedServer *server = gmcp_manager_get_server (manager, "one");

  return server != NULL && gmcp_managed_server_get_auto_start (server);
}

static void
test_auto_start (Files *files, gconstpointer data)
{
  static const char *const says[] = { "{}", "{\"auto_start_default\":false}" };

  g_test_summary ("servers that do not say how they start go by the file, and else by the setting");
  for (gsize i = 0; i < G_N_ELEMENTS (says); i++)
    {
      g_autofree char *text
        = g_strdup_printf ("{\"mcp_servers\":{\"one\":{\"command\":\"x\"},\"two\":"
                           "{\"command\":\"x\",\"auto_start\":false}},\"mcp_settings\":%s}",
                           says[i]);
      GmcpManagedServer *two;

      g_assert_true (g_file_set_contents (files->path, text, -1, NULL));
      if (i == 0)
        add_file (files);
      else
        manager_fixture_wait_until (!starts (files->manager));
      two = gmcp_manager_get_server (files->manager, "two");
      g_assert_false (gmcp_managed_server_get_auto_start (two));
      g_assert_false (starts (files->manager));
      gmcp_manager_set_auto_start_default (files->manager, FALSE);
      gmcp_manager_set_auto_start_default (files->manager, TRUE);
      g_assert_true (starts (files->manager) == (i == 0));
      g_assert_false (gmcp_managed_server_get_auto_start (two));
    }
}

/* What they change. */

static void
test_backoff (void)
{
  const GmcpBackoffLimits limits = {
    .first_delay_ms = 100,
    .max_delay_ms = 250,
    .jitter_percent = 0,
    .reset_ms = 1000,
    .max_attempts = 10,
    .max_per_hour = 4,
  };
  static const guint expected[] = { 100, 200, 250, 250 };
  GmcpBackoffLimits shaky = limits;
  GmcpBackoff backoff = { 0 };
  guint delay_ms;

  g_test_summary ("delays as they are set, by chance and without it, and so many an hour");
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_true (gmcp_backoff_next (&backoff, &limits, 1, i / 4., &delay_ms));
      g_assert_cmpuint (delay_ms, ==, expected[i]);
    }
  g_assert_false (gmcp_backoff_next (&backoff, &limits, 1, 0, &delay_ms));

  shaky.jitter_percent = 100;
  shaky.max_per_hour = 7;
  gmcp_backoff_reset (&backoff);
  g_assert_true (gmcp_backoff_next (&backoff, &shaky, 2, 0, &delay_ms));
  g_assert_cmpuint (delay_ms, ==, 0);
  g_assert_true (gmcp_backoff_next (&backoff, &shaky, 2, 1, &delay_ms));
  g_assert_cmpuint (delay_ms, ==, 400);
  g_assert_true (gmcp_backoff_next (&backoff, &shaky, 2, 0.5, &delay_ms));
  g_assert_cmpuint (delay_ms, ==, 250);
  g_assert_false (gmcp_backoff_next (&backoff, &shaky, 2, 0.5, &delay_ms));
  gmcp_backoff_clear (&backoff);
}

static gboolean
is (GmcpManagedServer *server, GmcpServerState state)
{
  return gmcp_managed_server_get_state (server) == state;
}

static GmcpManagedServer *
load (ManagerFixture *fixture, const char *words)
{
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  return gmcp_manager_get_server (fixture->manager, "one");
}

static void
on_state (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  g_autoptr (GEnumClass) states = g_type_class_ref (GMCP_TYPE_SERVER_STATE);
  int state = (int) gmcp_managed_server_get_state (server);

  g_string_append_printf (data, " %s", g_enum_get_value (states, state)->value_nick);
}

static void
test_health_failures (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) states = g_string_new (NULL);
  GmcpManagedServer *server;

  g_test_summary ("one failed check is enough where it is set so, without a state in between");
  server = load (fixture, "--tools pid");
  g_signal_connect (server, "notify::state", G_CALLBACK (on_state), states);
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGSTOP));
  g_object_set (fixture->manager, "max-health-failures", 1, NULL);
  g_object_set (fixture->manager, "shutdown-timeout-ms", 50, NULL);
  g_object_set (fixture->manager, "health-timeout-ms", 30, NULL);
  g_object_set (fixture->manager, "health-interval-ms", 30, NULL);
  manager_fixture_wait_until (strstr (states->str, "backing-off") != NULL);
  g_assert_true (g_str_has_prefix (states->str, " unhealthy backing-off")
                 || g_str_has_prefix (states->str, " degraded unhealthy backing-off"));
  g_signal_handlers_disconnect_by_data (server, states);
}

static void
test_restarts_per_hour (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid");
  int before = gmcp_managed_server_get_pid (server);

  g_test_summary ("two restarts an hour, and no third one, however many attempts are left");
  g_object_set (fixture->manager, "max-restart-attempts", 100, NULL);
  g_object_set (fixture->manager, "max-restarts-per-hour", 2, NULL);
  g_assert_cmpint (gmcp_managed_server_get_pid (server), ==, before);
  while (!is (server, GMCP_SERVER_STATE_FAILED))
    {
      int pid = is (server, GMCP_SERVER_STATE_READY) ? gmcp_managed_server_get_pid (server) : 0;

      if (pid > 0)
        kill (pid, SIGKILL);
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);
  g_assert_cmpuint (gmcp_managed_server_get_restarts (server), ==, 2);
}

static void
test_failed_start_delay (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManagedServer *server = load (fixture, "--tools pid --once");

  g_test_summary ("a call starts a server that was given up once the time for that is over");
  g_object_set (fixture->manager, "max-restart-attempts", 1, NULL);
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_FAILED));
  g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "is not started for a call"));
  g_assert_no_errno (g_unlink (fixture->log));
  g_object_set (fixture->manager, "failed-start-delay-ms", 0, NULL);
  text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_nonnull (text);
}

static void
test_restart_wait (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GmcpManagedServer *server = load (fixture, "--tools pid");
  ManagerCall call;

  g_test_summary ("a call waits for a restart as long as it is set, and no longer");
  g_object_set (fixture->manager, "restart-jitter-percent", 0, NULL);
  g_object_set (fixture->manager, "restart-delay-ms", 59000, NULL);
  g_object_set (fixture->manager, "restart-wait-ms", 0, NULL);
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_BACKING_OFF));
  g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_true (manager_fixture_has_notice (fixture, "is restarted in 59.0 seconds"));
  g_object_set (fixture->manager, "restart-wait-ms", 60000, NULL);
  manager_call_begin (&call, fixture, "one__pid", NULL, NULL, NULL);
  g_assert_false (call.done);
  gmcp_managed_server_start_async (server, NULL, NULL, NULL);
  manager_call_wait (&call);
  g_assert_no_error (call.error);
  manager_call_clear (&call);
}

static void
test_calls (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) running = g_cancellable_new ();
  ManagerCall calls[4];

  g_test_summary ("calls at once and waiting, also where it changes while some wait");
  load (fixture, "--tools wait,pid");
  g_object_set (fixture->manager, "max-calls", 1, NULL);
  g_object_set (fixture->manager, "max-queued-calls", 1, NULL);
  manager_call_begin (&calls[0], fixture, "one__wait", "{}", NULL, running);
  manager_call_begin (&calls[1], fixture, "one__pid", "{}", NULL, NULL);
  manager_call_begin (&calls[2], fixture, "one__pid", "{}", NULL, NULL);
  manager_call_wait (&calls[2]);
  g_assert_error (calls[2].error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_false (calls[1].done);
  g_object_set (fixture->manager, "max-calls", 2, NULL);
  manager_call_wait (&calls[1]);
  g_assert_no_error (calls[1].error);
  g_assert_false (calls[0].done);
  manager_call_begin (&calls[3], fixture, "one__pid", "{}", NULL, NULL);
  manager_call_wait (&calls[3]);
  g_assert_no_error (calls[3].error);
  g_cancellable_cancel (running);
  manager_call_wait (&calls[0]);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_clear (&calls[i]);
}

static void
test_own (void)
{
  GmcpManager *manager = gmcp_manager_new ();
  GmcpResponseCache *cache = gmcp_manager_get_response_cache (manager);

  g_test_summary ("the cache and the results go by what is set");
  g_assert_cmpuint (gmcp_response_cache_get_max_bytes (cache), ==, 64 * 1024 * 1024);
  g_object_set (manager, "max-cache-bytes", G_GUINT64_CONSTANT (1000), NULL);
  g_object_set (manager, "list-ttl-ms", 5, NULL);
  g_object_set (manager, "resource-ttl-ms", 0, NULL);
  g_assert_cmpuint (gmcp_response_cache_get_max_bytes (cache), ==, 1000);
  g_assert_cmpuint (gmcp_response_cache_get_list_ttl_ms (cache), ==, 5);
  g_assert_cmpuint (gmcp_response_cache_get_resource_ttl_ms (cache), ==, 0);
  g_object_set (manager, "max-result-bytes", G_GUINT64_CONSTANT (77), NULL);
  g_assert_cmpuint (gmcp_auditor_get_book (gmcp_manager_get_auditor (manager))->max_result_bytes,
                    ==, 77);
  g_assert_finalize_object (manager);
}

static void
remove_logs (const char *dir)
{
  g_autoptr (GDir) open = g_dir_open (dir, 0, NULL);
  const char *name;

  while (open != NULL && (name = g_dir_read_name (open)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (dir), ==, 0);
}

static void
test_logs (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *dir = g_build_filename (fixture->dir, "logs", NULL);
  g_autofree char *first = g_build_filename (dir, "one.log", NULL);
  g_autofree char *second = g_build_filename (dir, "one.log.1", NULL);
  g_autofree char *third = g_build_filename (dir, "one.log.2", NULL);
  GmcpManagedServer *server;

  g_test_summary (
    "the size and the number of the files of a server's log, also of one that is open");
  set_file (fixture->manager, "log-directory", dir);
  server = load (fixture, "--tools pid");
  manager_fixture_wait_until (g_file_test (first, G_FILE_TEST_EXISTS));
  g_object_set (fixture->manager, "max-log-bytes", G_GUINT64_CONSTANT (10), NULL);
  while (!g_file_test (third, G_FILE_TEST_EXISTS))
    {
      gmcp_managed_server_write_log (server, GMCP_NOTICE_LEVEL_INFO, "a line");
      g_main_context_iteration (NULL, TRUE);
    }
  g_object_set (fixture->manager, "max-log-files", 2, NULL);
  while (g_file_test (third, G_FILE_TEST_EXISTS))
    {
      gmcp_managed_server_write_log (server, GMCP_NOTICE_LEVEL_INFO, "a line");
      g_main_context_iteration (NULL, TRUE);
    }
  manager_fixture_close (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->manager));
  gmcp_log_registry_write_at_exit ();
  g_assert_true (g_file_test (second, G_FILE_TEST_EXISTS));
  remove_logs (dir);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD_FILES(path, func, data)                                                                \
  g_test_add ("/manager/limits/files/" path, Files, data, set_up_files, func, tear_down_files)
#define ADD(path, func)                                                                            \
  g_test_add ("/manager/limits/" path, ManagerFixture, NULL, manager_fixture_set_up, func,         \
              manager_fixture_tear_down)

  g_test_add_func ("/manager/limits/table", test_table);
  g_test_add_func ("/manager/limits/all", test_all);
  g_test_add_func ("/manager/limits/server-keys", test_server_keys);
  g_test_add_func ("/manager/limits/settings", test_settings);
  ADD_FILES ("live", test_files, NULL);
  ADD_FILES ("low", test_bad_files, GINT_TO_POINTER (FALSE));
  ADD_FILES ("high", test_bad_files, GINT_TO_POINTER (TRUE));
  ADD_FILES ("odd", test_odd_files, NULL);
  ADD_FILES ("auto-start", test_auto_start, NULL);
  g_test_add_func ("/manager/limits/backoff", test_backoff);
  g_test_add_func ("/manager/limits/own", test_own);
  ADD ("health-failures", test_health_failures);
  ADD ("restarts-per-hour", test_restarts_per_hour);
  ADD ("failed-start-delay", test_failed_start_delay);
  ADD ("restart-wait", test_restart_wait);
  ADD ("calls", test_calls);
  ADD ("logs", test_logs);
  return g_test_run ();
}
