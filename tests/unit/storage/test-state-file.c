/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-config-trust-private.h"
#include "gmcp-limits.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

/* Files of what was decided: what cannot be read is neither taken for nothing nor made. */

static void
on_ready (GObject *object, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

/* As many bytes as data says. */
static GBytes *
write_bytes (GBytes *present, gpointer data, GError **error)
{
  return g_bytes_new_take (g_malloc0 (GPOINTER_TO_SIZE (data)), GPOINTER_TO_SIZE (data));
}

static gboolean
change (const char *path, gsize n_bytes, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_state_file_change_async (path, write_bytes, GSIZE_TO_POINTER (n_bytes), NULL, NULL, on_ready,
                                &result);
  return gmcp_state_file_change_finish (wait_for (&result), error);
}

static void
test_large (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "state.json", NULL);
  g_autofree char *lock = g_strconcat (path, ".lock", NULL);
  g_autoptr (GError) error = NULL;
  GStatBuf info;

  g_test_summary ("what could not be read again is not written, and what is there stays");
  g_assert_true (change (path, 7, &error));
  g_assert_no_error (error);
  g_assert_false (change (path, GMCP_LIMIT_STATE_FILE_BYTES + 1, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_assert_no_errno (g_stat (path, &info));
  g_assert_cmpint (info.st_size, ==, 7);

  g_assert_true (change (path, GMCP_LIMIT_STATE_FILE_BYTES, &error));
  g_assert_no_error (error);
  g_assert_true (change (path, 7, &error));
  g_assert_no_error (error);
  g_unlink (lock);
  g_unlink (path);
  g_rmdir (dir);
}

static gboolean
is_trusted (GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GHashTable) approved = NULL;

  gmcp_config_trust_check_async ("/a/project/.mcp.json", "hash", NULL, on_ready, &result);
  return gmcp_config_trust_check_finish (wait_for (&result), &approved, error);
}

static gboolean
trust (GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_config_trust_store_async ("/a/project/.mcp.json", NULL, "hash", NULL, on_ready, &result);
  return gmcp_config_trust_store_finish (wait_for (&result), error);
}

static void
test_trust (void)
{
  static const char *const broken[] = { "", "{\"files\":", "[1]" };
  g_autofree char *store = gmcp_config_trust_dup_store ();
  g_autofree char *dir = g_path_get_dirname (store);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a store that cannot be read trusts nothing, says so, and is not written over");
  g_assert_no_errno (g_mkdir_with_parents (dir, 0700));
  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autofree char *text = NULL;

      g_assert_true (g_file_set_contents (store, broken[i], -1, NULL));
      g_assert_false (is_trusted (&error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, store));
      g_assert_nonnull (strstr (error->message, "gmcp config trust"));
      g_clear_error (&error);
      g_assert_false (trust (&error));
      g_assert_nonnull (strstr (error->message, store));
      g_assert_nonnull (strstr (error->message, "mend the file or remove it"));
      g_clear_error (&error);
      g_assert_true (g_file_get_contents (store, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, broken[i]);
    }

  g_assert_no_errno (g_unlink (store));
  g_assert_true (trust (&error));
  g_assert_no_error (error);
  g_assert_true (is_trusted (&error));
  g_assert_no_error (error);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add_func ("/state-file/large", test_large);
  g_test_add_func ("/state-file/trust", test_trust);

  return g_test_run ();
}
