/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-router-private.h"
#include "gmcp-config-answers-private.h"
#include "gmcp-default-sources-private.h"
#include "gmcp-display-context-private.h"
#include "gmcp-gathered-lists-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-closing-private.h"
#include "gmcp-manager-folders-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-struct-private.h"
#include "gmcp-manager-calls-private.h"
#include "gmcp-manager-making-private.h"
#include "gmcp-manager-sharing-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-manager-settings-private.h"
#include "gmcp-node-finder-private.h"
#include "gmcp-project-set-private.h"
#include "gmcp-prompt-catalog-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-requirement-set-private.h"
#include "gmcp-resource-watches-private.h"
#include "gmcp-started-commands-private.h"
#include "gmcp-tool-provider-private.h"
#include "gmcp-unlisted-servers-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpManager:
 *
 * Looks after the servers that the user has configured, so that a host never thinks about them: a
 * tool provider over all of them, and a live list of [class@Gmcp.ManagedServer].
 *
 * Where the configuration comes from is said by [method@Gmcp.Manager.add_source] or
 * [property@Gmcp.Manager:config-file]. Nothing is read or started before somebody asks for it. The
 * first load, or the first call of a tool, reads the configuration and starts the servers that it
 * needs, side by side. A server that fails is left out, says so by [signal@Gmcp.ToolProvider::notice] and
 * [property@Gmcp.ManagedServer:last-error], and does not stop the others. One that ends is started
 * again by the next call of one of its tools; a call is never sent twice. Once the tools have been
 * loaded the list follows the configuration: what is added is started, what changes is restarted,
 * what is removed is stopped.
 *
 * It is a [iface@Gmcp.ResourceProvider] and a [iface@Gmcp.PromptProvider] too, over the resources and
 * prompts of all servers that it looks after: a [class@Gmcp.Server] of the manager serves them with the
 * tools. Prompts have the names of [method@Gmcp.Manager.list_prompts_async]; of resources with one URI the
 * first server's counts. Once one of these lists was asked for, a load starts servers for them that were
 * never asked before, too.
 *
 * [method@Gmcp.PromptProvider.get_prompt_async] takes the name of a command, or `SERVER.PROMPT`, starts the
 * server where it does not run, and lists prompts that were never listed first. It fails with
 * %GMCP_ERROR_INVALID_ARGUMENT where no prompt has that name, or several have, with
 * %GMCP_ERROR_NOT_PERMITTED where the role allows nothing of its server, and as
 * [method@Gmcp.Client.get_prompt_async] does.
 *
 * [method@Gmcp.ToolProvider.close_async] stops all servers side by side and waits until their processes
 * are gone, which takes a few seconds at most, and until what is to be kept of them and of calls is
 * written; its cancellable ends the waiting, not the closing. Calls under way fail with
 * %GMCP_ERROR_CLOSED, and so does what is asked of the manager from then on. A manager that is dropped
 * without it stops its servers too, but nobody can wait for that.
 *
 * A manager, and what it gives out, belongs to the main context that was the thread's default when it
 * was made, and is used in the thread that runs it.
 *
 * Since: 0.1
 */

static void gmcp_manager_list_model_init (GListModelInterface *iface);

G_DEFINE_TYPE_WITH_CODE (
  GmcpManager,
  gmcp_manager,
  G_TYPE_OBJECT,
  G_ADD_PRIVATE (GmcpManager)
    G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, gmcp_manager_list_model_init)
      G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, gmcp_manager_provider_init)
        G_IMPLEMENT_INTERFACE (GMCP_TYPE_RESOURCE_PROVIDER, gmcp_manager_resource_provider_init)
          G_IMPLEMENT_INTERFACE (GMCP_TYPE_PROMPT_PROVIDER, gmcp_manager_prompt_provider_init))

enum
{
  SIGNAL_CONFIG_INPUT_REQUESTED,
  SIGNAL_FOLDER_REQUESTED,
  SIGNAL_WITHHELD_CALL_REQUESTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
gmcp_manager_dispose (GObject *object)
{
  GmcpManager *self = GMCP_MANAGER (object);
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GError) reason = gmcp_manager_closed_error ();

  /* A garbage collector may be at work, as in GJS, and no handler can run then. */
  priv->disposing = TRUE;
  gmcp_tool_catalog_hold (priv->catalog);
  g_clear_pointer (&priv->watches, gmcp_resource_watches_free);
  if (priv->lists != NULL)
    gmcp_gathered_lists_close (priv->lists);
  gmcp_daemon_activation_close (priv->activation);
  gmcp_manager_closing_begin (priv->closing);
  gmcp_call_router_close (priv->router, reason);
  gmcp_state_store_close (priv->state);
  gmcp_manager_drop_config (self);
  gmcp_manager_drop_servers (self, reason);
  gmcp_auditor_set_enabled (priv->auditor, FALSE);

  G_OBJECT_CLASS (gmcp_manager_parent_class)->dispose (object);
}

static void
gmcp_manager_finalize (GObject *object)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (GMCP_MANAGER (object));

  g_clear_object (&priv->config_file);
  gmcp_default_sources_free (priv->default_sources);
  gmcp_config_answers_free (priv->answers);
  gmcp_effective_settings_free (priv->settings);
  g_free (priv->host);
  gmcp_node_finder_free (priv->node_finder);
  gmcp_daemon_activation_unref (priv->activation);
  gmcp_auditor_free (priv->auditor);
  gmcp_config_stack_unref (priv->stack);
  gmcp_unlisted_servers_free (priv->unlisted);
  gmcp_requirement_set_free (priv->requirements);
  gmcp_display_context_free (priv->display);
  g_object_unref (priv->folder_gate);
  gmcp_call_router_free (priv->router);
  gmcp_tool_catalog_free (priv->catalog);
  gmcp_tool_access_free (priv->access);
  gmcp_server_table_free (priv->servers);
  g_object_unref (priv->cache);
  gmcp_project_set_free (priv->projects);
  g_clear_pointer (&priv->watches, gmcp_resource_watches_free);
  g_clear_pointer (&priv->lists, gmcp_gathered_lists_free);
  gmcp_prompt_catalog_free (priv->prompts);
  gmcp_policy_free (priv->rules);
  gmcp_approvals_free (priv->approvals);
  gmcp_pin_store_free (priv->pins);
  gmcp_started_commands_free (priv->started);
  gmcp_state_store_free (priv->state);
  gmcp_manager_closing_free (priv->closing);
  g_main_context_unref (priv->context);

  G_OBJECT_CLASS (gmcp_manager_parent_class)->finalize (object);
}

static void
gmcp_manager_class_init (GmcpManagerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_manager_dispose;
  object_class->finalize = gmcp_manager_finalize;

  gmcp_manager_install_properties (object_class);

  /**
   * GmcpManager::config-input-requested:
   * @self: a manager
   * @input: what is asked for
   *
   * Emitted when a server is to be started whose configuration leaves a value to the user:
   * `${input:ID}`. Who wants to answer keeps a reference, and answers at once or later. Where nobody
   * does, the start fails.
   *
   * Since: 0.1
   */
  signals[SIGNAL_CONFIG_INPUT_REQUESTED]
    = g_signal_new ("config-input-requested", GMCP_TYPE_MANAGER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GMCP_TYPE_CONFIG_INPUT);

  /**
   * GmcpManager::folder-requested:
   * @self: a manager
   * @request: what is asked
   *
   * Emitted when a server is to be started that would run what is in the workspace, though it is not the
   * workspace's file that says so, and the workspace is not trusted. Who wants to answer keeps a
   * reference, and answers at once or later. Where nobody does, the start fails.
   *
   * Since: 0.1
   */
  signals[SIGNAL_FOLDER_REQUESTED]
    = g_signal_new ("folder-requested", GMCP_TYPE_MANAGER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, GMCP_TYPE_FOLDER_REQUEST);

  /**
   * GmcpManager::withheld-call-requested:
   * @self: a manager
   * @request: the call, with what is different about the tool
   *
   * Emitted when a tool is to be called that is withheld ([property@Gmcp.Manager:pin-policy]), since it is new or has
   * changed. Who wants to answer shows [property@Gmcp.CallPermission:change] to the user, keeps a reference on
   * @request and answers it when the answer is there. Without a handler, and where nobody answers, the call is
   * denied: [signal@Gmcp.ToolProvider::call-requested], which asks about calls that the user's rules ask about, does
   * not bring such a call.
   *
   * Since: 0.1
   */
  signals[SIGNAL_WITHHELD_CALL_REQUESTED]
    = g_signal_new ("withheld-call-requested", GMCP_TYPE_MANAGER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GMCP_TYPE_CALL_PERMISSION);
}

void
gmcp_manager_request_folder (GmcpManager *self, GmcpFolderRequest *request)
{
  if (!gmcp_manager_get_private (self)->disposing)
    g_signal_emit (self, signals[SIGNAL_FOLDER_REQUESTED], 0, request);
}

gboolean
gmcp_manager_can_request_config_input (GmcpManager *self)
{
  return g_signal_has_handler_pending (self, signals[SIGNAL_CONFIG_INPUT_REQUESTED], 0, FALSE);
}

void
gmcp_manager_request_config_input (GmcpManager *self, GmcpConfigInput *input)
{
  if (!gmcp_manager_get_private (self)->disposing)
    g_signal_emit (self, signals[SIGNAL_CONFIG_INPUT_REQUESTED], 0, input);
}

static void
on_audit_notice (gpointer data, GmcpNoticeLevel level, const char *message)
{
  gmcp_manager_notice (data, NULL, level, message);
}

static void
on_remembered (gpointer provider)
{
  gmcp_tool_catalog_refresh_rules (gmcp_manager_get_catalog (provider));
}

static void
on_pin_approved (gpointer provider, GmcpPinApproval *pin)
{
  gmcp_manager_approve_held_tool (provider, pin);
}

static gboolean
can_ask_withheld (gpointer provider)
{
  return g_signal_has_handler_pending (provider, signals[SIGNAL_WITHHELD_CALL_REQUESTED], 0, FALSE);
}

static void
ask_withheld (gpointer provider, GmcpCallPermission *request)
{
  if (!gmcp_manager_get_private (provider)->disposing)
    g_signal_emit (provider, signals[SIGNAL_WITHHELD_CALL_REQUESTED], 0, request);
}

static void
gmcp_manager_init (GmcpManager *self)
{
  static const GmcpApprovalsFuncs approvals_funcs = { .remembered = on_remembered,
                                                      .approve = on_pin_approved,
                                                      .can_ask_held = can_ask_withheld,
                                                      .ask_held = ask_withheld };
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  priv->context = g_main_context_ref_thread_default ();
  priv->closing = gmcp_manager_closing_new ();
  priv->state = gmcp_manager_make_state_store (self);
  priv->node_finder = gmcp_node_finder_new ();
  priv->activation = gmcp_manager_make_activation (self);
  priv->rules = gmcp_policy_new ();
  priv->approvals
    = gmcp_approvals_new (GMCP_TOOL_PROVIDER (self), priv->context, priv->state, &approvals_funcs);
  priv->pins = gmcp_pin_store_new (priv->state);
  priv->started = gmcp_started_commands_new (priv->state);
  priv->auditor = gmcp_auditor_new (priv->context, on_audit_notice, self);
  priv->settings = gmcp_effective_settings_new (gmcp_manager_use_settings, self);
  priv->answers = gmcp_config_answers_new ();
  priv->requirements = gmcp_requirement_set_new ();
  priv->folder_gate = gmcp_manager_make_folder_gate (self);
  priv->stack = gmcp_manager_make_stack (self);
  priv->default_sources = gmcp_default_sources_new (priv->stack, priv->context);
  priv->display = gmcp_display_context_new ();
  priv->servers = gmcp_manager_make_server_table (self);
  priv->unlisted = gmcp_manager_make_unlisted_servers (self);
  priv->access = gmcp_manager_make_tool_access (self);
  priv->catalog = gmcp_manager_make_catalog (self);
  priv->router = gmcp_manager_make_call_router (self);
  priv->cache = gmcp_manager_make_cache (gmcp_effective_settings_peek_limits (priv->settings));
  priv->projects = gmcp_project_set_new ();
  priv->prompts = gmcp_prompt_catalog_new ();
  gmcp_manager_open_gate (self);
}

static GType
gmcp_manager_get_item_type (GListModel *list)
{
  return GMCP_TYPE_MANAGED_SERVER;
}

static guint
gmcp_manager_get_n_items (GListModel *list)
{
  return gmcp_server_table_get_length (gmcp_manager_get_private (GMCP_MANAGER (list))->servers);
}

static gpointer
gmcp_manager_get_item (GListModel *list, guint position)
{
  GmcpServerTable *servers = gmcp_manager_get_private (GMCP_MANAGER (list))->servers;

  if (position >= gmcp_server_table_get_length (servers))
    return NULL;

  return g_object_ref (gmcp_server_table_get_server (servers, position));
}

static void
gmcp_manager_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = gmcp_manager_get_item_type;
  iface->get_n_items = gmcp_manager_get_n_items;
  iface->get_item = gmcp_manager_get_item;
}

GmcpManagerPrivate *
gmcp_manager_get_private (GmcpManager *self)
{
  return gmcp_manager_get_instance_private (self);
}

void
gmcp_manager_forward_notice (GmcpManager *self,
                             const char *server_id,
                             GmcpNoticeLevel level,
                             const char *message)
{
  gmcp_tool_provider_emit_notice (GMCP_TOOL_PROVIDER (self), server_id, level, message);
}

void
gmcp_manager_notice (GmcpManager *self,
                     const char *server_id,
                     GmcpNoticeLevel level,
                     const char *message)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagedServer *server
    = server_id != NULL ? gmcp_server_table_find (priv->servers, server_id) : NULL;
  g_autofree char *redacted
    = gmcp_redactor_redact (gmcp_auditor_get_redactor (priv->auditor), message);

  if (redacted != NULL)
    message = redacted;
  gmcp_notice_log (server_id, level, message);
  if (server != NULL)
    gmcp_managed_server_write_log (server, level, message);
  gmcp_manager_forward_notice (self, server_id, level, message);
}

GError *
gmcp_manager_closed_error (void)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED,
                              _ ("The manager of the servers has been closed"));
}

GError *
gmcp_manager_not_configured_error (const char *server_id)
{
  g_autofree char *shown = gmcp_protocol_shorten (server_id);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED, _ ("Server “%s” is not configured"),
                      shown);
}

/**
 * gmcp_manager_new:
 *
 * Makes a manager without a source of configuration.
 *
 * Returns: (transfer full): a manager
 *
 * Since: 0.1
 */
GmcpManager *
gmcp_manager_new (void)
{
  return g_object_new (GMCP_TYPE_MANAGER, NULL);
}
