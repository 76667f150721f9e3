/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-file-exchange-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("gmcp-exchange-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "settings.json", NULL);
}

/* Also says what is left beside the file. */
static guint
remove_all (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
      n++;
    }
  return n;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_all (fixture->folder);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static void
store (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

/* before is NULL for no file. */
static char *
exchange (Fixture *fixture, const char *before, const char *after, GError **error)
{
  g_autoptr (GBytes) old = before != NULL ? g_bytes_new (before, strlen (before)) : NULL;
  g_autoptr (GBytes) new = g_bytes_new (after, strlen (after));
  g_autoptr (GAsyncResult) result = NULL;
  char *backup = NULL;

  gmcp_file_exchange_async (fixture->path, NULL, old, new, NULL, store, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (gmcp_file_exchange_finish (result, &backup, error), ==,
                   error == NULL || *error == NULL);
  return backup;
}

static void
write_file (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_holds (const char *path, const char *text)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text);
}

static void
test_new_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *deep = g_build_filename (fixture->folder, "a", "b", "new.json", NULL);
  g_autofree char *parent = g_path_get_dirname (deep);
  g_autofree char *above = g_path_get_dirname (parent);

  g_assert_null (exchange (fixture, NULL, "one", &error));
  g_assert_no_error (error);
  assert_holds (fixture->path, "one");
  /* Whoever was first has it. */
  g_assert_null (exchange (fixture, NULL, "two", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  assert_holds (fixture->path, "one");
  g_clear_error (&error);

  g_free (fixture->path);
  fixture->path = g_strdup (deep);
  g_assert_null (exchange (fixture, NULL, "deep", &error));
  g_assert_no_error (error);
  assert_holds (deep, "deep");
  g_assert_cmpint (g_unlink (deep), ==, 0);
  g_assert_cmpint (g_rmdir (parent), ==, 0);
  g_assert_cmpint (g_rmdir (above), ==, 0);
}

static void
test_backups (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  struct stat info;

  write_file (fixture->path, "one");
  g_assert_cmpint (chmod (fixture->path, 0640), ==, 0);
  first = exchange (fixture, "one", "two", &error);
  g_assert_no_error (error);
  assert_holds (fixture->path, "two");
  assert_holds (first, "one");
  g_assert_true (g_str_has_suffix (first, "/settings.json.before-gmcp"));
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);
  g_assert_cmpint (stat (first, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);

  second = exchange (fixture, "two", "one", &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (second, "/settings.json.before-gmcp-2"));
  assert_holds (first, "one");
  assert_holds (second, "two");
  /* What is kept already is not kept twice. */
  third = exchange (fixture, "one", "three", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (third, ==, first);
  g_assert_cmpuint (remove_all (fixture->folder), ==, 3);
}

/* One of this process's groups that is not its first; root may take any. */
static gboolean
find_other_group (gid_t *group)
{
  gid_t groups[64];
  int n = getgroups (G_N_ELEMENTS (groups), groups);

  *group = 12345;
  if (geteuid () == 0)
    return TRUE;
  for (int i = 0; i < n; i++)
    if (groups[i] != getegid ())
      {
        *group = groups[i];
        return TRUE;
      }
  return FALSE;
}

static void
test_other_group (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *backup = NULL;
  gid_t group;
  struct stat info;

  g_test_summary ("what a group may read is not for the members of another one");
  if (!find_other_group (&group))
    {
      g_test_skip ("this user is in no other group");
      return;
    }
  write_file (fixture->path, "one");
  if (chown (fixture->path, (uid_t) -1, group) != 0)
    {
      g_test_skip ("the file's group cannot be changed");
      return;
    }
  g_assert_cmpint (chmod (fixture->path, 0640), ==, 0);
  backup = exchange (fixture, "one", "two", &error);
  g_assert_no_error (error);
  assert_holds (backup, "one");
  g_assert_cmpint (stat (backup, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);
  g_assert_cmpuint (info.st_gid, ==, group);
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);
  g_assert_cmpuint (info.st_gid, ==, group);
}

static void
test_many_backups (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i <= GMCP_LIMIT_FILE_BACKUPS; i++)
    {
      g_autofree char *path = gmcp_file_exchange_name_backup (fixture->path, i);

      write_file (path, "other");
    }
  write_file (fixture->path, "one");
  g_assert_null (exchange (fixture, "one", "two", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  assert_holds (fixture->path, "one");
}

/* Nothing is written, and nothing is left behind. */
static void
test_changed (Fixture *fixture, gconstpointer data)
{
  static const char *const others[] = { "onE", "one and more", "", NULL };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; others[i] != NULL; i++)
    {
      write_file (fixture->path, others[i]);
      g_assert_null (exchange (fixture, "one", "two", &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
      assert_holds (fixture->path, others[i]);
      g_clear_error (&error);
      g_assert_cmpuint (remove_all (fixture->folder), ==, 1);
    }
  g_assert_null (exchange (fixture, "one", "two", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  g_assert_cmpuint (remove_all (fixture->folder), ==, 0);
}

static void
test_locked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *backup = NULL;
  int fd;

  write_file (fixture->path, "one");
  fd = open (fixture->path, O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_assert_null (exchange (fixture, "one", "two", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  assert_holds (fixture->path, "one");
  g_clear_error (&error);
  close (fd);
  backup = exchange (fixture, "one", "two", &error);
  g_assert_no_error (error);
  g_assert_nonnull (backup);
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  write_file (fixture->path, "one");
  g_assert_cmpint (chmod (fixture->path, 0444), ==, 0);
  g_assert_null (exchange (fixture, "one", "two", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (error->message, fixture->path));
  assert_holds (fixture->path, "one");
  g_assert_cmpuint (remove_all (fixture->folder), ==, 1);
}

/* The link stays one; the backup stands beside it. */
static void
test_links (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *real = g_build_filename (fixture->folder, "dotfile", NULL);
  g_autofree char *backup = NULL;

  g_assert_cmpint (symlink ("dotfile", fixture->path), ==, 0);
  g_assert_null (exchange (fixture, NULL, "one", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  write_file (real, "one");
  backup = exchange (fixture, "one", "two", &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (backup, "/settings.json.before-gmcp"));
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_SYMLINK));
  g_assert_false (g_file_test (real, G_FILE_TEST_IS_SYMLINK));
  assert_holds (real, "two");

  /* In a circle. */
  g_assert_cmpint (g_unlink (real), ==, 0);
  g_assert_cmpint (symlink ("settings.json", real), ==, 0);
  g_assert_null (exchange (fixture, "one", "two", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS);
}

static void
test_no_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  g_assert_null (exchange (fixture, "one", "two", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);
  g_assert_cmpint (g_rmdir (fixture->path), ==, 0);
  /* Which nobody writes to. */
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  g_assert_null (exchange (fixture, "one", "two", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/storage/file-exchange/new-file", test_new_file);
  ADD ("/storage/file-exchange/backups", test_backups);
  ADD ("/storage/file-exchange/other-group", test_other_group);
  ADD ("/storage/file-exchange/many-backups", test_many_backups);
  ADD ("/storage/file-exchange/changed", test_changed);
  ADD ("/storage/file-exchange/locked", test_locked);
  ADD ("/storage/file-exchange/read-only", test_read_only);
  ADD ("/storage/file-exchange/links", test_links);
  ADD ("/storage/file-exchange/no-file", test_no_file);
  return g_test_run ();
}
