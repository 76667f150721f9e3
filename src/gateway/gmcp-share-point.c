/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/gateway/gmcp-share-point.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-settings-private.h"
#include "gmcp-manager-sharing-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-offer-private.h"
#include "gmcp-share-folder-private.h"
#include "gmcp-withdrawn-offers-private.h"

/**
 * GmcpSharePoint:
 *
 * Offers the servers of a manager to the other programs of the user, whose managers then use its processes in
 * place of some of their own: a socket for each server, in `$XDG_RUNTIME_DIR/gmcp/shared`. This is what gmcpd does;
 * there is one such program in a session.
 *
 * Which servers are offered follows [property@Gmcp.Manager:share], [property@Gmcp.ServerConfig:share] and the
 * configuration: servers that are programs, that need nothing which somebody would be asked for, and that do not get
 * the whole environment. A socket is called as all that makes the process what it is, so that only programs find it
 * that would start the server in the same way. A server is started when the first program connects.
 *
 * Programs are told apart by their connections: what a server of revision 2026-07-28 asks goes to the program whose
 * call it belongs to. A server of a revision before, which is offered only where a setting says so, is told that
 * nobody can be asked anything.
 *
 * A server that has failed is not offered until it may be tried again, so that the programs go on with processes of their
 * own.
 *
 * Rules of the manager hold, too, but for those that have somebody asked first: the other program's manager has
 * asked. Its limits of calls hold for the programs, each by itself.
 *
 * Since: 0.1
 */
struct _GmcpSharePoint
{
  GObject parent_instance;

  GmcpManager *manager;           /* nullable: of one that was made without */
  GmcpShareFolder *folder;        /* NULL until it is open */
  GHashTable *offers;             /* id → GmcpServerOffer */
  GmcpWithdrawnOffers *withdrawn; /* NULL until it is open */
  GSource *review;                /* of what has failed, in a turn to come; or NULL */
  guint n_closing;
};

G_DEFINE_FINAL_TYPE (GmcpSharePoint, gmcp_share_point, G_TYPE_OBJECT)

typedef enum
{
  PROP_MANAGER = 1,
} GmcpSharePointProperty;

static void
stop_following (GmcpSharePoint *self)
{
  guint n_servers;

  if (self->folder == NULL)
    return;

  n_servers = g_list_model_get_n_items (G_LIST_MODEL (self->manager));
  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server
        = g_list_model_get_item (G_LIST_MODEL (self->manager), i);

      g_signal_handlers_disconnect_by_data (server, self);
    }
  g_signal_handlers_disconnect_by_data (self->manager, self);
  g_clear_pointer (&self->withdrawn, gmcp_withdrawn_offers_free);
  if (self->review != NULL)
    g_source_destroy (self->review);
  g_clear_pointer (&self->review, g_source_unref);
  gmcp_manager_set_offers_servers (self->manager, FALSE);
  g_clear_pointer (&self->folder, gmcp_share_folder_free);
}

static void
gmcp_share_point_dispose (GObject *object)
{
  GmcpSharePoint *self = GMCP_SHARE_POINT (object);

  stop_following (self);
  g_hash_table_remove_all (self->offers);

  G_OBJECT_CLASS (gmcp_share_point_parent_class)->dispose (object);
}

static void
gmcp_share_point_finalize (GObject *object)
{
  GmcpSharePoint *self = GMCP_SHARE_POINT (object);

  g_hash_table_unref (self->offers);
  g_clear_object (&self->manager);

  G_OBJECT_CLASS (gmcp_share_point_parent_class)->finalize (object);
}

static void
gmcp_share_point_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpSharePoint *self = GMCP_SHARE_POINT (object);

  if (prop_id == PROP_MANAGER)
    g_value_set_object (value, self->manager);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
gmcp_share_point_set_property (GObject *object,
                               guint prop_id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  GmcpSharePoint *self = GMCP_SHARE_POINT (object);

  if (prop_id == PROP_MANAGER)
    self->manager = g_value_dup_object (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
gmcp_share_point_class_init (GmcpSharePointClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_share_point_dispose;
  object_class->finalize = gmcp_share_point_finalize;
  object_class->get_property = gmcp_share_point_get_property;
  object_class->set_property = gmcp_share_point_set_property;

  /**
   * GmcpSharePoint:manager: (getter get_manager)
   *
   * Whose servers are offered.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    object_class, PROP_MANAGER,
    g_param_spec_object ("manager", NULL, NULL, GMCP_TYPE_MANAGER,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
}

static void
gmcp_share_point_init (GmcpSharePoint *self)
{
  self->offers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) gmcp_server_offer_free);
}

/* Which servers are offered */

static gboolean
is_key_taken (GmcpSharePoint *self, const char *key)
{
  GHashTableIter iter;
  gpointer offer;

  g_hash_table_iter_init (&iter, self->offers);
  while (g_hash_table_iter_next (&iter, NULL, &offer))
    {
      if (g_str_equal (gmcp_server_offer_get_key (offer), key))
        return TRUE;
    }
  return FALSE;
}

/* NULL for a server that is not to be offered. */
static char *
dup_wanted_key (GmcpSharePoint *self, GmcpManagedServer *server)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);
  const char *version = gmcp_managed_server_get_protocol_version (server);

  if (!gmcp_server_config_is_enabled (config)
      || gmcp_withdrawn_offers_contain (self->withdrawn, gmcp_managed_server_get_id (server))
      || (gmcp_manager_find_share (self->manager, config) == GMCP_SHARE_AUTO && version != NULL
          && gmcp_protocol_get_era (version) == GMCP_ERA_LEGACY))
    return NULL;
  return gmcp_manager_dup_share_key (self->manager, config);
}

/* FALSE where there is no offer, or where it is still what it should be. */
static gboolean
drop_stale_offer (GmcpSharePoint *self, GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);
  GmcpServerOffer *offer = g_hash_table_lookup (self->offers, id);
  g_autofree char *key = offer != NULL ? dup_wanted_key (self, server) : NULL;

  if (offer == NULL || g_strcmp0 (gmcp_server_offer_get_key (offer), key) == 0)
    return FALSE;

  g_hash_table_remove (self->offers, id);
  return TRUE;
}

static void
make_offer (GmcpSharePoint *self, GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);
  g_autofree char *key = NULL;
  g_autoptr (GError) error = NULL;
  GmcpServerOffer *offer;

  if (g_hash_table_contains (self->offers, id))
    return;

  /* Two servers that are configured alike are one process to other programs. */
  key = dup_wanted_key (self, server);
  if (key == NULL || is_key_taken (self, key))
    return;

  offer = gmcp_server_offer_new (self->manager, id, gmcp_share_folder_get_path (self->folder), key,
                                 &error);
  if (offer != NULL)
    g_hash_table_insert (self->offers, g_strdup (id), offer);
  else
    g_info ("Server “%s” is not offered to other programs: %s", id, error->message);
}

/* One that has failed waits as those do whose offers were withdrawn for it. */
static void
hold_back_failed (GmcpSharePoint *self, GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);

  if (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_FAILED
      && !g_hash_table_contains (self->offers, id)
      && !gmcp_withdrawn_offers_contain (self->withdrawn, id))
    gmcp_withdrawn_offers_add (self->withdrawn, id);
}

static void
make_all_offers (GmcpSharePoint *self)
{
  guint n_servers = g_list_model_get_n_items (G_LIST_MODEL (self->manager));

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server
        = g_list_model_get_item (G_LIST_MODEL (self->manager), i);

      hold_back_failed (self, server);
      make_offer (self, server);
    }
}

/* Where an offer goes, a server that is configured as that one was can be offered. */
static void
refresh_offer (GmcpSharePoint *self, GmcpManagedServer *server)
{
  if (drop_stale_offer (self, server))
    make_all_offers (self);
  else
    make_offer (self, server);
}

static void
refresh_all (GmcpSharePoint *self)
{
  guint n_servers = g_list_model_get_n_items (G_LIST_MODEL (self->manager));

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server
        = g_list_model_get_item (G_LIST_MODEL (self->manager), i);

      drop_stale_offer (self, server);
    }
  make_all_offers (self);
}

/* Servers that have failed: programs that were let in would see one without tools, and do not look further. Without the
 * offer they go on with a process of their own. */

/* The first program that comes has it started again. */
static void
on_may_be_tried (const char *id, gpointer data)
{
  GmcpSharePoint *self = data;
  GmcpManagedServer *server = gmcp_manager_get_server (self->manager, id);

  if (server != NULL)
    refresh_offer (self, server);
}

static guint
get_failed_start_delay_ms (GmcpSharePoint *self)
{
  return gmcp_manager_get_limit (self->manager, GMCP_MANAGER_LIMIT_FAILED_START_DELAY_MS);
}

static void
on_delay_changed (GmcpSharePoint *self)
{
  gmcp_withdrawn_offers_set_delay_ms (self->withdrawn, get_failed_start_delay_ms (self));
}

static void
withdraw_offer (GmcpSharePoint *self, GmcpManagedServer *server)
{
  gmcp_withdrawn_offers_add (self->withdrawn, gmcp_managed_server_get_id (server));
  refresh_offer (self, server);
}

/* After what waited for the server has been answered, and the answers are written. */
static gboolean
on_review (gpointer data)
{
  GmcpSharePoint *self = data;
  guint n_servers = g_list_model_get_n_items (G_LIST_MODEL (self->manager));

  g_clear_pointer (&self->review, g_source_unref);
  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server
        = g_list_model_get_item (G_LIST_MODEL (self->manager), i);

      if (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_FAILED
          && g_hash_table_contains (self->offers, gmcp_managed_server_get_id (server)))
        withdraw_offer (self, server);
    }
  return G_SOURCE_REMOVE;
}

/* A server that is not in the configuration any more may live on for a while. */
static gboolean
is_followed (GmcpSharePoint *self, GmcpManagedServer *server)
{
  return self->folder != NULL
         && gmcp_manager_get_server (self->manager, gmcp_managed_server_get_id (server)) == server;
}

static void
on_state_changed (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  GmcpSharePoint *self = data;

  if (!is_followed (self, server))
    return;
  if (gmcp_managed_server_get_state (server) != GMCP_SERVER_STATE_FAILED)
    {
      if (gmcp_withdrawn_offers_remove (self->withdrawn, gmcp_managed_server_get_id (server)))
        refresh_offer (self, server);
      return;
    }
  if (self->review != NULL)
    return;
  self->review = g_idle_source_new ();
  g_source_set_static_name (self->review, "[gmcp] servers that have failed");
  g_source_set_callback (self->review, on_review, self, NULL);
  g_source_attach (self->review, gmcp_manager_get_main_context (self->manager));
}

static void
on_server_changed (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  if (is_followed (data, server))
    refresh_offer (data, server);
}

static void
follow_servers (GmcpSharePoint *self, guint position, guint n_servers)
{
  for (guint i = position; i < position + n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server
        = g_list_model_get_item (G_LIST_MODEL (self->manager), i);

      g_signal_connect_object (server, "notify::config", G_CALLBACK (on_server_changed), self, 0);
      g_signal_connect_object (server, "notify::protocol-version", G_CALLBACK (on_server_changed),
                               self, 0);
      g_signal_connect_object (server, "notify::state", G_CALLBACK (on_state_changed), self, 0);
      refresh_offer (self, server);
    }
}

static gboolean
is_gone (const char *id, gpointer data)
{
  return gmcp_manager_get_server (data, id) == NULL;
}

static gboolean
is_offer_gone (gpointer id, gpointer offer, gpointer data)
{
  return is_gone (id, data);
}

static void
on_servers_changed (GListModel *manager,
                    guint position,
                    guint n_removed,
                    guint n_added,
                    gpointer data)
{
  GmcpSharePoint *self = data;

  g_hash_table_foreach_remove (self->offers, is_offer_gone, self->manager);
  gmcp_withdrawn_offers_remove_if (self->withdrawn, is_gone, self->manager);
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (manager, i);

      g_signal_handlers_disconnect_by_data (server, self);
    }
  follow_servers (self, position, n_added);
  if (n_removed > 0)
    make_all_offers (self);
}

static void
set_closing_error (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PENDING,
                       _ ("The share point is being closed"));
}

/* Public */

/**
 * gmcp_share_point_new:
 * @manager: whose servers are to be offered
 *
 * Makes a share point, which offers nothing before it is opened.
 *
 * Returns: (transfer full): a new share point
 *
 * Since: 0.1
 */
GmcpSharePoint *
gmcp_share_point_new (GmcpManager *manager)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (manager), NULL);

  return g_object_new (GMCP_TYPE_SHARE_POINT, "manager", manager, NULL);
}

/**
 * gmcp_share_point_get_manager: (get-property manager)
 * @self: a share point
 *
 * Gives the manager whose servers are offered.
 *
 * Returns: (transfer none) (nullable): the manager, or %NULL for a share point that was made without one
 *
 * Since: 0.1
 */
GmcpManager *
gmcp_share_point_get_manager (GmcpSharePoint *self)
{
  g_return_val_if_fail (GMCP_IS_SHARE_POINT (self), NULL);

  return self->manager;
}

/**
 * gmcp_share_point_open:
 * @self: a share point
 * @error: (nullable): return location for an error
 *
 * Offers servers from now on. The configuration of the manager should be read by then. From now on the manager
 * itself uses no process that another program offers.
 *
 * Fails with %G_IO_ERROR_PERMISSION_DENIED where others could put a socket in the place of one of ours, with
 * another [error@Gio.IOErrorEnum] where the folder cannot be made, with %G_IO_ERROR_PENDING while it is being closed,
 * and with %GMCP_ERROR_INVALID_ARGUMENT for a share point without a manager. A server whose socket cannot be made is
 * left out.
 *
 * Returns: whether servers are offered
 *
 * Since: 0.1
 */
gboolean
gmcp_share_point_open (GmcpSharePoint *self, GError **error)
{
  g_return_val_if_fail (GMCP_IS_SHARE_POINT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self->manager == NULL)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("There is no manager whose servers could be reached"));
      return FALSE;
    }
  if (self->n_closing > 0)
    {
      set_closing_error (error);
      return FALSE;
    }
  if (self->folder != NULL)
    return TRUE;

  self->folder = gmcp_share_folder_open (error);
  if (self->folder == NULL)
    return FALSE;

  self->withdrawn
    = gmcp_withdrawn_offers_new (gmcp_manager_get_main_context (self->manager),
                                 get_failed_start_delay_ms (self), on_may_be_tried, self);
  gmcp_manager_set_offers_servers (self->manager, TRUE);
  g_signal_connect (self->manager, "items-changed", G_CALLBACK (on_servers_changed), self);
  g_signal_connect_swapped (self->manager, "notify::share", G_CALLBACK (refresh_all), self);
  g_signal_connect_swapped (self->manager, "notify::workspace", G_CALLBACK (refresh_all), self);
  g_signal_connect_swapped (self->manager, "notify::failed-start-delay-ms",
                            G_CALLBACK (on_delay_changed), self);
  follow_servers (self, 0, g_list_model_get_n_items (G_LIST_MODEL (self->manager)));
  gmcp_share_folder_hold (self->folder);
  return TRUE;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/**
 * gmcp_share_point_list_server_ids:
 * @self: a share point
 *
 * Gives the ids of the servers that are offered, sorted.
 *
 * Returns: (transfer full) (array zero-terminated=1): the ids
 *
 * Since: 0.1
 */
GStrv
gmcp_share_point_list_server_ids (GmcpSharePoint *self)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer id;

  g_return_val_if_fail (GMCP_IS_SHARE_POINT (self), NULL);

  g_hash_table_iter_init (&iter, self->offers);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_ptr_array_add (ids, g_strdup (id));
  g_ptr_array_sort (ids, compare_ids);
  g_ptr_array_add (ids, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}

static void
finish_closing (GTask *task)
{
  GmcpSharePoint *self = g_task_get_source_object (task);

  g_hash_table_remove_all (self->offers);
  g_task_return_boolean (task, TRUE);
}

static void
on_offer_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpSharePoint *self = g_task_get_source_object (task);

  if (--self->n_closing == 0)
    finish_closing (task);
}

/**
 * gmcp_share_point_close_async:
 * @self: a share point
 * @cancellable: (nullable): a cancellable; where it is cancelled, what is under way ends at once
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Lets no program in any more, and closes the connections when the calls that are under way have been answered, for which
 * they have five seconds. The servers stay as they are. Afterwards the share point can be opened again.
 *
 * Fails with %G_IO_ERROR_PENDING where it is being closed already.
 *
 * Since: 0.1
 */
void
gmcp_share_point_close_async (GmcpSharePoint *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GHashTableIter iter;
  gpointer offer;

  g_return_if_fail (GMCP_IS_SHARE_POINT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gmcp_share_point_close_async);
  if (self->n_closing > 0)
    {
      GError *error = NULL;

      set_closing_error (&error);
      g_task_return_error (task, error);
      return;
    }

  stop_following (self);
  self->n_closing = g_hash_table_size (self->offers);
  if (self->n_closing == 0)
    {
      finish_closing (task);
      return;
    }

  g_hash_table_iter_init (&iter, self->offers);
  while (g_hash_table_iter_next (&iter, NULL, &offer))
    gmcp_server_offer_close_async (offer, cancellable, on_offer_closed, g_object_ref (task));
}

/**
 * gmcp_share_point_close_finish:
 * @self: a share point
 * @result: what the callback was given
 * @error: (nullable): return location for an error
 *
 * Ends [method@Gmcp.SharePoint.close_async].
 *
 * Returns: whether it is closed
 *
 * Since: 0.1
 */
gboolean
gmcp_share_point_close_finish (GmcpSharePoint *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_SHARE_POINT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_share_point_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
