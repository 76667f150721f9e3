/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-definition-private.h"
#include "gmcp-gathered-lists-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-pending-tasks-private.h"

/* The part of one server. Requests that are under way keep it. */
typedef struct
{
  GmcpGatheredLists *lists; /* NULL once the server is gone */
  GmcpManagedServer *server;
  gboolean is_included;
  gboolean is_starting;
  gboolean is_known;    /* was asked once, with success or without */
  GmcpClient *client;   /* the last that was asked */
  GCancellable *asking; /* cancelled when another is asked */
  guint n_asked;        /* lists that have not been answered */
  GQueue waiters;       /* (element-type GTask): for this part alone */
  GPtrArray *items[GMCP_GATHERED_N_KINDS];
} Part;

typedef struct
{
  GFunc done;
  gpointer data;
} Waiter;

struct _GmcpGatheredLists
{
  GListModel *servers;        /* not owned; NULL once closed */
  GmcpPromptCatalog *prompts; /* nullable */
  gboolean (*includes) (GmcpManagedServer *server, gpointer data);
  gpointer data;

  GFunc moved; /* nullable */
  gpointer moved_data;

  GPtrArray *parts; /* in the order of the servers */
  GmcpObjectList *items[GMCP_GATHERED_N_KINDS];
  GHashTable *by_uri; /* of resources: -> Part, not owned */
  GArray *waiters;
};

/* What is read of a client. */
static const struct
{
  GListModel *(*get) (GmcpClient *client);
  void (*list_async) (GmcpClient *client,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  GListModel *(*list_finish) (GmcpClient *client, GAsyncResult *result, GError **error);
} kinds[GMCP_GATHERED_N_KINDS] = {
  [GMCP_GATHERED_RESOURCES] = { gmcp_client_get_resources, gmcp_client_list_resources_async,
                                gmcp_client_list_resources_finish },
  [GMCP_GATHERED_TEMPLATES]
  = { gmcp_client_get_resource_templates, gmcp_client_list_resource_templates_async,
      gmcp_client_list_resource_templates_finish },
  [GMCP_GATHERED_PROMPTS]
  = { gmcp_client_get_prompts, gmcp_client_list_prompts_async, gmcp_client_list_prompts_finish },
};

typedef struct
{
  Part *part; /* held */
  GmcpGatheredKind kind;
} Asking;

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_object_unref (part->server);
  g_clear_object (&part->client);
  g_clear_object (&part->asking);
  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    g_clear_pointer (&part->items[i], g_ptr_array_unref);
}

static void
part_unref (Part *part)
{
  g_rc_box_release_full (part, part_clear);
}

/* A listener may let go of the servers, and with them of the lists. */
static GListModel *
hold_servers (GmcpGatheredLists *self)
{
  return self->servers != NULL ? g_object_ref (self->servers) : NULL;
}

/* The joint lists */

static void
rebuild_list (GmcpGatheredLists *self, GmcpGatheredKind kind)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);

      for (guint j = 0;
           part->is_included && part->items[kind] != NULL && j < part->items[kind]->len; j++)
        {
          gpointer item = g_ptr_array_index (part->items[kind], j);
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
  if (kind != GMCP_GATHERED_PROMPTS && self->moved != NULL)
    self->moved (self->moved_data, NULL);
}

void
gmcp_gathered_lists_follow (GmcpGatheredLists *self, GFunc moved, gpointer data)
{
  self->moved = moved;
  self->moved_data = data;
}

static void
rebuild_all (GmcpGatheredLists *self)
{
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);

  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    rebuild_list (self, i);
}

/* The prompt under the name that it has among all servers' prompts. */
static GmcpPrompt *
rename_prompt (GmcpPrompt *prompt, const char *name)
{
  g_autofree char *json = NULL;
  GString *written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", name);
  gmcp_json_iter_init (&iter, gmcp_definition_get_value (prompt));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *member = gmcp_json_value_dup_string (key);

      if (strcmp (member, "name") != 0)
        gmcp_json_writer_member_value (&writer, member, value);
    }
  gmcp_json_writer_end_object (&writer);
  json = g_string_free (written, FALSE);
  return gmcp_prompt_new_from_json (json, NULL);
}

static GPtrArray *
rename_prompts (GmcpGatheredLists *self, GmcpManagedServer *server, GPtrArray *prompts)
{
  g_auto (GStrv) names = NULL;
  GPtrArray *renamed = NULL;

  if (self->prompts == NULL)
    return g_ptr_array_ref (prompts);

  names = gmcp_prompt_catalog_name_prompts (self->prompts, server, prompts);
  renamed = g_ptr_array_new_full (prompts->len, g_object_unref);

  for (guint i = 0; i < prompts->len; i++)
    {
      GmcpPrompt *prompt = rename_prompt (g_ptr_array_index (prompts, i), names[i]);

      if (prompt != NULL)
        g_ptr_array_add (renamed, prompt);
    }
  return renamed;
}

/* A server that was started again lists the same things as others. */
static void
keep_former (GPtrArray *items, GPtrArray *former)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < former->len; i++)
    g_hash_table_insert (by_key, (gpointer) gmcp_definition_get_key (g_ptr_array_index (former, i)),
                         g_ptr_array_index (former, i));
  for (guint i = 0; i < items->len; i++)
    {
      gpointer item = g_ptr_array_index (items, i);
      gpointer before = g_hash_table_lookup (by_key, gmcp_definition_get_key (item));

      if (before == NULL
          || !gmcp_json_value_same_raw (gmcp_definition_get_value (before),
                                        gmcp_definition_get_value (item)))
        continue;
      items->pdata[i] = g_object_ref (before);
      g_object_unref (item);
    }
}

static void
take_items (Part *part, GmcpGatheredKind kind)
{
  GListModel *model = kinds[kind].get (part->client);
  guint n = g_list_model_get_n_items (model);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (n, g_object_unref);
  g_autoptr (GPtrArray) former = g_steal_pointer (&part->items[kind]);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, g_list_model_get_item (model, i));
  part->items[kind] = kind == GMCP_GATHERED_PROMPTS
                        ? rename_prompts (part->lists, part->server, items)
                        : g_ptr_array_ref (items);
  if (former != NULL)
    keep_former (part->items[kind], former);
  rebuild_list (part->lists, kind);
}

/* Asking a server */

static gboolean
is_part_pending (Part *part)
{
  return part->is_starting || part->n_asked > 0;
}

static gboolean
is_pending (GmcpGatheredLists *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (is_part_pending (g_ptr_array_index (self->parts, i)))
      return TRUE;
  return FALSE;
}

/* NULL is for a part whose server has gone. */
static void
tell_waiters (GmcpGatheredLists *self)
{
  g_autoptr (GArray) waiters = NULL;

  if (self == NULL || self->waiters->len == 0 || is_pending (self))
    return;

  waiters = g_steal_pointer (&self->waiters);
  self->waiters = g_array_new (FALSE, FALSE, sizeof (Waiter));
  for (guint i = 0; i < waiters->len; i++)
    {
      const Waiter *waiter = &g_array_index (waiters, Waiter, i);

      waiter->done (waiter->data, NULL);
    }
}

/* The error of a start that failed, or NULL. */
static void
part_settle (Part *part, const GError *error)
{
  if (!is_part_pending (part))
    gmcp_pending_tasks_settle (&part->waiters, error);
  tell_waiters (part->lists);
}

static void
on_client_changed (GListModel *model,
                   guint position,
                   guint n_removals,
                   guint n_additions,
                   gpointer data)
{
  Part *part = data;
  GmcpGatheredKind kind = 0;

  while (kinds[kind].get (part->client) != model)
    kind++;
  take_items (part, kind);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Asking *asking = data;
  Part *part = asking->part;
  GmcpClient *client = GMCP_CLIENT (object);
  g_autoptr (GListModel) model = kinds[asking->kind].list_finish (client, result, NULL);

  if (part->lists != NULL && part->client == client)
    {
      part->is_known = TRUE;
      part->n_asked--;
      if (model != NULL)
        {
          g_signal_connect (kinds[asking->kind].get (client), "items-changed",
                            G_CALLBACK (on_client_changed), part);
          take_items (part, asking->kind);
        }
      part_settle (part, NULL);
    }
  part_unref (part);
}

static void
leave_client (Part *part)
{
  if (part->client == NULL)
    return;

  g_cancellable_cancel (part->asking);
  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    g_signal_handlers_disconnect_by_data (kinds[i].get (part->client), part);
  g_clear_object (&part->client);
  g_clear_object (&part->asking);
  part->n_asked = 0;
}

static void
request_lists (Part *part)
{
  GmcpClient *client = gmcp_managed_server_get_client (part->server);

  if (!gmcp_managed_server_is_ready (part->server) || client == part->client)
    return;

  leave_client (part);
  part->client = g_object_ref (client);
  part->asking = g_cancellable_new ();
  part->n_asked = GMCP_GATHERED_N_KINDS;
  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    {
      Asking *asking = g_new (Asking, 1);

      asking->part = g_rc_box_acquire (part);
      asking->kind = i;
      kinds[i].list_async (client, part->asking, on_listed, asking);
    }
  if (part->lists->moved != NULL)
    part->lists->moved (part->lists->moved_data, NULL);
}

static void
on_demanded (GObject *object, GAsyncResult *result, gpointer data)
{
  Part *part = data;
  g_autoptr (GError) error = NULL;

  /* A start that failed has been told of. */
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &error);
  part->is_starting = FALSE;
  if (part->lists != NULL)
    {
      request_lists (part);
      part_settle (part, error);
    }
  part_unref (part);
}

static void
start_part (Part *part)
{
  part->is_starting = TRUE;
  gmcp_managed_server_demand_async (part->server, NULL, on_demanded, g_rc_box_acquire (part));
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
      Part *part = g_ptr_array_index (self->parts, i);

      if (part->is_included && !part->is_known && !is_part_pending (part))
        start_part (part);
    }
  tell_waiters (self);
}

static Part *
find_part (GPtrArray *parts, GmcpManagedServer *server, guint *position)
{
  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = g_ptr_array_index (parts, i);

      *position = i;
      if (part != NULL && part->server == server)
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
  Part *part = find_part (self->parts, server, &position);

  g_task_set_source_tag (task, gmcp_gathered_lists_ask_server_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (part == NULL || !part->is_included || (part->is_known && !is_part_pending (part)))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  gmcp_pending_tasks_add (&part->waiters, task);
  if (!is_part_pending (part))
    start_part (part);
}

gboolean
gmcp_gathered_lists_ask_server_finish (GmcpManagedServer *server,
                                       GAsyncResult *result,
                                       GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Servers that come, go and change */

static void
on_state (GmcpManagedServer *server, GParamSpec *pspec, Part *part)
{
  GmcpGatheredLists *self = part->lists;
  g_autoptr (GListModel) alive G_GNUC_UNUSED = hold_servers (self);
  gboolean was_included = part->is_included;

  g_rc_box_acquire (part);
  part->is_included = self->includes (server, self->data);
  if (part->is_included)
    request_lists (part);
  if (part->lists != NULL && part->is_included != was_included)
    rebuild_all (self);
  part_unref (part);
}

static void
part_detach (Part *part)
{
  g_signal_handlers_disconnect_by_data (part->server, part);
  leave_client (part);
  part->lists = NULL;
}

static void
part_free (gpointer part)
{
  part_detach (part);
  part_unref (part);
}

static Part *
part_new (GmcpGatheredLists *self, GmcpManagedServer *server)
{
  Part *part = g_rc_box_new0 (Part);

  part->lists = self;
  part->server = g_object_ref (server);
  part->is_included = self->includes (server, self->data);
  g_signal_connect (server, "notify::state", G_CALLBACK (on_state), part);
  return part;
}

static Part *
steal_part (GPtrArray *parts, GmcpManagedServer *server)
{
  guint position;
  Part *part = find_part (parts, server, &position);

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

  self->parts = g_ptr_array_new_with_free_func (part_free);
  g_ptr_array_set_free_func (former, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (servers, i);
      Part *part = steal_part (former, server);

      g_ptr_array_add (self->parts, part != NULL ? part : part_new (self, server));
    }
  for (guint i = 0; i < former->len; i++)
    if (former->pdata[i] != NULL)
      {
        gmcp_pending_tasks_move (&((Part *) former->pdata[i])->waiters, &left);
        part_free (former->pdata[i]);
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
    {
      Part *part = g_ptr_array_index (self->parts, i);

      part->is_included = self->includes (part->server, self->data);
      if (part->is_included)
        request_lists (part);
    }
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
  self->parts = g_ptr_array_new_with_free_func (part_free);
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
  self->moved = NULL;
  g_hash_table_remove_all (self->by_uri);
  for (guint i = 0; i < self->parts->len; i++)
    gmcp_pending_tasks_move (&((Part *) g_ptr_array_index (self->parts, i))->waiters, &left);
  g_ptr_array_set_size (self->parts, 0);
  gmcp_pending_tasks_settle (&left, NULL);
  tell_waiters (self);
}

void
gmcp_gathered_lists_free (GmcpGatheredLists *self)
{
  gmcp_gathered_lists_close (self);
  g_ptr_array_unref (self->parts);
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

/* What counts, or what does not: a project leaves it out, or a role. */
static GPtrArray *
get_items (Part *part, gboolean is_included, GmcpGatheredKind kind)
{
  return part->is_included == is_included ? part->items[kind] : NULL;
}

static Part *
find_by_key (GmcpGatheredLists *self, gboolean is_included, GmcpGatheredKind kind, const char *key)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);
      GPtrArray *items = get_items (part, is_included, kind);

      for (guint j = 0; items != NULL && j < items->len; j++)
        if (strcmp (gmcp_definition_get_key (g_ptr_array_index (items, j)), key) == 0)
          return part;
    }
  return NULL;
}

/* Whether the template can make the URI, and says how it begins. */
static gboolean
matches_template (const char *uri_template, const char *uri)
{
  const char *expression = strchr (uri_template, '{');
  const char *end = strrchr (uri_template, '}');
  gsize length;

  if (expression == NULL || end == NULL)
    return strcmp (uri_template, uri) == 0;

  length = (gsize) (expression - uri_template);
  return length > 0 && strncmp (uri_template, uri, length) == 0
         && strlen (uri) >= length + strlen (end + 1) && g_str_has_suffix (uri, end + 1);
}

/* The first server in the order of the configuration: no other gets the reads of its resources by a template
 * that says more. */
static Part *
find_by_template (GmcpGatheredLists *self, gboolean is_included, const char *uri)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);
      GPtrArray *templates = get_items (part, is_included, GMCP_GATHERED_TEMPLATES);

      for (guint j = 0; templates != NULL && j < templates->len; j++)
        if (matches_template (gmcp_definition_get_key (g_ptr_array_index (templates, j)), uri))
          return part;
    }
  return NULL;
}

GmcpManagedServer *
gmcp_gathered_lists_find_resource (GmcpGatheredLists *self, const char *uri)
{
  Part *part = g_hash_table_lookup (self->by_uri, uri);

  if (part == NULL)
    part = find_by_template (self, TRUE, uri);
  return part != NULL ? part->server : NULL;
}

GmcpManagedServer *
gmcp_gathered_lists_find_unlisted (GmcpGatheredLists *self, const char *uri)
{
  Part *part = find_by_key (self, FALSE, GMCP_GATHERED_RESOURCES, uri);

  if (part == NULL)
    part = find_by_template (self, FALSE, uri);
  return part != NULL ? part->server : NULL;
}

GmcpManagedServer *
gmcp_gathered_lists_find_template (GmcpGatheredLists *self, const char *uri_template)
{
  Part *part = find_by_key (self, TRUE, GMCP_GATHERED_TEMPLATES, uri_template);

  if (part == NULL)
    part = find_by_key (self, FALSE, GMCP_GATHERED_TEMPLATES, uri_template);
  return part != NULL ? part->server : NULL;
}
