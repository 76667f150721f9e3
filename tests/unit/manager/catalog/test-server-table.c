/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-server-table-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* The table of servers, which no manager has. */

#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  GmcpServerTable *table;
  GString *told;    /* what the table told of, in its order */
  const char *next; /* ids that are configured by whoever is told of a change; NULL for none */
} Fixture;

static GPtrArray *
make_configs (const char *ids, const char *title)
{
  g_auto (GStrv) words = g_strsplit (ids, " ", -1);
  GPtrArray *configs = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      g_autofree char *script
        = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
      g_autofree char *json
        = g_strdup_printf ("{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\"],"
                           "\"title\":\"%s\"}",
                           script, title);
      g_autoptr (GError) error = NULL;

      g_ptr_array_add (configs, gmcp_server_config_new_from_json (words[i], json, &error));
      g_assert_no_error (error);
    }

  return configs;
}

static void
configure_titled (Fixture *fixture, const char *ids, const char *title)
{
  g_autoptr (GPtrArray) configs = make_configs (ids, title);

  gmcp_server_table_set_configs (fixture->table, configs);
}

static void
configure (Fixture *fixture, const char *ids)
{
  configure_titled (fixture, ids, "old");
}

static GmcpManagedServer *
make_server (GmcpServerConfig *config, gpointer data)
{
  GmcpManagerLimits limits;
  Fixture *fixture = data;

  gmcp_manager_limits_init (&limits);
  g_string_append_printf (fixture->told, "+%s ", gmcp_server_config_get_id (config));
  return gmcp_managed_server_new (config, &limits.servers);
}

static void
on_server_left (GmcpManagedServer *server, gpointer data)
{
  Fixture *fixture = data;
  const char *id = gmcp_managed_server_get_id (server);

  g_assert_null (gmcp_server_table_find (fixture->table, id));
  g_string_append_printf (fixture->told, "-%s ", id);
}

static void
on_items_changed (guint position, guint n_removed, guint n_added, gpointer data)
{
  Fixture *fixture = data;
  const char *next = g_steal_pointer (&fixture->next);

  g_string_append_printf (fixture->told, "[%u %u %u] ", position, n_removed, n_added);
  if (next != NULL)
    configure_titled (fixture, next, "newest");
}

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
  /* What a server says of its own accord is no warning here. */
  if (level == GMCP_NOTICE_LEVEL_WARNING)
    g_string_append_printf (((Fixture *) data)->told, "%s:%s ", gmcp_managed_server_get_id (server),
                            message);
}

static void
on_all_gone (gpointer data)
{
  g_string_append (((Fixture *) data)->told, "gone ");
}

static const GmcpServerTableHooks hooks = {
  .make_server = make_server,
  .server_left = on_server_left,
  .items_changed = on_items_changed,
  .notice = on_notice,
  .all_gone = on_all_gone,
};

static void
table_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->told = g_string_new (NULL);
  fixture->table = gmcp_server_table_new (&hooks, fixture);
}

static void
table_tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->table, gmcp_server_table_free);
  g_string_free (fixture->told, TRUE);
}

static void
assert_told (Fixture *fixture, const char *told)
{
  g_assert_cmpstr (fixture->told->str, ==, told);
  g_string_truncate (fixture->told, 0);
}

static void
assert_ids (Fixture *fixture, const char *ids)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (fixture->table);

  g_assert_cmpuint (servers->len, ==, gmcp_server_table_get_length (fixture->table));
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (fixture->table, i);
      const char *id = gmcp_managed_server_get_id (server);

      g_assert_true (g_ptr_array_index (servers, i) == server);
      g_assert_true (gmcp_server_table_find (fixture->table, id) == server);
      g_string_append_printf (found, "%s%s", i > 0 ? " " : "", id);
    }
  g_assert_cmpstr (found->str, ==, ids);
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpManagedServer) first = NULL;

  g_test_summary ("servers are in the order of their configurations, and stay what they are");
  assert_ids (fixture, "");
  configure (fixture, "a b c");
  assert_told (fixture, "+a +b +c [0 0 3] ");
  assert_ids (fixture, "a b c");
  first = g_object_ref (gmcp_server_table_get_server (fixture->table, 0));

  configure (fixture, "a b c");
  assert_told (fixture, "");
  configure (fixture, "a x c");
  assert_told (fixture, "+x -b [1 1 1] gone ");
  assert_ids (fixture, "a x c");
  configure (fixture, "x a c d");
  assert_told (fixture, "+d [0 3 4] ");
  assert_ids (fixture, "x a c d");
  g_assert_true (gmcp_server_table_find (fixture->table, "a") == first);
  g_assert_null (gmcp_server_table_find (fixture->table, "b"));
}

static void
test_update (Fixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  GmcpServerConfig *config;

  g_test_summary ("a server gets its new configuration, and only where it is another one");
  configure (fixture, "a");
  server = gmcp_server_table_find (fixture->table, "a");
  config = gmcp_managed_server_get_config (server);
  configure (fixture, "a");
  g_assert_true (gmcp_managed_server_get_config (server) == config);
  configure_titled (fixture, "a", "new");
  g_assert_cmpstr (gmcp_managed_server_get_title (server), ==, "new");
  g_assert_true (gmcp_server_table_find (fixture->table, "a") == server);
}

static void
test_nested (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a change that is made where another is told of is the one that holds");
  configure (fixture, "a b");
  fixture->next = "b d";
  configure_titled (fixture, "b c", "older");
  assert_ids (fixture, "b d");
  g_assert_cmpstr (gmcp_managed_server_get_title (gmcp_server_table_find (fixture->table, "b")), ==,
                   "newest");
  assert_told (fixture, "+a +b [0 0 2] +c -a [0 2 2] +d -c [1 1 1] gone gone ");

  fixture->next = "";
  configure_titled (fixture, "b d e", "older");
  assert_ids (fixture, "");
  g_assert_false (gmcp_server_table_has_leaving (fixture->table));
}

static void
test_notice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpManagedServer) server = NULL;

  g_test_summary ("what a server says is told of while the server is there");
  configure (fixture, "a");
  server = g_object_ref (gmcp_server_table_find (fixture->table, "a"));
  g_string_truncate (fixture->told, 0);
  g_signal_emit_by_name (server, "notice", GMCP_NOTICE_LEVEL_WARNING, "hello");
  assert_told (fixture, "a:hello ");
  configure (fixture, "");
  assert_told (fixture, "-a [0 1 0] gone ");
  g_signal_emit_by_name (server, "notice", GMCP_NOTICE_LEVEL_WARNING, "hello");
  assert_told (fixture, "");
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *) data
    = gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, &error);
  g_assert_no_error (error);
}

static GmcpManagedServer *
start (Fixture *fixture, const char *id)
{
  GmcpManagedServer *server = gmcp_server_table_find (fixture->table, id);
  gboolean is_started = FALSE;

  gmcp_managed_server_start_async (server, NULL, on_started, &is_started);
  wait_until (is_started);
  return g_object_ref (server);
}

static void
test_leaving (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) reason = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "closed");
  g_autoptr (GmcpManagedServer) one = NULL;
  g_autoptr (GmcpManagedServer) two = NULL;

  g_test_summary ("that all are gone is told of when the last process has ended");
  configure (fixture, "one two idle");
  one = start (fixture, "one");
  two = start (fixture, "two");
  g_string_truncate (fixture->told, 0);

  configure (fixture, "two idle");
  g_assert_true (gmcp_server_table_has_leaving (fixture->table));
  assert_told (fixture, "-one [0 1 0] ");
  g_signal_emit_by_name (one, "notice", GMCP_NOTICE_LEVEL_WARNING, "bye");
  assert_told (fixture, "one:bye ");

  gmcp_server_table_clear (fixture->table, reason);
  g_assert_true (gmcp_server_table_has_leaving (fixture->table));
  assert_ids (fixture, "");
  assert_told (fixture, "-two -idle [0 2 0] ");
  wait_until (!gmcp_server_table_has_leaving (fixture->table));
  assert_told (fixture, "gone ");
  g_assert_cmpint (gmcp_managed_server_get_pid (one), ==, 0);
  g_assert_cmpint (gmcp_managed_server_get_pid (two), ==, 0);
}

static void
test_freed (Fixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;

  g_test_summary ("a server goes on leaving when the table is freed, and nobody is told");
  configure (fixture, "one");
  server = start (fixture, "one");
  configure (fixture, "");
  g_string_truncate (fixture->told, 0);
  g_clear_pointer (&fixture->table, gmcp_server_table_free);
  g_signal_emit_by_name (server, "notice", GMCP_NOTICE_LEVEL_WARNING, "bye");
  wait_until (gmcp_managed_server_get_pid (server) == 0 && G_OBJECT (server)->ref_count == 1);
  assert_told (fixture, "");
  g_assert_finalize_object (server);
}

static void
add_case (const char *path, void (*func) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, table_set_up, func, table_tear_down);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  add_case ("/server-table/order", test_order);
  add_case ("/server-table/update", test_update);
  add_case ("/server-table/nested", test_nested);
  add_case ("/server-table/notice", test_notice);
  add_case ("/server-table/leaving", test_leaving);
  add_case ("/server-table/freed", test_freed);

  return g_test_run ();
}
