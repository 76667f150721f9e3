/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-context-gathering-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-project-context-private.h"
#include "gmcp-server-instructions-private.h"
#include "gmcp-project-private.h"

typedef struct
{
  char *server_id;
  const char *uri; /* the project's; NULL for a server that is only started, to say what it knows */
  GmcpResourceResult *result;
  char *note;
  gboolean waiting;
} Item;

typedef struct
{
  grefcount ref_count;
  GObject *owner;
  const GmcpContextHostFuncs *funcs;
  GMainContext *context;
  guint limit_ms;
  GmcpProject *project;
  GTask *task; /* NULL once it has been returned */
  Item *items;
  guint n_items;
  guint n_waiting;
  GSource *limit;
  GSource *cancelled;
} Gathering;

/* One answer on its way. */
typedef struct
{
  Gathering *gathering;
  guint position;
} Wait;

static void
gathering_unref (Gathering *gathering)
{
  if (!g_ref_count_dec (&gathering->ref_count))
    return;

  for (guint i = 0; i < gathering->n_items; i++)
    {
      g_free (gathering->items[i].server_id);
      g_free (gathering->items[i].note);
      g_clear_pointer (&gathering->items[i].result, gmcp_resource_result_unref);
    }
  g_free (gathering->items);
  g_object_unref (gathering->project);
  g_object_unref (gathering->owner);
  g_main_context_unref (gathering->context);
  g_free (gathering);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Gathering, gathering_unref)

static void
forget_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static GTask *
take_task (Gathering *gathering)
{
  forget_source (&gathering->limit);
  forget_source (&gathering->cancelled);
  return g_steal_pointer (&gathering->task);
}

static GmcpManagedServer *
get_server (Gathering *gathering, const char *server_id)
{
  return gathering->funcs->get_server (gathering->owner, server_id);
}

static const char *
get_title (Gathering *gathering, const char *server_id)
{
  GmcpManagedServer *server = get_server (gathering, server_id);

  return server != NULL ? gmcp_managed_server_get_title (server) : server_id;
}

static void
note_late (Gathering *gathering, Item *item)
{
  GmcpManagedServer *server = get_server (gathering, item->server_id);

  /* A server that is up and slow is not away. */
  if (item->uri != NULL && server != NULL && !gmcp_managed_server_is_ready (server))
    item->result = gmcp_managed_server_find_kept_resource (server, item->uri);
  if (item->result != NULL)
    return;

  if (item->uri != NULL)
    item->note
      = g_strdup_printf (_ ("%s of server “%s” was not read within %u ms; it is read on, "
                            "and may be there the next time"),
                         item->uri, get_title (gathering, item->server_id), gathering->limit_ms);
  else
    item->note = g_strdup_printf (_ ("Server “%s” did not start within %u ms; what it wants a "
                                     "model to know may be there the next time"),
                                  get_title (gathering, item->server_id), gathering->limit_ms);
  if (server != NULL)
    gathering->funcs->notice (gathering->owner, item->server_id, GMCP_NOTICE_LEVEL_WARNING,
                              item->note);
}

static char *
gather_instructions (Gathering *gathering)
{
  const char *const *ids = gmcp_project_get_server_ids (gathering->project);
  const char *own = gmcp_project_get_instructions (gathering->project);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (own != NULL)
    g_string_append_printf (text, "# %s\n\n%s\n", gmcp_project_get_title (gathering->project), own);

  for (guint i = 0; i < g_strv_length ((char **) ids) + gathering->n_items; i++)
    {
      guint n_ids = g_strv_length ((char **) ids);
      const char *id = i < n_ids ? ids[i] : gathering->items[i - n_ids].server_id;
      GmcpManagedServer *server = id != NULL ? get_server (gathering, id) : NULL;

      if (server != NULL && gathering->funcs->may_reach (gathering->owner, id, NULL)
          && g_hash_table_add (seen, (gpointer) id))
        gmcp_server_instructions_append (text, server);
    }

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
finish_gathering (Gathering *gathering)
{
  g_autoptr (GTask) task = take_task (gathering);
  g_autoptr (GPtrArray) resources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < gathering->n_items; i++)
    {
      Item *item = &gathering->items[i];
      gboolean late = item->waiting;

      if (late)
        note_late (gathering, item);
      if (item->result != NULL && gmcp_resource_result_is_stale (item->result))
        item->note
          = g_strdup_printf (_ ("%s of server “%s” may be out of date: the server is away"),
                             item->uri, get_title (gathering, item->server_id));
      if (item->uri != NULL && (late || item->result != NULL))
        g_ptr_array_add (resources,
                         gmcp_context_resource_new (item->server_id, item->uri, item->result));
      if (item->note != NULL)
        g_ptr_array_add (notes, g_steal_pointer (&item->note));
    }

  g_ptr_array_add (notes, NULL);
  g_ptr_array_set_free_func (notes, NULL);
  g_task_return_pointer (
    task,
    gmcp_project_context_new_take (gathering->project, g_steal_pointer (&resources),
                                   gather_instructions (gathering),
                                   (GStrv) g_ptr_array_free (g_steal_pointer (&notes), FALSE)),
    g_object_unref);
}

/* Takes the result or the error. */
static void
item_done (Wait *wait, GmcpResourceResult *result, GError *error)
{
  g_autoptr (Gathering) gathering = wait->gathering;
  Item *item = &gathering->items[wait->position];

  g_free (wait);
  if (gathering->task == NULL)
    {
      /* Too late for this one, and in the cache for the next. */
      g_clear_pointer (&result, gmcp_resource_result_unref);
      g_clear_error (&error);
      return;
    }

  item->waiting = FALSE;
  item->result = result;
  if (error != NULL && item->uri != NULL)
    item->note = g_strdup_printf (_ ("%s of server “%s” is left out: %s"), item->uri,
                                  get_title (gathering, item->server_id), error->message);
  else if (error != NULL)
    item->note = g_strdup (error->message);
  g_clear_error (&error);
  if (--gathering->n_waiting == 0)
    finish_gathering (gathering);
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  GError *error = NULL;
  GmcpResourceResult *result
    = gmcp_managed_server_read_resource_finish (GMCP_MANAGED_SERVER (object), async_result, &error);

  item_done (data, result, error);
}

static void
on_started (GObject *object, GAsyncResult *async_result, gpointer data)
{
  GError *error = NULL;

  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), async_result, &error);
  item_done (data, NULL, error);
}

static void
begin_item (Gathering *gathering, guint position)
{
  Item *item = &gathering->items[position];
  GmcpManagedServer *server
    = item->server_id != NULL ? get_server (gathering, item->server_id) : NULL;
  g_autoptr (GError) error = NULL;
  Wait *wait;

  if (server == NULL)
    {
      if (item->server_id == NULL)
        item->note = g_strdup_printf (
          _ ("%s is left out: it is not clear which server it belongs to"), item->uri);
      else
        item->note
          = g_strdup_printf (_ ("%s is left out: server “%s” is not configured"),
                             item->uri != NULL ? item->uri : item->server_id, item->server_id);
      return;
    }

  if (!gathering->funcs->may_reach (gathering->owner, item->server_id, &error))
    {
      item->note = g_strdup_printf (
        _ ("%s is left out: %s"), item->uri != NULL ? item->uri : item->server_id, error->message);
      return;
    }

  wait = g_new (Wait, 1);
  wait->gathering = gathering;
  wait->position = position;
  g_ref_count_inc (&gathering->ref_count);
  item->waiting = TRUE;
  gathering->n_waiting++;
  /* Reads go on after the gathering has ended: their answers are kept for the next one. */
  if (item->uri != NULL)
    gmcp_managed_server_read_resource_async (server, item->uri, NULL, NULL, on_read, wait);
  else
    gmcp_managed_server_demand_async (server, NULL, on_started, wait);
}

/* A server whose resources are read is started by that. */
static gboolean
has_to_start (Gathering *gathering, const char *server_id)
{
  GmcpManagedServer *server = get_server (gathering, server_id);

  for (guint i = 0; i < gathering->n_items; i++)
    if (g_strcmp0 (gathering->items[i].server_id, server_id) == 0)
      return FALSE;

  return server == NULL || gmcp_managed_server_is_untried (server);
}

static void
fill_items (Gathering *gathering)
{
  guint n_resources
    = MIN (gmcp_project_get_n_resources (gathering->project), GMCP_LIMIT_PROJECT_RESOURCES);
  const char *const *servers = gmcp_project_get_server_ids (gathering->project);

  gathering->items = g_new0 (Item, n_resources + g_strv_length ((char **) servers));
  for (guint i = 0; i < n_resources; i++)
    {
      Item *item = &gathering->items[gathering->n_items++];

      item->server_id = gmcp_project_dup_resource_server_id (gathering->project, i);
      item->uri = gmcp_project_get_resource_uri (gathering->project, i);
    }
  for (gsize i = 0; servers[i] != NULL; i++)
    if (has_to_start (gathering, servers[i]))
      gathering->items[gathering->n_items++].server_id = g_strdup (servers[i]);
}

static gboolean
on_limit (gpointer data)
{
  Gathering *gathering = data;

  finish_gathering (gathering);
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  g_autoptr (GTask) task = take_task (data);

  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static GSource *
attach_source (Gathering *gathering, GSource *source, const char *name, GSourceFunc func)
{
  g_source_set_static_name (source, name);
  g_ref_count_inc (&gathering->ref_count);
  g_source_set_callback (source, func, gathering, (GDestroyNotify) gathering_unref);
  g_source_attach (source, gathering->context);
  return source;
}

void
gmcp_context_gather (GTask *task,
                     GmcpProject *project,
                     GMainContext *context,
                     guint limit_ms,
                     const GmcpContextHostFuncs *funcs)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (Gathering) gathering = g_new0 (Gathering, 1);

  g_ref_count_init (&gathering->ref_count);
  gathering->owner = g_object_ref (g_task_get_source_object (task));
  gathering->funcs = funcs;
  gathering->context = g_main_context_ref (context);
  gathering->limit_ms = limit_ms;
  gathering->project = g_object_ref (project);
  gathering->task = g_object_ref (task);
  fill_items (gathering);

  gathering->limit = attach_source (gathering, g_timeout_source_new (limit_ms),
                                    "[gmcp] context of a project", on_limit);
  if (cancellable != NULL)
    gathering->cancelled = attach_source (gathering, g_cancellable_source_new (cancellable),
                                          "[gmcp] context cancelled", G_SOURCE_FUNC (on_cancelled));

  /* One more, for this function. */
  gathering->n_waiting = 1;
  g_main_context_push_thread_default (context);
  for (guint i = 0; i < gathering->n_items; i++)
    begin_item (gathering, i);
  g_main_context_pop_thread_default (context);
  if (--gathering->n_waiting == 0 && gathering->task != NULL)
    finish_gathering (gathering);
}
