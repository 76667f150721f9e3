/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/file/gmcp-file-config-source.h>

#include "unit-test.h"

typedef struct
{
  char *dir;
  char *path;
  GmcpConfigSource *source;
  guint n_changes;
} Fixture;

typedef struct
{
  gboolean done;
  GError *error;
} Outcome;

static void
on_changed (GListModel *list, guint position, guint removed, guint added, gpointer data)
{
  ((Fixture *) data)->n_changes++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = NULL;

  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->dir, "mcp.json", NULL);
  file = g_file_new_for_path (fixture->path);
  fixture->source = GMCP_CONFIG_SOURCE (gmcp_file_config_source_new (file));
  g_signal_connect (gmcp_config_source_get_servers (fixture->source), "items-changed",
                    G_CALLBACK (on_changed), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->source);
  g_unlink (fixture->path);
  g_rmdir (fixture->dir);
  g_free (fixture->path);
  g_free (fixture->dir);
}

static void
write_file (Fixture *fixture, const char *text, gssize length)
{
  g_assert_true (g_file_set_contents (fixture->path, text, length, NULL));
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  outcome->done = TRUE;
  gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &outcome->error);
}

static GError *
load (Fixture *fixture, GCancellable *cancellable)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_config_source_load_async (fixture->source, cancellable, on_loaded, &outcome);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  return outcome.error;
}

static GmcpServerConfig *
get_server (Fixture *fixture, guint position)
{
  GListModel *list = gmcp_config_source_get_servers (fixture->source);
  g_autoptr (GmcpServerConfig) config = g_list_model_get_item (list, position);

  return config;
}

static void
test_read (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GListModel *list = gmcp_config_source_get_servers (fixture->source);
  g_autofree char *below = g_build_filename (fixture->dir, "sub", NULL);

  write_file (fixture,
              "\xef\xbb\xbf{\"mcpServers\":{"
              "\"My Tasks\":{\"command\":\"gmcp-tasks\",\"cwd\":\"sub\",\"vendor\":{}},"
              "\"web\":{\"url\":\"https://example.org\",\"disabled\":true}},"
              "\"projects\":{}}\n",
              -1);

  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 0);
  error = load (fixture, NULL);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 2);
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  g_assert_cmpstr (gmcp_server_config_get_id (get_server (fixture, 0)), ==, "my-tasks");
  g_assert_cmpstr (gmcp_server_config_get_title (get_server (fixture, 0)), ==, "My Tasks");
  g_test_message ("a folder that is no full path is taken from the file's");
  g_assert_cmpstr (gmcp_server_config_get_cwd (get_server (fixture, 0)), ==, below);
  g_assert_false (gmcp_server_config_is_enabled (get_server (fixture, 1)));
}

static void
test_read_again (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) first = NULL;

  write_file (fixture, "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"y\"}}}",
              -1);
  g_assert_null (load (fixture, NULL));
  first = g_object_ref (get_server (fixture, 0));

  g_assert_null (load (fixture, NULL));
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  g_assert_true (get_server (fixture, 0) == first);

  write_file (fixture, "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"z\"}}}",
              -1);
  g_assert_null (load (fixture, NULL));
  g_assert_cmpuint (fixture->n_changes, ==, 2);
  g_assert_true (get_server (fixture, 0) == first);
  g_assert_cmpstr (gmcp_server_config_get_argv (get_server (fixture, 1))[0], ==, "z");

  g_test_message ("a file that is wrong now leaves what was read before");
  write_file (fixture, "{\"mcpServers\":{\"a\":{\"comm", -1);
  error = load (fixture, NULL);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_cmpuint (fixture->n_changes, ==, 2);
  g_assert_true (get_server (fixture, 0) == first);
}

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *names;
  } cases[] = {
    { "", "mcp.json" },
    { "[]", "mcpServers" },
    { "{}", "mcpServers" },
    { "{\"mcpServers\":7}", "mcpServers" },
    { "{\"mcpServers\":null}", "mcpServers" },
    { "{\"mcpServers\":{\"a\":{}}", "mcp.json" },
    { "{\"mcpServers\":{\"a\":[]}}", "mcpServers.a: expected an object" },
    { "{\"mcpServers\":{\"ok\":{\"command\":\"x\"},\"Bad One\":{\"args\":[]}}}",
      "mcpServers.Bad One.command" },
    { "{\"mcpServers\":{\"My Server\":{\"command\":\"x\"},\"my-server\":{\"command\":\"y\"}}}",
      "“My Server” and “my-server”" },
    { "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"a\":{\"command\":\"y\"}}}", "“a” and “a”" },
    { "{\"mcpServers\":{\"a\":{\"command\":\"\xff\"}}}", "mcp.json" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      write_file (fixture, cases[i].text, -1);
      error = load (fixture, NULL);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, fixture->path));
      g_assert_nonnull (strstr (error->message, cases[i].names));
      g_assert_cmpuint (fixture->n_changes, ==, 0);
    }
}

static void
test_no_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) missing = load (fixture, NULL);
  g_autoptr (GError) folder = NULL;

  g_assert_error (missing, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (missing->message, fixture->path));

  g_assert_no_errno (g_mkdir (fixture->path, 0700));
  folder = load (fixture, NULL);
  g_assert_error (folder, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_rmdir (fixture->path);
}

static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strnfill (GMCP_LIMIT_CONFIG_FILE_BYTES + 1, ' ');
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) deep = NULL;
  g_autoptr (GString) many = g_string_new ("{\"mcpServers\":{");
  g_autoptr (GError) too_many = NULL;

  write_file (fixture, text, GMCP_LIMIT_CONFIG_FILE_BYTES + 1);
  error = load (fixture, NULL);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);

  memset (text, '[', 200 * 1024);
  write_file (fixture, text, 200 * 1024);
  deep = load (fixture, NULL);
  g_assert_error (deep, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);

  for (guint i = 0; i <= GMCP_LIMIT_SERVERS; i++)
    g_string_append_printf (many, "%s\"s%u\":{\"command\":\"x\"}", i > 0 ? "," : "", i);
  g_string_append (many, "}}");
  write_file (fixture, many->str, -1);
  too_many = load (fixture, NULL);
  g_assert_error (too_many, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
}

static void
test_endless (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/dev/zero");
  Fixture fixture = { .source = GMCP_CONFIG_SOURCE (gmcp_file_config_source_new (file)) };
  g_autoptr (GError) error = load (&fixture, NULL);

  g_test_summary ("a file without an end is read up to the limit only");
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_finalize_object (fixture.source);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) before = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  write_file (fixture, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}", -1);
  g_cancellable_cancel (before);
  error = load (fixture, before);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
}

static void
test_cancel_later (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Outcome outcome = { FALSE, NULL };

  write_file (fixture, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}", -1);
  gmcp_config_source_load_async (fixture->source, cancellable, on_loaded, &outcome);
  g_cancellable_cancel (cancellable);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_error_free (outcome.error);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/file-config/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("read", test_read);
  ADD ("read-again", test_read_again);
  ADD ("bad-files", test_bad_files);
  ADD ("no-file", test_no_file);
  ADD ("too-large", test_too_large);
  g_test_add_func ("/manager/file-config/endless", test_endless);
  ADD ("cancel", test_cancel);
  ADD ("cancel-later", test_cancel_later);
  return g_test_run ();
}
