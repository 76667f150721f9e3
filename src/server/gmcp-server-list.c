/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-list-private.h"
#include "gmcp-server-private.h"

struct _GmcpServerList
{
  const GmcpServerListKind *kind;
  GListModel *model;   /* nullable */
  GPtrArray *in_order; /* (element-type GmcpServerItem) (owned), by serial */
  GHashTable *by_key;  /* not owned */
  guint64 last_serial;
  GmcpServerListChangedFunc changed;
  gpointer changed_data;
};

GmcpServerItem *
gmcp_server_item_ref (GmcpServerItem *item)
{
  return g_rc_box_acquire (item);
}

static void
item_clear (gpointer data)
{
  GmcpServerItem *item = data;

  if (item->detail != NULL)
    item->kind->free_detail (item->detail);
  g_free (item->key);
  g_free (item->json);
  g_free (item->plain_json);
  g_object_unref (item->object);
}

void
gmcp_server_item_unref (GmcpServerItem *item)
{
  g_rc_box_release_full (item, item_clear);
}

/* The former item where the object is unchanged. NULL where clients do not see it. */
static GmcpServerItem *
make_item (GmcpServerList *self, gpointer object, GHashTable *former_by_object)
{
  GmcpServerItem *former = g_hash_table_lookup (former_by_object, object);
  g_autoptr (GmcpServerItem) item = NULL;

  if (former != NULL)
    return gmcp_server_item_ref (former);

  item = g_rc_box_new0 (GmcpServerItem);
  item->kind = self->kind;
  item->object = g_object_ref (object);
  return self->kind->read (item) ? g_steal_pointer (&item) : NULL;
}

GmcpServerItem *
gmcp_server_list_make_item (GmcpServerList *self, gpointer object, const char *key)
{
  g_autoptr (GmcpServerItem) item = g_rc_box_new0 (GmcpServerItem);

  item->kind = self->kind;
  item->object = g_object_ref (object);
  if (!self->kind->read (item))
    return NULL;

  g_free (item->key);
  item->key = g_strdup (key);
  return g_steal_pointer (&item);
}

static int
compare_serials (gconstpointer a, gconstpointer b)
{
  const GmcpServerItem *first = *(GmcpServerItem *const *) a;
  const GmcpServerItem *second = *(GmcpServerItem *const *) b;

  return first->serial < second->serial ? -1 : first->serial > second->serial;
}

/* Reads the model again. A thing that is in the place of another of its key keeps the serial. */
static void
refresh_items (GmcpServerList *self)
{
  g_autoptr (GPtrArray) former = g_steal_pointer (&self->in_order);
  g_autoptr (GHashTable) former_by_key = g_steal_pointer (&self->by_key);
  g_autoptr (GHashTable) former_by_object = g_hash_table_new (NULL, NULL);
  guint n = self->model != NULL ? g_list_model_get_n_items (self->model) : 0;

  for (guint i = 0; i < former->len; i++)
    {
      GmcpServerItem *item = g_ptr_array_index (former, i);

      g_hash_table_insert (former_by_object, item->object, item);
    }

  self->in_order = g_ptr_array_new_full (n, (GDestroyNotify) gmcp_server_item_unref);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) object = g_list_model_get_item (self->model, i);
      g_autoptr (GmcpServerItem) item = make_item (self, object, former_by_object);
      GmcpServerItem *before;

      if (item == NULL || g_hash_table_contains (self->by_key, item->key))
        continue;
      before = g_hash_table_lookup (former_by_key, item->key);
      if (item->serial == 0)
        item->serial = before != NULL ? before->serial : ++self->last_serial;
      g_hash_table_insert (self->by_key, item->key, item);
      g_ptr_array_add (self->in_order, g_steal_pointer (&item));
    }
  g_ptr_array_sort (self->in_order, compare_serials);
}

static void
on_items_changed (GListModel *model,
                  guint position,
                  guint n_removed,
                  guint n_added,
                  GmcpServerList *self)
{
  refresh_items (self);
  self->changed (self, self->changed_data);
}

GmcpServerList *
gmcp_server_list_new (const GmcpServerListKind *kind,
                      GListModel *model,
                      GmcpServerListChangedFunc changed,
                      gpointer data)
{
  GmcpServerList *self = g_new0 (GmcpServerList, 1);

  self->kind = kind;
  self->changed = changed;
  self->changed_data = data;
  self->in_order = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_item_unref);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  if (model == NULL)
    return self;

  self->model = g_object_ref (model);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), self);
  refresh_items (self);
  return self;
}

void
gmcp_server_list_free (GmcpServerList *self)
{
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->in_order);
  g_free (self);
}

GmcpServerItem *
gmcp_server_list_find (GmcpServerList *self, const char *key)
{
  return g_hash_table_lookup (self->by_key, key);
}

GmcpServerItem *
gmcp_server_list_search (GmcpServerList *self, gboolean (*matches) (GmcpServerItem *item))
{
  for (guint i = 0; i < self->in_order->len; i++)
    if (matches (g_ptr_array_index (self->in_order, i)))
      return g_ptr_array_index (self->in_order, i);
  return NULL;
}

/* Pages */

/* The serial that a page begins after; what was removed since does not matter. */
static gboolean
read_cursor (GmcpServerList *self, GmcpJsonValue cursor, guint64 *after)
{
  g_autofree char *text = gmcp_json_value_dup_string (cursor);

  return text != NULL && text[0] == self->kind->cursor_prefix
         && g_ascii_string_to_unsigned (text + 1, 10, 1, self->last_serial, after, NULL);
}

static guint
find_position (GmcpServerList *self, guint64 after)
{
  guint low = 0;
  guint high = self->in_order->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      GmcpServerItem *item = g_ptr_array_index (self->in_order, middle);

      if (item->serial <= after)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

static void
write_page (GmcpServerList *self,
            GmcpJsonWriter *writer,
            guint64 after,
            guint page_size,
            gboolean plain)
{
  guint position = find_position (self, after);
  gsize start = writer->out->len;
  guint n_written = 0;

  gmcp_json_writer_key (writer, self->kind->member);
  gmcp_json_writer_begin_array (writer);
  while (position < self->in_order->len && n_written < page_size
         && writer->out->len - start < GMCP_LIMIT_PAGE_BYTES)
    {
      GmcpServerItem *item = g_ptr_array_index (self->in_order, position++);

      gmcp_json_writer_raw (writer,
                            plain && item->plain_json != NULL ? item->plain_json : item->json, -1);
      after = item->serial;
      n_written++;
    }
  gmcp_json_writer_end_array (writer);

  if (position < self->in_order->len)
    {
      char cursor[32];

      g_snprintf (cursor, sizeof cursor, "%c%" G_GUINT64_FORMAT, self->kind->cursor_prefix, after);
      gmcp_json_writer_member_string (writer, GMCP_MEMBER_NEXT_CURSOR, cursor);
    }
}

void
gmcp_server_list_reply (GmcpServerList *self, GmcpServerExchange *exchange)
{
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);
  GmcpJsonValue cursor
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "cursor");
  GmcpJsonKind kind = gmcp_json_value_get_kind (cursor);
  guint64 after = 0;
  GmcpJsonWriter writer;

  if (kind != GMCP_JSON_ABSENT && kind != GMCP_JSON_NULL && !read_cursor (self, cursor, &after))
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: the cursor is none that this server gave; "
                                        "begin again without one",
                                        NULL);
      return;
    }

  writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);
  write_page (self, &writer, after, gmcp_server_get_page_size (server),
              gmcp_server_exchange_get_era (exchange)->structured_is_object);
  gmcp_server_exchange_get_era (exchange)->write_cache_members (
    exchange, &writer, -1, gmcp_server_get_list_cache_scope (server));
  gmcp_server_exchange_end_result (exchange, &writer);
}
