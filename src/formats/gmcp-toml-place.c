/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-toml-place-private.h"

void
gmcp_toml_place_free (gpointer data)
{
  GmcpTomlPlace *place = data;

  g_clear_pointer (&place->table, g_ptr_array_unref);
  g_ptr_array_unref (place->keys);
  g_free (place);
}

gboolean
gmcp_toml_place_is_below (const GmcpTomlPlace *place, const char *const *keys)
{
  guint n_table = place->table != NULL ? place->table->len : 0;

  for (guint i = 0; keys[i] != NULL; i++)
    {
      const char *key;

      if (i >= n_table + place->keys->len)
        return FALSE;
      key = i < n_table ? g_ptr_array_index (place->table, i)
                        : g_ptr_array_index (place->keys, i - n_table);
      if (!g_str_equal (key, keys[i]))
        return FALSE;
    }
  return TRUE;
}

void
gmcp_toml_add_place (GmcpTomlReader *reader, gboolean is_header, gsize start, gsize end)
{
  GmcpTomlPlace *place = g_new0 (GmcpTomlPlace, 1);

  if (is_header)
    {
      g_clear_pointer (&reader->table, g_ptr_array_unref);
      reader->table = g_ptr_array_ref (reader->keys);
    }
  else if (reader->table != NULL)
    {
      place->table = g_ptr_array_ref (reader->table);
    }
  place->keys = g_steal_pointer (&reader->keys);
  place->start = start;
  place->end = end;
  place->is_header = is_header;
  g_ptr_array_add (reader->places, place);
}
