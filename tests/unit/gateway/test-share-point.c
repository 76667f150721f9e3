/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "remove-folder.h"
#include "unit-test.h"

/* Which servers are offered of two that are configured alike: one at a time. */

typedef struct
{
  ManagerFixture manager;
  GmcpSharePoint *point;
  char *words; /* of the command that both have */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer words)
{
  manager_fixture_set_up (&fixture->manager, words);
  fixture->words = g_strdup (words);
  fixture->point = gmcp_share_point_new (fixture->manager.manager);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->point);
  manager_fixture_tear_down (&fixture->manager, data);
  g_free (fixture->words);
}

/* An entry with one member more. */
static char *
make_entry (Fixture *fixture, const char *id, const char *member)
{
  g_autofree char *entry = manager_fixture_entry (&fixture->manager, id, fixture->words);

  entry[strlen (entry) - 1] = '\0';
  return g_strdup_printf ("%s,%s}", entry, member);
}

/* The second one is not started, and so cannot fail. */
static void
write_servers (Fixture *fixture, const char *member_of_first)
{
  manager_fixture_write (&fixture->manager, make_entry (fixture, "one", member_of_first),
                         make_entry (fixture, "two", "\"start\":\"manual\""), NULL);
}

static void
open_point (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  write_servers (fixture, "\"disabled\":false");
  g_object_set (fixture->manager.manager, "share", GMCP_SHARE_YES, NULL);
  error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_no_error (error);
  g_assert_true (gmcp_share_point_open (fixture->point, &error));
  g_assert_no_error (error);
}

static char *
list_offered (Fixture *fixture)
{
  g_auto (GStrv) ids = gmcp_share_point_list_server_ids (fixture->point);

  return g_strjoinv (" ", ids);
}

static gboolean
is_offered (Fixture *fixture, const char *expected)
{
  g_autofree char *offered = list_offered (fixture);

  return g_str_equal (offered, expected);
}

static void
assert_offered (Fixture *fixture, const char *expected)
{
  g_autofree char *offered = list_offered (fixture);

  g_assert_cmpstr (offered, ==, expected);
}

static void
test_edited (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what is configured as an edited server was is offered in its place");
  open_point (fixture);
  assert_offered (fixture, "one");
  write_servers (fixture, "\"env\":{\"MARK\":\"1\"}");
  manager_fixture_wait_until (is_offered (fixture, "one two"));
}

static void
test_disabled (Fixture *fixture, gconstpointer data)
{
  open_point (fixture);
  assert_offered (fixture, "one");
  write_servers (fixture, "\"disabled\":true");
  manager_fixture_wait_until (is_offered (fixture, "two"));
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer done)
{
  gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  *(gboolean *) done = TRUE;
}

static void
test_withdrawn (Fixture *fixture, gconstpointer data)
{
  gboolean done = FALSE;

  g_test_summary ("one that fails does not take the other's offer with it");
  open_point (fixture);
  assert_offered (fixture, "one");
  gmcp_managed_server_start_async (gmcp_manager_get_server (fixture->manager.manager, "one"), NULL,
                                   on_started, &done);
  manager_fixture_wait_until (done);
  manager_fixture_wait_until (is_offered (fixture, "two"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_autofree char *runtime = g_dir_make_tmp ("gmcp-run-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/gateway/share-point/edited", Fixture, "--tools echo", set_up, test_edited,
              tear_down);
  g_test_add ("/gateway/share-point/disabled", Fixture, "--tools echo", set_up, test_disabled,
              tear_down);
  g_test_add ("/gateway/share-point/withdrawn", Fixture, "--fail start", set_up, test_withdrawn,
              tear_down);
  status = g_test_run ();
  remove_folder (runtime);
  return status;
}
