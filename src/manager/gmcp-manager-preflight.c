/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-login-path-private.h"
#include "gmcp-manager-preflight-private.h"
#include "gmcp-preflight-private.h"

/* What is missing for many servers at once is told of once. */

const char *
gmcp_manager_get_node_searched (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->node_searched;
}

void
gmcp_manager_miss_node (GmcpManager *self, GmcpServerConfig *config, const char *searched)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (!gmcp_preflight_has_own_path (config))
    {
      g_free (priv->node_searched);
      priv->node_searched = g_strdup (searched);
    }
  if (priv->node_told)
    return;

  priv->node_told = TRUE;
  gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING,
                       _ ("Node.js not found, MCP server auto-start disabled"));
}

void
gmcp_manager_find_node (GmcpManager *self, GmcpServerConfig *config)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (gmcp_preflight_has_own_path (config)
      || !gmcp_preflight_needs_node (config, g_getenv ("PATH")))
    return;

  g_clear_pointer (&priv->node_searched, g_free);
  priv->node_told = FALSE;
}

void
gmcp_manager_forget_node (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->node_searched == NULL)
    return;

  g_clear_pointer (&priv->node_searched, g_free);
  gmcp_login_path_forget ();
}
