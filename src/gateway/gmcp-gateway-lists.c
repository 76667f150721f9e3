/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-lists-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/gmcp-prompt-provider.h>
#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-filtered-list-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-resource-watches-private.h"
#include "gmcp-server-instructions-private.h"
#include "gmcp-tool-access-private.h"
#include "gmcp-tool-private.h"

typedef enum
{
  LIST_TOOLS,
  LIST_RESOURCES,
  LIST_TEMPLATES,
  LIST_PROMPTS,
  N_LISTS,
} ListKind;

struct _GmcpGatewayLists
{
  GmcpManager *manager;     /* nullable */
  char *role;               /* nullable */
  GmcpSingleServer *single; /* nullable */
  GmcpFilteredList *lists[N_LISTS];
  GListModel *empty[N_LISTS];   /* without a manager */
  GmcpResourceWatches *watches; /* NULL before somebody subscribes */
  void (*updated) (const char *uri, gpointer data);
  gpointer data;
};

static gpointer
choose_tool (gpointer tool, gpointer data)
{
  return gmcp_gateway_lists_dup_shown (data, tool, NULL);
}

static gpointer
choose_resource (gpointer resource, gpointer data)
{
  GmcpGatewayLists *self = data;

  return gmcp_manager_permits_resource (self->manager, gmcp_resource_get_uri (resource), self->role)
           ? g_object_ref (resource)
           : NULL;
}

static gpointer
choose_template (gpointer template, gpointer data)
{
  GmcpGatewayLists *self = data;
  const char *uri_template = gmcp_resource_template_get_uri_template (template);

  return gmcp_manager_permits_template (self->manager, uri_template, self->role)
           ? g_object_ref (template)
           : NULL;
}

static gpointer
choose_prompt (gpointer prompt, gpointer data)
{
  GmcpGatewayLists *self = data;
  const char *name = gmcp_definition_get_name (GMCP_DEFINITION (prompt));

  return gmcp_manager_permits_prompt (self->manager, name, self->role) ? g_object_ref (prompt)
                                                                       : NULL;
}

static const GmcpFilterFunc filters[N_LISTS] = {
  [LIST_TOOLS] = choose_tool,
  [LIST_RESOURCES] = choose_resource,
  [LIST_TEMPLATES] = choose_template,
  [LIST_PROMPTS] = choose_prompt,
};

static void
refresh_lists (GmcpGatewayLists *self)
{
  for (guint i = 0; i < N_LISTS; i++)
    if (self->lists[i] != NULL)
      gmcp_filtered_list_refresh (self->lists[i]);
  if (self->single != NULL)
    gmcp_single_server_refresh (self->single);
  if (self->watches != NULL)
    gmcp_resource_watches_refresh (self->watches);
}

GmcpGatewayLists *
gmcp_gateway_lists_new (GmcpManager *manager,
                        GmcpSingleServer *single,
                        void (*updated) (const char *uri, gpointer data),
                        gpointer data)
{
  GmcpGatewayLists *self = g_new0 (GmcpGatewayLists, 1);

  self->updated = updated;
  self->data = data;
  if (manager != NULL)
    {
      self->manager = g_object_ref (manager);
      self->single = single;
      g_signal_connect_swapped (manager, "rules-changed", G_CALLBACK (refresh_lists), self);
    }
  return self;
}

void
gmcp_gateway_lists_free (GmcpGatewayLists *self)
{
  if (self->manager != NULL)
    g_signal_handlers_disconnect_by_data (self->manager, self);
  g_clear_pointer (&self->watches, gmcp_resource_watches_free);
  for (guint i = 0; i < N_LISTS; i++)
    {
      g_clear_pointer (&self->lists[i], gmcp_filtered_list_free);
      g_clear_object (&self->empty[i]);
    }
  g_clear_object (&self->manager);
  g_free (self->role);
  g_free (self);
}

const char *
gmcp_gateway_lists_get_role (GmcpGatewayLists *self)
{
  return self->role;
}

gboolean
gmcp_gateway_lists_set_role (GmcpGatewayLists *self, const char *role)
{
  if (g_strcmp0 (self->role, role) == 0)
    return FALSE;

  g_free (self->role);
  self->role = g_strdup (role);
  refresh_lists (self);
  return TRUE;
}

gboolean
gmcp_gateway_lists_reach (GmcpGatewayLists *self, GmcpManagedServer *server)
{
  return self->role == NULL
         || gmcp_tool_access_check_reach (gmcp_manager_get_tool_access (self->manager),
                                          gmcp_managed_server_get_id (server), self->role, NULL);
}

/* Instructions */

static gboolean
shows_server (GmcpManagedServer *server, gpointer data)
{
  GmcpGatewayLists *self = data;

  return (self->single == NULL
          || g_str_equal (gmcp_managed_server_get_id (server),
                          gmcp_single_server_get_id (self->single)))
         && gmcp_manager_shows_server (self->manager, server)
         && gmcp_gateway_lists_reach (self, server);
}

char *
gmcp_gateway_lists_dup_instructions (GmcpGatewayLists *self)
{
  return self->manager != NULL ? gmcp_server_instructions_gather (
           gmcp_manager_get_server_table (self->manager), shows_server, self)
                               : NULL;
}

/* Subscriptions */

static gboolean
reach_server (GmcpManagedServer *server, gpointer data)
{
  return gmcp_gateway_lists_reach (data, server);
}

static void
tell_updated (const char *uri, gpointer data)
{
  GmcpGatewayLists *self = data;

  self->updated (uri, self->data);
}

static GmcpResourceWatches *
get_watches (GmcpGatewayLists *self)
{
  static const GmcpResourceWatchesHooks hooks = { tell_updated, reach_server };

  if (self->watches == NULL)
    self->watches
      = gmcp_resource_watches_new (gmcp_manager_get_gathered_lists (self->manager), &hooks, self);
  return self->watches;
}

void
gmcp_gateway_lists_subscribe (GmcpGatewayLists *self, const char *uri)
{
  if (self->single != NULL)
    gmcp_single_server_subscribe (self->single, uri);
  else if (self->manager != NULL)
    gmcp_resource_watches_add (get_watches (self), uri);
}

void
gmcp_gateway_lists_unsubscribe (GmcpGatewayLists *self, const char *uri)
{
  if (self->single != NULL)
    gmcp_single_server_unsubscribe (self->single, uri);
  else if (self->manager != NULL)
    gmcp_resource_watches_remove (get_watches (self), uri);
}

/* The lists */

static gboolean
permits_tool (GmcpGatewayLists *self, GmcpTool *tool, GError **error)
{
  return self->role == NULL || gmcp_tool_get_server_id (tool) == NULL
         || gmcp_manager_permits_tool (self->manager, gmcp_tool_get_server_id (tool),
                                       gmcp_tool_get_server_tool_name (tool), self->role, error);
}

GmcpTool *
gmcp_gateway_lists_dup_shown (GmcpGatewayLists *self, GmcpTool *tool, GError **error)
{
  const char *server_id = gmcp_tool_get_server_id (tool);
  const char *name = gmcp_tool_get_server_tool_name (tool);

  if (self->single != NULL && g_strcmp0 (server_id, gmcp_single_server_get_id (self->single)) != 0)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("There is no tool called %s.%s"),
                   name, "");
      return NULL;
    }
  if (!permits_tool (self, tool, error))
    return NULL;

  return self->single != NULL ? gmcp_tool_new_listed (tool, server_id, name) : g_object_ref (tool);
}

static GListModel *
get_list (GmcpGatewayLists *self, ListKind kind, GListModel *source)
{
  if (self->lists[kind] == NULL)
    self->lists[kind] = gmcp_filtered_list_new (source, filters[kind], self);
  return gmcp_filtered_list_get (self->lists[kind]);
}

static GListModel *
get_empty (GmcpGatewayLists *self, ListKind kind, GType type)
{
  if (self->empty[kind] == NULL)
    self->empty[kind] = G_LIST_MODEL (g_list_store_new (type));
  return self->empty[kind];
}

GListModel *
gmcp_gateway_lists_get_tools (GmcpGatewayLists *self)
{
  if (self->manager == NULL)
    return get_empty (self, LIST_TOOLS, GMCP_TYPE_TOOL);
  return get_list (self, LIST_TOOLS,
                   gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (self->manager)));
}

GListModel *
gmcp_gateway_lists_get_resources (GmcpGatewayLists *self)
{
  if (self->manager == NULL)
    return get_empty (self, LIST_RESOURCES, GMCP_TYPE_RESOURCE);
  if (self->single != NULL)
    return gmcp_single_server_get_list (self->single, GMCP_GATHERED_RESOURCES);
  return get_list (self, LIST_RESOURCES,
                   gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (self->manager)));
}

GListModel *
gmcp_gateway_lists_get_templates (GmcpGatewayLists *self)
{
  if (self->manager == NULL)
    return get_empty (self, LIST_TEMPLATES, GMCP_TYPE_RESOURCE_TEMPLATE);
  if (self->single != NULL)
    return gmcp_single_server_get_list (self->single, GMCP_GATHERED_TEMPLATES);
  return get_list (self, LIST_TEMPLATES,
                   gmcp_resource_provider_get_templates (GMCP_RESOURCE_PROVIDER (self->manager)));
}

GListModel *
gmcp_gateway_lists_get_prompts (GmcpGatewayLists *self)
{
  if (self->manager == NULL)
    return get_empty (self, LIST_PROMPTS, GMCP_TYPE_PROMPT);
  if (self->single != NULL)
    return gmcp_single_server_get_list (self->single, GMCP_GATHERED_PROMPTS);
  return get_list (self, LIST_PROMPTS,
                   gmcp_prompt_provider_get_prompts (GMCP_PROMPT_PROVIDER (self->manager)));
}
