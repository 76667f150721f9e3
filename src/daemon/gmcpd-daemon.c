/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/provider/gmcp-provider-close.h>

#include "gmcpd-daemon.h"

/* The name under which rules and the audit log have it. */
#define HOST_NAME "gmcpd"

/* What is under way gets this long to end, and the servers get this long after it. */
#define DRAIN_MS 5000
#define STOP_MS  15000

struct _GmcpdDaemon
{
  GObject parent_instance;

  GmcpdRuntime *runtime;
  GmcpManager *manager;
  GPtrArray *doors; /* of GmcpdDoor */
  guint n_opened;
  guint n_closing;
  char *last_notice;
  GHashTable *disabled;   /* set of the ids of servers that are */
  GCancellable *draining; /* cancelled when the time to end is over */
  GSource *limit;
};

static guint ended_signal;

G_DEFINE_FINAL_TYPE (GmcpdDaemon, gmcpd_daemon, G_TYPE_OBJECT)

static void
clear_limit (GmcpdDaemon *self)
{
  if (self->limit != NULL)
    g_source_destroy (self->limit);
  g_clear_pointer (&self->limit, g_source_unref);
}

/* What is said twice in a row, by a server and by what needed it, is written once. */
static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           GmcpdDaemon *self)
{
  g_autofree char *visible = NULL;

  if (level == GMCP_NOTICE_LEVEL_INFO || g_strcmp0 (message, self->last_notice) == 0)
    return;

  g_free (self->last_notice);
  self->last_notice = g_strdup (message);
  visible = gmcp_dup_visible_text (message);
  g_printerr ("gmcpd: %s\n", visible);
}

static void
gmcpd_daemon_finalize (GObject *object)
{
  GmcpdDaemon *self = GMCPD_DAEMON (object);

  clear_limit (self);
  g_ptr_array_unref (self->doors);
  if (self->manager != NULL)
    g_signal_handlers_disconnect_by_func (self->manager, on_notice, self);
  g_clear_object (&self->manager);
  g_free (self->last_notice);
  g_hash_table_unref (self->disabled);
  g_clear_object (&self->draining);
  g_clear_pointer (&self->runtime, gmcpd_runtime_free);

  G_OBJECT_CLASS (gmcpd_daemon_parent_class)->finalize (object);
}

static void
gmcpd_daemon_class_init (GmcpdDaemonClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_daemon_finalize;

  ended_signal = g_signal_new ("ended", GMCPD_TYPE_DAEMON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
gmcpd_daemon_init (GmcpdDaemon *self)
{
  self->doors = g_ptr_array_new_with_free_func (g_object_unref);
  self->disabled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->draining = g_cancellable_new ();
}

/* Those that are to run from the start on. The others start when they are needed. A start that fails is told of by
 * a notice. */
static void
start_if_wanted (GmcpManagedServer *server)
{
  if (gmcp_managed_server_get_start (server) == GMCP_SERVER_START_AT_LOAD
      && gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
    gmcp_managed_server_start_async (server, NULL, NULL, NULL);
}

/* One that is enabled again is there again; any other change leaves it as it is, stopped perhaps. */
static void
on_state_changed (GmcpManagedServer *server, GParamSpec *pspec, GmcpdDaemon *self)
{
  const char *id = gmcp_managed_server_get_id (server);

  if (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_DISABLED)
    g_hash_table_add (self->disabled, g_strdup (id));
  else if (g_hash_table_remove (self->disabled, id))
    start_if_wanted (server);
}

static void
start_wanted_servers (GmcpdDaemon *self, guint position, guint n_servers)
{
  for (guint i = position; i < position + n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server
        = g_list_model_get_item (G_LIST_MODEL (self->manager), i);

      g_signal_handlers_disconnect_by_func (server, on_state_changed, self);
      g_signal_connect_object (server, "notify::state", G_CALLBACK (on_state_changed), self, 0);
      on_state_changed (server, NULL, self);
      start_if_wanted (server);
    }
}

static void
on_servers_changed (GListModel *manager,
                    guint position,
                    guint n_removed,
                    guint n_added,
                    gpointer user_data)
{
  start_wanted_servers (user_data, position, n_added);
}

GmcpdDaemon *
gmcpd_daemon_new (const GmcpdOptions *options, GmcpdRuntime *runtime)
{
  GmcpdDaemon *self = g_object_new (GMCPD_TYPE_DAEMON, NULL);

  self->runtime = runtime;
  self->manager = gmcp_manager_new ();
  gmcp_manager_set_host (self->manager, HOST_NAME);
  gmcp_manager_set_activates_daemon (self->manager, FALSE);
  if (options->config_file != NULL)
    gmcp_manager_set_config_file (self->manager, options->config_file);
  else
    gmcp_manager_add_default_sources (self->manager);
  g_signal_connect (self->manager, "notice", G_CALLBACK (on_notice), self);
  g_signal_connect_object (self->manager, "items-changed", G_CALLBACK (on_servers_changed), self,
                           0);
  return self;
}

GmcpManager *
gmcpd_daemon_get_manager (GmcpdDaemon *self)
{
  return self->manager;
}

GmcpdRuntime *
gmcpd_daemon_get_runtime (GmcpdDaemon *self)
{
  return self->runtime;
}

static void
on_door_lost (GmcpdDoor *door, GmcpdDaemon *self)
{
  g_signal_emit (self, ended_signal, 0);
}

void
gmcpd_daemon_add_door (GmcpdDaemon *self, GmcpdDoor *door)
{
  g_signal_connect_object (door, "lost", G_CALLBACK (on_door_lost), self, 0);
  g_ptr_array_add (self->doors, g_object_ref (door));
}

/* Opening */

static void open_next_door (GTask *task);

static void
on_door_opened (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpdDaemon *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!gmcpd_door_open_finish (GMCPD_DOOR (object), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  self->n_opened++;
  open_next_door (g_steal_pointer (&task));
}

static void
open_next_door (GTask *task)
{
  GmcpdDaemon *self = g_task_get_source_object (task);

  if (self->n_opened < self->doors->len)
    {
      gmcpd_door_open_async (self->doors->pdata[self->n_opened], g_task_get_cancellable (task),
                             on_door_opened, task);
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error))
    open_next_door (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

void
gmcpd_daemon_open_async (GmcpdDaemon *self,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcpd_daemon_open_async);
  gmcp_manager_load_config_async (self->manager, cancellable, on_config_loaded, task);
}

gboolean
gmcpd_daemon_open_finish (GmcpdDaemon *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Closing */

static void
start_limit (GmcpdDaemon *self, guint limit_ms, GSourceFunc func, GTask *task)
{
  clear_limit (self);
  self->limit = g_timeout_source_new (limit_ms);
  g_source_set_static_name (self->limit, "[gmcpd] time to end");
  g_task_attach_source (task, self->limit, func);
}

static void
finish_closing (GTask *task)
{
  clear_limit (g_task_get_source_object (task));
  if (!g_task_had_error (task) && !g_task_get_completed (task))
    g_task_return_boolean (task, TRUE);
}

/* The guards end what did not end. */
static gboolean
on_stop_limit (gpointer task)
{
  g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
on_manager_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (object), result, NULL);
  finish_closing (task);
}

static void
stop_servers (GTask *task)
{
  GmcpdDaemon *self = g_task_get_source_object (task);

  start_limit (self, STOP_MS, on_stop_limit, task);
  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (self->manager), NULL, on_manager_closed,
                                  task);
}

static gboolean
on_drain_limit (gpointer task)
{
  GmcpdDaemon *self = g_task_get_source_object (task);

  g_cancellable_cancel (self->draining);
  return G_SOURCE_REMOVE;
}

static void
on_door_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpdDaemon *self = g_task_get_source_object (task);

  gmcpd_door_close_finish (GMCPD_DOOR (object), result, NULL);
  if (--self->n_closing == 0)
    stop_servers (g_steal_pointer (&task));
}

void
gmcpd_daemon_close_async (GmcpdDaemon *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcpd_daemon_close_async);
  gmcpd_runtime_set_ending (self->runtime);
  self->n_closing = self->doors->len;
  if (self->n_closing == 0)
    {
      stop_servers (g_steal_pointer (&task));
      return;
    }

  start_limit (self, DRAIN_MS, on_drain_limit, task);
  for (guint i = 0; i < self->doors->len; i++)
    gmcpd_door_close_async (self->doors->pdata[i], self->draining, on_door_closed,
                            g_object_ref (task));
}

void
gmcpd_daemon_close_finish (GmcpdDaemon *self, GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}
