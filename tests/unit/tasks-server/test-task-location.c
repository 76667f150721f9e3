/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-location.h"

static void
test_display_name (void)
{
  static const struct
  {
    const char *location;
    const char *shown;
  } cases[] = {
    { "/home/alice/tasks.db", "/home/alice/tasks.db" },
    { "postgresql://db.example.org/tasks", "postgresql://db.example.org/tasks" },
    { "postgres://alice@db.example.org/tasks", "postgresql://db.example.org/tasks" },
    { "postgresql://alice:geheim@db:5432/tasks", "postgresql://db:5432/tasks" },
    { "postgresql://alice:geheim@[::1]:5432/tasks", "postgresql://[::1]:5432/tasks" },
    { "postgresql://alice:geheim@[::1]/tasks", "postgresql://[::1]/tasks" },
    { "postgresql:///tasks?host=/run/postgresql", "postgresql:///tasks" },
    { "postgresql://db/tasks?password=geheim", "postgresql://db/tasks" },
    /* Not escaped as it should be. */
    { "postgresql://alice:ge@heim@db/tasks", "postgresql://db/tasks" },
    { "postgresql://alice:ge/heim@db/tasks", "postgresql://db/tasks" },
    { "postgresql://alice:ge?heim@db/tasks", "postgresql://…" },
    { "postgresql://db/tasks?password=ge@heim", "postgresql://…" },
    { "postgresql://alice:geheim", "postgresql://…" },
    { "postgresql://alice:geheim/tasks", "postgresql://…" },
    { "postgresql://", "postgresql://" },
    { "postgresql://db/\033[2J", "postgresql://db/\357\277\275[2J" },
    { "postgresql://db/\377", "postgresql://db/\357\277\275" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = gmcp_task_location_dup_display_name (cases[i].location);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

static void
test_is_url (void)
{
  g_assert_true (gmcp_task_location_is_url ("postgresql:///tasks"));
  g_assert_true (gmcp_task_location_is_url ("postgres://db/tasks"));
  g_assert_false (gmcp_task_location_is_url ("postgresql:/tasks"));
  g_assert_false (gmcp_task_location_is_url ("/tmp/postgresql://db"));
  g_assert_false (gmcp_task_location_is_url (""));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/task-location/display-name", test_display_name);
  g_test_add_func ("/task-location/is-url", test_is_url);
  return g_test_run ();
}
