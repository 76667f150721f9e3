/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-log-registry-private.h"
#include "gmcp-audit-beginning-private.h"
#include "gmcp-audit-log-private.h"
#include "gmcp-limits.h"
#include "new-audit-log.h"
#include "unit-test.h"

/* What the audit log has of arguments and names, however long they are. */

typedef struct
{
  char *dir;
  char *path;
  GmcpAuditLog *log;
  GmcpRedactor *redactor;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->dir, "audit.jsonl", NULL);
  fixture->log = new_audit_log (fixture->path);
  fixture->redactor = gmcp_redactor_new ();
  gmcp_redactor_add_secret (fixture->redactor, "hunter2-hunter2");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->log);
  gmcp_log_registry_write_at_exit ();
  gmcp_redactor_free (fixture->redactor);
  g_unlink (fixture->path);
  g_rmdir (fixture->dir);
  g_free (fixture->path);
  g_free (fixture->dir);
}

static GmcpJsonDoc *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

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
make_arguments (gsize n_bytes)
{
  g_autofree char *filling = g_strnfill (n_bytes, 'x');

  return g_strdup_printf ("{\"path\":\"/a/file\",\"content\":\"%s\"}", filling);
}

static void
write_call (Fixture *fixture, const char *tool, const char *arguments)
{
  g_autoptr (GmcpJsonDoc) doc = parse (arguments);
  const GmcpAuditEntry entry = { .tool = tool, .arguments = gmcp_json_doc_get_root (doc) };

  gmcp_audit_log_write (fixture->log, &entry, fixture->redactor);
}

static void
on_ready (GObject *object, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

/* Under load a hash may take longer than who reads waits for it. */
static GStrv
read_log (Fixture *fixture, guint n_lines)
{
  GStrv lines = NULL;

  while (lines == NULL || g_strv_length (lines) < n_lines)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      g_strfreev (lines);
      gmcp_audit_log_read_async (fixture->log, NULL, NULL, 0, NULL, on_ready, &result);
      while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
      lines = gmcp_audit_log_read_finish (fixture->log, result, &error);
      g_assert_no_error (error);
    }
  return lines;
}

static void
test_large (Fixture *fixture, gconstpointer data)
{
  static const gsize sizes[] = { 10, 70000, 3 * 1024 * 1024, 60 * 1024 * 1024 };
  g_auto (GStrv) lines = NULL;

  g_test_summary (
    "each call has a hash of all of its arguments, or all of them, and their beginning");
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *arguments = make_arguments (sizes[i]);
      g_autofree char *tool = g_strdup_printf ("tool-%" G_GSIZE_FORMAT, sizes[i]);

      write_call (fixture, tool, arguments);
    }
  lines = read_log (fixture, G_N_ELEMENTS (sizes));
  g_assert_cmpuint (g_strv_length (lines), ==, G_N_ELEMENTS (sizes));

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *arguments = make_arguments (sizes[i]);
      g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, arguments, -1);
      g_autofree char *bytes = g_strdup_printf ("%" G_GSIZE_FORMAT, strlen (arguments));
      g_autofree char *tool = g_strdup_printf ("tool-%" G_GSIZE_FORMAT, sizes[i]);
      const char *line = NULL;

      for (gsize j = 0; lines[j] != NULL; j++)
        {
          g_autofree char *name = get_member (lines[j], "/tool");

          line = g_str_equal (name, tool) ? lines[j] : line;
        }
      g_assert_nonnull (line);
      if (i == 0)
        {
          assert_member (line, "/arguments", arguments);
          continue;
        }
      assert_member (line, "/arguments", NULL);
      assert_member (line, "/arguments_sha256", hash);
      assert_member (line, "/arguments_bytes", bytes);
      assert_member (line, "/arguments_beginning/path", "/a/file");
      g_assert_cmpuint (strlen (line), <, 8192);
    }
}

static void
test_does_not_wait (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = make_arguments (1024 * 1024);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, arguments, -1);
  g_autofree char *content = NULL;
  g_auto (GStrv) lines = NULL;

  g_test_summary ("the call does not wait for the hash, and its line does");
  write_call (fixture, "large", arguments);
  write_call (fixture, "small", "{}");
  /* Nothing has run that could have taken the hash over. */
  gmcp_log_registry_write_at_exit ();
  g_assert_true (g_file_get_contents (fixture->path, &content, NULL, NULL));
  g_assert_null (strstr (content, "\"large\""));
  g_assert_nonnull (strstr (content, "\"small\""));

  lines = read_log (fixture, 2);
  g_assert_cmpuint (g_strv_length (lines), ==, 2);
  assert_member (lines[1], "/tool", "large");
  assert_member (lines[1], "/arguments_sha256", hash);
}

static void
test_end (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = make_arguments (1024 * 1024);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, arguments, -1);
  g_autofree char *content = NULL;
  g_auto (GStrv) lines = NULL;

  g_test_summary ("what waits for its hash is written at the end of the program, and of the log");
  write_call (fixture, "one", arguments);
  gmcp_audit_pending_write_all_at_exit ();
  write_call (fixture, "two", arguments);
  g_clear_object (&fixture->log);
  do
    {
      g_clear_pointer (&content, g_free);
      gmcp_log_registry_write_at_exit ();
      g_file_get_contents (fixture->path, &content, NULL, NULL);
    }
  while (content == NULL || strstr (content, "two") == NULL);
  lines = g_strsplit (content, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  assert_member (lines[0], "/tool", "one");
  assert_member (lines[1], "/tool", "two");
  assert_member (lines[1], "/arguments_sha256", hash);
  assert_member (lines[1], "/arguments_beginning/path", "/a/file");
  assert_member (lines[1], "/outcome", "ok");
}

static void
test_too_many (Fixture *fixture, gconstpointer data)
{
  const guint n_calls = GMCP_LIMIT_AUDIT_PENDING_BYTES / (60u * 1024 * 1024) + 2;
  g_autofree char *arguments = make_arguments (60 * 1024 * 1024);
  g_auto (GStrv) lines = NULL;
  guint n_hashed = 0;

  g_test_summary ("who makes very many large calls at once gets a line for each");
  for (guint i = 0; i < n_calls; i++)
    write_call (fixture, "large", arguments);
  lines = read_log (fixture, n_calls);
  g_assert_cmpuint (g_strv_length (lines), ==, n_calls);
  for (guint i = 0; i < n_calls; i++)
    {
      g_autofree char *hash = get_member (lines[i], "/arguments_sha256");

      assert_member (lines[i], "/arguments_beginning/path", "/a/file");
      n_hashed += hash != NULL;
    }
  g_assert_cmpuint (n_hashed, <, n_calls);
  g_assert_cmpuint (n_hashed, >=, n_calls - 2);
}

static void
test_hash_only (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = make_arguments (100000);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, arguments, -1);
  g_auto (GStrv) lines = NULL;

  g_test_summary ("where only a hash is to be kept there is no beginning");
  gmcp_audit_log_set_hash_arguments (fixture->log, TRUE);
  write_call (fixture, "large", arguments);
  lines = read_log (fixture, 1);
  assert_member (lines[0], "/arguments_sha256", hash);
  assert_member (lines[0], "/arguments_beginning", NULL);
}

static char *
write_beginning (Fixture *fixture, const char *arguments)
{
  g_autoptr (GmcpJsonDoc) doc = parse (arguments);
  g_autoptr (GmcpJsonDoc) again = NULL;
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  gmcp_audit_beginning_write (&writer, gmcp_json_doc_get_root (doc), fixture->redactor);
  again = parse (out->str);
  g_assert_cmpuint (out->len, <, 4 * GMCP_LIMIT_AUDIT_BEGINNING_BYTES);
  return g_string_free (out, FALSE);
}

static void
test_beginning (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *arguments;
    const char *beginning;
  } cases[] = {
    { "{}", "{}" },
    { "{\"a\":[1.50,true,null,{\"b\":\"c\\n\"}]}", "{\"a\":[1.50,true,null,{\"b\":\"c\\n\"}]}" },
    { "{\"password\":\"p\",\"t\":\"hunter2-hunter2\"}",
      "{\"password\":\"[redacted]\",\"t\":\"[redacted]\"}" },
  };
  static const char *const units[]
    = { "x", "\\n", "\\u00e9", "é", "\\ud83d\\ude00", "[", "hunter2-" };

  g_test_summary ("the beginning is JSON, short, and without secrets");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *beginning = write_beginning (fixture, cases[i].arguments);

      g_assert_cmpstr (beginning, ==, cases[i].beginning);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    for (guint shift = 0; shift < 16; shift++)
      {
        g_autoptr (GString) text = g_string_new ("{\"k\":\"");
        g_autofree char *beginning = NULL;
        g_autofree char *value = NULL;

        for (guint j = 0; j < shift; j++)
          g_string_append_c (text, '.');
        for (guint j = 0; j < 3000; j++)
          g_string_append (text, units[i]);
        g_string_append (text, "\"}");
        beginning = write_beginning (fixture, text->str);
        value = get_member (beginning, "/k");
        g_assert_true (g_utf8_validate (value, -1, NULL));
        g_assert_true (g_str_has_suffix (value, "…"));
        g_assert_null (strstr (value, "\\"));
      }
}

static void
test_cut_secret (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a secret that goes on behind the end of what is kept is not there in part");
  for (guint n = 1000; n < 1040; n++)
    {
      g_autofree char *filling = g_strnfill (n, 'x');
      g_autofree char *rest = g_strnfill (4000, 'y');
      g_autofree char *arguments
        = g_strdup_printf ("{\"k\":\"%s hunter2-hunter2 %s\"}", filling, rest);
      g_autofree char *beginning = write_beginning (fixture, arguments);

      g_assert_null (strstr (beginning, "hun"));
    }
}

static void
test_shapes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *key = g_strnfill (5000, 'k');
  g_autofree char *digits = g_strnfill (5000, '7');
  g_autofree char *open = g_strnfill (200, '[');
  g_autofree char *shut = g_strnfill (200, ']');
  g_autofree char *keyed = g_strdup_printf ("{\"%s_password\":\"p4ssw0rd-p4ssw0rd\"}", key);
  g_autofree char *numbered = g_strdup_printf ("{\"n\":%s}", digits);
  g_autofree char *deep = g_strdup_printf ("{\"n\":%s%s}", open, shut);
  g_autoptr (GString) many = g_string_new ("{");
  const char *const arguments[] = { keyed, numbered, deep, NULL };

  g_test_summary ("nothing makes the beginning long, or shows what its name would have hidden");
  for (gsize i = 0; arguments[i] != NULL; i++)
    {
      g_autofree char *beginning = write_beginning (fixture, arguments[i]);

      g_assert_cmpuint (strlen (beginning), <, 1000);
      g_assert_null (strstr (beginning, "p4ssw0rd"));
    }
  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (many, "%s\"k%u\":[{},[]]", i > 0 ? "," : "", i);
  g_string_append_c (many, '}');
  {
    g_autofree char *beginning = write_beginning (fixture, many->str);

    g_assert_nonnull (strstr (beginning, "\"…\":\"…\""));
  }
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filling = g_strnfill (255, 'n');
  g_autofree char *long_name = g_strconcat (filling, "éééé", NULL);
  g_autofree char *huge = g_strnfill (30 * 1024 * 1024, 'h');
  const GmcpAuditEntry entry = {
    .host = long_name,
    .role = "the role hunter2-hunter2",
    .project = huge,
    .server = "one",
    .tool = "read",
    .names = ",\"server\":\"one\",\"tool\":\"read\"",
    .names_length = strlen (",\"server\":\"one\",\"tool\":\"read\""),
  };
  const GmcpAuditEntry secret = {
    .server = "one",
    .tool = "hunter2-hunter2",
    .names = ",\"server\":\"one\",\"tool\":\"hunter2-hunter2\"",
    .names_length = strlen (",\"server\":\"one\",\"tool\":\"hunter2-hunter2\""),
  };
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *cut = g_strconcat (filling, "…", NULL);

  g_test_summary ("names are cut, and lose their secrets, as other texts do");
  gmcp_audit_log_write_entry (fixture->log, out, &entry, fixture->redactor);
  g_assert_cmpuint (out->len, <, 2000);
  assert_member (out->str, "/host", cut);
  assert_member (out->str, "/role", "the role [redacted]");
  assert_member (out->str, "/server", "one");
  assert_member (out->str, "/tool", "read");
  assert_member (out->str, "/cut", "true");
  g_assert_null (strstr (out->str, "hunter2"));

  g_string_truncate (out, 0);
  gmcp_audit_log_write_entry (fixture->log, out, &secret, fixture->redactor);
  assert_member (out->str, "/server", "one");
  assert_member (out->str, "/tool", "[redacted]");
  assert_member (out->str, "/cut", "true");
}

#define ADD(path, test)                                                                            \
  g_test_add ("/audit/arguments/" path, Fixture, NULL, set_up, test, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("large", test_large);
  ADD ("does-not-wait", test_does_not_wait);
  ADD ("end", test_end);
  ADD ("too-many", test_too_many);
  ADD ("hash-only", test_hash_only);
  ADD ("beginning", test_beginning);
  ADD ("cut-secret", test_cut_secret);
  ADD ("shapes", test_shapes);
  ADD ("names", test_names);

  return g_test_run ();
}
