/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-server-outcomes-private.h"
#include "gmcp-unlisted-servers-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* Servers that are awaited or failed, in a table that no manager has. */

#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  GObject *owner;
  GmcpStateStore *state;
  GmcpServerTable *table;
  GmcpUnlistedServers *unlisted;
  const char *excluded; /* id of a server; NULL for none */
  guint n_changes;
  guint n_started;
  gboolean is_gone;
} Fixture;

static GmcpManagedServer *
make_server (GmcpServerConfig *config, gpointer data)
{
  GmcpManagerLimits limits;
  GmcpManagedServer *server;

  gmcp_manager_limits_init (&limits);
  server = gmcp_managed_server_new (config, &limits.servers);
  gmcp_unlisted_servers_watch (((Fixture *) data)->unlisted, server);
  return server;
}

static void
on_server_left (GmcpManagedServer *server, gpointer data)
{
  gmcp_unlisted_servers_unwatch (((Fixture *) data)->unlisted, server);
}

static void
on_items_changed (guint position, guint n_removed, guint n_added, gpointer data)
{
}

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
}

static void
on_all_gone (gpointer data)
{
  ((Fixture *) data)->is_gone = TRUE;
}

static gboolean
is_included (GmcpManagedServer *server, gpointer data)
{
  return g_strcmp0 (gmcp_managed_server_get_id (server), ((Fixture *) data)->excluded) != 0;
}

static void
on_awaited_changed (gpointer data)
{
  ((Fixture *) data)->n_changes++;
}

static gboolean
take_outcomes (gpointer owner, GBytes *bytes, GError **error)
{
  Fixture *fixture = g_object_get_data (owner, "fixture");

  gmcp_unlisted_servers_take_outcomes (fixture->unlisted, bytes);
  return TRUE;
}

static void
fail_with (gpointer owner, const char *message)
{
  g_error ("%s", message);
}

static void
on_settled (gpointer owner)
{
}

static void
make_unlisted (Fixture *fixture)
{
  static const GmcpUnlistedServersHooks hooks = { is_included, on_awaited_changed };

  fixture->unlisted = gmcp_unlisted_servers_new (fixture->table, fixture->state, &hooks, fixture);
}

static void
configure (Fixture *fixture, const char *id, const char *json)
{
  g_autoptr (GPtrArray) configs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  if (id != NULL)
    g_ptr_array_add (configs, gmcp_server_config_new_from_json (id, json, &error));
  g_assert_no_error (error);
  gmcp_server_table_set_configs (fixture->table, configs);
  gmcp_unlisted_servers_recall_outcomes (fixture->unlisted);
  gmcp_unlisted_servers_refresh (fixture->unlisted);
}

static void
configure_script (Fixture *fixture)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  g_autofree char *json
    = g_strdup_printf ("{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\"]}", script);

  configure (fixture, "one", json);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const GmcpStateKind kinds[] = {
    { GMCP_SERVER_OUTCOMES_FILE, FALSE, take_outcomes, NULL },
  };
  static const GmcpStateStoreFuncs funcs = { fail_with, on_settled };
  static const GmcpServerTableHooks hooks = {
    .make_server = make_server,
    .server_left = on_server_left,
    .items_changed = on_items_changed,
    .notice = on_notice,
    .all_gone = on_all_gone,
  };

  fixture->owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (fixture->owner, "fixture", fixture);
  fixture->state
    = gmcp_state_store_new (fixture->owner, g_main_context_default (), kinds, 1, &funcs);
  fixture->table = gmcp_server_table_new (&hooks, fixture);
  make_unlisted (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  configure (fixture, NULL, NULL);
  wait_until (!gmcp_server_table_has_leaving (fixture->table));
  wait_until (!gmcp_state_store_is_keeping (fixture->state));
  gmcp_state_store_close (fixture->state);
  gmcp_unlisted_servers_free (fixture->unlisted);
  gmcp_server_table_free (fixture->table);
  gmcp_state_store_free (fixture->state);
  g_assert_finalize_object (fixture->owner);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  ((Fixture *) data)->n_started++;
}

static void
start_server (Fixture *fixture)
{
  gmcp_managed_server_demand_async (gmcp_server_table_get_server (fixture->table, 0), NULL,
                                    on_started, fixture);
}

static void
test_awaited (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server is awaited while it starts for the first time");
  configure_script (fixture);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
  start_server (fixture);
  wait_until (fixture->n_changes == 1);
  g_assert_cmpstr (gmcp_unlisted_servers_get_awaited (fixture->unlisted)[0], ==, "one");
  g_assert_null (gmcp_unlisted_servers_get_awaited (fixture->unlisted)[1]);

  /* Where it is not included nobody waits for it. */
  fixture->excluded = "one";
  gmcp_unlisted_servers_refresh (fixture->unlisted);
  gmcp_unlisted_servers_refresh (fixture->unlisted);
  g_assert_cmpuint (fixture->n_changes, ==, 2);
  g_assert_null (gmcp_unlisted_servers_get_awaited (fixture->unlisted)[0]);

  wait_until (fixture->n_started == 1);
  fixture->excluded = NULL;
  gmcp_unlisted_servers_refresh (fixture->unlisted);
  g_assert_cmpuint (fixture->n_changes, ==, 2);
}

static void
on_loaded (gpointer owner, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
test_failures (Fixture *fixture, gconstpointer data)
{
  const char *json = "{\"command\":\"/nonexistent/server\",\"restart_on_failure\":false}";
  GmcpManagedServer *server;
  gboolean is_loaded = FALSE;

  g_test_summary ("why a server failed is known in the next run, as long as it is not ready");
  configure (fixture, "one", json);
  server = gmcp_server_table_get_server (fixture->table, 0);
  g_assert_null (gmcp_managed_server_get_last_failure (server));
  start_server (fixture);
  wait_until (fixture->n_started == 1);
  g_assert_nonnull (gmcp_managed_server_get_last_failure (server));
  wait_until (!gmcp_state_store_is_keeping (fixture->state));

  configure (fixture, NULL, NULL);
  wait_until (!gmcp_server_table_has_leaving (fixture->table));
  gmcp_unlisted_servers_free (fixture->unlisted);
  make_unlisted (fixture);
  configure (fixture, "one", json);
  server = gmcp_server_table_get_server (fixture->table, 0);
  g_assert_null (gmcp_managed_server_get_last_failure (server));
  gmcp_state_store_load (fixture->state, on_loaded, &is_loaded);
  wait_until (is_loaded);
  g_assert_nonnull (gmcp_managed_server_get_last_failure (server));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add ("/manager/unlisted-servers/awaited", Fixture, NULL, set_up, test_awaited, tear_down);
  g_test_add ("/manager/unlisted-servers/failures", Fixture, NULL, set_up, test_failures,
              tear_down);
  return g_test_run ();
}
