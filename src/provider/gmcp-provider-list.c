/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-provider-list-private.h"

static void
log_unusable_list (gpointer provider, GListModel *list, GType item_type)
{
  const char *provider_type = G_OBJECT_TYPE_NAME (provider);

  if (list == NULL)
    g_message ("%s gives no list of %s: it has none", provider_type, g_type_name (item_type));
  else
    g_message ("%s gives a list of %s in place of one of %s: it has none", provider_type,
               g_type_name (g_list_model_get_item_type (list)), g_type_name (item_type));
}

GListModel *
gmcp_provider_list_check (gpointer provider,
                          GListModel *list,
                          GType item_type,
                          gboolean may_be_missing)
{
  g_autofree char *key = NULL;
  GListStore *empty;

  if (list != NULL && g_type_is_a (g_list_model_get_item_type (list), item_type))
    return list;

  key = g_strconcat ("gmcp-empty-list-of-", g_type_name (item_type), NULL);
  empty = g_object_get_data (provider, key);
  if (empty == NULL)
    {
      if (list != NULL || !may_be_missing)
        log_unusable_list (provider, list, item_type);
      empty = g_list_store_new (item_type);
      g_object_set_data_full (provider, key, empty, g_object_unref);
    }
  return G_LIST_MODEL (empty);
}
