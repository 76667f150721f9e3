/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-value-private.h"

gpointer
gmcp_value_new (gsize size, GmcpJsonValue value)
{
  GmcpValue *self = g_malloc0 (size);

  g_atomic_ref_count_init (&self->ref_count);
  self->value = value;
  if (value.doc != NULL)
    gmcp_json_doc_ref (value.doc);
  return self;
}

gpointer
gmcp_value_ref (GmcpValue *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

gboolean
gmcp_value_unref (GmcpValue *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return FALSE;

  g_clear_pointer (&self->value.doc, gmcp_json_doc_unref);
  return TRUE;
}

GmcpJsonValue
gmcp_value_get_member (GmcpValue *self, const char *name)
{
  return gmcp_json_value_get_member (self->value, name);
}

GPtrArray *
gmcp_value_cache_array (GPtrArray **cache,
                        GmcpJsonValue array,
                        GmcpValueMakeFunc make,
                        GDestroyNotify free)
{
  GPtrArray *items = g_atomic_pointer_get (cache);
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (items != NULL)
    return items;

  items = g_ptr_array_new_with_free_func (free);
  if (gmcp_json_value_is_array (array))
    {
      gmcp_json_iter_init (&iter, array);
      while (gmcp_json_iter_next (&iter, NULL, &value))
        {
          gpointer item = make (value);

          if (item != NULL)
            g_ptr_array_add (items, item);
        }
    }

  if (!g_atomic_pointer_compare_and_exchange (cache, NULL, items))
    {
      g_ptr_array_unref (items);
      items = g_atomic_pointer_get (cache);
    }

  return items;
}

const char *const *
gmcp_value_cache_strings (char ***cache, GmcpJsonValue array)
{
  char **strings = g_atomic_pointer_get (cache);
  GmcpJsonIter iter;
  GmcpJsonValue value;
  guint n = 0;

  if (strings != NULL)
    return (const char *const *) strings;

  strings = g_new0 (char *, gmcp_json_value_get_length (array) + 1);
  if (gmcp_json_value_is_array (array))
    {
      gmcp_json_iter_init (&iter, array);
      while (gmcp_json_iter_next (&iter, NULL, &value))
        {
          strings[n] = gmcp_json_value_dup_string (value);
          n += strings[n] != NULL;
        }
    }

  if (!g_atomic_pointer_compare_and_exchange (cache, NULL, strings))
    {
      g_strfreev (strings);
      strings = g_atomic_pointer_get (cache);
    }

  return (const char *const *) strings;
}

gboolean
gmcp_value_array_has_null (GPtrArray *array)
{
  return g_ptr_array_find (array, NULL, NULL);
}
