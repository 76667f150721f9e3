/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/gateway/gmcp-gateway.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/registry/gmcp-meta-tools.h>
#include <gmcp/provider/gmcp-prompt-provider.h>
#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-gateway-call-private.h"
#include "gmcp-gateway-lists-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-provider-private.h"

enum
{
  NO_TOOLS,
  NO_RESOURCES,
  NO_TEMPLATES,
  NO_PROMPTS,
  N_NONE,
};

/**
 * GmcpGateway:
 *
 * All servers of a [class@Gmcp.Manager] as one, for programs that know only a command or an address: what a
 * [class@Gmcp.Server] serves to them. Its tools, resources and prompts have the manager's names.
 *
 * What comes up in the middle of a client's call goes back to that client, and to nobody else: a question of
 * a server's ([class@Gmcp.Elicitation], [class@Gmcp.Sampling]), and whether a tool may be called
 * ([class@Gmcp.CallPermission]), which the client gets as a form. It is the same whether the client or the
 * server speaks 2026-07-28 or a revision before: where a client answers with another request, the call
 * behind the gateway waits for it. Where the client cannot be asked, a question is declined and a tool that
 * needs a person's yes is not called.
 *
 * A server of a revision before 2026-07-28 does not say which call its question belongs to. It goes to the
 * client whose calls are under way; where that is more than one client, it is cancelled.
 *
 * ```c
 * g_autoptr (GmcpGateway) gateway = gmcp_gateway_new (manager);
 * g_autoptr (GmcpServer) server = gmcp_server_new ("gateway", "1.0", GMCP_TOOL_PROVIDER (gateway));
 * ```
 *
 * The gateway does not own the manager: to close it leaves the manager's servers running.
 *
 * Since: 0.1
 */
struct _GmcpGateway
{
  GObject parent_instance;

  GmcpManager *manager; /* nullable: of a gateway that was made without one */
  gboolean search;
  GmcpGatewayLists *lists;
  GmcpGatewayCalls *calls;
  GmcpGateway *found;       /* with search, whose tools are searched; nullable */
  GmcpMetaTools *meta;      /* the tools that search them; nullable */
  GListModel *none[N_NONE]; /* nullable: the lists of a gateway without a manager */
};

static void gmcp_gateway_tools_init (GmcpToolProviderInterface *iface);
static void gmcp_gateway_resources_init (GmcpResourceProviderInterface *iface);
static void gmcp_gateway_prompts_init (GmcpPromptProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (
  GmcpGateway,
  gmcp_gateway,
  G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, gmcp_gateway_tools_init)
    G_IMPLEMENT_INTERFACE (GMCP_TYPE_RESOURCE_PROVIDER, gmcp_gateway_resources_init)
      G_IMPLEMENT_INTERFACE (GMCP_TYPE_PROMPT_PROVIDER, gmcp_gateway_prompts_init))

typedef enum
{
  PROP_MANAGER = 1,
  PROP_ROLE,
  PROP_SEARCH,
} GmcpGatewayProperty;

static GParamSpec *properties[PROP_SEARCH + 1];

static void
gmcp_gateway_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpGateway *self = GMCP_GATEWAY (object);

  switch ((GmcpGatewayProperty) prop_id)
    {
    case PROP_MANAGER:
      g_value_set_object (value, self->manager);
      break;
    case PROP_ROLE:
      g_value_set_string (value, gmcp_gateway_get_role (self));
      break;
    case PROP_SEARCH:
      g_value_set_boolean (value, self->search);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_gateway_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpGateway *self = GMCP_GATEWAY (object);

  switch ((GmcpGatewayProperty) prop_id)
    {
    case PROP_MANAGER:
      self->manager = g_value_dup_object (value);
      break;
    case PROP_ROLE:
      gmcp_gateway_set_role (self, g_value_get_string (value));
      break;
    case PROP_SEARCH:
      self->search = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
on_instructions_changed (GmcpToolProvider *manager, GmcpToolProvider *self)
{
  gmcp_tool_provider_emit_instructions_changed (self);
}

static void
on_resource_updated (GmcpResourceProvider *manager, const char *uri, GmcpResourceProvider *self)
{
  gmcp_resource_provider_emit_resource_updated (self, uri);
}

static void
gmcp_gateway_constructed (GObject *object)
{
  GmcpGateway *self = GMCP_GATEWAY (object);

  G_OBJECT_CLASS (gmcp_gateway_parent_class)->constructed (object);

  if (self->manager == NULL)
    return;

  self->lists = gmcp_gateway_lists_new (self->manager);
  self->calls = gmcp_gateway_calls_ref_for (self->manager);
  g_signal_connect_object (self->manager, "instructions-changed",
                           G_CALLBACK (on_instructions_changed), self, 0);
  g_signal_connect_object (self->manager, "resource-updated", G_CALLBACK (on_resource_updated),
                           self, 0);
  if (self->search)
    {
      self->found = gmcp_gateway_new (self->manager);
      self->meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (self->found));
    }
}

static void
gmcp_gateway_finalize (GObject *object)
{
  GmcpGateway *self = GMCP_GATEWAY (object);

  g_clear_object (&self->meta);
  g_clear_object (&self->found);
  g_clear_pointer (&self->lists, gmcp_gateway_lists_free);
  g_clear_pointer (&self->calls, gmcp_gateway_calls_unref);
  g_clear_object (&self->manager);
  for (guint i = 0; i < N_NONE; i++)
    g_clear_object (&self->none[i]);

  G_OBJECT_CLASS (gmcp_gateway_parent_class)->finalize (object);
}

static void
gmcp_gateway_class_init (GmcpGatewayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = gmcp_gateway_get_property;
  object_class->set_property = gmcp_gateway_set_property;
  object_class->constructed = gmcp_gateway_constructed;
  object_class->finalize = gmcp_gateway_finalize;

  /**
   * GmcpGateway:manager: (getter get_manager)
   *
   * Whose servers are behind the gateway. A gateway without one has nothing.
   *
   * Since: 0.1
   */
  properties[PROP_MANAGER] = g_param_spec_object ("manager", NULL, NULL, GMCP_TYPE_MANAGER, once);

  /**
   * GmcpGateway:role: (getter get_role) (setter set_role)
   *
   * The role of every client of this gateway: what the role may not call is not listed, and refused. %NULL for
   * [property@Gmcp.Manager:role].
   *
   * Since: 0.1
   */
  properties[PROP_ROLE] = g_param_spec_string (
    "role", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpGateway:search: (getter get_search)
   *
   * Whether clients get the three tools of [class@Gmcp.MetaTools] in place of the list: for hundreds of tools,
   * whose definitions would fill the context of a model.
   *
   * Since: 0.1
   */
  properties[PROP_SEARCH] = g_param_spec_boolean ("search", NULL, NULL, FALSE, once);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_gateway_init (GmcpGateway *self)
{
}

static GListModel *
get_none (GmcpGateway *self, guint which, GType type)
{
  if (self->none[which] == NULL)
    self->none[which] = G_LIST_MODEL (g_list_store_new (type));
  return self->none[which];
}

static GError *
new_empty_error (void)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                              _ ("There is no manager whose servers could be reached"));
}

/* Tools */

static GListModel *
gmcp_gateway_get_tools (GmcpToolProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->manager == NULL)
    return get_none (self, NO_TOOLS, GMCP_TYPE_TOOL);
  if (self->meta != NULL)
    return gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (self->meta));
  return gmcp_gateway_lists_get_tools (self->lists);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolLoad) load = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &error))
    gmcp_tool_load_return_success (load);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
}

static void
gmcp_gateway_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->manager == NULL)
    gmcp_tool_load_return_success (load);
  else
    gmcp_tool_provider_load_async (
      GMCP_TOOL_PROVIDER (self->manager),
      gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (load)), on_loaded,
      g_object_ref (load));
}

static void
gmcp_gateway_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->manager == NULL)
    {
      g_autoptr (GError) error = new_empty_error ();

      gmcp_tool_call_return_error (call, error);
    }
  else if (self->meta != NULL)
    {
      GmcpJsonDoc *arguments = gmcp_tool_call_peek_arguments (call);
      g_autoptr (GmcpToolCall) redirected = gmcp_tool_call_redirect (
        call, gmcp_tool_call_get_name (call),
        arguments != NULL ? gmcp_json_doc_ref (arguments) : NULL, self->meta);

      gmcp_tool_provider_take_call (GMCP_TOOL_PROVIDER (self->meta), redirected);
    }
  else
    {
      gmcp_gateway_calls_take (self->calls, gmcp_gateway_get_role (self), call);
    }
}

static GmcpTool *
gmcp_gateway_find_tool (GmcpToolProvider *provider, const char *name, GError **error)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  g_autoptr (GmcpTool) tool = NULL;

  if (self->manager == NULL || self->meta != NULL)
    return gmcp_tool_provider_search_list (gmcp_gateway_get_tools (provider), name, error);

  tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (self->manager), name, error);
  if (tool == NULL || !gmcp_gateway_lists_permits (self->lists, tool, error))
    return NULL;
  return g_steal_pointer (&tool);
}

static char *
gmcp_gateway_dup_instructions (GmcpToolProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return self->manager != NULL
           ? gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (self->manager))
           : NULL;
}

static void
gmcp_gateway_close (GmcpToolProvider *provider, GmcpProviderClose *close)
{
  gmcp_provider_close_return_success (close);
}

static void
gmcp_gateway_tools_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_gateway_get_tools;
  iface->load = gmcp_gateway_load;
  iface->call_tool = gmcp_gateway_call_tool;
  iface->find_tool = gmcp_gateway_find_tool;
  iface->dup_instructions = gmcp_gateway_dup_instructions;
  iface->close = gmcp_gateway_close;
  iface->keeps_time = TRUE;
}

/* Resources */

static GListModel *
gmcp_gateway_get_resources (GmcpResourceProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return self->manager != NULL ? gmcp_gateway_lists_get_resources (self->lists)
                               : get_none (self, NO_RESOURCES, GMCP_TYPE_RESOURCE);
}

static GListModel *
gmcp_gateway_get_templates (GmcpResourceProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return self->manager != NULL ? gmcp_gateway_lists_get_templates (self->lists)
                               : get_none (self, NO_TEMPLATES, GMCP_TYPE_RESOURCE_TEMPLATE);
}

/* What is asked of the manager in the name of a request. NULL: the request has failed. */
static GmcpCallOptions *
make_options (GmcpGateway *self, GmcpProviderRequest *request)
{
  if (self->manager == NULL)
    {
      g_autoptr (GError) error = new_empty_error ();

      gmcp_provider_request_return_error (request, error);
      return NULL;
    }
  return gmcp_gateway_make_options (gmcp_provider_request_get_options (request),
                                    gmcp_gateway_get_role (self));
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpResourceRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result
    = gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (object), async_result, &error);

  if (result != NULL)
    gmcp_resource_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
gmcp_gateway_read (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = make_options (self, base);

  if (options != NULL)
    gmcp_resource_provider_read_async (
      GMCP_RESOURCE_PROVIDER (self->manager), gmcp_resource_request_get_uri (request), options,
      gmcp_provider_request_get_cancellable (base), on_read, g_object_ref (request));
}

static void
gmcp_gateway_subscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->manager != NULL)
    gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (self->manager), uri);
}

static void
gmcp_gateway_unsubscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->manager != NULL)
    gmcp_resource_provider_unsubscribe (GMCP_RESOURCE_PROVIDER (self->manager), uri);
}

static void
return_completion (GmcpCompletionRequest *request, GmcpCompletionResult *result, GError *error)
{
  if (result != NULL)
    gmcp_completion_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
on_variable_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_resource_provider_complete_variable_finish (
    GMCP_RESOURCE_PROVIDER (object), async_result, &error);

  return_completion (request, result, error);
}

static void
gmcp_gateway_complete_variable (GmcpResourceProvider *provider, GmcpCompletionRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = make_options (self, base);

  if (options != NULL)
    gmcp_resource_provider_complete_variable_async (
      GMCP_RESOURCE_PROVIDER (self->manager), gmcp_completion_request_get_reference (request),
      gmcp_completion_request_get_argument (request), gmcp_completion_request_get_value (request),
      gmcp_completion_request_get_context (request), options,
      gmcp_provider_request_get_cancellable (base), on_variable_completed, g_object_ref (request));
}

static void
gmcp_gateway_resources_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = gmcp_gateway_get_resources;
  iface->get_templates = gmcp_gateway_get_templates;
  iface->read = gmcp_gateway_read;
  iface->subscribe = gmcp_gateway_subscribe;
  iface->unsubscribe = gmcp_gateway_unsubscribe;
  iface->complete_variable = gmcp_gateway_complete_variable;
}

/* Prompts */

static GListModel *
gmcp_gateway_get_prompts (GmcpPromptProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return self->manager != NULL ? gmcp_gateway_lists_get_prompts (self->lists)
                               : get_none (self, NO_PROMPTS, GMCP_TYPE_PROMPT);
}

static void
on_prompt (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpPromptRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) result
    = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (object), async_result, &error);

  if (result != NULL)
    gmcp_prompt_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
gmcp_gateway_get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = make_options (self, base);

  if (options != NULL)
    gmcp_prompt_provider_get_prompt_async (
      GMCP_PROMPT_PROVIDER (self->manager), gmcp_prompt_request_get_name (request),
      gmcp_prompt_request_get_arguments (request), options,
      gmcp_provider_request_get_cancellable (base), on_prompt, g_object_ref (request));
}

static void
on_argument_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_prompt_provider_complete_argument_finish (
    GMCP_PROMPT_PROVIDER (object), async_result, &error);

  return_completion (request, result, error);
}

static void
gmcp_gateway_complete_argument (GmcpPromptProvider *provider, GmcpCompletionRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = make_options (self, base);

  if (options != NULL)
    gmcp_prompt_provider_complete_argument_async (
      GMCP_PROMPT_PROVIDER (self->manager), gmcp_completion_request_get_reference (request),
      gmcp_completion_request_get_argument (request), gmcp_completion_request_get_value (request),
      gmcp_completion_request_get_context (request), options,
      gmcp_provider_request_get_cancellable (base), on_argument_completed, g_object_ref (request));
}

static void
gmcp_gateway_prompts_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = gmcp_gateway_get_prompts;
  iface->get_prompt = gmcp_gateway_get_prompt;
  iface->complete_argument = gmcp_gateway_complete_argument;
}

/**
 * gmcp_gateway_new:
 * @manager: whose servers are to be reached
 *
 * Makes a gateway to the servers of a manager. One that offers three tools to search with in place of all is
 * made with [property@Gmcp.Gateway:search].
 *
 * Returns: (transfer full): a gateway
 *
 * Since: 0.1
 */
GmcpGateway *
gmcp_gateway_new (GmcpManager *manager)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (manager), NULL);

  return g_object_new (GMCP_TYPE_GATEWAY, "manager", manager, NULL);
}

/**
 * gmcp_gateway_get_manager: (get-property manager)
 * @self: a gateway
 *
 * Gives the manager whose servers are reached.
 *
 * Returns: (transfer none) (nullable): the manager, or %NULL for a gateway that was made without one
 *
 * Since: 0.1
 */
GmcpManager *
gmcp_gateway_get_manager (GmcpGateway *self)
{
  g_return_val_if_fail (GMCP_IS_GATEWAY (self), NULL);

  return self->manager;
}

/**
 * gmcp_gateway_get_role: (get-property role)
 * @self: a gateway
 *
 * Gives the role of the gateway's clients.
 *
 * Returns: (transfer none) (nullable): the role, or %NULL for the manager's
 *
 * Since: 0.1
 */
const char *
gmcp_gateway_get_role (GmcpGateway *self)
{
  g_return_val_if_fail (GMCP_IS_GATEWAY (self), NULL);

  return self->lists != NULL ? gmcp_gateway_lists_get_role (self->lists) : NULL;
}

/**
 * gmcp_gateway_set_role: (set-property role)
 * @self: a gateway
 * @role: (nullable): the name of a role, or %NULL for the manager's
 *
 * Sets the role of the gateway's clients. It holds for calls that begin; lists change at once.
 *
 * Since: 0.1
 */
void
gmcp_gateway_set_role (GmcpGateway *self, const char *role)
{
  g_return_if_fail (GMCP_IS_GATEWAY (self));

  if (self->lists == NULL || !gmcp_gateway_lists_set_role (self->lists, role))
    return;

  if (self->found != NULL)
    gmcp_gateway_set_role (self->found, role);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ROLE]);
}

/**
 * gmcp_gateway_get_search: (get-property search)
 * @self: a gateway
 *
 * Tells whether clients search for tools in place of listing them.
 *
 * Returns: whether the tools are those of [class@Gmcp.MetaTools]
 *
 * Since: 0.1
 */
gboolean
gmcp_gateway_get_search (GmcpGateway *self)
{
  g_return_val_if_fail (GMCP_IS_GATEWAY (self), FALSE);

  return self->search;
}
