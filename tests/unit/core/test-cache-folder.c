/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

#include "gmcp-cache-folder-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

#define DAY (24 * 60 * 60)

typedef struct
{
  char *folder;
  char *names[3];
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fixture->names); i++)
    fixture->names[i] = g_strdup_printf ("%064x", i + 10);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  for (guint i = 0; i < G_N_ELEMENTS (fixture->names); i++)
    g_free (fixture->names[i]);
}

static char *
path_of (Fixture *fixture, const char *name, const char *end)
{
  g_autofree char *whole = g_strconcat (name, end, NULL);

  return g_build_filename (fixture->folder, whole, NULL);
}

static void
make (Fixture *fixture, const char *name, const char *end, gint64 age)
{
  g_autofree char *path = path_of (fixture, name, end);
  const struct utimbuf times
    = { g_get_real_time () / G_USEC_PER_SEC - age, g_get_real_time () / G_USEC_PER_SEC - age };

  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  g_assert_no_errno (utime (path, &times));
}

static gboolean
has (Fixture *fixture, const char *name, const char *end)
{
  g_autofree char *path = path_of (fixture, name, end);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_age (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what was not used for long goes, and what is half written; nothing else");
  make (fixture, fixture->names[0], "", (GMCP_LIMIT_CACHE_FILE_DAYS + 1) * DAY);
  make (fixture, fixture->names[1], "", (GMCP_LIMIT_CACHE_FILE_DAYS - 1) * DAY);
  make (fixture, fixture->names[1], ".1S36Y3", 2 * DAY);
  make (fixture, fixture->names[2], ".ABCDEF", DAY / 2);
  make (fixture, fixture->names[2], "0", 1000 * DAY);
  make (fixture, "README", "", 1000 * DAY);
  gmcp_cache_folder_tidy (fixture->folder, 10);
  g_assert_false (has (fixture, fixture->names[0], ""));
  g_assert_true (has (fixture, fixture->names[1], ""));
  g_assert_false (has (fixture, fixture->names[1], ".1S36Y3"));
  g_assert_true (has (fixture, fixture->names[2], ".ABCDEF"));
  g_assert_true (has (fixture, fixture->names[2], "0"));
  g_assert_true (has (fixture, "README", ""));
}

static void
test_number (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("of too many the oldest go");
  make (fixture, fixture->names[0], "", 20);
  make (fixture, fixture->names[1], "", 30);
  make (fixture, fixture->names[2], "", 10);
  gmcp_cache_folder_tidy (fixture->folder, 3);
  g_assert_true (has (fixture, fixture->names[1], ""));
  gmcp_cache_folder_tidy (fixture->folder, 1);
  g_assert_false (has (fixture, fixture->names[0], ""));
  g_assert_false (has (fixture, fixture->names[1], ""));
  g_assert_true (has (fixture, fixture->names[2], ""));
}

static void
test_used (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = path_of (fixture, fixture->names[0], "");
  g_autofree char *other = path_of (fixture, fixture->names[2], "");

  g_test_summary ("what is used stays; a file that is written tidies its folder");
  make (fixture, fixture->names[0], "", (GMCP_LIMIT_CACHE_FILE_DAYS + 1) * DAY);
  make (fixture, fixture->names[1], "", (GMCP_LIMIT_CACHE_FILE_DAYS + 1) * DAY);
  gmcp_cache_folder_mark_used (path);
  gmcp_cache_folder_mark_used (other);
  gmcp_cache_folder_write (other, "new", 3, G_FILE_SET_CONTENTS_CONSISTENT);
  g_assert_true (has (fixture, fixture->names[0], ""));
  g_assert_false (has (fixture, fixture->names[1], ""));
  g_assert_true (has (fixture, fixture->names[2], ""));
}

static void
test_none (Fixture *fixture, gconstpointer data)
{
  g_autofree char *below = g_build_filename (fixture->folder, "none", NULL);
  g_autofree char *file = g_build_filename (fixture->folder, "README", "x", NULL);

  g_test_summary ("a folder that is not there, or is none, is no trouble");
  gmcp_cache_folder_tidy (below, 1);
  make (fixture, "README", "", 0);
  gmcp_cache_folder_write (file, "x", 1, G_FILE_SET_CONTENTS_NONE);
  g_assert_true (has (fixture, "README", ""));
}

#define ADD(path, func)                                                                            \
  g_test_add ("/core/cache-folder/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("age", test_age);
  ADD ("number", test_number);
  ADD ("used", test_used);
  ADD ("none", test_none);
  return g_test_run ();
}
