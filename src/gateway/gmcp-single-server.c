/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-single-server-private.h"

#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-resource-watches-private.h"

struct _GmcpSingleServer
{
  GmcpManager *manager;
  char *id;
  const GmcpSingleServerHooks *hooks;
  gpointer owner;
  GmcpGatheredLists *lists;     /* NULL before somebody wants one */
  GmcpResourceWatches *watches; /* nullable, in the same way */
  gboolean is_closed;           /* the owner is gone; somebody who loads keeps this */
};

GmcpSingleServer *
gmcp_single_server_new (GmcpManager *manager,
                        const char *server_id,
                        const GmcpSingleServerHooks *hooks,
                        gpointer owner)
{
  GmcpSingleServer *self = g_rc_box_new0 (GmcpSingleServer);

  self->manager = g_object_ref (manager);
  self->id = g_strdup (server_id);
  self->hooks = hooks;
  self->owner = owner;
  return self;
}

static void
clear_server (gpointer data)
{
  GmcpSingleServer *self = data;

  g_object_unref (self->manager);
  g_free (self->id);
}

static void
release_server (gpointer self)
{
  g_rc_box_release_full (self, clear_server);
}

void
gmcp_single_server_free (GmcpSingleServer *self)
{
  self->is_closed = TRUE;
  g_clear_pointer (&self->watches, gmcp_resource_watches_free);
  g_clear_pointer (&self->lists, gmcp_gathered_lists_free);
  release_server (self);
}

GmcpManager *
gmcp_single_server_get_manager (GmcpSingleServer *self)
{
  return self->manager;
}

const char *
gmcp_single_server_get_id (GmcpSingleServer *self)
{
  return self->id;
}

GmcpManagedServer *
gmcp_single_server_find (GmcpSingleServer *self, GError **error)
{
  GmcpManagedServer *server = gmcp_manager_get_server (self->manager, self->id);

  if (gmcp_manager_is_closed (self->manager))
    g_propagate_error (error, gmcp_manager_closed_error ());
  else if (server == NULL)
    g_propagate_error (error, gmcp_manager_not_configured_error (self->id));
  else
    return server;
  return NULL;
}

char *
gmcp_single_server_qualify (GmcpSingleServer *self, const char *name)
{
  return g_strconcat (self->id, ".", name, NULL);
}

/* What is gathered of it */

static gboolean
includes_server (GmcpManagedServer *server, gpointer data)
{
  GmcpSingleServer *self = data;

  return g_str_equal (gmcp_managed_server_get_id (server), self->id)
         && gmcp_manager_shows_server (self->manager, server)
         && self->hooks->permits (server, self->owner);
}

static void
on_updated (const char *uri, gpointer data)
{
  GmcpSingleServer *self = data;

  self->hooks->resource_updated (uri, self->owner);
}

static GmcpGatheredLists *
get_lists (GmcpSingleServer *self)
{
  if (self->lists == NULL)
    self->lists
      = gmcp_gathered_lists_new (G_LIST_MODEL (self->manager), NULL, includes_server, self);
  return self->lists;
}

static GmcpResourceWatches *
get_watches (GmcpSingleServer *self)
{
  static const GmcpResourceWatchesHooks hooks = { .updated = on_updated };

  if (self->watches == NULL)
    self->watches = gmcp_resource_watches_new (get_lists (self), &hooks, self);
  return self->watches;
}

GListModel *
gmcp_single_server_get_list (GmcpSingleServer *self, GmcpGatheredKind kind)
{
  return gmcp_gathered_lists_get (get_lists (self), kind);
}

void
gmcp_single_server_refresh (GmcpSingleServer *self)
{
  if (self->lists != NULL)
    gmcp_gathered_lists_refresh (self->lists);
}

void
gmcp_single_server_subscribe (GmcpSingleServer *self, const char *uri)
{
  gmcp_resource_watches_add (get_watches (self), uri);
}

void
gmcp_single_server_unsubscribe (GmcpSingleServer *self, const char *uri)
{
  gmcp_resource_watches_remove (get_watches (self), uri);
}

/* Loading: the configuration, the tools that were kept of the server, the server itself, and what is gathered
 * of it. */

static void
on_asked (gpointer data, gpointer unused)
{
  g_autoptr (GTask) task = data;

  g_task_return_boolean (task, TRUE);
}

static void
ask_for_lists (GTask *task)
{
  GmcpSingleServer *self = g_task_get_task_data (task);

  if (self->lists != NULL && !self->is_closed)
    gmcp_gathered_lists_ask (self->lists, on_asked, task);
  else
    on_asked (task, NULL);
}

static void
on_refreshed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;

  /* What is known of a server that cannot be started now stays listed. */
  if (gmcp_managed_server_refresh_finish (server, result, &error)
      || gmcp_managed_server_get_tools_count (server) > 0)
    {
      g_clear_error (&error);
      ask_for_lists (g_steal_pointer (&task));
      return;
    }
  g_task_return_error (task, error);
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  GTask *task = data;

  gmcp_managed_server_refresh_recalled_async (GMCP_MANAGED_SERVER (object),
                                              g_task_get_cancellable (task), on_refreshed, task);
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpSingleServer *self = g_task_get_task_data (task);
  GmcpManagedServer *server = NULL;
  GError *error = NULL;

  if (gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error))
    server = gmcp_single_server_find (self, &error);
  if (server == NULL)
    g_task_return_error (task, error);
  else if (!gmcp_manager_shows_server (self->manager, server))
    g_task_return_boolean (task, TRUE);
  else
    gmcp_managed_server_recall_tools_async (server, NULL, on_recalled, g_steal_pointer (&task));
}

void
gmcp_single_server_load_async (GmcpSingleServer *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (self->manager, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_single_server_load_async);
  g_task_set_task_data (task, g_rc_box_acquire (self), release_server);
  gmcp_manager_load_config_async (self->manager, cancellable, on_config_loaded, task);
}

gboolean
gmcp_single_server_load_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
