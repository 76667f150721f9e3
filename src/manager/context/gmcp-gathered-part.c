/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-definition-private.h"
#include "gmcp-gathered-part-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-pending-tasks-private.h"

struct _GmcpGatheredPart
{
  const GmcpGatheredPartHooks *hooks; /* NULL once it has been dropped */
  gpointer data;
  GmcpManagedServer *server;
  GmcpPromptCatalog *prompts; /* nullable */
  gboolean is_included;
  gboolean is_starting;
  gboolean is_known;
  GmcpClient *client;   /* the last that was asked */
  GCancellable *asking; /* cancelled when another is asked */
  guint n_asked;        /* lists that have not been answered */
  GQueue waiters;       /* (element-type GTask) */
  GPtrArray *items[GMCP_GATHERED_N_KINDS];
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
  GmcpGatheredPart *part; /* held */
  GmcpGatheredKind kind;
} Asking;

static void
part_clear (gpointer data)
{
  GmcpGatheredPart *self = data;

  g_object_unref (self->server);
  g_clear_object (&self->client);
  g_clear_object (&self->asking);
  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    g_clear_pointer (&self->items[i], g_ptr_array_unref);
}

GmcpGatheredPart *
gmcp_gathered_part_ref (GmcpGatheredPart *self)
{
  return g_rc_box_acquire (self);
}

void
gmcp_gathered_part_unref (GmcpGatheredPart *self)
{
  g_rc_box_release_full (self, part_clear);
}

/* The items */

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
rename_prompts (GmcpGatheredPart *self, GPtrArray *prompts)
{
  g_auto (GStrv) names = NULL;
  GPtrArray *renamed = NULL;

  if (self->prompts == NULL)
    return g_ptr_array_ref (prompts);

  names = gmcp_prompt_catalog_name_prompts (self->prompts, self->server, prompts);
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
take_items (GmcpGatheredPart *self, GmcpGatheredKind kind)
{
  GListModel *model = kinds[kind].get (self->client);
  guint n = g_list_model_get_n_items (model);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (n, g_object_unref);
  g_autoptr (GPtrArray) former = g_steal_pointer (&self->items[kind]);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, g_list_model_get_item (model, i));
  self->items[kind]
    = kind == GMCP_GATHERED_PROMPTS ? rename_prompts (self, items) : g_ptr_array_ref (items);
  if (former != NULL)
    keep_former (self->items[kind], former);
  self->hooks->items_changed (self, kind, self->data);
}

/* Asking */

/* The error of a start that failed, or NULL. */
static void
settle_waiters (GmcpGatheredPart *self, const GError *error)
{
  if (!gmcp_gathered_part_is_pending (self))
    gmcp_pending_tasks_settle (&self->waiters, error);
  if (self->hooks != NULL)
    self->hooks->answered (self, self->data);
}

static void
on_client_changed (GListModel *model,
                   guint position,
                   guint n_removals,
                   guint n_additions,
                   gpointer data)
{
  GmcpGatheredPart *self = data;
  GmcpGatheredKind kind = 0;

  while (kinds[kind].get (self->client) != model)
    kind++;
  take_items (self, kind);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Asking *asking = data;
  GmcpGatheredPart *self = asking->part;
  GmcpClient *client = GMCP_CLIENT (object);
  g_autoptr (GListModel) model = kinds[asking->kind].list_finish (client, result, NULL);

  if (self->hooks != NULL && self->client == client)
    {
      self->is_known = TRUE;
      self->n_asked--;
      if (model != NULL)
        {
          g_signal_connect (kinds[asking->kind].get (client), "items-changed",
                            G_CALLBACK (on_client_changed), self);
          take_items (self, asking->kind);
        }
      settle_waiters (self, NULL);
    }
  gmcp_gathered_part_unref (self);
}

static void
leave_client (GmcpGatheredPart *self)
{
  if (self->client == NULL)
    return;

  g_cancellable_cancel (self->asking);
  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    g_signal_handlers_disconnect_by_data (kinds[i].get (self->client), self);
  g_clear_object (&self->client);
  g_clear_object (&self->asking);
  self->n_asked = 0;
}

void
gmcp_gathered_part_request (GmcpGatheredPart *self)
{
  GmcpClient *client = gmcp_managed_server_get_client (self->server);

  if (!gmcp_managed_server_is_ready (self->server) || client == self->client)
    return;

  leave_client (self);
  self->client = g_object_ref (client);
  self->asking = g_cancellable_new ();
  self->n_asked = GMCP_GATHERED_N_KINDS;
  for (guint i = 0; i < GMCP_GATHERED_N_KINDS; i++)
    {
      Asking *asking = g_new (Asking, 1);

      asking->part = gmcp_gathered_part_ref (self);
      asking->kind = i;
      kinds[i].list_async (client, self->asking, on_listed, asking);
    }
  self->hooks->connected (self, self->data);
}

static void
on_demanded (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpGatheredPart *self = data;
  g_autoptr (GError) error = NULL;

  /* A start that failed has been told of. */
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &error);
  self->is_starting = FALSE;
  if (self->hooks != NULL)
    {
      gmcp_gathered_part_request (self);
      settle_waiters (self, error);
    }
  gmcp_gathered_part_unref (self);
}

void
gmcp_gathered_part_start (GmcpGatheredPart *self)
{
  self->is_starting = TRUE;
  gmcp_managed_server_demand_async (self->server, NULL, on_demanded, gmcp_gathered_part_ref (self));
}

void
gmcp_gathered_part_wait (GmcpGatheredPart *self, GTask *task)
{
  gmcp_pending_tasks_add (&self->waiters, task);
}

void
gmcp_gathered_part_give_waiters (GmcpGatheredPart *self, GQueue *waiters)
{
  gmcp_pending_tasks_move (&self->waiters, waiters);
}

/* The server */

static void
on_state (GmcpManagedServer *server, GParamSpec *pspec, GmcpGatheredPart *self)
{
  gmcp_gathered_part_ref (self);
  self->hooks->state_changed (self, self->data);
  gmcp_gathered_part_unref (self);
}

GmcpGatheredPart *
gmcp_gathered_part_new (GmcpManagedServer *server,
                        GmcpPromptCatalog *prompts,
                        const GmcpGatheredPartHooks *hooks,
                        gpointer data)
{
  GmcpGatheredPart *self = g_rc_box_new0 (GmcpGatheredPart);

  self->hooks = hooks;
  self->data = data;
  self->server = g_object_ref (server);
  self->prompts = prompts;
  g_signal_connect (server, "notify::state", G_CALLBACK (on_state), self);
  return self;
}

void
gmcp_gathered_part_drop (GmcpGatheredPart *self)
{
  g_signal_handlers_disconnect_by_data (self->server, self);
  leave_client (self);
  self->hooks = NULL;
  gmcp_gathered_part_unref (self);
}

gboolean
gmcp_gathered_part_is_dropped (GmcpGatheredPart *self)
{
  return self->hooks == NULL;
}

GmcpManagedServer *
gmcp_gathered_part_get_server (GmcpGatheredPart *self)
{
  return self->server;
}

gboolean
gmcp_gathered_part_is_included (GmcpGatheredPart *self)
{
  return self->is_included;
}

void
gmcp_gathered_part_set_included (GmcpGatheredPart *self, gboolean is_included)
{
  self->is_included = is_included;
}

GPtrArray *
gmcp_gathered_part_get_items (GmcpGatheredPart *self, GmcpGatheredKind kind)
{
  return self->items[kind];
}

gboolean
gmcp_gathered_part_is_known (GmcpGatheredPart *self)
{
  return self->is_known;
}

gboolean
gmcp_gathered_part_is_pending (GmcpGatheredPart *self)
{
  return self->is_starting || self->n_asked > 0;
}
