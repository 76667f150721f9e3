/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-definition-private.h"
#include "gmcp-gathered-part-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-pending-tasks-private.h"
#include "gmcp-uri-template-private.h"

typedef struct
{
  GFunc done;
  gpointer data;
} Waiter;

/* Reference counted, as one may be dropped while others are told. */
typedef struct
{
  GFunc moved; /* NULL once dropped */
  gpointer data;
} Follower;

struct _GmcpGatheredLists
{
  GListModel *servers;        /* not owned; NULL once closed */
  GmcpPromptCatalog *prompts; /* nullable */
  gboolean (*includes) (GmcpManagedServer *server, gpointer data);
  gpointer data;

  GPtrArray *followers; /* (element-type Follower) */
  GPtrArray *parts;     /* (element-type GmcpGatheredPart): in the order of the servers */
  GmcpObjectList *items[GMCP_GATHERED_N_KINDS];
  GHashTable *by_uri; /* of resources: -> GmcpGatheredPart, not owned */
  GArray *waiters;
};

/* A listener may let go of the servers, and with them of the lists. */
static GListModel *
hold_servers (GmcpGatheredLists *self)
{
  return self->servers != NULL ? g_object_ref (self->servers) : NULL;
}

/* Those who follow where resources are listed */

static gpointer
acquire_follower (gconstpointer follower, gpointer unused)
{
  return g_rc_box_acquire ((gpointer) follower);
}

static void
release_follower (gpointer follower)
{
  g_rc_box_release (follower);
}

void
gmcp_gathered_lists_follow (GmcpGatheredLists *self, GFunc moved, gpointer data)
{
  Follower *follower = g_rc_box_new0 (Follower);

  follower->moved = moved;
  follower->data = data;
  g_ptr_array_add (self->followers, follower);
}

void
gmcp_gathered_lists_unfollow (GmcpGatheredLists *self, gpointer data)
{
  for (guint i = 0; i < self->followers->len; i++)
    {
      Follower *follower = g_ptr_array_index (self->followers, i);

      if (follower->data != data)
        continue;
      follower->moved = NULL;
      g_ptr_array_remove_index (self->followers, i);
      return;
    }
}

/* The lists may be gone afterwards. */
static void
tell_followers (GmcpGatheredLists *self)
{
  g_autoptr (GPtrArray) followers = g_ptr_array_copy (self->followers, acquire_follower, NULL);

  for (guint i = 0; i < followers->len; i++)
    {
      const Follower *follower = g_ptr_array_index (followers, i);

      if (follower->moved != NULL)
        follower->moved (follower->data, NULL);
    }
}

/* The joint lists */

/* What counts, or what does not: a project leaves it out, or a role. */
static GPtrArray *
get_items (GmcpGatheredPart *part, gboolean is_included, GmcpGatheredKind kind)
{
  return gmcp_gathered_part_is_included (part) == is_included
           ? gmcp_gathered_part_get_items (part, kind)
           : NULL;
}

static void
rebuild_list (GmcpGatheredLists *self, GmcpGatheredKind kind)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->parts->len; i++)
    {
      GmcpGatheredPart *part = g_ptr_array_index (self->parts, i);
      GPtrArray *part_items = get_items (part, TRUE, kind);

      for (guint j = 0; part_items != NULL && j < part_items->len; j++)
        {
          gpointer item = g_ptr_array_index (part_items, j);
          const char *key = gmcp_definition_get_key (item);

          if (g_hash_table_contains (by_key, key))
            continue;
          g_hash_table_insert (by_key, g_strdup (key), part);
          g_ptr_array_add (items, item);
        }
    }

  if (kind == GMCP_GATHERED_RESOURCES)
    {
      g_hash_table_unref (self->by_uri);
      self->by_uri = g_steal_pointer (&by_key);
    }
  gmcp_object_list_set_items (self->items[kind], items->pdata, items->len);
  if (kind != GMCP_GATHERED_PROMPTS)
    tell_followers (self);
}

static void
rebuild_all (GmcpGatheredLists *self)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);

  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    rebuild_list (self, i);
}

/* Asking servers */

static gboolean
is_pending (GmcpGatheredLists *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (gmcp_gathered_part_is_pending (g_ptr_array_index (self->parts, i)))
      return TRUE;
  return FALSE;
}

static void
tell_waiters (GmcpGatheredLists *self)
{
  g_autoptr (GArray) waiters = NULL;

  if (self->waiters->len == 0 || is_pending (self))
    return;

  waiters = g_steal_pointer (&self->waiters);
  self->waiters = g_array_new (FALSE, FALSE, sizeof (Waiter));
  for (guint i = 0; i < waiters->len; i++)
    {
      const Waiter *waiter = &g_array_index (waiters, Waiter, i);

      waiter->done (waiter->data, NULL);
    }
}

void
gmcp_gathered_lists_ask (GmcpGatheredLists *self, GFunc done, gpointer data)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);
  const Waiter waiter = { done, data };

  /* A part that is there when this begins may be gone when a start has failed at once. */
  g_array_append_val (self->waiters, waiter);
  for (guint i = 0; i < self->parts->len; i++)
    {
      GmcpGatheredPart *part = g_ptr_array_index (self->parts, i);

      if (gmcp_gathered_part_is_included (part) && !gmcp_gathered_part_is_known (part)
          && !gmcp_gathered_part_is_pending (part))
        gmcp_gathered_part_start (part);
    }
  tell_waiters (self);
}

static GmcpGatheredPart *
find_part (GPtrArray *parts, GmcpManagedServer *server, guint *position)
{
  for (guint i = 0; i < parts->len; i++)
    {
      GmcpGatheredPart *part = g_ptr_array_index (parts, i);

      *position = i;
      if (part != NULL && gmcp_gathered_part_get_server (part) == server)
        return part;
    }
  return NULL;
}

void
gmcp_gathered_lists_ask_server_async (GmcpGatheredLists *self,
                                      GmcpManagedServer *server,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);
  g_autoptr (GTask) task = g_task_new (server, cancellable, callback, user_data);
  guint position;
  GmcpGatheredPart *part = find_part (self->parts, server, &position);

  g_task_set_source_tag (task, gmcp_gathered_lists_ask_server_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (part == NULL || !gmcp_gathered_part_is_included (part)
      || (gmcp_gathered_part_is_known (part) && !gmcp_gathered_part_is_pending (part)))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  gmcp_gathered_part_wait (part, task);
  if (!gmcp_gathered_part_is_pending (part))
    gmcp_gathered_part_start (part);
}

gboolean
gmcp_gathered_lists_ask_server_finish (GmcpManagedServer *server,
                                       GAsyncResult *result,
                                       GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Servers that come, go and change */

/* TRUE where it counts now and did not before, or the other way round. */
static gboolean
refresh_part (GmcpGatheredLists *self, GmcpGatheredPart *part)
{
  gboolean was_included = gmcp_gathered_part_is_included (part);
  gboolean is_included = self->includes (gmcp_gathered_part_get_server (part), self->data);

  gmcp_gathered_part_set_included (part, is_included);
  if (is_included)
    gmcp_gathered_part_request (part);
  return was_included != is_included;
}

static void
on_state_changed (GmcpGatheredPart *part, gpointer data)
{
  GmcpGatheredLists *self = data;
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);

  if (refresh_part (self, part) && !gmcp_gathered_part_is_dropped (part))
    rebuild_all (self);
}

static void
on_items_changed (GmcpGatheredPart *part, GmcpGatheredKind kind, gpointer data)
{
  rebuild_list (data, kind);
}

static void
on_connected (GmcpGatheredPart *part, gpointer data)
{
  tell_followers (data);
}

static void
on_answered (GmcpGatheredPart *part, gpointer data)
{
  tell_waiters (data);
}

static GmcpGatheredPart *
new_part (GmcpGatheredLists *self, GmcpManagedServer *server)
{
  static const GmcpGatheredPartHooks hooks
    = { on_state_changed, on_items_changed, on_connected, on_answered };
  GmcpGatheredPart *part = gmcp_gathered_part_new (server, self->prompts, &hooks, self);

  gmcp_gathered_part_set_included (part, self->includes (server, self->data));
  return part;
}

static void
drop_part (gpointer part)
{
  gmcp_gathered_part_drop (part);
}

static GmcpGatheredPart *
steal_part (GPtrArray *parts, GmcpManagedServer *server)
{
  guint position;
  GmcpGatheredPart *part = find_part (parts, server, &position);

  if (part != NULL)
    parts->pdata[position] = NULL;
  return part;
}

static void
on_servers_changed (GListModel *servers,
                    guint position,
                    guint n_removals,
                    guint n_additions,
                    GmcpGatheredLists *self)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);
  g_autoptr (GPtrArray) former = g_steal_pointer (&self->parts);
  GQueue left = G_QUEUE_INIT;

  self->parts = g_ptr_array_new_with_free_func (drop_part);
  g_ptr_array_set_free_func (former, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (servers, i);
      GmcpGatheredPart *part = steal_part (former, server);

      g_ptr_array_add (self->parts, part != NULL ? part : new_part (self, server));
    }
  for (guint i = 0; i < former->len; i++)
    if (former->pdata[i] != NULL)
      {
        gmcp_gathered_part_give_waiters (former->pdata[i], &left);
        drop_part (former->pdata[i]);
      }

  gmcp_gathered_lists_refresh (self);
  gmcp_pending_tasks_settle (&left, NULL);
  tell_waiters (self);
}

void
gmcp_gathered_lists_refresh (GmcpGatheredLists *self)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);

  for (guint i = 0; i < self->parts->len; i++)
    refresh_part (self, g_ptr_array_index (self->parts, i));
  rebuild_all (self);
}

GmcpGatheredLists *
gmcp_gathered_lists_new (GListModel *servers,
                         GmcpPromptCatalog *prompts,
                         gboolean (*includes) (GmcpManagedServer *server, gpointer data),
                         gpointer data)
{
  GmcpGatheredLists *self = g_new0 (GmcpGatheredLists, 1);

  self->servers = servers;
  self->prompts = prompts;
  self->includes = includes;
  self->data = data;
  self->followers = g_ptr_array_new_with_free_func (release_follower);
  self->parts = g_ptr_array_new_with_free_func (drop_part);
  self->items[GMCP_GATHERED_RESOURCES] = gmcp_object_list_new (GMCP_TYPE_RESOURCE);
  self->items[GMCP_GATHERED_TEMPLATES] = gmcp_object_list_new (GMCP_TYPE_RESOURCE_TEMPLATE);
  self->items[GMCP_GATHERED_PROMPTS] = gmcp_object_list_new (GMCP_TYPE_PROMPT);
  self->by_uri = g_hash_table_new (g_str_hash, g_str_equal);
  self->waiters = g_array_new (FALSE, FALSE, sizeof (Waiter));
  g_signal_connect (servers, "items-changed", G_CALLBACK (on_servers_changed), self);
  on_servers_changed (servers, 0, 0, g_list_model_get_n_items (servers), self);
  return self;
}

void
gmcp_gathered_lists_close (GmcpGatheredLists *self)
{
  GQueue left = G_QUEUE_INIT;

  if (self->servers == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->servers, self);
  self->servers = NULL;
  while (self->followers->len > 0)
    gmcp_gathered_lists_unfollow (self, ((Follower *) self->followers->pdata[0])->data);
  g_hash_table_remove_all (self->by_uri);
  for (guint i = 0; i < self->parts->len; i++)
    gmcp_gathered_part_give_waiters (g_ptr_array_index (self->parts, i), &left);
  g_ptr_array_set_size (self->parts, 0);
  gmcp_pending_tasks_settle (&left, NULL);
  tell_waiters (self);
}

void
gmcp_gathered_lists_free (GmcpGatheredLists *self)
{
  gmcp_gathered_lists_close (self);
  g_ptr_array_unref (self->parts);
  g_ptr_array_unref (self->followers);
  g_hash_table_unref (self->by_uri);
  g_array_unref (self->waiters);
  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    g_object_unref (self->items[i]);
  g_free (self);
}

GListModel *
gmcp_gathered_lists_get (GmcpGatheredLists *self, GmcpGatheredKind kind)
{
  return G_LIST_MODEL (self->items[kind]);
}

/* Who lists it */

static GmcpGatheredPart *
find_by_key (GmcpGatheredLists *self, gboolean is_included, GmcpGatheredKind kind, const char *key)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      GmcpGatheredPart *part = g_ptr_array_index (self->parts, i);
      GPtrArray *items = get_items (part, is_included, kind);

      for (guint j = 0; items != NULL && j < items->len; j++)
        if (strcmp (gmcp_definition_get_key (g_ptr_array_index (items, j)), key) == 0)
          return part;
    }
  return NULL;
}

/* The first server in the order of the configuration: no other gets the reads of its resources by a template
 * that says more. */
static GmcpGatheredPart *
find_by_template (GmcpGatheredLists *self, gboolean is_included, const char *uri)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      GmcpGatheredPart *part = g_ptr_array_index (self->parts, i);
      GPtrArray *templates = get_items (part, is_included, GMCP_GATHERED_TEMPLATES);

      for (guint j = 0; templates != NULL && j < templates->len; j++)
        if (gmcp_uri_template_may_make (gmcp_definition_get_key (g_ptr_array_index (templates, j)),
                                        uri))
          return part;
    }
  return NULL;
}

GmcpManagedServer *
gmcp_gathered_lists_find_resource (GmcpGatheredLists *self, const char *uri)
{
  GmcpGatheredPart *part = g_hash_table_lookup (self->by_uri, uri);

  if (part == NULL)
    part = find_by_template (self, TRUE, uri);
  return part != NULL ? gmcp_gathered_part_get_server (part) : NULL;
}

GmcpManagedServer *
gmcp_gathered_lists_find_unlisted (GmcpGatheredLists *self, const char *uri)
{
  GmcpGatheredPart *part = find_by_key (self, FALSE, GMCP_GATHERED_RESOURCES, uri);

  if (part == NULL)
    part = find_by_template (self, FALSE, uri);
  return part != NULL ? gmcp_gathered_part_get_server (part) : NULL;
}

GmcpManagedServer *
gmcp_gathered_lists_find_template (GmcpGatheredLists *self, const char *uri_template)
{
  GmcpGatheredPart *part = find_by_key (self, TRUE, GMCP_GATHERED_TEMPLATES, uri_template);

  if (part == NULL)
    part = find_by_key (self, FALSE, GMCP_GATHERED_TEMPLATES, uri_template);
  return part != NULL ? gmcp_gathered_part_get_server (part) : NULL;
}
