/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include "gmcp-i18n-private.h"
#include "gmcp-manager-preflight-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-node-finder-private.h"
#include "gmcp-preflight-private.h"
#include "gmcp-server-config-text-private.h"
#include "gmcp-started-commands-private.h"

/* What is missing for many servers at once is told of once. */

const char *
gmcp_manager_get_node_searched (GmcpManager *self)
{
  return gmcp_node_finder_get_searched (gmcp_manager_get_node_finder (self));
}

void
gmcp_manager_miss_node (GmcpManager *self, GmcpServerConfig *config, const char *searched)
{
  if (gmcp_node_finder_miss (gmcp_manager_get_node_finder (self), config, searched))
    gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING,
                         _ ("Node.js not found, MCP server auto-start disabled"));
}

/* Servers that are looked at side by side. */
typedef struct
{
  GmcpManager *manager;
  guint n_looking;
  GDestroyNotify done; /* NULL where nobody waits */
  gpointer data;
} Look;

static void
one_looked_at (Look *look)
{
  if (--look->n_looking > 0)
    return;

  if (look->done != NULL)
    look->done (look->data);
  g_object_unref (look->manager);
  g_free (look);
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  Look *look = data;
  GmcpServerConfig *config = GMCP_SERVER_CONFIG (object);
  GmcpManagedServer *server
    = gmcp_manager_get_server (look->manager, gmcp_server_config_get_id (config));
  g_autofree char *searched = NULL;

  /* The server may be configured anew meanwhile, or the manager closed. */
  if (gmcp_preflight_finish (result, &searched, NULL) && server != NULL
      && gmcp_managed_server_get_config (server) == config
      && gmcp_managed_server_forget_lack (server))
    {
      gmcp_node_finder_find (gmcp_manager_get_node_finder (look->manager), config);
      gmcp_manager_start_wanted (look->manager);
    }
  one_looked_at (look);
}

void
gmcp_manager_look_for_node (GmcpManager *self, GDestroyNotify done, gpointer data)
{
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));
  Look *look = g_new (Look, 1);

  *look = (Look){ .manager = g_object_ref (self), .n_looking = 1, .done = done, .data = data };
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_lacks_node (server))
        continue;
      look->n_looking++;
      gmcp_preflight_async (gmcp_managed_server_get_config (server),
                            gmcp_manager_get_main_context (self), NULL, on_looked, look);
    }
  one_looked_at (look);
}

void
gmcp_manager_find_node (GmcpManager *self, GmcpServerConfig *config)
{
  gmcp_node_finder_find (gmcp_manager_get_node_finder (self), config);
  gmcp_manager_look_for_node (self, NULL, NULL);
}

void
gmcp_manager_forget_node (GmcpManager *self)
{
  gmcp_node_finder_forget (gmcp_manager_get_node_finder (self));
}

/* Whether the server's program was installed together with this library. */
static gboolean
is_ours (GmcpServerConfig *config)
{
  return g_strcmp0 (gmcp_server_config_get_argv (config)[0], GMCP_BINDIR "/gmcp-tasks") == 0;
}

void
gmcp_manager_tell_of_privileges (GmcpManager *self, GmcpServerConfig *config)
{
  g_autofree char *command = NULL;
  g_autofree char *message = NULL;

  if (gmcp_server_config_get_transport (config) != GMCP_SERVER_TRANSPORT_STDIO
      || gmcp_server_config_get_sandbox (config) != GMCP_SANDBOX_NONE || is_ours (config)
      || !gmcp_started_commands_note (gmcp_manager_get_started_commands (self), config))
    return;

  command = gmcp_server_config_dup_argv_text (config);
  message = g_strdup_printf (_ ("%s runs with all your privileges: %s"),
                             gmcp_server_config_get_title (config), command);
  gmcp_manager_notice (self, gmcp_server_config_get_id (config), GMCP_NOTICE_LEVEL_WARNING,
                       message);
}
