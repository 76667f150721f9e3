/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "new-audit-log.h"
#include "unit-test.h"

/* Calls of a log that another program has written, looked for by what stands in their lines. */

#define N_LINES 6

typedef struct
{
  char *folder;
  char *path;
  GmcpAuditLog *log;
} Fixture;

/* Two servers take turns; of three calls one is refused. */
static void
add_line (GString *text, guint i)
{
  g_string_append_printf (text,
                          "{\"id\":\"call-%u\",\"time\":\"2026-11-26T09:00:0%u.500000Z\","
                          "\"server\":\"%s\",\"tool\":\"%s\",\"outcome\":\"%s\"}\n",
                          i, i, i % 2 == 0 ? "even" : "odd", i % 3 == 2 ? "refuse" : "echo",
                          i % 3 == 2 ? "error" : "ok");
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("half of a li\n");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_LINES; i++)
    add_line (text, i);
  fixture->folder = g_dir_make_tmp ("gmcp-audit-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "audit.jsonl", NULL);
  g_file_set_contents (fixture->path, text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
  fixture->log = new_audit_log (fixture->path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  /* The thread that read it last may hold it a moment longer. */
  g_object_add_weak_pointer (G_OBJECT (fixture->log), (gpointer *) &fixture->log);
  g_object_unref (fixture->log);
  while (g_atomic_pointer_get (&fixture->log) != NULL)
    g_thread_yield ();
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

typedef struct
{
  const char *server;
  const char *tool;
  const char *outcome;
  const char *since;
  const char *before;
  const char *before_id;
  guint limit;
} Search;

static GStrv
search (Fixture *fixture, const Search *what, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GDateTime) since
    = what->since != NULL ? g_date_time_new_from_iso8601 (what->since, NULL) : NULL;
  g_autoptr (GDateTime) before
    = what->before != NULL ? g_date_time_new_from_iso8601 (what->before, NULL) : NULL;

  gmcp_audit_log_search_async (fixture->log, what->server, what->tool, what->outcome, since, before,
                               what->before_id, what->limit, NULL, store_audit_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return gmcp_audit_log_search_finish (fixture->log, result, error);
}

/* expected: the numbers of the lines, one digit each. */
static void
assert_found (Fixture *fixture, Search what, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = search (fixture, &what, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_c (found, *(strstr (lines[i], "call-") + strlen ("call-")));
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_filters (Fixture *fixture, gconstpointer data)
{
  assert_found (fixture, (Search){ 0 }, "012345");
  assert_found (fixture, (Search){ .server = "even" }, "024");
  assert_found (fixture, (Search){ .server = "none" }, "");
  assert_found (fixture, (Search){ .tool = "fus" }, "25");
  assert_found (fixture, (Search){ .outcome = "ok" }, "0134");
  assert_found (fixture, (Search){ .outcome = "o" }, "");
  assert_found (fixture, (Search){ .server = "odd", .tool = "echo", .outcome = "ok" }, "13");
}

static void
test_times (Fixture *fixture, gconstpointer data)
{
  assert_found (fixture, (Search){ .since = "2026-11-26T09:00:02.5Z" }, "2345");
  assert_found (fixture, (Search){ .before = "2026-11-26T09:00:02.5Z" }, "01");
  assert_found (fixture, (Search){ .before = "2026-11-26T10:00:02.6+01:00" }, "012");
  assert_found (
    fixture, (Search){ .since = "2026-11-26T09:00:01Z", .before = "2026-11-26T09:00:03Z" }, "12");
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  assert_found (fixture, (Search){ .limit = 2 }, "45");
  assert_found (fixture, (Search){ .limit = 2, .before_id = "call-4" }, "23");
  assert_found (fixture, (Search){ .limit = 2, .before_id = "call-0" }, "");
  assert_found (fixture, (Search){ .limit = 1, .server = "even", .before_id = "call-4" }, "2");
  g_assert_null (search (fixture, &(Search){ .before_id = "call" }, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/audit/search/filters", test_filters);
  ADD ("/audit/search/times", test_times);
  ADD ("/audit/search/pages", test_pages);

  return g_test_run ();
}
