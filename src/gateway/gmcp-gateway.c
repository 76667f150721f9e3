/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-struct-private.h"

#include <gmcp/provider/gmcp-call-permission.h>

#include "gmcp-tool-provider-private.h"

/**
 * GmcpGateway:
 *
 * All servers of a [class@Gmcp.Manager] as one, for programs that know only a command or an address: what a
 * [class@Gmcp.Server] serves to them. Its tools, resources and prompts have the manager's names.
 *
 * What comes up in the middle of a client's call goes back to that client, and to nobody else: a question of
 * a server's ([class@Gmcp.Elicitation], [class@Gmcp.Sampling]), whether a tool may be called, also one that has
 * changed ([class@Gmcp.CallPermission]), and a value that the server of the call needs to start
 * ([class@Gmcp.ConfigInput]), which the client gets as forms. A value that is secret is in no form, see
 * [signal@Gmcp.Gateway::input-page]. It is the same whether the client or the server speaks 2026-07-28 or a
 * revision before: where a client answers with another request, the call behind the gateway waits for it. Where
 * the client cannot be asked ([signal@Gmcp.Gateway::input-unasked]), a question is declined, a tool that needs a
 * person's yes is not called, and a server without its value does not start.
 *
 * A server of a revision before 2026-07-28 does not say which call its question belongs to. It goes to the
 * client whose calls are under way; where that is more than one client, it is cancelled.
 *
 * ```c
 * g_autoptr (GmcpGateway) gateway = gmcp_gateway_new (manager);
 * g_autoptr (GmcpServer) server = gmcp_server_new ("gateway", "1.0", GMCP_TOOL_PROVIDER (gateway));
 *
 * g_object_set (server, "list-ttl-ms", 0u, "lists-tasks", FALSE, NULL);
 * ```
 *
 * Servers that are slow to start come to the lists later, so that no client should keep these for the time that
 * [property@Gmcp.Server:list-ttl-ms] says by default. Clients that are programs of one user see no task of each other
 * without [property@Gmcp.Server:lists-tasks].
 *
 * The gateway does not own the manager: to close it leaves the manager's servers running.
 *
 * Since: 0.1
 */
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
  PROP_SERVER_ID,
} GmcpGatewayProperty;

static GParamSpec *properties[PROP_SERVER_ID + 1];

enum
{
  SIGNAL_INPUT_UNASKED,
  SIGNAL_INPUT_PAGE,
  SIGNAL_WITHHELD_UNASKED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

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
    case PROP_SERVER_ID:
      g_value_set_string (value, self->server_id);
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
    case PROP_SERVER_ID:
      self->server_id = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

/* They are those of other servers where the rules let the role reach others. */
static void
on_instructions_changed (GmcpToolProvider *manager, GmcpToolProvider *self)
{
  gmcp_tool_provider_emit_instructions_changed (self);
}

static gboolean
permits_server (GmcpManagedServer *server, gpointer owner)
{
  return gmcp_gateway_lists_reach (GMCP_GATEWAY (owner)->lists, server);
}

static void
tell_updated (const char *uri, gpointer owner)
{
  gmcp_resource_provider_emit_resource_updated (GMCP_RESOURCE_PROVIDER (owner), uri);
}

static void
gmcp_gateway_constructed (GObject *object)
{
  static const GmcpSingleServerHooks hooks
    = { .permits = permits_server, .resource_updated = tell_updated };
  GmcpGateway *self = GMCP_GATEWAY (object);

  G_OBJECT_CLASS (gmcp_gateway_parent_class)->constructed (object);

  if (self->manager != NULL && self->server_id != NULL)
    self->single = gmcp_single_server_new (self->manager, self->server_id, &hooks, self);
  self->lists = gmcp_gateway_lists_new (self->manager, self->single, tell_updated, self);
  if (self->manager == NULL)
    return;

  self->calls = gmcp_gateway_calls_ref_for (self->manager);
  g_signal_connect_object (self->manager, "instructions-changed",
                           G_CALLBACK (on_instructions_changed), self, 0);
  g_signal_connect_object (self->manager, "rules-changed", G_CALLBACK (on_instructions_changed),
                           self, 0);
  if (self->search)
    {
      self->found = g_object_new (GMCP_TYPE_GATEWAY, "manager", self->manager, "server-id",
                                  self->server_id, NULL);
      self->found->outer = self;
      self->meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (self->found));
    }
}

static void
gmcp_gateway_finalize (GObject *object)
{
  GmcpGateway *self = GMCP_GATEWAY (object);

  g_clear_object (&self->meta);
  if (self->found != NULL)
    self->found->outer = NULL;
  g_clear_object (&self->found);
  g_clear_pointer (&self->single, gmcp_single_server_free);
  g_clear_pointer (&self->lists, gmcp_gateway_lists_free);
  g_clear_pointer (&self->calls, gmcp_gateway_calls_unref);
  g_clear_object (&self->manager);
  g_free (self->server_id);

  G_OBJECT_CLASS (gmcp_gateway_parent_class)->finalize (object);
}

static gboolean
accept_first_page (GSignalInvocationHint *hint,
                   GValue *accumulated,
                   const GValue *returned,
                   gpointer data)
{
  g_value_copy (returned, accumulated);
  return g_value_get_string (returned) == NULL;
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
   * The role of every client of this gateway: what the role may not call is not listed, and refused as what is not
   * there. %NULL for [property@Gmcp.Manager:role].
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

  /**
   * GmcpGateway:server-id: (getter get_server_id)
   *
   * The id of the one server that is behind the gateway: what it has is listed under the names that it has for
   * it, as if clients spoke with the server itself. %NULL for all servers of the manager.
   *
   * The server need not be configured; as long as it is not, requests fail.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, once);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpGateway::input-unasked:
   * @self: a gateway
   * @request: the question: a [class@Gmcp.Elicitation], [class@Gmcp.Sampling], [class@Gmcp.CallPermission] or
   *   [class@Gmcp.ConfigInput]
   *
   * Something has to be asked in the course of a client's call, and the client has not said that it can be
   * asked that. Calls of tools that are withheld come with [signal@Gmcp.Gateway::withheld-unasked]. A handler
   * that answers in its place keeps a reference on @request and returns %TRUE; the call waits for the answer.
   * [signal@Gmcp.InputRequest::closed] tells when the call has gone. Where no handler takes the question, it
   * is declined.
   *
   * Returns: whether the handler answers
   *
   * Since: 0.1
   */
  signals[SIGNAL_INPUT_UNASKED] = g_signal_new (
    "input-unasked", GMCP_TYPE_GATEWAY, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
    NULL, NULL, G_TYPE_BOOLEAN, 1, GMCP_TYPE_INPUT_REQUEST);

  /**
   * GmcpGateway::input-page:
   * @self: a gateway
   * @request: the question: a [class@Gmcp.ConfigInput] that is secret
   *
   * A client has to be asked something that must not pass through it, and can have a person open a page. A handler
   * that has a page of its own where @request is answered keeps a reference on it and gives the page's address,
   * which must not sign anybody in. Where no handler has one, the question counts as one that the client cannot be
   * asked.
   *
   * Returns: (nullable) (transfer full): the address of the page
   *
   * Since: 0.1
   */
  signals[SIGNAL_INPUT_PAGE]
    = g_signal_new ("input-page", GMCP_TYPE_GATEWAY, G_SIGNAL_RUN_LAST, 0, accept_first_page, NULL,
                    NULL, G_TYPE_STRING, 1, GMCP_TYPE_INPUT_REQUEST);

  /**
   * GmcpGateway::withheld-unasked:
   * @self: a gateway
   * @request: the call, with what is different about the tool
   *
   * A client calls a tool that is withheld since it is new or has changed, as
   * [signal@Gmcp.Manager::withheld-call-requested] says, and has not said that it can be asked about that. A handler
   * that answers in its place shows [property@Gmcp.CallPermission:change] to the user, keeps a reference on @request
   * and returns %TRUE; the call waits for the answer. Where no handler takes it, the tool is not called.
   *
   * Returns: %TRUE where @request is taken
   *
   * Since: 0.1
   */
  signals[SIGNAL_WITHHELD_UNASKED] = g_signal_new (
    "withheld-unasked", GMCP_TYPE_GATEWAY, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
    NULL, NULL, G_TYPE_BOOLEAN, 1, GMCP_TYPE_CALL_PERMISSION);
}

static gboolean
is_about_withheld (GmcpInputRequest *request)
{
  return GMCP_IS_CALL_PERMISSION (request)
         && gmcp_call_permission_get_change (GMCP_CALL_PERMISSION (request)) != NULL;
}

gboolean
gmcp_gateway_pass_on (GmcpGateway *self, GmcpInputRequest *request)
{
  GmcpGateway *asked = self->outer != NULL ? self->outer : self;

  guint signal
    = signals[is_about_withheld (request) ? SIGNAL_WITHHELD_UNASKED : SIGNAL_INPUT_UNASKED];
  gboolean taken = FALSE;

  g_signal_emit (asked, signal, 0, request, &taken);
  return taken;
}

char *
gmcp_gateway_find_page (GmcpGateway *self, GmcpInputRequest *request)
{
  char *page = NULL;

  g_signal_emit (self->outer != NULL ? self->outer : self, signals[SIGNAL_INPUT_PAGE], 0, request,
                 &page);
  return page;
}

gboolean
gmcp_gateway_has_pages (GmcpGateway *self)
{
  return g_signal_has_handler_pending (self->outer != NULL ? self->outer : self,
                                       signals[SIGNAL_INPUT_PAGE], 0, FALSE);
}

static void
gmcp_gateway_init (GmcpGateway *self)
{
}

/**
 * gmcp_gateway_new:
 * @manager: whose servers are to be reached
 *
 * Makes a gateway to the servers of a manager. One that offers three tools to search with in place of all is
 * made with [property@Gmcp.Gateway:search], one of a single server with [property@Gmcp.Gateway:server-id].
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

  return gmcp_gateway_lists_get_role (self->lists);
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

  if (!gmcp_gateway_lists_set_role (self->lists, role))
    return;

  if (self->found != NULL)
    gmcp_gateway_set_role (self->found, role);
  gmcp_tool_provider_emit_instructions_changed (GMCP_TOOL_PROVIDER (self));
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

/**
 * gmcp_gateway_get_server_id: (get-property server-id)
 * @self: a gateway
 *
 * Gives the id of the one server that is behind the gateway.
 *
 * Returns: (transfer none) (nullable): the id, or %NULL where all servers of the manager are
 *
 * Since: 0.1
 */
const char *
gmcp_gateway_get_server_id (GmcpGateway *self)
{
  g_return_val_if_fail (GMCP_IS_GATEWAY (self), NULL);

  return self->server_id;
}
