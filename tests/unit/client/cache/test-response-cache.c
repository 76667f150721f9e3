/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-response-cache-private.h"

#include <string.h>

#include "unit-test.h"

typedef struct
{
  GmcpResponseCache *cache;
  gint64 now_us;
} Fixture;

static gint64
read_clock (gpointer data)
{
  Fixture *fixture = data;

  return fixture->now_us;
}

static void
pass_ms (Fixture *fixture, gint64 ms)
{
  fixture->now_us += ms * 1000;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->now_us = 1000;
  fixture->cache = gmcp_response_cache_new ();
  gmcp_response_cache_set_clock (fixture->cache, read_clock, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->cache);
}

/* What is not said is as in the usual request. */
#define REQUEST(...) (&(GmcpCacheRequest){ __VA_ARGS__ })
#define USUAL        REQUEST (.server = NULL)

static GmcpCacheQuery *
ask (Fixture *fixture, const GmcpCacheRequest *request)
{
  GmcpCacheRequest whole = *request;

  if (whole.server == NULL)
    whole.server = "srv";
  if (whole.method == NULL)
    whole.method = "tools/list";
  if (whole.params == NULL)
    whole.params = "";
  return gmcp_cache_query_new (fixture->cache, &whole);
}

static void
store (Fixture *fixture, const GmcpCacheRequest *request, const char *result)
{
  g_autoptr (GmcpCacheQuery) query = ask (fixture, request);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (result, strlen (result), NULL, 0, NULL);

  g_assert_nonnull (doc);
  gmcp_cache_query_store (query, gmcp_json_doc_get_root (doc), FALSE);
}

/* The answer's "v"; -1 where there is none that is fresh. */
static gint64
look (Fixture *fixture, const GmcpCacheRequest *request)
{
  g_autoptr (GmcpCacheQuery) query = ask (fixture, request);
  guint left_ms;
  g_autoptr (GmcpJsonDoc) doc = gmcp_cache_query_dup_answer (query, &left_ms);
  gint64 v = -1;

  if (doc != NULL && left_ms > 0)
    gmcp_json_value_get_int64 (gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "v"), &v);
  return v;
}

static void
test_ttl (Fixture *fixture, gconstpointer data)
{
  store (fixture, USUAL, "{\"v\":1,\"ttlMs\":5000,\"cacheScope\":\"public\"}");
  g_assert_cmpint (look (fixture, USUAL), ==, 1);
  pass_ms (fixture, 4999);
  g_assert_cmpint (look (fixture, USUAL), ==, 1);
  pass_ms (fixture, 1);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
  /* It is still there for whoever takes a stale one. */
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 1);

  store (fixture, USUAL, "{\"v\":2,\"ttlMs\":5000,\"cacheScope\":\"public\"}");
  g_assert_cmpint (look (fixture, USUAL), ==, 2);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 1);
}

static void
test_missing_ttl (Fixture *fixture, gconstpointer data)
{
  const GmcpCacheRequest *list = REQUEST (.kind = GMCP_CACHE_KIND_LIST);
  const GmcpCacheRequest *resource
    = REQUEST (.method = "resources/read", .kind = GMCP_CACHE_KIND_RESOURCE);

  g_test_summary ("what the server does not say is said by the cache, what it says badly is not");
  store (fixture, list, "{\"v\":1}");
  g_assert_cmpint (look (fixture, list), ==, -1);
  gmcp_response_cache_set_list_ttl_ms (fixture->cache, 60);
  gmcp_response_cache_set_resource_ttl_ms (fixture->cache, 300);
  store (fixture, list, "{\"v\":1}");
  store (fixture, resource, "{\"v\":2}");
  store (fixture, REQUEST (.method = "server/discover"), "{\"v\":3}");
  pass_ms (fixture, 59);
  g_assert_cmpint (look (fixture, list), ==, 1);
  g_assert_cmpint (look (fixture, REQUEST (.method = "server/discover")), ==, -1);
  pass_ms (fixture, 1);
  g_assert_cmpint (look (fixture, list), ==, -1);
  g_assert_cmpint (look (fixture, resource), ==, 2);
  pass_ms (fixture, 240);
  g_assert_cmpint (look (fixture, resource), ==, -1);

  store (fixture, list, "{\"v\":4,\"ttlMs\":null}");
  g_assert_cmpint (look (fixture, list), ==, -1);
  store (fixture, list, "{\"v\":4,\"ttlMs\":0}");
  g_assert_cmpint (look (fixture, list), ==, -1);

  gmcp_response_cache_set_max_ttl_ms (fixture->cache, 10);
  store (fixture, list, "{\"v\":5}");
  pass_ms (fixture, 10);
  g_assert_cmpint (look (fixture, list), ==, -1);
}

static void
test_clear_under_way (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCacheQuery) query = ask (fixture, USUAL);
  const char *text = "{\"v\":1,\"ttlMs\":5000}";
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL);

  g_test_summary ("what was asked for before the cache was cleared is not kept either");
  gmcp_response_cache_clear (fixture->cache);
  gmcp_cache_query_store (query, gmcp_json_doc_get_root (doc), FALSE);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
}

static void
test_ttl_bounds (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *ttl;
    gint64 fresh_ms; /* 0: not kept at all */
  } cases[] = {
    { "0", 0 },
    { "-1", 0 },
    { "-1e300", 0 },
    { "null", 0 },
    { "\"5000\"", 0 },
    { "[]", 0 },
    { "{}", 0 },
    { "true", 0 },
    { "0.5", 0 },
    { "1.5", 1 },
    { "1e3", 1000 },
    { "86400000", 86400000 },
    { "86400001", 86400000 },
    { "9223372036854775807", 86400000 },
    { "18446744073709551616", 86400000 },
    { "1e308", 86400000 },
    { "1e999", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *result = g_strdup_printf ("{\"v\":1,\"ttlMs\":%s}", cases[i].ttl);

      g_test_message ("%s", result);
      gmcp_response_cache_clear (fixture->cache);
      store (fixture, USUAL, result);
      if (cases[i].fresh_ms == 0)
        {
          g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 0);
          continue;
        }
      pass_ms (fixture, cases[i].fresh_ms - 1);
      g_assert_cmpint (look (fixture, USUAL), ==, 1);
      pass_ms (fixture, 1);
      g_assert_cmpint (look (fixture, USUAL), ==, -1);
    }

  store (fixture, USUAL, "{\"v\":1}");
  g_assert_cmpint (look (fixture, USUAL), ==, -1);

  gmcp_response_cache_set_max_ttl_ms (fixture->cache, 10);
  store (fixture, USUAL, "{\"v\":1,\"ttlMs\":5000}");
  pass_ms (fixture, 9);
  g_assert_cmpint (look (fixture, USUAL), ==, 1);
  pass_ms (fixture, 1);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
}

static void
test_newer_wins (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "An answer that may not be kept still ends the one before it, and one whose scope "
    "changed does too.");

  store (fixture, USUAL, "{\"v\":1,\"ttlMs\":5000,\"cacheScope\":\"public\"}");
  store (fixture, USUAL, "{\"v\":2,\"ttlMs\":0}");
  g_assert_cmpint (look (fixture, USUAL), ==, -1);

  store (fixture, USUAL, "{\"v\":3,\"ttlMs\":5000,\"cacheScope\":\"public\"}");
  store (fixture, USUAL, "{\"v\":4,\"ttlMs\":5000,\"cacheScope\":\"private\"}");
  g_assert_cmpint (look (fixture, USUAL), ==, 4);
  store (fixture, USUAL, "{\"v\":5,\"ttlMs\":5000,\"cacheScope\":\"public\"}");
  g_assert_cmpint (look (fixture, USUAL), ==, 5);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 1);
}

static void
test_key (Fixture *fixture, gconstpointer data)
{
  const char *answer = "{\"v\":1,\"ttlMs\":5000,\"cacheScope\":\"public\"}";

  store (fixture, REQUEST (.params = "\"cursor\":\"a\""), answer);
  g_assert_cmpint (look (fixture, REQUEST (.params = "\"cursor\":\"a\"")), ==, 1);
  g_assert_cmpint (look (fixture, REQUEST (.params = "\"cursor\":\"b\"")), ==, -1);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.params = "\"cursor\":\"a\"", .method = "x/list")), ==,
                   -1);
  g_assert_cmpint (look (fixture, REQUEST (.params = "\"cursor\":\"a\"", .server = "other")), ==,
                   -1);

  /* What one part ends with is not what the next begins with. */
  store (fixture, REQUEST (.server = "ab", .method = "c", .params = "d"), answer);
  g_assert_cmpint (look (fixture, REQUEST (.server = "a", .method = "bc", .params = "d")), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.server = "ab", .method = "", .params = "cd")), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.server = "ab1:c1:d", .method = "", .params = "")), ==,
                   -1);
}

static void
test_scope (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("Private answers are for one sign-in, and what has no scope is private.");

  store (fixture, REQUEST (.sign_in = "alice"),
         "{\"v\":1,\"ttlMs\":5000,\"cacheScope\":\"private\"}");
  store (fixture, REQUEST (.sign_in = "bob"), "{\"v\":2,\"ttlMs\":5000}");
  g_assert_cmpint (look (fixture, REQUEST (.sign_in = "alice")), ==, 1);
  g_assert_cmpint (look (fixture, REQUEST (.sign_in = "bob")), ==, 2);
  g_assert_cmpint (look (fixture, REQUEST (.sign_in = "carol")), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.sign_in = "")), ==, -1);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);

  store (fixture, USUAL, "{\"v\":3,\"ttlMs\":5000,\"cacheScope\":\"secret\"}");
  g_assert_cmpint (look (fixture, USUAL), ==, 3);
  g_assert_cmpint (look (fixture, REQUEST (.sign_in = "carol")), ==, -1);

  store (fixture, REQUEST (.method = "prompts/list", .sign_in = "alice"),
         "{\"v\":4,\"ttlMs\":5000,\"cacheScope\":\"public\"}");
  g_assert_cmpint (look (fixture, REQUEST (.method = "prompts/list", .sign_in = "bob")), ==, 4);
  g_assert_cmpint (look (fixture, REQUEST (.method = "prompts/list")), ==, 4);
}

static void
test_expire (Fixture *fixture, gconstpointer data)
{
  const char *answer = "{\"v\":1,\"ttlMs\":5000,\"cacheScope\":\"public\"}";

  store (fixture, USUAL, answer);
  store (fixture, REQUEST (.params = "\"cursor\":1"), answer);
  store (fixture, REQUEST (.server = "other"), answer);
  store (fixture, REQUEST (.method = "resources/read", .params = "a", .subject = "a:"), answer);
  store (fixture, REQUEST (.method = "resources/read", .params = "b", .subject = "b:"), answer);

  gmcp_response_cache_expire (fixture->cache, "srv", "resources/read", "a:");
  g_assert_cmpint (look (fixture, REQUEST (.method = "resources/read", .params = "a")), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.method = "resources/read", .params = "b")), ==, 1);
  g_assert_cmpint (look (fixture, USUAL), ==, 1);

  /* What changed may be a part of what was read, not the other way round. */
  gmcp_response_cache_expire (fixture->cache, "srv", "resources/read", "b");
  g_assert_cmpint (look (fixture, REQUEST (.method = "resources/read", .params = "b")), ==, 1);
  gmcp_response_cache_expire (fixture->cache, "srv", "resources/read", "b:part");
  g_assert_cmpint (look (fixture, REQUEST (.method = "resources/read", .params = "b")), ==, -1);

  gmcp_response_cache_expire (fixture->cache, "srv", "tools/list", NULL);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.params = "\"cursor\":1")), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.server = "other")), ==, 1);

  /* Also the second time. */
  store (fixture, USUAL, answer);
  g_assert_cmpint (look (fixture, USUAL), ==, 1);
  gmcp_response_cache_expire (fixture->cache, "srv", "tools/list", NULL);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 5);
}

static void
test_expire_under_way (Fixture *fixture, gconstpointer data)
{
  static const char answer[] = "{\"v\":1,\"ttlMs\":5000}";
  g_autoptr (GmcpCacheQuery) list = ask (fixture, USUAL);
  g_autoptr (GmcpCacheQuery) read
    = ask (fixture, REQUEST (.method = "resources/read", .params = "a", .subject = "a:"));
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (answer, strlen (answer), NULL, 0, NULL);

  g_test_summary ("What was asked before a change was told is not fresh when it is answered.");

  gmcp_response_cache_expire (fixture->cache, "srv", "tools/list", NULL);
  gmcp_response_cache_expire (fixture->cache, "srv", "resources/read", "b:");
  gmcp_cache_query_store (list, gmcp_json_doc_get_root (doc), FALSE);
  gmcp_cache_query_store (read, gmcp_json_doc_get_root (doc), FALSE);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.method = "resources/read", .params = "a")), ==, 1);
}

static void
test_refused_page (Fixture *fixture, gconstpointer data)
{
  const char *answer = "{\"v\":1,\"ttlMs\":5000}";
  const GmcpCacheRequest *first = USUAL;
  const GmcpCacheRequest *second = REQUEST (.params = "\"cursor\":\"2\"", .later_page = TRUE);
  const GmcpCacheRequest *read = REQUEST (.method = "resources/read", .params = "a");
  GmcpCacheQuery *query;

  store (fixture, first, answer);
  store (fixture, second, answer);
  store (fixture, read, answer);
  query = ask (fixture, read);
  gmcp_cache_query_drop (query);
  gmcp_cache_query_free (query);
  g_assert_cmpint (look (fixture, read), ==, -1);
  g_assert_cmpint (look (fixture, first), ==, 1);

  store (fixture, read, answer);
  query = ask (fixture, second);
  gmcp_cache_query_drop (query);
  gmcp_cache_query_free (query);
  g_assert_cmpint (look (fixture, first), ==, -1);
  g_assert_cmpint (look (fixture, second), ==, -1);
  g_assert_cmpint (look (fixture, read), ==, 1);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 1);
}

static void
store_page (Fixture *fixture, guint number)
{
  g_autofree char *params = g_strdup_printf ("\"cursor\":%u", number);
  g_autofree char *filler = g_strnfill (1000, 'x');
  g_autofree char *result
    = g_strdup_printf ("{\"v\":%u,\"ttlMs\":5000,\"x\":\"%s\"}", number, filler);

  store (fixture, REQUEST (.params = params), result);
}

static gint64
look_page (Fixture *fixture, guint number)
{
  g_autofree char *params = g_strdup_printf ("\"cursor\":%u", number);

  return look (fixture, REQUEST (.params = params));
}

static void
test_bound (Fixture *fixture, gconstpointer data)
{
  guint64 each;

  store_page (fixture, 0);
  each = gmcp_response_cache_get_size_bytes (fixture->cache);
  g_assert_cmpuint (each, >, 1000);
  g_assert_cmpuint (each, <, 1500);

  gmcp_response_cache_set_max_bytes (fixture->cache, 8 * each);
  for (guint i = 1; i < 8; i++)
    store_page (fixture, i);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 8);
  g_assert_cmpuint (gmcp_response_cache_get_size_bytes (fixture->cache), ==, 8 * each);

  /* The one that was used last goes last. */
  g_assert_cmpint (look_page (fixture, 0), ==, 0);
  store_page (fixture, 8);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 8);
  g_assert_cmpint (look_page (fixture, 1), ==, -1);
  g_assert_cmpint (look_page (fixture, 0), ==, 0);

  gmcp_response_cache_set_max_bytes (fixture->cache, 4 * each);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 4);
  g_assert_cmpint (look_page (fixture, 0), ==, 0);
  g_assert_cmpint (look_page (fixture, 5), ==, -1);

  gmcp_response_cache_set_max_bytes (fixture->cache, 0);
  g_assert_cmpuint (gmcp_response_cache_get_size_bytes (fixture->cache), ==, 0);
  store_page (fixture, 9);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 0);
}

static void
test_too_big (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (5000, 'x');
  g_autofree char *result = g_strdup_printf ("{\"v\":1,\"ttlMs\":5000,\"x\":\"%s\"}", filler);

  g_test_summary ("One answer does not drive out the others.");

  gmcp_response_cache_set_max_bytes (fixture->cache, 16000);
  store_page (fixture, 1);
  store (fixture, USUAL, result);
  g_assert_cmpint (look (fixture, USUAL), ==, -1);
  g_assert_cmpint (look_page (fixture, 1), ==, 1);
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 10050; i++)
    {
      g_autofree char *params = g_strdup_printf ("%u", i);

      store (fixture, REQUEST (.params = params), "{\"v\":1,\"ttlMs\":5000}");
    }
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 10000);
  g_assert_cmpint (look (fixture, REQUEST (.params = "49")), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.params = "50")), ==, 1);
}

static void
test_forget (Fixture *fixture, gconstpointer data)
{
  g_autofree char *one = gmcp_response_cache_dup_server ("one", 0);
  g_autofree char *one_more = gmcp_response_cache_dup_server ("one more", 0);
  g_autofree char *unnamed = gmcp_response_cache_dup_server (NULL, 1);
  const char *answer = "{\"v\":1,\"ttlMs\":5000}";

  store (fixture, REQUEST (.server = one), answer);
  store (fixture, REQUEST (.server = one, .method = "prompts/list"), answer);
  store (fixture, REQUEST (.server = one_more), answer);
  store (fixture, REQUEST (.server = unnamed), answer);
  gmcp_response_cache_forget_server (fixture->cache, "one");
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 2);
  g_assert_cmpint (look (fixture, REQUEST (.server = one)), ==, -1);
  g_assert_cmpint (look (fixture, REQUEST (.server = one_more)), ==, 1);
  gmcp_response_cache_forget_server (fixture->cache, "client:1");
  g_assert_cmpint (look (fixture, REQUEST (.server = unnamed)), ==, 1);
  gmcp_response_cache_clear (fixture->cache);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (fixture->cache), ==, 0);
  g_assert_cmpuint (gmcp_response_cache_get_size_bytes (fixture->cache), ==, 0);
}

static void
test_left (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCacheQuery) query = ask (fixture, USUAL);
  guint left_ms = 0;

  g_test_summary ("an answer has what is left of its time");
  store (fixture, USUAL, "{\"v\":1,\"ttlMs\":5000}");
  pass_ms (fixture, 2000);
  gmcp_json_doc_unref (gmcp_cache_query_dup_answer (query, &left_ms));
  g_assert_cmpuint (left_ms, ==, 3000);
  fixture->now_us += 3000 * 1000 - 1;
  gmcp_json_doc_unref (gmcp_cache_query_dup_answer (query, &left_ms));
  g_assert_cmpuint (left_ms, ==, 1);
  fixture->now_us++;
  gmcp_json_doc_unref (gmcp_cache_query_dup_answer (query, &left_ms));
  g_assert_cmpuint (left_ms, ==, 0);
}

static void
test_keep_stale (Fixture *fixture, gconstpointer data)
{
  static const char answer[] = "{\"v\":1,\"ttlMs\":0}";
  g_autoptr (GmcpCacheQuery) query = ask (fixture, USUAL);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (answer, strlen (answer), NULL, 0, NULL);
  g_autoptr (GmcpJsonDoc) kept = NULL;
  guint left_ms = 1;

  gmcp_cache_query_store (query, gmcp_json_doc_get_root (doc), TRUE);
  kept = gmcp_cache_query_dup_answer (query, &left_ms);
  g_assert_nonnull (kept);
  g_assert_cmpuint (left_ms, ==, 0);
}

static void
count (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
test_properties (void)
{
  g_autoptr (GmcpResponseCache) cache
    = g_object_new (GMCP_TYPE_RESPONSE_CACHE, "max-bytes", (guint64) 5000, "max-ttl-ms", 70u,
                    "stale-on-error", TRUE, NULL);
  guint n = 0;
  guint64 bytes;
  guint ttl;
  gboolean stale;

  g_object_get (cache, "max-bytes", &bytes, "max-ttl-ms", &ttl, "stale-on-error", &stale, NULL);
  g_assert_cmpuint (bytes, ==, 5000);
  g_assert_cmpuint (ttl, ==, 70);
  g_assert_true (stale);

  g_signal_connect (cache, "notify", G_CALLBACK (count), &n);
  gmcp_response_cache_set_max_bytes (cache, 5000);
  gmcp_response_cache_set_max_ttl_ms (cache, 70);
  gmcp_response_cache_set_stale_on_error (cache, 2);
  g_assert_cmpuint (n, ==, 0);
  gmcp_response_cache_set_max_bytes (cache, 5001);
  gmcp_response_cache_set_max_ttl_ms (cache, 71);
  gmcp_response_cache_set_stale_on_error (cache, FALSE);
  g_assert_cmpuint (n, ==, 3);
}

#define N_THREADS 4

static gpointer
use_in_thread (gpointer data)
{
  Fixture *fixture = data;

  for (guint i = 0; i < 2000; i++)
    {
      store_page (fixture, i % 50);
      look_page (fixture, (i + 7) % 50);
      if (i % 10 == 0)
        gmcp_response_cache_expire (fixture->cache, "srv", "tools/list", NULL);
      if (i % 100 == 0)
        gmcp_response_cache_forget (fixture->cache, "srv");
    }
  return NULL;
}

static void
test_threads (Fixture *fixture, gconstpointer data)
{
  GThread *threads[N_THREADS];

  gmcp_response_cache_set_max_bytes (fixture->cache, 20000);
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("user", use_in_thread, fixture);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (gmcp_response_cache_get_size_bytes (fixture->cache), <=, 20000);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/client/response-cache/ttl", test_ttl);
  ADD ("/client/response-cache/missing-ttl", test_missing_ttl);
  ADD ("/client/response-cache/clear-under-way", test_clear_under_way);
  ADD ("/client/response-cache/ttl-bounds", test_ttl_bounds);
  ADD ("/client/response-cache/newer-wins", test_newer_wins);
  ADD ("/client/response-cache/key", test_key);
  ADD ("/client/response-cache/scope", test_scope);
  ADD ("/client/response-cache/expire", test_expire);
  ADD ("/client/response-cache/expire-under-way", test_expire_under_way);
  ADD ("/client/response-cache/refused-page", test_refused_page);
  ADD ("/client/response-cache/bound", test_bound);
  ADD ("/client/response-cache/too-big", test_too_big);
  ADD ("/client/response-cache/many", test_many);
  ADD ("/client/response-cache/forget", test_forget);
  ADD ("/client/response-cache/left", test_left);
  ADD ("/client/response-cache/keep-stale", test_keep_stale);
  ADD ("/client/response-cache/threads", test_threads);
  g_test_add_func ("/client/response-cache/properties", test_properties);

  return g_test_run ();
}
