/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-limits.h"
#include "watched-file.h"

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/manager/gmcp-manager.h>

#include "unit-test.h"

/* A configuration file that is read while it is being saved. */

#define FIRST  "[mcp_servers.a]\ncommand = \"x\"\n"
#define SECOND "[mcp_servers.b]\ncommand = \"y\"\n"
#define YAML   "mcp_servers:\n  a:\n    command: x\n"

typedef struct
{
  char *dir;
  char *path;
  GmcpConfigSource *source;
  GListModel *servers;
  GListModel *findings;
} Fixture;

static void
write_file (Fixture *fixture, const char *text)
{
  g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = NULL;

  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->dir, data, NULL);
  file = g_file_new_for_path (fixture->path);
  fixture->source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "delay-ms", 20, NULL);
  fixture->servers = gmcp_config_source_get_servers (fixture->source);
  fixture->findings = gmcp_config_source_get_findings (fixture->source);
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
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
load (Fixture *fixture)
{
  gboolean done = FALSE;

  gmcp_config_source_load_async (fixture->source, NULL, on_loaded, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  wait_until_watched (fixture->path);
}

static void
wait_for_servers (Fixture *fixture, guint n_servers)
{
  while (g_list_model_get_n_items (fixture->servers) != n_servers)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_finding (Fixture *fixture, const char *part, GmcpNoticeLevel severity)
{
  for (;;)
    {
      for (guint i = 0; i < g_list_model_get_n_items (fixture->findings); i++)
        {
          g_autoptr (GmcpConfigFinding) finding = g_list_model_get_item (fixture->findings, i);
          g_autofree char *text = gmcp_config_finding_dup_text (finding);

          if (strstr (text, part) == NULL)
            continue;
          g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==, severity);
          g_assert_true (g_str_has_prefix (text, fixture->path));
          g_assert_null (strstr (text + 1, fixture->path));
          return;
        }
      g_main_context_iteration (NULL, TRUE);
    }
}

static gboolean
on_time_over (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
write_part (int fd, const char *part)
{
  g_assert_cmpint (write (fd, part, strlen (part)), ==, (gssize) strlen (part));
}

/* Whether it was still one writing to whoever watches: after two seconds of silence nobody can tell a file
 * that is held open from one that is done. */
static gboolean
save_slowly (Fixture *fixture)
{
  gint64 begun_us = g_get_monotonic_time ();
  int fd = g_open (fixture->path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  gboolean over = FALSE;
  guint n_servers;
  gint64 taken_us;

  g_assert_cmpint (fd, >=, 0);
  write_part (fd, FIRST);
  g_timeout_add (200, on_time_over, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
  n_servers = g_list_model_get_n_items (fixture->servers);
  taken_us = g_get_monotonic_time () - begun_us;
  write_part (fd, SECOND "title = \"saved\"\n");
  g_close (fd, NULL);
  if (taken_us > G_USEC_PER_SEC)
    return FALSE;

  g_assert_cmpuint (n_servers, ==, 2);
  return TRUE;
}

static gboolean
is_saved (Fixture *fixture)
{
  g_autoptr (GmcpServerConfig) config = g_list_model_get_item (fixture->servers, 1);

  return config != NULL && g_str_equal (gmcp_server_config_get_title (config), "saved");
}

static void
test_held_open (Fixture *fixture, gconstpointer data)
{
  gboolean done = FALSE;

  g_test_summary ("a file counts when whoever writes to it has closed it");
  write_file (fixture, FIRST SECOND);
  load (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->servers), ==, 2);
  while (!done)
    {
      done = save_slowly (fixture);
      while (!is_saved (fixture))
        g_main_context_iteration (NULL, TRUE);
      write_file (fixture, FIRST SECOND);
      while (is_saved (fixture))
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
truncate_file (Fixture *fixture)
{
  int fd = g_open (fixture->path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  const char *text = g_str_has_suffix (fixture->path, ".toml") ? FIRST : YAML;

  g_test_summary (
    "a file without a byte is one that is being written; a comment takes all out of it");
  write_file (fixture, text);
  load (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->servers), ==, 1);
  truncate_file (fixture);
  wait_for_finding (fixture, ": the file is empty", GMCP_NOTICE_LEVEL_ERROR);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->servers), ==, 1);

  write_file (fixture, "# none\n");
  wait_for_servers (fixture, 0);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->findings), ==, 0);

  g_test_message ("one that said nothing may say less");
  truncate_file (fixture);
  write_file (fixture, text);
  wait_for_servers (fixture, 1);
  g_unlink (fixture->path);
  wait_for_finding (fixture, ": the file is not there any more", GMCP_NOTICE_LEVEL_WARNING);
  wait_for_servers (fixture, 0);
}

static void
test_empty_at_first (Fixture *fixture, gconstpointer data)
{
  write_file (fixture, "");
  load (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->servers), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->findings), ==, 0);
}

static void
on_notice (GmcpManager *manager,
           const char *server,
           GmcpNoticeLevel level,
           const char *message,
           gpointer data)
{
  if (strstr (message, "larger than a configuration may be") == NULL)
    return;
  g_assert_cmpint (level, ==, GMCP_NOTICE_LEVEL_ERROR);
  *(gboolean *) data = TRUE;
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
test_too_large (Fixture *fixture, gconstpointer data)
{
  GmcpManager *manager = gmcp_manager_new ();
  g_autofree char *text = g_strnfill (GMCP_LIMIT_CONFIG_FILE_BYTES + 1, ' ');
  gboolean done = FALSE;
  gboolean told = FALSE;

  g_test_summary ("one that is too large is told of as any other that cannot be used");
  write_file (fixture, FIRST);
  gmcp_manager_add_source (manager, fixture->source);
  g_signal_connect (manager, "notice", G_CALLBACK (on_notice), &told);
  gmcp_manager_load_config_async (manager, NULL, on_config_loaded, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);

  write_file (fixture, text);
  while (!told)
    g_main_context_iteration (NULL, TRUE);
  wait_for_finding (fixture, ": larger than a configuration may be", GMCP_NOTICE_LEVEL_ERROR);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (manager)), ==, 1);
  g_assert_finalize_object (manager);
}

#define ADD(path, name, func)                                                                      \
  g_test_add ("/manager/file-saving/" path, Fixture, name, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("held-open", "servers.toml", test_held_open);
  ADD ("empty/toml", "servers.toml", test_empty);
#ifdef HAVE_YAML
  ADD ("empty/yaml", "servers.yaml", test_empty);
#endif
  ADD ("empty/at-first", "servers.toml", test_empty_at_first);
  ADD ("too-large", "servers.toml", test_too_large);
  return g_test_run ();
}
