/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-provider.h"
#include "gmcp-task-tools.h"

/* What gmcp-tasks serves. */

struct _GmcpTaskProvider
{
  GObject parent_instance;

  GmcpTaskStore *store;
  char *user; /* of callers that nobody verified */
  GListStore *tools;
};

static void gmcp_task_provider_tools_init (GmcpToolProviderInterface *iface);

/* clang-format off */
G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpTaskProvider, gmcp_task_provider, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, gmcp_task_provider_tools_init))
/* clang-format on */

static void
gmcp_task_provider_finalize (GObject *object)
{
  GmcpTaskProvider *self = GMCP_TASK_PROVIDER (object);

  g_clear_object (&self->store);
  g_clear_object (&self->tools);
  g_free (self->user);
  G_OBJECT_CLASS (gmcp_task_provider_parent_class)->finalize (object);
}

static void
gmcp_task_provider_class_init (GmcpTaskProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_task_provider_finalize;
}

static void
gmcp_task_provider_init (GmcpTaskProvider *self)
{
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
}

static GListModel *
get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (GMCP_TASK_PROVIDER (provider)->tools);
}

static void
call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  gmcp_task_tools_call (GMCP_TASK_PROVIDER (provider), call);
}

static void
gmcp_task_provider_tools_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = get_tools;
  iface->call_tool = call_tool;
}

/* @user is whose tasks are served to callers that nobody verified. */
GmcpTaskProvider *
gmcp_task_provider_new (GmcpTaskStore *store, const char *user, GError **error)
{
  g_autoptr (GmcpTaskProvider) self = g_object_new (GMCP_TYPE_TASK_PROVIDER, NULL);

  self->store = g_object_ref (store);
  self->user = g_strdup (user);
  return gmcp_task_tools_load (self->tools, error) ? g_steal_pointer (&self) : NULL;
}

GmcpTaskStore *
gmcp_task_provider_get_store (GmcpTaskProvider *self)
{
  return self->store;
}

/* Whose tasks a caller sees: never what an argument says. */
const char *
gmcp_task_provider_get_user (GmcpTaskProvider *self, GmcpCaller *caller)
{
  return self->user;
}
