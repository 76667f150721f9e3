/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-places-private.h"

static void
add_about (GPtrArray *findings, GmcpManagerSource *source, const char *id, const char *message)
{
  GmcpFileConfigSource *file = gmcp_manager_source_get_file_source (source);
  GmcpConfigContents *contents = file != NULL ? gmcp_file_config_source_peek_contents (file) : NULL;
  g_autofree char *name
    = file != NULL ? g_file_get_parse_name (gmcp_file_config_source_get_file (file)) : NULL;
  guint line = contents != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (contents->lines, id)) : 0;

  g_ptr_array_add (findings,
                   gmcp_config_finding_new (GMCP_NOTICE_LEVEL_WARNING, name, line, id, message));
}

void
gmcp_manager_add_shadowed (GmcpManager *self, GPtrArray *findings)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  /* In a file there is each id but once. */
  for (guint i = 0; priv->file == NULL && i < priv->sources->len; i++)
    {
      GmcpManagerSource *source = g_ptr_array_index (priv->sources, i);
      GListModel *servers = gmcp_config_source_get_servers (source->source);
      guint n_servers = g_list_model_get_n_items (servers);

      for (guint k = 0; k < n_servers; k++)
        {
          g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, k);
          const char *id = gmcp_server_config_get_id (config);

          if (!gmcp_manager_permits_id (self, id))
            add_about (findings, source, id,
                       _ ("this server does not count: the administrator of this computer has "
                          "locked the list of servers"));
          else if (!g_hash_table_add (seen, g_strdup (id)))
            add_about (findings, source, id,
                       _ ("this server does not count: one of that id stands in a place that comes "
                          "first"));
        }
    }
}

/**
 * gmcp_manager_list_sources:
 * @self: a manager
 *
 * Lists the places that the configuration comes from, in order of precedence.
 *
 * Returns: (transfer container) (element-type GmcpConfigSource): the places
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_sources (GmcpManager *self)
{
  GmcpManagerPrivate *priv;
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (GMCP_IS_MANAGER (self), sources);

  priv = gmcp_manager_get_private (self);
  if (priv->file != NULL)
    {
      g_ptr_array_add (sources, g_object_ref (priv->file->source));
      return sources;
    }
  for (guint i = 0; i < priv->sources->len; i++)
    {
      GmcpManagerSource *source = g_ptr_array_index (priv->sources, i);

      g_ptr_array_add (sources, g_object_ref (source->source));
    }
  return sources;
}
