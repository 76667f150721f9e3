/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-random-private.h"
#include "gmcp-server-clients-private.h"
#include "gmcp-server-identity-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-settings-private.h"
#include "gmcp-tool-result-private.h"

/* Shorter ones could be guessed. */
#define STATE_KEY_BYTES 32u

/**
 * GmcpServer:
 *
 * Offers the tools of a [iface@Gmcp.ToolProvider] to MCP clients, and its resources and prompts where
 * it has some.
 *
 * Make a server for a provider, or give it tools with [method@Gmcp.Server.add_tool], then let
 * [method@Gmcp.Server.run_stdio_async] serve the program's standard input and output, or
 * [method@Gmcp.Server.attach] any transport. Clients of every revision from 2024-11-05 to 2026-07-28
 * are served, also several revisions on one connection: each request says which one it is of.
 *
 * A server lives in the thread-default main context it was made in.
 *
 * Spec: MCP 2026-07-28, basic/versioning and server/tools; MCP 2025-11-25, basic/lifecycle.
 *
 * Since: 0.1
 */
struct _GmcpServer
{
  GObject parent_instance;

  GmcpServerIdentity identity;
  GmcpServerSettings settings;
  GmcpToolProvider *provider;
  GmcpToolRegistry *registry; /* the provider, where the server made it; not owned */
  GmcpServerCatalog *catalog;
  GmcpServerClients *clients;
  GmcpServerTasks *tasks;
  GmcpCacheScope list_cache_scope;
  gboolean lists_tasks;
  GFile *task_folder; /* nullable */
  GBytes *state_key;  /* made when it is needed */
};

G_DEFINE_FINAL_TYPE (GmcpServer, gmcp_server, G_TYPE_OBJECT)

typedef enum
{
  PROP_PROVIDER = 1,
  PROP_TASK_FOLDER,
  PROP_LIST_CACHE_SCOPE,
  PROP_LISTS_TASKS,
  PROP_FIRST_TEXT,
  PROP_FIRST_SETTING = PROP_FIRST_TEXT + GMCP_SERVER_IDENTITY_N_TEXTS,
} GmcpServerProperty;

typedef enum
{
  SIGNAL_ARGUMENTS_REFUSED,
} GmcpServerSignal;

static guint signals[SIGNAL_ARGUMENTS_REFUSED + 1];

static void
gmcp_server_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpServer *self = GMCP_SERVER (object);

  if (prop_id == PROP_PROVIDER)
    g_value_set_object (value, self->provider);
  else if (prop_id == PROP_TASK_FOLDER)
    g_value_set_object (value, self->task_folder);
  else if (prop_id == PROP_LIST_CACHE_SCOPE)
    g_value_set_enum (value, self->list_cache_scope);
  else if (prop_id == PROP_LISTS_TASKS)
    g_value_set_boolean (value, self->lists_tasks);
  else if (prop_id < PROP_FIRST_SETTING)
    gmcp_server_identity_get (&self->identity, prop_id - PROP_FIRST_TEXT, value);
  else
    gmcp_server_settings_get (&self->settings, prop_id - PROP_FIRST_SETTING, value);
}

static void
apply_task_settings (GmcpServer *self)
{
  gmcp_server_tasks_set_max_tasks (self->tasks, self->settings.max_tasks);
  gmcp_server_tasks_set_ttl_ms (self->tasks, self->settings.task_ttl_ms);
  gmcp_server_tasks_set_poll_interval_ms (self->tasks, self->settings.task_poll_interval_ms);
}

static gboolean
set_setting (GmcpServer *self, guint index, const GValue *value)
{
  if (!gmcp_server_settings_set (&self->settings, index, value))
    return FALSE;

  apply_task_settings (self);
  return TRUE;
}

static gboolean
set_list_cache_scope (GmcpServer *self, GmcpCacheScope scope)
{
  gboolean changed = self->list_cache_scope != scope;

  self->list_cache_scope = scope;
  return changed;
}

static gboolean
set_lists_tasks (GmcpServer *self, gboolean lists_tasks)
{
  gboolean changed = self->lists_tasks != lists_tasks;

  self->lists_tasks = lists_tasks;
  return changed;
}

static gboolean
set_changing_property (GmcpServer *self, guint prop_id, const GValue *value)
{
  if (prop_id == PROP_LIST_CACHE_SCOPE)
    return set_list_cache_scope (self, g_value_get_enum (value));
  if (prop_id == PROP_LISTS_TASKS)
    return set_lists_tasks (self, g_value_get_boolean (value));
  if (prop_id < PROP_FIRST_SETTING)
    return gmcp_server_identity_set (&self->identity, prop_id - PROP_FIRST_TEXT, value);
  return set_setting (self, prop_id - PROP_FIRST_SETTING, value);
}

static void
gmcp_server_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpServer *self = GMCP_SERVER (object);

  if (prop_id == PROP_PROVIDER)
    self->provider = g_value_dup_object (value);
  else if (prop_id == PROP_TASK_FOLDER)
    self->task_folder = g_value_dup_object (value);
  else if (set_changing_property (self, prop_id, value))
    g_object_notify_by_pspec (object, pspec);
}

static void
on_list_changed (GmcpServerSubject subject, gpointer data)
{
  gmcp_server_clients_list_changed (GMCP_SERVER (data)->clients, subject);
}

static void
on_resource_updated (const char *uri, gpointer data)
{
  gmcp_server_clients_resource_updated (GMCP_SERVER (data)->clients, uri);
}

static void
on_resource_updated_for_user (const char *uri, const char *user, gpointer data)
{
  gmcp_server_clients_resource_updated_for_user (GMCP_SERVER (data)->clients, uri, user);
}

static void
on_tasks_loaded (gpointer data)
{
  gmcp_server_catalog_load_provider (GMCP_SERVER (data)->catalog);
}

/* The tasks that were kept are there before anybody asks for one. */
static void
read_tasks (gpointer data)
{
  GmcpServer *self = data;

  gmcp_server_tasks_load (self->tasks,
                          self->task_folder != NULL ? g_file_peek_path (self->task_folder) : NULL,
                          on_tasks_loaded, self);
}

static const GmcpServerCatalogFuncs catalog_funcs = {
  .list_changed = on_list_changed,
  .resource_updated = on_resource_updated,
  .resource_updated_for_user = on_resource_updated_for_user,
  .prepare = read_tasks,
};

static void
gmcp_server_constructed (GObject *object)
{
  GmcpServer *self = GMCP_SERVER (object);

  G_OBJECT_CLASS (gmcp_server_parent_class)->constructed (object);

  if (self->provider == NULL)
    {
      self->registry = gmcp_tool_registry_new ();
      self->provider = GMCP_TOOL_PROVIDER (self->registry);
    }
  self->catalog = gmcp_server_catalog_new (self->provider, &catalog_funcs, self);
}

static void
gmcp_server_dispose (GObject *object)
{
  GmcpServer *self = GMCP_SERVER (object);

  gmcp_server_clients_close (self->clients);

  G_OBJECT_CLASS (gmcp_server_parent_class)->dispose (object);
}

static void
gmcp_server_finalize (GObject *object)
{
  GmcpServer *self = GMCP_SERVER (object);

  gmcp_server_clients_free (self->clients);
  gmcp_server_tasks_free (self->tasks);
  g_clear_object (&self->task_folder);
  gmcp_server_catalog_free (self->catalog);
  g_object_unref (self->provider);
  gmcp_server_identity_clear (&self->identity);
  g_clear_pointer (&self->state_key, g_bytes_unref);

  G_OBJECT_CLASS (gmcp_server_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *klass)
{
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpServer:provider: (getter get_provider)
   *
   * What the server serves.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    klass, PROP_PROVIDER,
    g_param_spec_object ("provider", NULL, NULL, GMCP_TYPE_TOOL_PROVIDER, once));

  /**
   * GmcpServer:task-folder:
   *
   * The folder in which tasks are kept, so that what came of one can still be read when the process has
   * been started anew; a task that was at work then has failed. It is made where it is not there, and one
   * process uses it at a time. %NULL keeps tasks in memory only.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    klass, PROP_TASK_FOLDER, g_param_spec_object ("task-folder", NULL, NULL, G_TYPE_FILE, once));

  /**
   * GmcpServer:list-cache-scope:
   *
   * Whom a client may show the lists of tools, prompts and resources to, and what the server says of
   * itself, when it keeps them: they are the same for all users, but what the program has written into
   * them may be meant for some. A resource says for itself whom it is for, see
   * [method@Gmcp.ResourceRequest.set_cache_scope].
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    klass, PROP_LIST_CACHE_SCOPE,
    g_param_spec_enum ("list-cache-scope", NULL, NULL, GMCP_TYPE_CACHE_SCOPE,
                       GMCP_CACHE_SCOPE_PRIVATE,
                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));

  /**
   * GmcpServer:lists-tasks:
   *
   * Whether clients of revision 2025-11-25 may list the calls that are kept as tasks for their user. All programs
   * of a user may read, answer and cancel what they find there. Where they are not to see each other's work, as at a
   * [class@Gmcp.Gateway], this is %FALSE: then a task is known to whoever was told its id, which nobody can guess.
   * Clients of whom nobody knows whose they are get no list in either case, where there can be several of them.
   *
   * Spec: MCP 2025-11-25, basic/utilities/tasks, "Listing Tasks".
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    klass, PROP_LISTS_TASKS,
    g_param_spec_boolean ("lists-tasks", NULL, NULL, TRUE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));

  gmcp_server_identity_install (klass, PROP_FIRST_TEXT);
  gmcp_server_settings_install (klass, PROP_FIRST_SETTING);
}

/* The first handler that gives a result has answered. */
static gboolean
accumulate_result (GSignalInvocationHint *hint,
                   GValue *accumulated,
                   const GValue *returned,
                   gpointer data)
{
  if (g_value_get_boxed (returned) == NULL)
    return TRUE;

  g_value_copy (returned, accumulated);
  return FALSE;
}

static void
install_signals (void)
{
  /**
   * GmcpServer::arguments-refused:
   * @self: a server
   * @tool: the tool that was called
   * @error: what is wrong with the arguments, for the caller to read
   *
   * Emitted when the arguments of a call do not match the tool's input schema, so that the handler
   * of the tool is not called. A server whose results all have one form gives the answer in that
   * form here: the result is sent in every revision, and is to be marked as an error.
   *
   * Where no handler gives a result, the answer is the one of the client's revision: from
   * 2025-11-25 on a result that is marked as an error and has text only, before that an error of
   * the protocol.
   *
   * Spec: MCP 2026-07-28, server/tools, "Error Handling".
   *
   * Returns: (transfer full) (nullable): the answer, or %NULL to leave it to others
   *
   * Since: 0.1
   */
  signals[SIGNAL_ARGUMENTS_REFUSED]
    = g_signal_new ("arguments-refused", GMCP_TYPE_SERVER, G_SIGNAL_RUN_LAST, 0, accumulate_result,
                    NULL, NULL, GMCP_TYPE_TOOL_RESULT, 2, GMCP_TYPE_TOOL, G_TYPE_ERROR);
}

static void
gmcp_server_class_init (GmcpServerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_server_get_property;
  object_class->set_property = gmcp_server_set_property;
  object_class->constructed = gmcp_server_constructed;
  object_class->dispose = gmcp_server_dispose;
  object_class->finalize = gmcp_server_finalize;
  install_properties (object_class);
  install_signals ();
}

static void
gmcp_server_init (GmcpServer *self)
{
  gmcp_server_settings_init (&self->settings);
  self->lists_tasks = TRUE;
  self->clients = gmcp_server_clients_new (self);
  self->tasks = gmcp_server_tasks_new ();
}

/* What the rest of the server asks */

GmcpServerIdentity *
gmcp_server_get_identity (GmcpServer *self)
{
  return &self->identity;
}

char *
gmcp_server_dup_instructions (GmcpServer *self)
{
  if (self->identity.instructions != NULL)
    return g_strdup (self->identity.instructions);
  return gmcp_tool_provider_dup_instructions (self->provider);
}

GmcpServerCatalog *
gmcp_server_get_catalog (GmcpServer *self)
{
  return self->catalog;
}

GmcpServerClients *
gmcp_server_get_clients (GmcpServer *self)
{
  return self->clients;
}

GmcpServerTasks *
gmcp_server_get_tasks (GmcpServer *self)
{
  return self->tasks;
}

guint
gmcp_server_get_page_size (GmcpServer *self)
{
  return self->settings.page_size;
}

guint
gmcp_server_get_max_requests (GmcpServer *self)
{
  return self->settings.max_requests;
}

GBytes *
gmcp_server_get_state_key (GmcpServer *self)
{
  if (self->state_key == NULL)
    self->state_key = gmcp_random_new_bytes (STATE_KEY_BYTES);
  return self->state_key;
}

GmcpCacheScope
gmcp_server_get_list_cache_scope (GmcpServer *self)
{
  return self->list_cache_scope;
}

gboolean
gmcp_server_get_lists_tasks (GmcpServer *self)
{
  return self->lists_tasks;
}

guint
gmcp_server_get_list_ttl_ms (GmcpServer *self)
{
  return self->settings.list_ttl_ms;
}

guint
gmcp_server_get_call_timeout_ms (GmcpServer *self)
{
  if (self->settings.call_timeout_ms != 0 || self->registry == NULL)
    return self->settings.call_timeout_ms;
  return GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS;
}

GmcpToolResult *
gmcp_server_request_refusal (GmcpServer *self, GmcpTool *tool, const GError *error)
{
  GmcpToolResult *result = NULL;

  g_signal_emit (self, signals[SIGNAL_ARGUMENTS_REFUSED], 0, tool, error, &result);
  return result;
}

/* Public */

/**
 * gmcp_server_new:
 * @name: the server's name, such as `gmcp-tasks`
 * @version: the server's version
 * @provider: (nullable): what to serve: a [class@Gmcp.ToolRegistry], a [class@Gmcp.Manager], or tools
 *   of the program's own; %NULL for an empty registry, which [method@Gmcp.Server.add_tool] fills
 *
 * Makes a server for the tools of @provider. Its resources and prompts are served too, where it
 * implements [iface@Gmcp.ResourceProvider] or [iface@Gmcp.PromptProvider].
 *
 * The provider is loaded when the first client comes; what clients ask before that waits.
 *
 * Returns: (transfer full): a new server
 *
 * Since: 0.1
 */
GmcpServer *
gmcp_server_new (const char *name, const char *version, GmcpToolProvider *provider)
{
  g_return_val_if_fail (name != NULL && *name != '\0', NULL);
  g_return_val_if_fail (version != NULL, NULL);
  g_return_val_if_fail (provider == NULL || GMCP_IS_TOOL_PROVIDER (provider), NULL);

  return g_object_new (GMCP_TYPE_SERVER, "name", name, "version", version, "provider", provider,
                       NULL);
}

/**
 * gmcp_server_get_provider: (get-property provider)
 * @self: a server
 *
 * Gives what the server serves.
 *
 * Returns: (transfer none): the provider
 *
 * Since: 0.1
 */
GmcpToolProvider *
gmcp_server_get_provider (GmcpServer *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER (self), NULL);

  return self->provider;
}

/**
 * gmcp_server_set_state_key:
 * @self: a server
 * @key: at least 32 bytes that nobody else knows
 * @error: return location for an error
 *
 * Sets what the states are signed with that travel with clients of revision 2026-07-28 while they
 * answer a question. A server makes a key of its own when it needs one, which ends with the process;
 * processes with one key continue each other's calls, also after a restart. Good bytes are those of
 * `/dev/urandom`, kept in a file that only the server's user can read.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where @key is shorter.
 *
 * Spec: MCP 2026-07-28, basic/patterns/mrtr.
 *
 * Returns: whether the key is used from now on
 *
 * Since: 0.1
 */
gboolean
gmcp_server_set_state_key (GmcpServer *self, GBytes *key, GError **error)
{
  g_return_val_if_fail (GMCP_IS_SERVER (self), FALSE);
  g_return_val_if_fail (key != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (g_bytes_get_size (key) < STATE_KEY_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The key of a server’s states needs at least %u bytes; this one has %u"),
                   STATE_KEY_BYTES, (guint) g_bytes_get_size (key));
      return FALSE;
    }

  g_bytes_ref (key);
  g_clear_pointer (&self->state_key, g_bytes_unref);
  self->state_key = key;
  return TRUE;
}

static void
on_attached_finished (GmcpServerConnection *connection, gpointer data)
{
  gmcp_server_clients_remove (data, connection);
}

/**
 * gmcp_server_attach:
 * @self: a server
 * @transport: a transport that nobody else uses
 *
 * Serves the client at the other end of @transport until it goes away, or the server does. The
 * transport is opened, where it is not open yet, and kept.
 *
 * Since: 0.1
 */
void
gmcp_server_attach (GmcpServer *self, GmcpTransport *transport)
{
  gmcp_server_attach_for_user (self, transport, NULL);
}

/**
 * gmcp_server_attach_for_user:
 * @self: a server
 * @transport: a transport that nobody else uses
 * @user: (nullable): who the client is, as the program has verified it
 *
 * Serves the client at the other end of @transport, as [method@Gmcp.Server.attach] does. Handlers read
 * in [property@Gmcp.Caller:user] who calls.
 *
 * Since: 0.1
 */
void
gmcp_server_attach_for_user (GmcpServer *self, GmcpTransport *transport, const char *user)
{
  GmcpServerConnection *connection;

  g_return_if_fail (GMCP_IS_SERVER (self));
  g_return_if_fail (GMCP_IS_TRANSPORT (transport));

  connection
    = gmcp_server_clients_add (self->clients, transport, on_attached_finished, self->clients);
  gmcp_server_connection_set_user (connection, user);
}
