/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>

#include "gmcp-state-store-private.h"
#include "unit-test.h"

/* Files of state in a folder: what is kept here is known, what others change is taken. */

#define KEPT  "kept.txt"
#define LOOSE "loose.txt"

typedef struct
{
  GObject *owner;
  GmcpStateStore *store;
  char *dir;
  char *kept;
  char *loose;
  guint n_kept; /* how often each was taken */
  guint n_loose;
  GString *warnings;
  guint n_settled;
  gboolean is_loaded;
} Fixture;

static Fixture *
get_fixture (gpointer owner)
{
  return g_object_get_data (owner, "fixture");
}

static void
take_text (char **text, guint *count, GBytes *bytes)
{
  g_free (*text);
  *text
    = bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)) : NULL;
  (*count)++;
}

static gboolean
take_kept (gpointer owner, GBytes *bytes, GError **error)
{
  Fixture *fixture = get_fixture (owner);

  if (bytes != NULL && g_bytes_get_size (bytes) == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "nothing in it");
      return FALSE;
    }

  take_text (&fixture->kept, &fixture->n_kept, bytes);
  return TRUE;
}

static gboolean
take_loose (gpointer owner, GBytes *bytes, GError **error)
{
  Fixture *fixture = get_fixture (owner);

  take_text (&fixture->loose, &fixture->n_loose, bytes);
  return TRUE;
}

static const char *
describe_lost_kept (gpointer owner)
{
  return get_fixture (owner)->kept != NULL ? "what was known holds" : "nothing holds";
}

static void
warn (gpointer owner, const char *message)
{
  g_string_append_printf (get_fixture (owner)->warnings, "%s\n", message);
}

static void
settle (gpointer owner)
{
  get_fixture (owner)->n_settled++;
}

static void
on_loaded (gpointer owner, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
load (Fixture *fixture)
{
  fixture->is_loaded = FALSE;
  gmcp_state_store_load (fixture->store, on_loaded, &fixture->is_loaded);
  while (!fixture->is_loaded)
    g_main_context_iteration (NULL, TRUE);
}

static char *
make_path (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->dir, name, NULL);
}

static void
write_elsewhere (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = make_path (fixture, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static GBytes *
append_text (GBytes *present, gpointer data, GError **error)
{
  GString *text = g_string_new (NULL);

  if (present != NULL)
    g_string_append_len (text, g_bytes_get_data (present, NULL),
                         (gssize) g_bytes_get_size (present));
  g_string_append (text, data);
  return g_string_free_to_bytes (text);
}

static GBytes *
refuse_change (GBytes *present, gpointer data, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "no room");
  return NULL;
}

static void
keep (Fixture *fixture, const char *name, const char *text)
{
  gmcp_state_store_keep (fixture->store, name, append_text, g_strdup (text), g_free);
}

#define wait_until(condition)                                                                      \
  while (!(condition))                                                                             \
  g_main_context_iteration (NULL, TRUE)

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = NULL;
  static const GmcpStateKind kinds[] = {
    { KEPT, TRUE, take_kept, describe_lost_kept },
    { LOOSE, FALSE, take_loose, NULL },
  };
  static const GmcpStateStoreFuncs funcs = { warn, settle };

  fixture->owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (fixture->owner, "fixture", fixture);
  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->warnings = g_string_new (NULL);
  fixture->store = gmcp_state_store_new (fixture->owner, g_main_context_default (), kinds,
                                         G_N_ELEMENTS (kinds), &funcs);
  folder = g_file_new_for_path (fixture->dir);
  gmcp_state_store_set_folder (fixture->store, folder);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { KEPT, KEPT ".lock", LOOSE, LOOSE ".lock" };

  wait_until (!gmcp_state_store_is_keeping (fixture->store));
  g_assert_finalize_object (fixture->owner);
  gmcp_state_store_free (fixture->store);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = make_path (fixture, names[i]);

      if (g_remove (path) != 0)
        g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  g_rmdir (fixture->dir);
  g_free (fixture->dir);
  g_free (fixture->kept);
  g_free (fixture->loose);
  g_string_free (fixture->warnings, TRUE);
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->dir);
  g_autofree char *path = gmcp_state_store_dup_path (fixture->store, KEPT);
  g_autofree char *expected = make_path (fixture, KEPT);
  g_autofree char *users = NULL;

  g_assert_cmpstr (path, ==, expected);
  g_assert_true (g_file_equal (gmcp_state_store_get_folder (fixture->store), folder));
  g_assert_false (gmcp_state_store_set_folder (fixture->store, folder));
  g_assert_true (gmcp_state_store_set_folder (fixture->store, NULL));
  g_assert_null (gmcp_state_store_get_folder (fixture->store));
  users = gmcp_state_store_dup_path (fixture->store, KEPT);
  g_assert_true (g_str_has_prefix (users, g_get_user_state_dir ()));
}

static void
test_load (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("each file is taken, also one that is not there; again where it is asked for");
  write_elsewhere (fixture, LOOSE, "x");
  load (fixture);
  g_assert_null (fixture->kept);
  g_assert_cmpuint (fixture->n_kept, ==, 1);
  g_assert_cmpstr (fixture->loose, ==, "x");
  g_assert_cmpstr (fixture->warnings->str, ==, "");

  write_elsewhere (fixture, KEPT, "y");
  load (fixture);
  g_assert_cmpstr (fixture->kept, ==, "y");
}

static void
test_keep (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("changes are made one after the other, and told of once the last is done");
  load (fixture);
  keep (fixture, KEPT, "a");
  keep (fixture, KEPT, "b");
  g_assert_true (gmcp_state_store_is_keeping (fixture->store));
  wait_until (!gmcp_state_store_is_keeping (fixture->store));
  g_assert_cmpuint (fixture->n_settled, ==, 1);
  /* Who keeps something knows it already. */
  g_assert_cmpuint (fixture->n_kept, ==, 1);
  load (fixture);
  g_assert_cmpuint (strlen (fixture->kept), ==, 2);
}

static void
test_watch (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what others change is taken once; what was kept here is not");
  load (fixture);
  wait_until (gmcp_state_store_count (fixture->store).n_looks > 0);
  g_assert_true (gmcp_state_store_count (fixture->store).is_watching);
  keep (fixture, KEPT, "a");
  wait_until (gmcp_state_store_count (fixture->store).n_looks > 1);
  g_assert_cmpuint (gmcp_state_store_count (fixture->store).n_taken, ==, 0);

  write_elsewhere (fixture, KEPT, "b");
  wait_until (gmcp_state_store_count (fixture->store).n_taken > 0);
  g_assert_cmpstr (fixture->kept, ==, "b");
  g_assert_cmpuint (fixture->n_kept, ==, 2);

  gmcp_state_store_close (fixture->store);
  keep (fixture, KEPT, "c");
  wait_until (!gmcp_state_store_is_keeping (fixture->store));
  g_assert_cmpuint (fixture->n_kept, ==, 2);
}

static void
test_broken (Fixture *fixture, gconstpointer data)
{
  g_autofree char *loose = make_path (fixture, LOOSE);

  g_test_summary ("what cannot be read or kept is told of, but for a memory that is no loss");
  write_elsewhere (fixture, KEPT, "");
  g_assert_no_errno (g_mkdir (loose, 0700));
  load (fixture);
  g_assert_nonnull (strstr (fixture->warnings->str, "nothing in it; nothing holds"));
  g_assert_cmpuint (fixture->n_kept, ==, 0);
  g_assert_cmpuint (fixture->n_loose, ==, 1);
  g_assert_null (strstr (fixture->warnings->str, LOOSE));

  write_elsewhere (fixture, KEPT, "a");
  load (fixture);
  write_elsewhere (fixture, KEPT, "");
  load (fixture);
  g_assert_nonnull (strstr (fixture->warnings->str, "what was known holds"));
  g_assert_cmpstr (fixture->kept, ==, "a");

  g_string_truncate (fixture->warnings, 0);
  gmcp_state_store_keep (fixture->store, LOOSE, refuse_change, NULL, NULL);
  wait_until (!gmcp_state_store_is_keeping (fixture->store));
  g_assert_cmpstr (fixture->warnings->str, ==, "");
  gmcp_state_store_keep (fixture->store, KEPT, refuse_change, NULL, NULL);
  wait_until (!gmcp_state_store_is_keeping (fixture->store));
  g_assert_nonnull (strstr (fixture->warnings->str, "no room"));
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  g_autofree char *path = make_path (fixture, KEPT);
  g_autofree char *kept = NULL;

  g_test_summary ("changes of a file are made one after the other, as they were asked for");
  load (fixture);
  for (const char *at = letters; *at != '\0'; at++)
    keep (fixture, KEPT, (const char[]){ *at, '\0' });
  g_assert_true (gmcp_state_store_is_keeping (fixture->store));
  wait_until (fixture->n_settled == 1);
  g_assert_false (gmcp_state_store_is_keeping (fixture->store));
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, letters);
}

static void
on_changed (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
test_await (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_path (fixture, KEPT);
  g_autofree char *kept = NULL;
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "a change that is waited for stands in the same row; its caller hears of a failure");
  load (fixture);
  keep (fixture, KEPT, "a");
  keep (fixture, KEPT, "b");
  gmcp_state_store_change_async (fixture->store, KEPT, append_text, g_strdup ("c"), g_free,
                                 on_changed, &done);
  gmcp_state_store_change_async (fixture->store, KEPT, refuse_change, NULL, NULL, on_changed,
                                 &refused);
  keep (fixture, KEPT, "d");
  wait_until (refused != NULL);
  g_assert_true (gmcp_state_store_change_finish (done, &error));
  g_assert_no_error (error);
  g_assert_false (gmcp_state_store_change_finish (refused, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_cmpstr (fixture->warnings->str, ==, "");
  wait_until (fixture->n_settled == 1);
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "abcd");
}

static int n_forgotten;

/* In whatever thread is done with a change at last. */
static void
forget_text (gpointer text)
{
  g_free (text);
  g_atomic_int_inc (&n_forgotten);
}

static void
test_abandoned (Fixture *fixture, gconstpointer data)
{
  static const GmcpStateKind kinds[] = { { KEPT, FALSE, take_kept, NULL } };
  static const GmcpStateStoreFuncs funcs = { warn, settle };
  GObject *owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->dir);
  g_autofree char *path = make_path (fixture, KEPT);
  g_autofree char *kept = NULL;
  g_autoptr (GAsyncResult) done = NULL;
  GmcpStateStore *store = gmcp_state_store_new (owner, g_main_context_default (), kinds, 1, &funcs);

  g_test_summary ("what waits to be kept is kept also where the owner goes");
  gmcp_state_store_set_folder (store, folder);
  for (guint i = 0; i < 3; i++)
    gmcp_state_store_keep (store, KEPT, append_text, g_strdup ("x"), forget_text);
  gmcp_state_store_change_async (store, KEPT, append_text, g_strdup ("x"), forget_text, on_changed,
                                 &done);
  g_object_unref (owner);
  gmcp_state_store_free (store);
  while (g_atomic_int_get (&n_forgotten) < 4 || done == NULL)
    if (!g_main_context_iteration (NULL, FALSE))
      g_thread_yield ();
  g_assert_true (gmcp_state_store_change_finish (done, NULL));
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "xxxx");
}

static void
test_held_lock (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_path (fixture, KEPT ".lock");
  g_autofree char *expected = NULL;
  g_autofree char *kept_path = NULL;
  g_autofree char *kept = NULL;
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  g_test_summary ("a decision that another program's lock keeps from its file is told of");
  load (fixture);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_atomic_int_set (&n_forgotten, 0);
  gmcp_state_store_keep (fixture->store, KEPT, append_text, g_strdup ("a"), forget_text);
  wait_until (!gmcp_state_store_is_keeping (fixture->store));
  expected = g_strdup_printf ("%s/" KEPT " within", fixture->dir);
  g_assert_nonnull (strstr (fixture->warnings->str, expected));
  g_assert_true (g_close (fd, NULL));

  g_test_message ("the thread that has the change goes on, and the next one gets there, too");
  while (g_atomic_int_get (&n_forgotten) == 0)
    if (!g_main_context_iteration (NULL, FALSE))
      g_thread_yield ();
  keep (fixture, KEPT, "b");
  wait_until (!gmcp_state_store_is_keeping (fixture->store));
  kept_path = make_path (fixture, KEPT);
  g_assert_true (g_file_get_contents (kept_path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "ab");
}

#define ADD(path, func)                                                                            \
  g_test_add ("/storage/state-store/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("folder", test_folder);
  ADD ("load", test_load);
  ADD ("keep", test_keep);
  ADD ("watch", test_watch);
  ADD ("broken", test_broken);
  ADD ("order", test_order);
  ADD ("await", test_await);
  ADD ("abandoned", test_abandoned);
  ADD ("held-lock", test_held_lock);
  return g_test_run ();
}
