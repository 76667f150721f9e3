/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-server-table-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpServerTable
{
  const GmcpServerTableHooks *hooks;
  gpointer data;

  GPtrArray *servers; /* of GmcpManagedServer, in the order of the configurations */
  GHashTable *by_id;  /* id → the server, borrowed */
  guint generation;   /* of the configurations */
  GPtrArray *leavers; /* of Leaver */
};

/* A server that is not in the table any more, and whose process is waited for. */
typedef struct
{
  GmcpServerTable *table; /* NULL once that is freed */
  GmcpManagedServer *server;
} Leaver;

GmcpServerTable *
gmcp_server_table_new (const GmcpServerTableHooks *hooks, gpointer data)
{
  GmcpServerTable *self = g_new0 (GmcpServerTable, 1);

  self->hooks = hooks;
  self->data = data;
  self->servers = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->leavers = g_ptr_array_new ();
  return self;
}

void
gmcp_server_table_free (GmcpServerTable *self)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (self->servers, i);

      g_signal_handlers_disconnect_by_data (server, self);
      gmcp_managed_server_set_host (server, NULL);
    }
  for (guint i = 0; i < self->leavers->len; i++)
    ((Leaver *) g_ptr_array_index (self->leavers, i))->table = NULL;
  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->servers);
  g_ptr_array_unref (self->leavers);
  g_free (self);
}

guint
gmcp_server_table_get_length (GmcpServerTable *self)
{
  return self->servers->len;
}

GmcpManagedServer *
gmcp_server_table_get_server (GmcpServerTable *self, guint position)
{
  return g_ptr_array_index (self->servers, position);
}

GmcpManagedServer *
gmcp_server_table_find (GmcpServerTable *self, const char *id)
{
  return g_hash_table_lookup (self->by_id, id);
}

GPtrArray *
gmcp_server_table_list (GmcpServerTable *self)
{
  GPtrArray *servers = g_ptr_array_copy (self->servers, (GCopyFunc) g_object_ref, NULL);

  g_ptr_array_set_free_func (servers, g_object_unref);
  return servers;
}

gboolean
gmcp_server_table_has_leaving (GmcpServerTable *self)
{
  return self->leavers->len > 0;
}

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
  GmcpServerTable *self = data;

  self->hooks->notice (server, level, message, self->data);
}

static void
on_leaver_notice (GmcpManagedServer *server,
                  GmcpNoticeLevel level,
                  const char *message,
                  gpointer data)
{
  Leaver *leaver = data;

  if (leaver->table != NULL)
    on_notice (server, level, message, leaver->table);
}

static void
on_leaver_gone (gpointer data)
{
  Leaver *leaver = data;
  GmcpServerTable *self = leaver->table;

  g_signal_handlers_disconnect_by_data (leaver->server, leaver);
  g_object_unref (leaver->server);
  if (self != NULL)
    g_ptr_array_remove_fast (self->leavers, leaver);
  g_free (leaver);

  if (self != NULL && self->leavers->len == 0)
    self->hooks->all_gone (self->data);
}

/* Stops a server that was taken out of the table. */
static void
retire_server (GmcpServerTable *self,
               GmcpManagedServer *server,
               guint drain_ms,
               const GError *reason)
{
  Leaver *leaver = g_new0 (Leaver, 1);

  leaver->table = self;
  leaver->server = g_object_ref (server);
  g_ptr_array_add (self->leavers, leaver);
  g_signal_handlers_disconnect_by_data (server, self);
  gmcp_managed_server_set_host (server, NULL);
  g_signal_connect (server, "notice", G_CALLBACK (on_leaver_notice), leaver);
  gmcp_managed_server_retire (server, drain_ms, reason, on_leaver_gone, leaver);
}

static GError *
removed_error (GmcpManagedServer *server)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                      _ ("Server “%s” is not configured any more"),
                      gmcp_managed_server_get_title (server));
}

/* One change that goes from the first to the last server that differs. */
static void
tell_of_change (GmcpServerTable *self, GPtrArray *former)
{
  guint position, n_removed, n_added;

  if (gmcp_object_list_find_change (former->pdata, former->len, self->servers->pdata,
                                    self->servers->len, &position, &n_removed, &n_added))
    self->hooks->items_changed (position, n_removed, n_added, self->data);
}

static GmcpManagedServer *
make_server (GmcpServerTable *self, GmcpServerConfig *config)
{
  GmcpManagedServer *server = self->hooks->make_server (config, self->data);

  g_signal_connect (server, "notice", G_CALLBACK (on_notice), self);
  return server;
}

/* The servers of these configurations; those that are left over stay in by_id. */
static GPtrArray *
arrange_servers (GmcpServerTable *self, GPtrArray *configs)
{
  GPtrArray *servers = g_ptr_array_new_full (configs->len, g_object_unref);

  for (guint i = 0; i < configs->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (configs, i);
      const char *id = gmcp_server_config_get_id (config);
      GmcpManagedServer *server = g_hash_table_lookup (self->by_id, id);

      g_hash_table_remove (self->by_id, id);
      g_ptr_array_add (servers,
                       server != NULL ? g_object_ref (server) : make_server (self, config));
    }

  return servers;
}

/* In the order in which they were there. */
static GPtrArray *
list_left (GmcpServerTable *self)
{
  GPtrArray *left = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (self->servers, i);

      if (g_hash_table_contains (self->by_id, gmcp_managed_server_get_id (server)))
        g_ptr_array_add (left, g_object_ref (server));
    }

  return left;
}

static void
index_servers (GmcpServerTable *self)
{
  g_hash_table_remove_all (self->by_id);
  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (self->servers, i);

      g_hash_table_insert (self->by_id, g_strdup (gmcp_managed_server_get_id (server)), server);
    }
}

static void
tell_of_left (GmcpServerTable *self, GPtrArray *left)
{
  for (guint i = 0; i < left->len; i++)
    self->hooks->server_left (g_ptr_array_index (left, i), self->data);
}

/* A hook may change the configurations again, or clear the table: then the rest of the older change
 * is void. */
static void
update_servers (GmcpServerTable *self, GPtrArray *configs, guint generation)
{
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (self);

  for (guint i = 0; generation == self->generation && i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);
      GmcpServerConfig *config = g_ptr_array_index (configs, i);

      if (!gmcp_server_config_equal (gmcp_managed_server_get_config (server), config))
        gmcp_managed_server_set_config (server, config);
    }
}

void
gmcp_server_table_set_configs (GmcpServerTable *self, GPtrArray *configs)
{
  GPtrArray *servers = arrange_servers (self, configs);
  g_autoptr (GPtrArray) left = list_left (self);
  g_autoptr (GPtrArray) former = g_steal_pointer (&self->servers);
  guint generation = ++self->generation;

  self->servers = servers;
  index_servers (self);
  tell_of_left (self, left);
  tell_of_change (self, former);

  for (guint i = 0; i < left->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (left, i);
      g_autoptr (GError) reason = removed_error (server);

      retire_server (self, server, gmcp_managed_server_get_shutdown_timeout_ms (server), reason);
    }

  update_servers (self, configs, generation);
}

void
gmcp_server_table_clear (GmcpServerTable *self, const GError *reason)
{
  g_autoptr (GPtrArray) former = g_steal_pointer (&self->servers);
  g_autoptr (GPtrArray) leaving = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->leavers->len; i++)
    g_ptr_array_add (leaving,
                     g_object_ref (((Leaver *) g_ptr_array_index (self->leavers, i))->server));

  self->generation++;
  self->servers = g_ptr_array_new_with_free_func (g_object_unref);
  g_hash_table_remove_all (self->by_id);
  tell_of_left (self, former);
  tell_of_change (self, former);

  for (guint i = 0; i < former->len; i++)
    retire_server (self, g_ptr_array_index (former, i), 0, reason);
  /* Servers that were leaving before do not wait for their calls any longer either. */
  for (guint i = 0; i < leaving->len; i++)
    gmcp_managed_server_hurry (g_ptr_array_index (leaving, i));
}
