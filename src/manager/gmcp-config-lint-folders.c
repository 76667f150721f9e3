/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-folders-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-relative-words-private.h"
#include "gmcp-server-config-private.h"

static void
look_at_words (GPtrArray *findings, GmcpServerConfig *config)
{
  for (guint i = gmcp_relative_words_find (config, 0); i != GMCP_NO_RELATIVE_WORD;
       i = gmcp_relative_words_find (config, i + 1))
    {
      g_autofree char *message = gmcp_relative_words_describe (config, i);

      gmcp_manager_add_about_word (findings, config, "argv", i, message);
    }
}

void
gmcp_manager_add_relative (GmcpManager *self, GPtrArray *findings)
{
  guint n_servers = g_list_model_get_n_items (G_LIST_MODEL (self));

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (self), i);
      GmcpServerConfig *config = gmcp_managed_server_get_config (server);

      if (gmcp_server_config_is_enabled (config))
        look_at_words (findings, config);
    }
}
