/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-log-registry-private.h"
#include "gmcp-audit-log-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-log-private.h"
#include "manager-fixture.h"
#include "set-file.h"
#include "new-audit-log.h"
#include "unit-test.h"

typedef struct
{
  ManagerFixture base;
  char *path;
  GmcpAuditLog *log;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->base, data);
  fixture->path = g_build_filename (fixture->base.dir, "audit.jsonl", NULL);
  fixture->log = new_audit_log (fixture->path);
  gmcp_manager_set_audit_log (fixture->base.manager, fixture->log);
  gmcp_manager_set_host (fixture->base.manager, "org.example.Host");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->base.manager != NULL)
    {
      manager_fixture_close (&fixture->base);
      g_assert_finalize_object (g_steal_pointer (&fixture->base.manager));
    }
  /* The thread that read it last may hold it a moment longer. */
  g_object_add_weak_pointer (G_OBJECT (fixture->log), (gpointer *) &fixture->log);
  g_object_unref (fixture->log);
  while (g_atomic_pointer_get (&fixture->log) != NULL)
    g_thread_yield ();
  g_unlink (fixture->path);
  g_free (fixture->path);
  manager_fixture_tear_down (&fixture->base, data);
}

static void
on_ready (GObject *object, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static GStrv
read_log (Fixture *fixture, const char *server, guint limit)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GStrv lines;

  gmcp_audit_log_read_async (fixture->log, server, NULL, limit, NULL, on_ready, &result);
  manager_fixture_wait_until (result != NULL);
  lines = gmcp_audit_log_read_finish (fixture->log, result, &error);
  g_assert_no_error (error);
  return lines;
}

static GmcpJsonDoc *
parse (const char *line)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (line, strlen (line), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

/* A member of a line: a string as it is, anything else as JSON; NULL where there is none. */
static char *
get_member (const char *line, const char *pointer)
{
  g_autoptr (GmcpJsonDoc) doc = parse (line);
  GmcpJsonValue value = gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), pointer);

  if (!gmcp_json_value_is_present (value))
    return NULL;
  return gmcp_json_value_is_string (value) ? gmcp_json_value_dup_string (value)
                                           : gmcp_json_value_dup_raw (value);
}

static void
assert_member (const char *line, const char *pointer, const char *expected)
{
  g_autofree char *value = get_member (line, pointer);

  g_assert_cmpstr (value, ==, expected);
}

static char *
call (Fixture *fixture, const char *tool, const char *arguments, GError **error)
{
  return manager_fixture_call (&fixture->base, tool, arguments, NULL, error);
}

static void
test_calls (Fixture *fixture, gconstpointer data)
{
  const char *parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *time = NULL;
  g_autoptr (GDateTime) date = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) last = NULL;
  g_auto (GStrv) none = NULL;

  g_test_summary ("each call is a line, whatever became of it");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools echo,exit"), NULL);
  g_assert_true (gmcp_call_options_set_traceparent (options, parent, NULL));
  text = manager_fixture_call (&fixture->base, "one__echo", "{\"a\":\n [1.50]}", options, &error);
  g_assert_no_error (error);
  g_assert_null (call (fixture, "one.exit", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_clear_error (&error);
  gmcp_manager_set_project (fixture->base.manager, "garden");
  g_assert_null (call (fixture, "one__nothing", "{}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  gmcp_manager_set_project (fixture->base.manager, NULL);

  lines = read_log (fixture, NULL, 0);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  assert_member (lines[0], "/host", "org.example.Host");
  assert_member (lines[0], "/server", "one");
  assert_member (lines[0], "/tool", "echo");
  assert_member (lines[0], "/arguments", "{\"a\": [1.50]}");
  assert_member (lines[0], "/outcome", "ok");
  assert_member (lines[0], "/error", NULL);
  assert_member (lines[0], "/trace", "0af7651916cd43dd8448eb211c80319c");
  time = get_member (lines[0], "/time");
  g_assert_cmpuint (strlen (time), ==, strlen ("2026-01-01T00:00:00.000000Z"));
  date = g_date_time_new_from_iso8601 (time, NULL);
  g_assert_nonnull (date);
  g_assert_cmpint (ABS (g_date_time_to_unix (date) - g_get_real_time () / G_USEC_PER_SEC), <, 600);

  assert_member (lines[1], "/tool", "exit");
  assert_member (lines[1], "/project", NULL);
  assert_member (lines[1], "/arguments", "{}");
  assert_member (lines[1], "/outcome", "error");
  assert_member (lines[1], "/error/domain", "gmcp-error-quark");
  assert_member (lines[1], "/trace", NULL);
  assert_member (lines[2], "/tool", "nothing");
  assert_member (lines[2], "/server", "one");
  assert_member (lines[2], "/project", "garden");
  assert_member (lines[2], "/outcome", "error");

  last = read_log (fixture, "one", 2);
  g_assert_cmpuint (g_strv_length (last), ==, 2);
  g_assert_cmpstr (last[0], ==, lines[1]);
  none = read_log (fixture, "two", 0);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
}

static void
test_endings (Fixture *fixture, gconstpointer data)
{
  const char *const nothing[] = { NULL };
  g_autoptr (GmcpRole) role = NULL;
  g_autoptr (GmcpCallOptions) short_time = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) readonly = gmcp_call_options_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (GStrv) lines = NULL;
  g_autofree char *rule = NULL;
  g_autofree char *text = NULL;
  ManagerCall calls[3];

  g_test_summary ("a call that is refused, cancelled or too slow is a line too");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools echo,wait"), NULL);
  role = gmcp_role_new ("nobody", nothing, nothing);
  gmcp_manager_add_role (fixture->base.manager, role);
  text = call (fixture, "one__echo", "{}", NULL);

  gmcp_call_options_set_role (readonly, "nobody");
  manager_call_begin (&calls[0], &fixture->base, "one__wait", "{}", readonly, NULL);
  manager_call_wait (&calls[0]);
  g_assert_error (calls[0].error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  gmcp_call_options_set_timeout_ms (short_time, 20);
  manager_call_begin (&calls[1], &fixture->base, "one__wait", "{}", short_time, NULL);
  manager_call_wait (&calls[1]);
  g_assert_error (calls[1].error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  manager_call_begin (&calls[2], &fixture->base, "one__wait", "{}", NULL, cancellable);
  g_cancellable_cancel (cancellable);
  manager_call_wait (&calls[2]);
  g_assert_error (calls[2].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  lines = read_log (fixture, NULL, 0);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  assert_member (lines[1], "/outcome", "refused");
  assert_member (lines[1], "/role", "nobody");
  assert_member (lines[1], "/tool", "wait");
  rule = get_member (lines[1], "/rule");
  g_assert_nonnull (strstr (rule, "nobody"));
  assert_member (lines[2], "/outcome", "timed-out");
  assert_member (lines[3], "/outcome", "cancelled");
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_clear (&calls[i]);
}

static char *
secret_entry (Fixture *fixture)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);

  return g_strdup_printf ("\"one\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\","
                          "\"--tools\",\"echo\"],\"env\":{\"API_TOKEN\":\"t0p-\\\"secret\\\"\","
                          "\"LEVEL\":\"debug\",\"PLACE\":\"/srv/data\"}}",
                          script);
}

static void
test_secrets (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  g_test_summary ("no secret of the configuration, and nothing named like one, is written");
  manager_fixture_write (&fixture->base, secret_entry (fixture), NULL);
  first
    = call (fixture, "one__echo",
            "{\"text\": \"it is t0p-\\u0022secret\\u0022, you know\", \"n\": [1, true]}", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (first, "t0p-"));
  second = call (fixture, "one__echo",
                 "{\"headers\": {\"X-Api-Key\": \"abc\", \"Accept\": \"x\"}, \"max_tokens\": 7, "
                 "\"password\": 1234, \"auth_token\": [\"y\"]}",
                 &error);
  g_assert_no_error (error);
  third = call (fixture, "one__echo", "{\"place\": \"/srv/data/x\", \"level\": \"debug\"}", &error);
  g_assert_no_error (error);

  lines = read_log (fixture, NULL, 0);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  assert_member (lines[0], "/arguments/text", "it is [redacted], you know");
  assert_member (lines[0], "/arguments/n", "[1,true]");
  assert_member (lines[0], "/redacted", "true");
  assert_member (lines[1], "/arguments/headers/X-Api-Key", "[redacted]");
  assert_member (lines[1], "/arguments/headers/Accept", "x");
  assert_member (lines[1], "/arguments/max_tokens", "7");
  assert_member (lines[1], "/arguments/password", "[redacted]");
  assert_member (lines[1], "/arguments/auth_token", "[redacted]");
  assert_member (lines[2], "/arguments/place", "/srv/data/x");
  assert_member (lines[2], "/redacted", NULL);
  g_assert_true (g_file_get_contents (fixture->path, &content, NULL, NULL));
  g_assert_null (strstr (content, "t0p"));
}

static void
test_hash (Fixture *fixture, gconstpointer data)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "{\"a\": 1}", -1);
  g_autofree char *text = NULL;
  g_autofree char *large_text = NULL;
  g_autofree char *larger_text = NULL;
  g_autofree char *large_hash = NULL;
  g_autofree char *larger_hash = NULL;
  g_autofree char *beginning = NULL;
  g_autoptr (GString) large = g_string_new ("{\"a\": \"");
  g_auto (GStrv) lines = NULL;

  g_test_summary ("arguments that are hashed by setting, or too large to be written down");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools pid"), NULL);
  gmcp_manager_set_audit_hash_arguments (fixture->base.manager, TRUE);
  g_assert_true (gmcp_audit_log_get_hash_arguments (fixture->log));
  text = call (fixture, "one__pid", "{\"a\": 1}", NULL);
  gmcp_manager_set_audit_hash_arguments (fixture->base.manager, FALSE);
  g_string_set_size (large, 70 * 1024);
  memset (large->str + 7, 'x', large->len - 7);
  g_string_append (large, "\"}");
  large_text = call (fixture, "one__pid", large->str, NULL);
  large_hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, large->str, -1);
  g_string_set_size (large, 2 * 1024 * 1024);
  memset (large->str + 7, 'x', large->len - 7);
  g_string_append (large, "\"}");
  larger_text = call (fixture, "one__pid", large->str, NULL);
  larger_hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, large->str, -1);
  g_assert_nonnull (larger_text);

  lines = read_log (fixture, NULL, 0);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  assert_member (lines[0], "/arguments", NULL);
  assert_member (lines[0], "/arguments_sha256", hash);
  assert_member (lines[0], "/arguments_bytes", "8");
  assert_member (lines[1], "/arguments", NULL);
  assert_member (lines[0], "/arguments_beginning", NULL);
  assert_member (lines[1], "/arguments_sha256", large_hash);
  assert_member (lines[1], "/arguments_bytes", "71682");
  assert_member (lines[2], "/arguments_sha256", larger_hash);
  assert_member (lines[2], "/arguments_bytes", "2097154");
  beginning = get_member (lines[2], "/arguments_beginning/a");
  g_assert_true (g_str_has_prefix (beginning, "xxxx"));
  g_assert_true (g_str_has_suffix (beginning, "x…"));
  g_assert_cmpuint (strlen (beginning), <, 2000);
}

static char *
replay (Fixture *fixture, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpToolResult) tool_result = NULL;

  gmcp_manager_replay_call_async (fixture->base.manager, id, NULL, NULL, on_ready, &result);
  manager_fixture_wait_until (result != NULL);
  tool_result = gmcp_manager_replay_call_finish (fixture->base.manager, result, error);
  return tool_result != NULL ? gmcp_tool_result_dup_text (tool_result) : NULL;
}

static void
test_replay (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *hidden = NULL;
  g_autofree char *again = NULL;
  g_autofree char *id = NULL;
  g_autofree char *hidden_id = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) after = NULL;

  g_test_summary ("a recorded call is made again, where all of it was recorded");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools echo"), NULL);
  first = call (fixture, "echo", "{\"x\": [1]}", NULL);
  hidden = call (fixture, "echo", "{\"password\": \"x\"}", NULL);
  lines = read_log (fixture, NULL, 0);
  id = get_member (lines[0], "/id");
  hidden_id = get_member (lines[1], "/id");

  again = replay (fixture, id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again, ==, "{\"x\": [1]}");
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "call echo"), ==, 3);
  g_assert_null (replay (fixture, hidden_id, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (replay (fixture, "nope", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  after = read_log (fixture, NULL, 0);
  g_assert_cmpuint (g_strv_length (after), ==, 3);
  assert_member (after[2], "/replay_of", id);
  assert_member (after[2], "/arguments", "{\"x\": [1]}");

  gmcp_manager_set_audit (fixture->base.manager, FALSE);
  g_assert_null (gmcp_manager_get_audit_log (fixture->base.manager));
  g_assert_null (replay (fixture, id, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
}

static void
test_garbage (Fixture *fixture, gconstpointer data)
{
  const char *content = "{\"time\":\"x\",\"id\":\"a\",\"server\":\"s\"}\n"
                        "{\"time\":\"x\",\"id\":\"half\n"
                        "\n"
                        "[1]\n"
                        "{\"dropped\":7}\n"
                        "{\"time\":\"x\",\"id\":\"b\",\"server\":\"s\"}\n"
                        "{\"id\":\"c";
  g_auto (GStrv) lines = NULL;

  g_test_summary ("what is no line of the log is passed over");
  g_assert_true (g_file_set_contents (fixture->path, content, -1, NULL));
  lines = read_log (fixture, NULL, 0);
  g_assert_cmpuint (g_strv_length (lines), ==, 2);
  assert_member (lines[0], "/id", "a");
  assert_member (lines[1], "/id", "b");
}

static void
test_unwritable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpAuditLog) log = new_audit_log ("/dev/full");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a log that cannot be written is told of once, and holds up no call");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools echo"), NULL);
  gmcp_manager_set_audit_log (fixture->base.manager, log);
  text = call (fixture, "one__echo", "{}", &error);
  g_assert_no_error (error);
  manager_fixture_wait_until (gmcp_audit_log_get_last_error (log) != NULL);
  g_assert_true (manager_fixture_has_notice (&fixture->base, "warning - Calls cannot be written"));
  gmcp_manager_set_audit (fixture->base.manager, FALSE);
}

/* With both parts, in whichever order they are written. */
static char *
wait_for_log (Fixture *fixture, const char *part, const char *other)
{
  g_autoptr (GFile) file
    = gmcp_managed_server_dup_log_file (gmcp_manager_get_server (fixture->base.manager, "one"));
  const char *path = g_file_peek_path (file);
  char *content = NULL;

  while (content == NULL || strstr (content, part) == NULL || strstr (content, other) == NULL)
    {
      g_clear_pointer (&content, g_free);
      g_main_context_iteration (NULL, TRUE);
      g_file_get_contents (path, &content, NULL, NULL);
    }
  g_unlink (path);
  return content;
}

static void
test_server_log (Fixture *fixture, gconstpointer data)
{
  g_autofree char *dir = g_build_filename (fixture->base.dir, "logs", NULL);
  g_autofree char *path = g_build_filename (dir, "one.log", NULL);
  g_autoptr (GFile) own_file = NULL;
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what a server prints, and what becomes of it, is in its log, but no secret");
  set_file (fixture->base.manager, "log-directory", dir);
  manager_fixture_write (
    &fixture->base,
    g_strdup (
      "\"one\":{\"command\":\"/bin/sh\",\"args\":[\"-c\",\"printf 'token %s\\\\r\\\\n\\\\tand"
      "\\\\033[2J half' $TOKEN >&2; exit 3\"],\"env\":{\"TOKEN\":\"hunter2\"}}"),
    NULL);
  g_assert_null (call (fixture, "one__echo", "{}", &error));
  g_assert_nonnull (error);
  own_file
    = gmcp_managed_server_dup_log_file (gmcp_manager_get_server (fixture->base.manager, "one"));
  g_assert_cmpstr (g_file_peek_path (own_file), ==, path);

  content = wait_for_log (fixture, "[warning]", "Z | \tand?[2J half\n");
  g_assert_nonnull (strstr (content, "Z | token [redacted]\n"));
  g_assert_null (strstr (content, "hunter2"));

  manager_fixture_close (&fixture->base);
  g_assert_finalize_object (g_steal_pointer (&fixture->base.manager));
  gmcp_log_registry_write_at_exit ();
  g_unlink (path);
  g_rmdir (dir);
}

/* The log of a server that prints one long line, piece by piece. */
static char *
log_pieces (Fixture *fixture, const char *const *pieces)
{
  g_autoptr (GmcpCallBook) book = gmcp_call_book_new ();
  GmcpServerLog *log = gmcp_server_log_new ("two", book);
  g_autofree char *path = g_build_filename (fixture->base.dir, "two.log", NULL);
  char *content = NULL;

  book->log_dir = g_strdup (fixture->base.dir);
  gmcp_redactor_add_secret (book->redactor, "hunter2-hunter2");
  gmcp_redactor_add_secret (book->redactor, "r2-h");
  for (; *pieces != NULL; pieces++)
    gmcp_server_log_take_output (log, *pieces, strlen (*pieces));
  gmcp_server_log_unref (log);

  while (content == NULL || !g_str_has_suffix (content, "end\n"))
    {
      g_clear_pointer (&content, g_free);
      gmcp_log_registry_write_at_exit ();
      g_file_get_contents (path, &content, NULL, NULL);
    }
  g_unlink (path);
  return content;
}

static void
test_long_line (Fixture *fixture, gconstpointer data)
{
  const char *secret = "hunter2-hunter2";

  g_test_summary ("a line that is too long is not cut within a secret");
  for (gsize n = 1; n <= strlen (secret); n++)
    {
      g_autofree char *filling = g_strnfill (GMCP_LIMIT_SERVER_LOG_LINE_BYTES, 'x');
      g_autofree char *first = g_strndup (secret, n);
      g_autofree char *start = g_strconcat (filling, first, NULL);
      g_autofree char *rest = g_strconcat (secret + n, " and so on to the end\n", NULL);
      const char *const pieces[] = { start, rest, NULL };
      g_autofree char *content = log_pieces (fixture, pieces);

      g_assert_null (strstr (content, "hunter"));
      g_assert_null (strstr (content, "2-hunter2"));
      g_assert_null (strstr (content, "unter2"));
      g_assert_nonnull (strstr (content, "[redacted] and so on to the end\n"));
      g_assert_nonnull (strstr (content, "xxx\n"));
    }

  g_test_message ("what looked like one is there in full");
  {
    g_autofree char *filling = g_strnfill (GMCP_LIMIT_SERVER_LOG_LINE_BYTES, 'x');
    g_autofree char *start = g_strconcat (filling, "hunter2-", NULL);
    const char *const pieces[] = { start, "gatherer's end\n", NULL };
    g_autofree char *content = log_pieces (fixture, pieces);

    g_assert_nonnull (strstr (content, "| hunter2-gatherer's end\n"));
  }
}

static char *
dup_text (const char *line, const char *key)
{
  g_autoptr (GmcpJsonDoc) doc = parse (line);

  return gmcp_json_value_dup_string (
    gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), key));
}

/* Each line's id follows that of the line before, and its time is that of its call. */
static void
test_line_start (void)
{
  g_autoptr (GmcpAuditLog) log = new_audit_log ("/dev/null");
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *prefix = NULL;
  gint64 base_us = g_get_monotonic_time ();
  GmcpAuditEntry entry = { .tool = "read", .start_us = base_us };
  g_autoptr (GDateTime) first = NULL;

  for (guint64 n = 1; n < 36 * 36 * 36 + 40; n++)
    {
      g_autofree char *id = NULL;
      g_autofree char *time = NULL;
      g_autoptr (GDateTime) then = NULL;

      entry.start_us = base_us + (gint64) (n - 1) * 700001;
      g_string_truncate (out, 0);
      gmcp_audit_log_write_entry (log, out, &entry, redactor);
      if (n > 80 && n % 36 > 1 && n % (36 * 36) > 1)
        continue;

      id = dup_text (out->str, "id");
      if (prefix == NULL)
        prefix = g_strndup (id, 9);
      g_assert_cmpuint (strlen (prefix), ==, 9);
      g_assert_true (g_str_has_prefix (id, prefix));
      g_assert_cmpuint (g_ascii_strtoull (id + 9, NULL, 36), ==, n);
      g_assert_cmpint (id[9], !=, '0');

      time = dup_text (out->str, "time");
      then = g_date_time_new_from_iso8601 (time, NULL);
      g_assert_nonnull (then);
      if (first == NULL)
        first = g_date_time_ref (then);
      /* The clock on the wall may be set while this runs. */
      g_assert_cmpint (ABS (g_date_time_difference (then, first) - (gint64) (n - 1) * 700001), <,
                       10 * G_USEC_PER_SEC);
    }
}

/* Whether the line has a secret, whatever is known before of the names. */
static void
check_line (GmcpRedactor *redactor,
            const char *arguments,
            gboolean names_are_plain,
            gboolean redacts)
{
  g_autoptr (GmcpJsonDoc) doc = parse (arguments);
  g_autoptr (GmcpAuditLog) log = new_audit_log ("/dev/null");
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpAuditEntry entry = {
    .tool = "read",
    .arguments = gmcp_json_doc_get_root (doc),
    .names_are_plain = names_are_plain,
  };

  gmcp_audit_log_write_entry (log, out, &entry, redactor);
  g_assert_true (g_utf8_validate (out->str, -1, NULL));
  g_assert_cmpint (strstr (out->str, "\"redacted\":true") != NULL, ==, redacts);
  g_assert_cmpint (strstr (out->str, arguments) != NULL, ==, !redacts);
  g_assert_null (strstr (out->str, "hunter2-hunter2"));
}

static void
test_line_secrets (void)
{
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();

  check_line (redactor, "{\"password\":\"hunter2-hunter2\"}", FALSE, TRUE);
  check_line (redactor, "{\"text\":\"nothing\"}", FALSE, FALSE);
  check_line (redactor, "{\"text\":\"nothing\"}", TRUE, FALSE);

  gmcp_redactor_add_secret (redactor, "hunter2-hunter2");
  for (guint plain = 0; plain < 2; plain++)
    {
      check_line (redactor, "{\"text\":\"hunter2-hunter2\"}", plain, TRUE);
      check_line (redactor, "{\"text\":[{\"a\":\"is hunter2-hunter2.\"}]}", plain, TRUE);
      check_line (redactor, "{\"hunter2-hunter2\":1}", plain, TRUE);
      check_line (redactor, "{\"text\":\"hunter2\\u002dhunter2\"}", plain, TRUE);
      check_line (redactor, "{\"text\":\"\\u0068unter3-hunter3\"}", plain, FALSE);
    }
}

static void
test_line_cost (void)
{
  const char *names = ",\"server\":\"one\",\"tool\":\"read\"";
  const char *arguments = "{\"path\":\"/home/user/notes.txt\",\"offset\":100,\"limit\":20}";
  g_autoptr (GmcpJsonDoc) doc = parse (arguments);
  g_autoptr (GmcpAuditLog) log = new_audit_log ("/dev/null");
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();
  GmcpAuditEntry entry = {
    .host = "org.example.Host",
    .names = names,
    .names_length = strlen (names),
    .arguments = gmcp_json_doc_get_root (doc),
    .names_are_plain = TRUE,
    .duration_us = 1234,
  };
  guint n = g_test_perf () ? 2000000 : 1000;
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *secret = g_strdup_printf ("a-token-of-some-length-%u", i);

      gmcp_redactor_add_secret (redactor, secret);
    }

  g_test_timer_start ();
  for (guint i = 0; i < n; i++)
    {
      g_string_truncate (out, 0);
      gmcp_audit_log_write_entry (log, out, &entry, redactor);
    }
  g_test_minimized_result (g_test_timer_elapsed () * 1e9 / n, "%.0f ns a line",
                           g_test_timer_elapsed () * 1e9 / n);
  assert_member (out->str, "/arguments/offset", "100");
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/audit/calls", test_calls);
  ADD ("/audit/endings", test_endings);
  ADD ("/audit/secrets", test_secrets);
  ADD ("/audit/hash", test_hash);
  ADD ("/audit/replay", test_replay);
  ADD ("/audit/garbage", test_garbage);
  ADD ("/audit/unwritable", test_unwritable);
  ADD ("/audit/server-log", test_server_log);
  ADD ("/audit/long-line", test_long_line);
  g_test_add_func ("/audit/line-start", test_line_start);
  g_test_add_func ("/audit/line-secrets", test_line_secrets);
  g_test_add_func ("/audit/line-cost", test_line_cost);

  return g_test_run ();
}
