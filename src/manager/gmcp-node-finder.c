/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-node-finder-private.h"

#include "gmcp-login-path-private.h"
#include "gmcp-preflight-private.h"

struct _GmcpNodeFinder
{
  char *searched; /* where it is not; NULL where that is not known */
  gboolean is_told;
};

GmcpNodeFinder *
gmcp_node_finder_new (void)
{
  return g_new0 (GmcpNodeFinder, 1);
}

void
gmcp_node_finder_free (GmcpNodeFinder *self)
{
  g_free (self->searched);
  g_free (self);
}

const char *
gmcp_node_finder_get_searched (GmcpNodeFinder *self)
{
  return self->searched;
}

gboolean
gmcp_node_finder_miss (GmcpNodeFinder *self, GmcpServerConfig *config, const char *searched)
{
  gboolean was_told = self->is_told;

  if (!gmcp_preflight_has_own_path (config))
    {
      g_free (self->searched);
      self->searched = g_strdup (searched);
    }

  self->is_told = TRUE;
  return !was_told;
}

void
gmcp_node_finder_find (GmcpNodeFinder *self, GmcpServerConfig *config)
{
  if (gmcp_preflight_has_own_path (config)
      || !gmcp_preflight_needs_node (config, g_getenv ("PATH")))
    return;

  g_clear_pointer (&self->searched, g_free);
  self->is_told = FALSE;
}

void
gmcp_node_finder_forget (GmcpNodeFinder *self)
{
  if (self->searched == NULL)
    return;

  g_clear_pointer (&self->searched, g_free);
  gmcp_login_path_forget ();
}
