/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-private.h"
#include "gmcp-server-outcomes-private.h"
#include "gmcp-unlisted-servers-private.h"

struct _GmcpUnlistedServers
{
  GmcpServerTable *table;
  GmcpStateStore *state;
  const GmcpUnlistedServersHooks *hooks;
  gpointer data;

  GStrv awaited; /* ids */
  GmcpServerOutcomes *outcomes;
  GHashTable *on_trial; /* set of GmcpManagedServer, not owned */
};

GmcpUnlistedServers *
gmcp_unlisted_servers_new (GmcpServerTable *table,
                           GmcpStateStore *state,
                           const GmcpUnlistedServersHooks *hooks,
                           gpointer data)
{
  GmcpUnlistedServers *self = g_new0 (GmcpUnlistedServers, 1);

  self->table = table;
  self->state = state;
  self->hooks = hooks;
  self->data = data;
  self->awaited = g_new0 (char *, 1);
  self->outcomes = gmcp_server_outcomes_new ();
  self->on_trial = g_hash_table_new (NULL, NULL);
  return self;
}

void
gmcp_unlisted_servers_free (GmcpUnlistedServers *self)
{
  g_strfreev (self->awaited);
  gmcp_server_outcomes_free (self->outcomes);
  g_hash_table_unref (self->on_trial);
  g_free (self);
}

static GStrv
list_awaited (GmcpUnlistedServers *self)
{
  GPtrArray *ids = g_ptr_array_new ();

  for (guint i = 0; i < gmcp_server_table_get_length (self->table); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (self->table, i);

      if (gmcp_managed_server_is_awaited (server) && self->hooks->is_included (server, self->data))
        g_ptr_array_add (ids, g_strdup (gmcp_managed_server_get_id (server)));
    }

  g_ptr_array_add (ids, NULL);
  return (GStrv) g_ptr_array_free (ids, FALSE);
}

void
gmcp_unlisted_servers_refresh (GmcpUnlistedServers *self)
{
  g_auto (GStrv) awaited = list_awaited (self);

  if (g_strv_equal ((const char *const *) awaited, (const char *const *) self->awaited))
    return;

  g_strfreev (self->awaited);
  self->awaited = g_steal_pointer (&awaited);
  self->hooks->awaited_changed (self->data);
}

const char *const *
gmcp_unlisted_servers_get_awaited (GmcpUnlistedServers *self)
{
  return (const char *const *) self->awaited;
}

/* What an earlier run left is known already, and is not kept once more. */
static void
on_outcome_changed (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  GmcpUnlistedServers *self = data;
  const GmcpServerOutcome *outcome = gmcp_managed_server_peek_outcome (server);
  GmcpOutcomeChange *change;

  if (outcome != NULL && outcome->failure != NULL && g_hash_table_contains (self->on_trial, server))
    return;

  change = gmcp_server_outcomes_change (self->outcomes, gmcp_managed_server_get_config (server),
                                        outcome);
  if (change != NULL)
    gmcp_state_store_keep (self->state, GMCP_SERVER_OUTCOMES_FILE, gmcp_server_outcomes_write,
                           change, gmcp_outcome_change_free);
}

void
gmcp_unlisted_servers_watch (GmcpUnlistedServers *self, GmcpManagedServer *server)
{
  g_signal_connect (server, "notify::last-failure", G_CALLBACK (on_outcome_changed), self);
  g_signal_connect (server, "notify::last-ready-at", G_CALLBACK (on_outcome_changed), self);
  g_signal_connect_swapped (server, "notify::awaited", G_CALLBACK (gmcp_unlisted_servers_refresh),
                            self);
}

void
gmcp_unlisted_servers_unwatch (GmcpUnlistedServers *self, GmcpManagedServer *server)
{
  g_signal_handlers_disconnect_by_data (server, self);
  g_hash_table_remove (self->on_trial, server);
}

void
gmcp_unlisted_servers_begin_trial (GmcpUnlistedServers *self, GmcpManagedServer *server)
{
  g_hash_table_add (self->on_trial, server);
}

void
gmcp_unlisted_servers_end_trial (GmcpUnlistedServers *self, GmcpManagedServer *server)
{
  if (g_hash_table_remove (self->on_trial, server))
    on_outcome_changed (server, NULL, self);
}

void
gmcp_unlisted_servers_recall_outcomes (GmcpUnlistedServers *self)
{
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (self->table);

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      gmcp_managed_server_recall_outcome (
        server,
        gmcp_server_outcomes_find (self->outcomes, gmcp_managed_server_get_config (server)));
    }
}

void
gmcp_unlisted_servers_take_outcomes (GmcpUnlistedServers *self, GBytes *bytes)
{
  gmcp_server_outcomes_take (self->outcomes, bytes);
  gmcp_unlisted_servers_recall_outcomes (self);
}
