/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "manager-fixture.h"
#include "unit-test.h"

/* A guard that is killed, by its own server or by another program of the user: what is left of the server
 * is found and ended by the host. */

typedef struct
{
  ManagerFixture base;
  char *word; /* on the command lines of the server and of what it starts */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "confined-server.py", NULL);

  manager_fixture_set_up (&fixture->base, data);
  fixture->word = g_build_filename (fixture->base.dir, "word", NULL);
  manager_fixture_write (
    &fixture->base,
    g_strdup_printf ("\"one\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\","
                     "\"--on-term\",\"%s\"],\"restartOnFailure\":false}",
                     script, fixture->word),
    NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->word);
  manager_fixture_tear_down (&fixture->base, data);
  g_free (fixture->word);
}

static void
wait_for_end (Fixture *fixture)
{
  while (manager_fixture_count_processes (fixture->word) > 0)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_by_server (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  text = manager_fixture_call (&fixture->base, "one__look", "{\"code\":\"kill_guard()\"}", NULL,
                               &error);
  g_assert_null (text);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  wait_for_end (fixture);
}

static int
get_parent (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;

  g_assert_true (g_file_get_contents (path, &stat, NULL, NULL));
  return atoi (strrchr (stat, ')') + 4);
}

static gboolean
is_asleep (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;

  g_assert_true (g_file_get_contents (path, &stat, NULL, NULL));
  return strrchr (stat, ')')[2] == 'S';
}

static void
test_waits (Fixture *fixture, gconstpointer data)
{
  guint n_asleep = 0;
  int guard;

  g_test_summary ("a guard takes no time while nothing happens");
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  guard = get_parent (
    gmcp_managed_server_get_pid (gmcp_manager_get_server (fixture->base.manager, "one")));
  /* One that goes round and round is found asleep now and then, too. */
  while (n_asleep < 20)
    {
      g_autofree char *text G_GNUC_UNUSED
        = manager_fixture_call (&fixture->base, "one__look", "{\"code\":\"1\"}", NULL, NULL);

      n_asleep = is_asleep (guard) ? n_asleep + 1 : 0;
    }
}

static void
test_while_stopping (Fixture *fixture, gconstpointer data)
{
  int guard;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("nor is anything left where nobody waits for the server any more");
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  text = manager_fixture_call (&fixture->base, "one__look", "{\"code\":\"daemonize() > 0\"}", NULL,
                               &error);
  g_assert_no_error (error);
  guard = get_parent (
    gmcp_managed_server_get_pid (gmcp_manager_get_server (fixture->base.manager, "one")));
  g_assert_finalize_object (g_steal_pointer (&fixture->base.manager));
  kill (guard, SIGKILL);
  wait_for_end (fixture);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, func) g_test_add ("/killed-guard/" name, Fixture, NULL, set_up, func, tear_down)

  ADD ("waits", test_waits);
  ADD ("by-server", test_by_server);
  ADD ("while-stopping", test_while_stopping);

  return g_test_run ();
}
