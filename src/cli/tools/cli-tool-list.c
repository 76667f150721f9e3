/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-list.h"

#include "cli-unlisted.h"

struct _CliToolList
{
  GObject parent_instance;

  GListStore *tools;
};

static void cli_tool_list_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CliToolList,
                               cli_tool_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      cli_tool_list_iface_init))

CliExit
cli_tools_load (CliHost *host)
{
  g_autoptr (GError) cancelled = NULL;
  CliExit failure = CLI_EXIT_OK;
  guint n_loaded = 0;

  for (guint i = 0; i < host->providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (host->providers, i);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      gmcp_tool_provider_load_async (provider, host->cancellable, cli_store_result, &result);
      if (gmcp_tool_provider_load_finish (provider, cli_wait (&result), &error))
        n_loaded++;
      else
        failure = cli_host_report (host, error);
      if (error != NULL && g_cancellable_is_cancelled (host->cancellable))
        return failure;
    }

  /* This program ends, and nobody sees what comes later. */
  cli_unlisted_wait (host);
  if (g_cancellable_set_error_if_cancelled (host->cancellable, &cancelled))
    return cli_host_report (host, cancelled);
  /* One that fails does not hide the others. */
  return n_loaded > 0 ? CLI_EXIT_OK : failure;
}

GPtrArray *
cli_tools_collect (CliHost *host, const CliSharedTools *shared, const char *server_id)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < host->providers->len; i++)
    {
      GListModel *model = gmcp_tool_provider_get_tools (g_ptr_array_index (host->providers, i));
      guint n = g_list_model_get_n_items (model);

      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GmcpTool) tool = g_list_model_get_item (model, k);
          const char *id = gmcp_tool_get_server_id (tool);

          /* What is kept of an earlier run says less than what the daemon runs now. */
          if ((server_id == NULL || g_strcmp0 (id, server_id) == 0)
              && !cli_shared_tools_has_server (shared, id))
            g_ptr_array_add (tools, g_steal_pointer (&tool));
        }
    }
  for (guint i = 0; shared->tools != NULL && i < shared->tools->len; i++)
    g_ptr_array_add (tools, g_object_ref (shared->tools->pdata[i]));
  return tools;
}

static GListModel *
cli_tool_list_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (CLI_TOOL_LIST (provider)->tools);
}

static void
cli_tool_list_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = cli_tool_list_get_tools;
}

static void
cli_tool_list_finalize (GObject *object)
{
  g_object_unref (CLI_TOOL_LIST (object)->tools);

  G_OBJECT_CLASS (cli_tool_list_parent_class)->finalize (object);
}

static void
cli_tool_list_class_init (CliToolListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cli_tool_list_finalize;
}

static void
cli_tool_list_init (CliToolList *self)
{
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
}

GmcpToolProvider *
cli_tool_list_new (GPtrArray *tools)
{
  CliToolList *self = g_object_new (CLI_TYPE_TOOL_LIST, NULL);

  g_list_store_splice (self->tools, 0, 0, tools->pdata, tools->len);
  return GMCP_TOOL_PROVIDER (self);
}
