/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-index-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-search-loader-private.h"
#include "gmcp-search-words-private.h"
#include "gmcp-tool-private.h"

/* A tool of the list. Its id is 0 while it waits to be read. */
typedef struct
{
  GmcpTool *tool; /* NULL once it left the list */
  gint64 id;
} Entry;

struct _GmcpToolIndex
{
  GObject parent_instance;

  GMainContext *context;
  GListModel *tools;
  GSource *source; /* while there is work */

  const GmcpSearchModule *module;
  GmcpSearchIndex *index; /* NULL until it is first needed */
  gint64 last_id;

  GPtrArray *entries; /* (element-type Entry), as the list has them */
  GHashTable *by_id;  /* those that were read */
  GQueue unread;      /* (element-type Entry); owns those that left the list since */
  GArray *removed;    /* ids */
  GQueue searches;    /* (element-type GmcpToolSearch) (owned) */
};

G_DEFINE_FINAL_TYPE (GmcpToolIndex, gmcp_tool_index, G_TYPE_OBJECT)

static void
entry_free (Entry *entry)
{
  g_clear_object (&entry->tool);
  g_free (entry);
}

static void
close_index (GmcpToolIndex *self)
{
  if (self->index != NULL)
    self->module->close (self->index);
  self->index = NULL;
}

static void
stop_source (GmcpToolIndex *self)
{
  if (self->source == NULL)
    return;

  g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
}

static void
gmcp_tool_index_finalize (GObject *object)
{
  GmcpToolIndex *self = GMCP_TOOL_INDEX (object);

  stop_source (self);
  close_index (self);
  for (GList *l = self->unread.head; l != NULL; l = l->next)
    if (((Entry *) l->data)->tool == NULL)
      entry_free (l->data);
  g_queue_clear (&self->unread);
  g_queue_clear_full (&self->searches, g_object_unref);
  g_ptr_array_set_free_func (self->entries, (GDestroyNotify) entry_free);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->by_id);
  g_array_unref (self->removed);
  g_object_unref (self->tools);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_tool_index_parent_class)->finalize (object);
}

static void
gmcp_tool_index_class_init (GmcpToolIndexClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_tool_index_finalize;
}

static void
gmcp_tool_index_init (GmcpToolIndex *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->entries = g_ptr_array_new ();
  self->by_id = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->removed = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_queue_init (&self->unread);
  g_queue_init (&self->searches);
}

/* Following the list */

static void
forget_tool (GmcpToolIndex *self, Entry *entry)
{
  g_clear_object (&entry->tool);
  if (entry->id == 0)
    return;

  g_hash_table_remove (self->by_id, &entry->id);
  g_array_append_val (self->removed, entry->id);
  g_free (entry);
}

static Entry *
new_entry (GmcpToolIndex *self, GmcpTool *tool)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->tool = g_object_ref (tool);
  g_queue_push_tail (&self->unread, entry);
  return entry;
}

static void
make_room (GPtrArray *array, guint position, guint n_removed, guint n_added)
{
  guint n_behind = array->len - position - n_removed;

  if (n_added > n_removed)
    g_ptr_array_set_size (array, array->len + (n_added - n_removed));
  if (n_behind > 0)
    memmove (array->pdata + position + n_added, array->pdata + position + n_removed,
             n_behind * sizeof (gpointer));
  g_ptr_array_set_size (array, position + n_added + n_behind);
}

/* A list that names more of itself than has changed has the same tools before and after. */
static void
on_items_changed (GListModel *tools,
                  guint position,
                  guint n_removed,
                  guint n_added,
                  GmcpToolIndex *self)
{
  g_autoptr (GHashTable) former = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  Entry *entry;

  for (guint i = 0; i < n_removed; i++)
    {
      Entry *other;

      entry = g_ptr_array_index (self->entries, position + i);
      other = g_hash_table_lookup (former, entry->tool);
      if (other != NULL)
        forget_tool (self, other);
      g_hash_table_replace (former, entry->tool, entry);
    }
  make_room (self->entries, position, n_removed, n_added);
  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, position + i);

      if (!g_hash_table_steal_extended (former, tool, NULL, (gpointer *) &entry))
        entry = new_entry (self, tool);
      self->entries->pdata[position + i] = entry;
    }

  g_hash_table_iter_init (&iter, former);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &entry))
    forget_tool (self, entry);
}

GmcpToolIndex *
gmcp_tool_index_new (GListModel *tools)
{
  GmcpToolIndex *self = g_object_new (GMCP_TYPE_TOOL_INDEX, NULL);

  self->tools = g_object_ref (tools);
  g_signal_connect_object (tools, "items-changed", G_CALLBACK (on_items_changed), self, 0);
  on_items_changed (tools, 0, 0, g_list_model_get_n_items (tools), self);
  return self;
}

/* Reading */

/* Not the tool's own getter, which would keep the text for good. */
static char *
dup_text (GmcpJsonValue value)
{
  gsize length;
  const char *plain = gmcp_json_value_peek_plain (value, &length);
  g_autofree char *text = NULL;

  if (plain != NULL)
    text = g_strndup (plain, MIN (length, GMCP_LIMIT_SEARCH_FIELD_BYTES + 4));
  else
    text = gmcp_json_value_dup_string (value);
  return text != NULL ? gmcp_search_words_cut (text, GMCP_LIMIT_SEARCH_FIELD_BYTES) : NULL;
}

static char *
dup_argument_names (GmcpTool *tool)
{
  GmcpJsonValue properties
    = gmcp_json_value_get_member (gmcp_tool_get_input_schema_value (tool), "properties");
  GString *names = g_string_new (NULL);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, properties);
  while (names->len < GMCP_LIMIT_SEARCH_FIELD_BYTES && gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = dup_text (key);
      g_autofree char *words = name != NULL ? gmcp_search_words_of_name (name) : NULL;

      if (words != NULL)
        g_string_append_printf (names, "%s ", words);
    }
  return g_string_free (names, FALSE);
}

static gboolean
read_entry (GmcpToolIndex *self, Entry *entry, char **message)
{
  GmcpTool *tool = entry->tool;
  GmcpJsonValue value = gmcp_definition_get_value (tool);
  const char *server = gmcp_tool_get_server_id (tool);
  GmcpJsonValue title = gmcp_json_value_get_member (value, "title");
  g_autofree char *name = gmcp_search_words_of_name (gmcp_tool_get_server_tool_name (tool));
  g_autofree char *group = server != NULL ? gmcp_search_words_of_name (server) : NULL;
  g_autofree char *title_text = NULL;
  g_autofree char *text = dup_text (gmcp_json_value_get_member (value, "description"));
  g_autofree char *keys = dup_argument_names (tool);
  const char *fields[GMCP_SEARCH_N_FIELDS];

  if (!gmcp_json_value_is_string (title))
    title = gmcp_json_value_get_member (gmcp_json_value_get_member (value, "annotations"), "title");
  title_text = dup_text (title);

  fields[GMCP_SEARCH_FIELD_NAME] = name;
  fields[GMCP_SEARCH_FIELD_GROUP] = group;
  fields[GMCP_SEARCH_FIELD_TITLE] = title_text;
  fields[GMCP_SEARCH_FIELD_TEXT] = text;
  fields[GMCP_SEARCH_FIELD_KEYS] = keys;

  entry->id = ++self->last_id;
  g_hash_table_insert (self->by_id, &entry->id, entry);
  return self->module->add (self->index, entry->id, fields, message);
}

/* One change; FALSE where it failed. */
static gboolean
read_one (GmcpToolIndex *self, char **message)
{
  Entry *entry;

  if (self->removed->len > 0)
    {
      gint64 id = g_array_index (self->removed, gint64, self->removed->len - 1);

      g_array_set_size (self->removed, self->removed->len - 1);
      return self->module->remove (self->index, id, message);
    }

  entry = g_queue_pop_head (&self->unread);
  if (entry->tool != NULL)
    return read_entry (self, entry, message);

  entry_free (entry);
  return TRUE;
}

static gboolean
has_unread (GmcpToolIndex *self)
{
  return self->removed->len > 0 || !g_queue_is_empty (&self->unread);
}

static gboolean
read_some (GmcpToolIndex *self, char **message)
{
  gint64 end = g_get_monotonic_time () + GMCP_LIMIT_DISPATCH_US;

  if (!self->module->begin (self->index, message))
    return FALSE;

  do
    if (!read_one (self, message))
      return FALSE;
  while (has_unread (self) && g_get_monotonic_time () < end);

  return self->module->commit (self->index, message);
}

/* Searching */

static GPtrArray *
list_first (GmcpToolIndex *self, GmcpToolSearch *search)
{
  guint n = MIN (gmcp_tool_search_get_limit (search), self->entries->len);
  GPtrArray *matches = g_ptr_array_new_full (n, g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      g_ptr_array_add (matches,
                       gmcp_tool_match_new (entry->tool, 0, gmcp_tool_search_get_detail (search)));
    }
  return matches;
}

static gboolean
is_blank (const char *query)
{
  while (g_ascii_isspace (*query))
    query++;
  return *query == '\0';
}

/* NULL where it failed. */
static GPtrArray *
find_matches (GmcpToolIndex *self, GmcpToolSearch *search, char **message)
{
  const char *query = gmcp_tool_search_get_query (search);
  g_autofree char *expression = gmcp_search_words_to_expression (query);
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (GmcpSearchHit));
  g_autoptr (GPtrArray) matches = NULL;

  if (is_blank (query))
    return list_first (self, search);

  matches = g_ptr_array_new_with_free_func (g_object_unref);
  if (expression != NULL
      && !self->module->search (self->index, expression, gmcp_tool_search_get_limit (search), hits,
                                message))
    return NULL;

  for (guint i = 0; i < hits->len; i++)
    {
      const GmcpSearchHit *hit = &g_array_index (hits, GmcpSearchHit, i);
      Entry *entry = g_hash_table_lookup (self->by_id, &hit->id);

      if (entry != NULL)
        g_ptr_array_add (matches, gmcp_tool_match_new (entry->tool, hit->score,
                                                       gmcp_tool_search_get_detail (search)));
    }
  return g_steal_pointer (&matches);
}

/* The index is of no use any more; the next search begins with a new one. */
static void
fail_index (GmcpToolIndex *self, const char *message)
{
  g_autoptr (GError) error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_FAILED, _ ("The tools cannot be searched: %s"), message);
  GQueue searches = self->searches;
  GHashTableIter iter;
  Entry *entry;

  close_index (self);
  g_array_set_size (self->removed, 0);
  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &entry))
    {
      entry->id = 0;
      g_queue_push_tail (&self->unread, entry);
    }
  g_hash_table_remove_all (self->by_id);

  g_queue_init (&self->searches);
  for (GList *l = searches.head; l != NULL; l = l->next)
    gmcp_provider_request_return_error (l->data, error);
  g_queue_clear_full (&searches, g_object_unref);
}

static gboolean
search_one (GmcpToolIndex *self, char **message)
{
  g_autoptr (GmcpToolSearch) search = g_queue_peek_head (&self->searches);
  GCancellable *cancellable
    = gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (search));
  g_autoptr (GPtrArray) matches = NULL;
  g_autoptr (GError) cancelled = NULL;

  if (!g_cancellable_set_error_if_cancelled (cancellable, &cancelled))
    {
      matches = find_matches (self, search, message);
      if (matches == NULL)
        {
          g_steal_pointer (&search);
          return FALSE;
        }
    }

  g_queue_pop_head (&self->searches);
  if (matches != NULL)
    gmcp_tool_search_return_matches (search, matches);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (search), cancelled);
  return TRUE;
}

static gboolean
on_turn (gpointer data)
{
  /* A callback may drop the last other reference. */
  g_autoptr (GmcpToolIndex) self = g_object_ref (data);
  g_autofree char *message = NULL;
  gboolean ok;

  ok = has_unread (self) ? read_some (self, &message) : search_one (self, &message);
  if (!ok)
    fail_index (self, message);
  if (!g_queue_is_empty (&self->searches))
    return G_SOURCE_CONTINUE;

  stop_source (self);
  return G_SOURCE_REMOVE;
}

static gboolean
ensure_index (GmcpToolIndex *self, GError **error)
{
  g_autofree char *message = NULL;

  if (self->index != NULL)
    return TRUE;

  self->module = gmcp_search_module_load (error);
  if (self->module == NULL)
    return FALSE;

  self->index = self->module->open (&message);
  if (self->index == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                 _ ("SQLite cannot search texts here: %s"), message);
  return self->index != NULL;
}

void
gmcp_tool_index_search (GmcpToolIndex *self, GmcpToolSearch *search)
{
  g_autoptr (GError) error = NULL;

  if (!ensure_index (self, &error))
    {
      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (search), error);
      return;
    }

  g_queue_push_tail (&self->searches, g_object_ref (search));
  if (self->source != NULL)
    return;

  self->source = g_idle_source_new ();
  g_source_set_static_name (self->source, "[gmcp] tool index");
  g_source_set_priority (self->source, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->source, on_turn, self, NULL);
  g_source_attach (self->source, self->context);
}
