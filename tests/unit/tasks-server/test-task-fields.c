/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-error.h"
#include "gmcp-task-fields.h"

static void
test_due_date_accepted (void)
{
  static const struct
  {
    const char *given;
    const char *kept;
  } cases[] = {
    { "2026-08-01", "2026-08-01" },
    { "2024-02-29", "2024-02-29" },
    { "2000-02-29", "2000-02-29" },
    { "0001-01-01", "0001-01-01" },
    { "9999-12-31", "9999-12-31" },
    { "2026-08-01T09:00Z", "2026-08-01T09:00Z" },
    { "2026-08-01t09:00:59z", "2026-08-01T09:00:59Z" },
    { "2026-08-01T23:59:59.999+05:30", "2026-08-01T23:59:59.999+05:30" },
    { "2026-08-01T00:00:00-11:00", "2026-08-01T00:00:00-11:00" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *kept = NULL;

      g_assert_true (gmcp_task_fields_take_due_date (cases[i].given, &kept, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (kept, ==, cases[i].kept);
    }
}

static void
test_due_date_refused (void)
{
  static const char *const cases[] = {
    "",
    " ",
    "2026-02-30",
    "2025-02-29",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-04-31",
    "0000-01-01",
    "26-08-01",
    "2026-8-1",
    "20260801",
    "2026-W31",
    "2026-213",
    "+2026-08-01",
    "-2026-08-01",
    " 2026-08-01",
    "2026-08-01 ",
    "2026-08-01x",
    "2026-08-01T",
    "2026-08-01 09:00Z",
    "2026-08-01T09:00:00",
    "2026-08-01T9:00Z",
    "2026-08-01T24:00:00Z",
    "2026-08-01T09:60:00Z",
    "2026-08-01T09:00:60Z",
    "2026-08-01T09:00:00.Z",
    "2026-08-01T09:00:00.0000000000Z",
    "2026-08-01T09:00:00,5Z",
    "2026-08-01T09:00:00+2",
    "2026-08-01T09:00:00+0200",
    "2026-08-01T09:00:00+24:00",
    "2026-08-01T09:00:00+02:60",
    "2026-08-01T09:00:00ZZ",
    "tomorrow",
    "２０２６-08-01",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *kept = NULL;

      if (gmcp_task_fields_take_due_date (cases[i], &kept, &error))
        g_error ("“%s” was taken as a date", cases[i]);
      g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION);
      g_assert_null (kept);
    }
}

static void
test_user (void)
{
  g_autofree char *long_name = g_strnfill (256, 'x');
  const char *const refused[] = { "", "  ", "a\nb", "\377", long_name };

  g_assert_true (gmcp_task_fields_check_user ("jürgen.müller", NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_task_fields_check_user (refused[i], &error));
      g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-fields/due-date/accepted", test_due_date_accepted);
  g_test_add_func ("/task-fields/due-date/refused", test_due_date_refused);
  g_test_add_func ("/task-fields/user", test_user);

  return g_test_run ();
}
