/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include <string.h>
#include <time.h>

#include <glib/gstdio.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-search-words-private.h"
#include "gmcp-tool-private.h"
#include "list-provider.h"
#include "unit-test.h"

/* CPU time, which others on the machine do not take part in; what looks after each access takes a part. */
#if defined(__SANITIZE_ADDRESS__)
#define CPU_MS_PER_TURN 500
#else
#define CPU_MS_PER_TURN 50
#endif

static GPtrArray *
search (ListProvider *provider, const char *query, guint limit, GmcpToolDetail detail)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *matches;

  gmcp_tool_provider_search_async (GMCP_TOOL_PROVIDER (provider), query, limit, detail, NULL,
                                   list_provider_store_result, &result);
  matches = gmcp_tool_provider_search_finish (GMCP_TOOL_PROVIDER (provider),
                                              list_provider_wait (&result), &error);
  g_assert_no_error (error);
  return matches;
}

/* The names of what is found, in their order. */
static void
assert_finds (ListProvider *provider, const char *query, const char *expected)
{
  g_autoptr (GPtrArray) matches = search (provider, query, 0, GMCP_TOOL_DETAIL_NAME);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < matches->len; i++)
    {
      GmcpToolMatch *match = g_ptr_array_index (matches, i);
      const char *name
        = gmcp_definition_get_name (GMCP_DEFINITION (gmcp_tool_match_get_tool (match)));

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "", name);
      if (i > 0)
        g_assert_cmpfloat (gmcp_tool_match_get_score (g_ptr_array_index (matches, i - 1)), >=,
                           gmcp_tool_match_get_score (match));
    }
  g_assert_cmpstr (names->str, ==, expected);
}

static ListProvider *
new_provider (void)
{
  ListProvider *provider = list_provider_new ();

  list_provider_add (provider, "create_issue", "Open an issue", "Creates an issue in a repository",
                     "owner repo title body");
  list_provider_add (provider, "getWeatherForecast", NULL, "What the sky will be like, for a city",
                     "city");
  list_provider_add (provider, "read-file", "Read a file", "Gives the contents of a file", "path");
  list_provider_add (provider, "send_mail", NULL, "Sends a message about an issue", "to subject");
  list_provider_add (provider, "übersetzen", "Übersetzer", "Translates a text — 文字列 too", NULL);
  return provider;
}

static void
test_fields (void)
{
  ListProvider *provider = new_provider ();

  assert_finds (provider, "weather", "getWeatherForecast");
  assert_finds (provider, "forecast", "getWeatherForecast");
  assert_finds (provider, "getWeatherForecast", "getWeatherForecast");
  assert_finds (provider, "read-file", "read-file");
  assert_finds (provider, "read_file", "read-file");
  assert_finds (provider, "contents", "read-file");
  assert_finds (provider, "subject", "send_mail");
  assert_finds (provider, "repository", "create_issue");
  assert_finds (provider, "Open", "create_issue");
  g_test_message ("a name counts more than a description");
  assert_finds (provider, "issue", "create_issue send_mail");
  g_test_message ("what fits in more words comes first");
  assert_finds (provider, "issue in repository", "create_issue send_mail");
  g_test_message ("other forms of a word, and its beginning");
  assert_finds (provider, "files", "read-file");
  assert_finds (provider, "creating", "create_issue");
  assert_finds (provider, "weath", "getWeatherForecast");
  assert_finds (provider, "ubersetz", "übersetzen");
  assert_finds (provider, "ÜBERSETZEN", "übersetzen");
  assert_finds (provider, "文字", "übersetzen");
  assert_finds (provider, "unheard-nonsense", "");
  g_assert_finalize_object (provider);
}

static void
test_server (void)
{
  ListProvider *provider = list_provider_new ();
  g_autoptr (GmcpTool) own = list_provider_make_tool ("list", NULL, "Lists", NULL);
  g_autoptr (GmcpTool) one = gmcp_tool_new_listed (own, "tasks", "tasks__list");
  g_autoptr (GmcpTool) other = gmcp_tool_new_listed (own, "music", "music__list");

  g_list_store_append (provider->tools, one);
  g_list_store_append (provider->tools, other);
  assert_finds (provider, "tasks", "tasks__list");
  assert_finds (provider, "music__list", "music__list tasks__list");
  g_assert_finalize_object (provider);
}

static void
test_hostile_queries (void)
{
  static const char *const queries[] = { "\"",
                                         "\"\"\"",
                                         "'; DROP TABLE documents; --",
                                         "AND",
                                         "OR OR OR",
                                         "NOT",
                                         "NEAR(a b, 2)",
                                         "a AND",
                                         "name:",
                                         "name : x",
                                         "{name title} : x",
                                         "^weather",
                                         "weather*",
                                         "*",
                                         "-weather",
                                         "(",
                                         "weather)",
                                         "+",
                                         "a + b",
                                         "\\",
                                         "%s%n",
                                         "😀",
                                         "👩‍👩‍👧",
                                         "\xff\xfe",
                                         "we\xff-ather",
                                         "\xf0\x9f",
                                         "ª",
                                         "²",
                                         "Ⅷ",
                                         "\xe0\xb9\x81",
                                         "\xcc\x81",
                                         "..." };
  ListProvider *provider = new_provider ();
  g_autofree char *quotes = g_strnfill (1024 * 1024, '"');
  g_autofree char *letters = g_strnfill (1024 * 1024, 'w');
  g_autofree char *words = g_malloc (1024 * 1024 + 1);

  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autoptr (GPtrArray) matches = NULL;

      g_test_message ("query %u", i);
      matches = search (provider, queries[i], 0, GMCP_TOOL_DETAIL_NAME);
      g_assert_cmpuint (matches->len, <=, 5);
    }
  assert_finds (provider, "^weather", "getWeatherForecast");
  assert_finds (provider, "\"weather\" AND \"sky", "getWeatherForecast");
  assert_finds (provider, "NOT weather", "getWeatherForecast");
  assert_finds (provider, "😀", "");
  assert_finds (provider, "\"\"", "");

  for (gsize i = 0; i < 1024 * 1024; i++)
    words[i] = i % 3 == 2 ? ' ' : (char) ('a' + i % 26);
  words[1024 * 1024] = '\0';
  assert_finds (provider, quotes, "");
  assert_finds (provider, letters, "");
  g_ptr_array_unref (search (provider, words, 0, GMCP_TOOL_DETAIL_NAME));
  g_assert_finalize_object (provider);
}

static void
test_expression (void)
{
  static const struct
  {
    const char *query;
    const char *expected;
  } cases[] = {
    { "", NULL },
    { " .!\"", NULL },
    { "weather", "\"weather\" *" },
    { "a bc def", "\"a\" OR \"bc\" OR \"def\" *" },
    { "Def dEF def", "\"Def\" * OR \"d\" OR \"EF\"" },
    { "parseHTTPHeader", "\"parseHTTPHeader\" * OR \"parse\" * OR \"HTTP\" * OR \"Header\" *" },
    { "x\"y", "\"x\" OR \"y\"" },
    { "字", "\"字\" *" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *expression = gmcp_search_words_to_expression (cases[i].query);

      g_assert_cmpstr (expression, ==, cases[i].expected);
    }
}

static void
test_limits (void)
{
  ListProvider *provider = list_provider_new ();
  g_autoptr (GPtrArray) matches = NULL;
  g_autofree char *description = g_strnfill (1000 * 1000, 'x');

  for (guint i = 0; i < 1200; i++)
    {
      g_autofree char *name = g_strdup_printf ("thing_%u", i);

      list_provider_add (provider, name, NULL, i == 7 ? description : NULL, NULL);
    }

  matches = search (provider, "thing", 0, GMCP_TOOL_DETAIL_NAME);
  g_assert_cmpuint (matches->len, ==, 10);
  g_clear_pointer (&matches, g_ptr_array_unref);
  matches = search (provider, "thing", 3, GMCP_TOOL_DETAIL_NAME);
  g_assert_cmpuint (matches->len, ==, 3);
  g_clear_pointer (&matches, g_ptr_array_unref);
  matches = search (provider, "thing", G_MAXUINT, GMCP_TOOL_DETAIL_NAME);
  g_assert_cmpuint (matches->len, ==, 1000);
  g_clear_pointer (&matches, g_ptr_array_unref);

  g_test_message ("an empty query gives the first of the list");
  matches = search (provider, " \n", 2, GMCP_TOOL_DETAIL_NAME);
  g_assert_cmpuint (matches->len, ==, 2);
  g_assert_cmpstr (
    gmcp_definition_get_name (GMCP_DEFINITION (gmcp_tool_match_get_tool (matches->pdata[1]))), ==,
    "thing_1");
  g_assert_finalize_object (provider);
}

static void
test_detail (void)
{
  static const char *const expected[] = {
    [GMCP_TOOL_DETAIL_NAME] = "{\"name\":\"t\"}",
    [GMCP_TOOL_DETAIL_BRIEF] = "{\"name\":\"t\",\"title\":\"T\",\"description\":\"First.\","
                               "\"arguments\":[\"a\",\"b\"]}",
    [GMCP_TOOL_DETAIL_FULL]
    = "{\"name\":\"t\",\"title\":\"T\",\"description\":\"First.\\n\\nSecond.\",\"inputSchema\":"
      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":"
      "\"string\"}}}}",
  };
  ListProvider *provider = list_provider_new ();
  g_autofree char *words = g_strnfill (500, 'w');
  g_autoptr (GPtrArray) matches = NULL;
  g_autofree char *json = NULL;

  list_provider_add (provider, "t", "T", "First.\n\nSecond.", "a b");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GPtrArray) found = search (provider, "second", 0, i);
      g_autofree char *text = gmcp_tool_match_dup_json (found->pdata[0]);

      g_assert_cmpstr (text, ==, expected[i]);
    }

  list_provider_add (provider, "long", NULL, words, NULL);
  matches = search (provider, "long", 0, GMCP_TOOL_DETAIL_BRIEF);
  json = gmcp_tool_match_dup_json (matches->pdata[0]);
  g_assert_nonnull (strstr (json, "www…\""));
  g_assert_cmpuint (strlen (json), <, 300);
  g_assert_finalize_object (provider);
}

static void
test_changes (void)
{
  ListProvider *provider = new_provider ();
  g_autoptr (GmcpTool) first = g_list_model_get_item (G_LIST_MODEL (provider->tools), 0);
  g_autoptr (GmcpTool) changed
    = list_provider_make_tool ("create_issue", NULL, "Makes a ticket", NULL);
  gpointer both[2] = { changed, first };

  assert_finds (provider, "ticket", "");
  g_list_store_splice (provider->tools, 0, 1, (gpointer *) &changed, 1);
  assert_finds (provider, "ticket", "create_issue");
  assert_finds (provider, "repository", "");

  g_test_message ("a tool that is still there after a change keeps being found, once");
  g_list_store_splice (provider->tools, 0, 1, both, 2);
  assert_finds (provider, "ticket", "create_issue");
  assert_finds (provider, "create", "create_issue create_issue");
  g_list_store_append (provider->tools, first);
  g_list_store_remove (provider->tools, 1);
  assert_finds (provider, "repository", "create_issue");

  g_test_message ("what comes and goes between two searches is never read");
  list_provider_add (provider, "shortlived", NULL, NULL, NULL);
  g_list_store_remove (provider->tools,
                       g_list_model_get_n_items (G_LIST_MODEL (provider->tools)) - 1);
  list_provider_add (provider, "staying", NULL, NULL, NULL);
  assert_finds (provider, "shortlived staying", "staying");

  g_list_store_remove_all (provider->tools);
  assert_finds (provider, "issue", "");
  assert_finds (provider, "", "");
  list_provider_add (provider, "again", NULL, NULL, NULL);
  assert_finds (provider, "again", "again");
  list_provider_add (provider, "dropped", NULL, NULL, NULL);
  g_list_store_remove_all (provider->tools);
  g_assert_finalize_object (provider);
}

static gint64
cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
test_many (void)
{
  ListProvider *provider = list_provider_new ();
  GAsyncResult *results[3] = { NULL };
  gint64 longest = 0;
  guint n_turns = 0;

  g_test_summary ("many tools are read in steps, and searches that wait all get their answer");
  for (guint i = 0; i < 5000; i++)
    {
      g_autofree char *name = g_strdup_printf ("tool_%u", i);
      g_autofree char *text = g_strdup_printf ("Does number %u of many things, and says so", i);

      list_provider_add (provider, name, NULL, text, "path name");
    }

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    gmcp_tool_provider_search_async (GMCP_TOOL_PROVIDER (provider), "4711", 0,
                                     GMCP_TOOL_DETAIL_NAME, NULL, list_provider_store_result,
                                     &results[i]);
  while (results[2] == NULL)
    {
      gint64 start = cpu_us ();

      g_main_context_iteration (NULL, TRUE);
      longest = MAX (longest, cpu_us () - start);
      n_turns++;
    }
  g_test_message ("%u turns, the longest of %" G_GINT64_FORMAT " µs", n_turns, longest);
  /* How much a turn reads is a matter of time, so a fast machine has few of them. */
  g_assert_cmpuint (n_turns, >, 3);
  g_assert_cmpint (longest, <, CPU_MS_PER_TURN * 1000);

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (GPtrArray) matches
        = gmcp_tool_provider_search_finish (GMCP_TOOL_PROVIDER (provider), results[i], NULL);

      g_assert_cmpuint (matches->len, ==, 1);
      g_object_unref (results[i]);
    }
  g_assert_finalize_object (provider);
}

static void
test_cancelled (void)
{
  ListProvider *provider = new_provider ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_tool_provider_search_async (GMCP_TOOL_PROVIDER (provider), "issue", 0, GMCP_TOOL_DETAIL_NAME,
                                   cancellable, list_provider_store_result, &first);
  g_cancellable_cancel (cancellable);
  g_assert_null (gmcp_tool_provider_search_finish (GMCP_TOOL_PROVIDER (provider),
                                                   list_provider_wait (&first), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  gmcp_tool_provider_search_async (GMCP_TOOL_PROVIDER (provider), "issue", 0, GMCP_TOOL_DETAIL_NAME,
                                   cancellable, list_provider_store_result, &second);
  g_assert_null (gmcp_tool_provider_search_finish (GMCP_TOOL_PROVIDER (provider),
                                                   list_provider_wait (&second), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_finds (provider, "issue", "create_issue send_mail");
  g_clear_object (&first);
  g_clear_object (&second);
  g_assert_finalize_object (provider);
}

static gboolean
maps_sqlite (void)
{
  g_autofree char *maps = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  return strstr (maps, "libsqlite3") != NULL;
}

static void
test_loaded_late (void)
{
  ListProvider *provider;

  g_test_summary ("the database is not in memory before the first search");
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  provider = new_provider ();
  g_assert_false (maps_sqlite ());
  assert_finds (provider, "weather", "getWeatherForecast");
  g_assert_true (maps_sqlite ());
  g_assert_finalize_object (provider);
}

static void
assert_not_supported (const char *part)
{
  ListProvider *provider = new_provider ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_tool_provider_search_async (GMCP_TOOL_PROVIDER (provider), "issue", 0, GMCP_TOOL_DETAIL_NAME,
                                   NULL, list_provider_store_result, &result);
  g_assert_null (gmcp_tool_provider_search_finish (GMCP_TOOL_PROVIDER (provider),
                                                   list_provider_wait (&result), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, part));
  g_clear_object (&result);
  g_assert_finalize_object (provider);
}

static void
test_missing (void)
{
  g_autofree char *folder = NULL;
  g_autofree char *file = NULL;

  g_test_summary ("without the module a search fails, and says what is missing");
  if (g_file_test (GMCP_MODULE_DIR "/gmcp-search.so", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("gmcp-search.so is installed in this prefix");
      return;
    }
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  folder = g_dir_make_tmp ("gmcp-modules-XXXXXX", NULL);
  file = g_build_filename (folder, "gmcp-search.so", NULL);
  g_setenv ("GMCP_MODULE_PATH", folder, TRUE);
  assert_not_supported (folder);
  g_assert_true (g_file_set_contents (file, "no module", -1, NULL));
  assert_not_supported ("gmcp-search.so");
  g_assert_cmpint (g_remove (file), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_list_of_others (void)
{
  ListProvider *provider = list_provider_new ();
  g_autoptr (GFile) file = g_file_new_for_path ("/");

  g_test_summary ("a list of things that are no tools has nothing to be found");
  g_object_unref (provider->tools);
  provider->tools = g_list_store_new (G_TYPE_FILE);
  g_list_store_append (provider->tools, file);
  g_test_expect_message ("Gmcp", G_LOG_LEVEL_MESSAGE, "*ListProvider*GFile*");
  assert_finds (provider, "", "");
  g_test_assert_expected_messages ();
  assert_finds (provider, "file", "");
  g_assert_finalize_object (provider);
}

#ifdef HAVE_SQLITE
#define HAS_SQLITE TRUE
#else
#define HAS_SQLITE FALSE
#endif

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-search/missing", test_missing);
  g_test_add_func ("/tool-search/expression", test_expression);
  if (!HAS_SQLITE)
    return g_test_run ();

  g_test_add_func ("/tool-search/loaded-late", test_loaded_late);
  g_test_add_func ("/tool-search/fields", test_fields);
  g_test_add_func ("/tool-search/server", test_server);
  g_test_add_func ("/tool-search/hostile-queries", test_hostile_queries);
  g_test_add_func ("/tool-search/limits", test_limits);
  g_test_add_func ("/tool-search/detail", test_detail);
  g_test_add_func ("/tool-search/changes", test_changes);
  g_test_add_func ("/tool-search/list-of-others", test_list_of_others);
  g_test_add_func ("/tool-search/many", test_many);
  g_test_add_func ("/tool-search/cancelled", test_cancelled);
  return g_test_run ();
}
