/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-lists-private.h"

#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

void
gmcp_list_items_init (GmcpListItems *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->n_skipped = 0;
}

void
gmcp_list_items_clear (GmcpListItems *self)
{
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
}

gboolean
gmcp_list_items_take (GmcpListItems *self,
                      GmcpSession *session,
                      const GmcpListKind *kind,
                      GmcpJsonValue result,
                      GError **error)
{
  GmcpJsonValue array = gmcp_json_value_get_member (result, kind->member);
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (!gmcp_json_value_is_array (array))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL, _ ("the answer has no array “%s”"),
                   kind->member);
      return FALSE;
    }

  gmcp_json_iter_init (&iter, array);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      g_autoptr (GError) reason = NULL;
      gpointer item = kind->new_item (value, &reason);

      if (item == NULL)
        {
          self->n_skipped++;
          g_debug ("%s: one of %s was left out: %s", gmcp_session_describe (session), kind->member,
                   reason->message);
          continue;
        }
      if (kind->accept != NULL && !kind->accept (session, item, &reason))
        {
          self->n_skipped++;
          g_info ("%s: “%s” of %s was left out: %s", gmcp_session_describe (session),
                  kind->get_key (item), kind->member, reason->message);
          g_object_unref (item);
          continue;
        }
      if (g_hash_table_contains (self->by_key, kind->get_key (item)))
        {
          self->n_skipped++;
          g_debug ("%s: “%s” is twice among %s", gmcp_session_describe (session),
                   kind->get_key (item), kind->member);
          g_object_unref (item);
          continue;
        }
      g_hash_table_insert (self->by_key, (gpointer) kind->get_key (item), item);
      g_ptr_array_add (self->items, item);
      if (self->items->len > GMCP_LIMIT_LIST_ITEMS)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, _ ("it has more than %u"),
                       GMCP_LIMIT_LIST_ITEMS);
          return FALSE;
        }
    }

  return TRUE;
}

static void
replace_item (GmcpListItems *self, const GmcpListKind *kind, guint position, gpointer item)
{
  gpointer *slot = &g_ptr_array_index (self->items, position);

  g_hash_table_replace (self->by_key, (gpointer) kind->get_key (item), item);
  g_object_unref (*slot);
  *slot = item;
}

/* An item keeps the message that it came in. Where others stay from messages before, each new one
 * gets a document of its own, or a list that changes often would keep all messages there were. */
static void
detach_item (GmcpListItems *self, const GmcpListKind *kind, guint position)
{
  gpointer item = g_ptr_array_index (self->items, position);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_value_copy_to_doc (kind->get_value (item));
  gpointer own = doc != NULL ? kind->new_item (gmcp_json_doc_get_root (doc), NULL) : NULL;

  if (own != NULL)
    replace_item (self, kind, position, own);
}

void
gmcp_list_items_keep_unchanged (GmcpListItems *self, const GmcpListKind *kind, GHashTable *before)
{
  g_autofree gboolean *kept = NULL;
  guint n_kept = 0;

  if (before == NULL || g_hash_table_size (before) == 0)
    return;

  kept = g_new0 (gboolean, self->items->len);
  for (guint i = 0; i < self->items->len; i++)
    {
      gpointer item = g_ptr_array_index (self->items, i);
      gpointer other = g_hash_table_lookup (before, kind->get_key (item));

      if (other == NULL
          || !gmcp_json_value_same_raw (kind->get_value (item), kind->get_value (other)))
        continue;
      kept[i] = TRUE;
      n_kept++;
      replace_item (self, kind, i, g_object_ref (other));
    }
  for (guint i = 0; n_kept > 0 && i < self->items->len; i++)
    if (!kept[i])
      detach_item (self, kind, i);
}

gboolean
gmcp_lists_lacks (GmcpSession *self, const GmcpListKind *kind)
{
  return gmcp_session_get_capabilities (self) != NULL
         && !gmcp_capabilities_has (gmcp_session_get_capabilities (self), kind->capability);
}

gboolean
gmcp_lists_is_lacking (GmcpSession *self, const GmcpListKind *kind, const GError *error)
{
  return g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND)
         && (kind->may_lack || gmcp_lists_lacks (self, kind));
}

/* Sentences come from the tables of the kinds. */
static char *
fill_in (const char *sentence, const char *server)
{
  g_autoptr (GString) text = g_string_new (sentence);

  g_string_replace (text, "%s", server, 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
gmcp_lists_prefix_error (GmcpSession *self, const GmcpListKind *kind, GError **error)
{
  g_autofree char *sentence = fill_in (_ (kind->failed), gmcp_session_describe (self));

  g_prefix_error (error, "%s: ", sentence);
}

GError *
gmcp_lists_not_connected (GmcpSession *self, const GmcpListKind *kind)
{
  g_autofree char *sentence = fill_in (_ (kind->not_connected), gmcp_session_describe (self));

  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, sentence);
}

gboolean
gmcp_lists_follows (GmcpSession *self,
                    GHashTable *cursors,
                    GmcpJsonValue cursor,
                    gboolean *repeats,
                    GError **error)
{
  gsize length;
  gboolean empty;

  *repeats = FALSE;
  if (!gmcp_json_value_is_string (cursor))
    return FALSE;
  empty = gmcp_json_value_peek_plain (cursor, &length) != NULL && length == 0;
  if (empty && gmcp_session_get_era (self)->features->empty_cursor_ends)
    return FALSE;

  if (!g_hash_table_add (cursors, gmcp_json_value_dup_raw (cursor)))
    {
      /* An empty one is how some servers mark the end, which the protocol forbids; they have given
       * all they have. */
      *repeats = !empty;
      return FALSE;
    }
  if (g_hash_table_size (cursors) >= GMCP_LIMIT_LIST_PAGES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("the list has more than %u pages"), GMCP_LIMIT_LIST_PAGES);
      return FALSE;
    }
  return TRUE;
}
