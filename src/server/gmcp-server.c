/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-random-private.h"
#include "gmcp-server-clients-private.h"
#include "gmcp-server-private.h"
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

  char *name;
  char *version;
  char *title;
  char *instructions;
  guint page_size;
  guint max_requests;
  guint list_ttl_ms;

  guint call_timeout_ms;

  GmcpToolProvider *provider;
  GmcpToolRegistry *registry; /* the provider, where the server made it; not owned */
  GmcpServerCatalog *catalog;
  GmcpServerClients *clients;
  GmcpServerTasks *tasks;
  guint max_tasks;
  guint task_ttl_ms;
  guint task_poll_interval_ms;
  GFile *task_folder; /* nullable */
  char *info_json;
  GBytes *state_key; /* made when it is needed */
};

G_DEFINE_FINAL_TYPE (GmcpServer, gmcp_server, G_TYPE_OBJECT)

typedef enum
{
  PROP_NAME = 1,
  PROP_PROVIDER,
  PROP_VERSION,
  PROP_TITLE,
  PROP_INSTRUCTIONS,
  PROP_PAGE_SIZE,
  PROP_MAX_REQUESTS,
  PROP_LIST_TTL_MS,
  PROP_CALL_TIMEOUT_MS,
  PROP_MAX_TASKS,
  PROP_TASK_TTL_MS,
  PROP_TASK_POLL_INTERVAL_MS,
  PROP_TASK_FOLDER,
} GmcpServerProperty;

static GParamSpec *properties[PROP_TASK_FOLDER + 1];

typedef enum
{
  SIGNAL_ARGUMENTS_REFUSED,
} GmcpServerSignal;

static guint signals[SIGNAL_ARGUMENTS_REFUSED + 1];

static void
set_string (GmcpServer *self, char **field, const char *value, GmcpServerProperty property)
{
  if (g_strcmp0 (*field, value) == 0)
    return;

  g_free (*field);
  *field = g_strdup (value);
  g_clear_pointer (&self->info_json, g_free);
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
set_uint (GmcpServer *self, guint *field, guint value, GmcpServerProperty property)
{
  if (*field == value)
    return;

  *field = value;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
gmcp_server_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpServer *self = GMCP_SERVER (object);

  switch ((GmcpServerProperty) prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;

    case PROP_PROVIDER:
      g_value_set_object (value, self->provider);
      break;

    case PROP_VERSION:
      g_value_set_string (value, self->version);
      break;

    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;

    case PROP_INSTRUCTIONS:
      g_value_set_string (value, self->instructions);
      break;

    case PROP_PAGE_SIZE:
      g_value_set_uint (value, self->page_size);
      break;

    case PROP_MAX_REQUESTS:
      g_value_set_uint (value, self->max_requests);
      break;

    case PROP_LIST_TTL_MS:
      g_value_set_uint (value, self->list_ttl_ms);
      break;

    case PROP_CALL_TIMEOUT_MS:
      g_value_set_uint (value, self->call_timeout_ms);
      break;

    case PROP_MAX_TASKS:
      g_value_set_uint (value, self->max_tasks);
      break;

    case PROP_TASK_TTL_MS:
      g_value_set_uint (value, self->task_ttl_ms);
      break;

    case PROP_TASK_POLL_INTERVAL_MS:
      g_value_set_uint (value, self->task_poll_interval_ms);
      break;

    case PROP_TASK_FOLDER:
      g_value_set_object (value, self->task_folder);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_server_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GmcpServer *self = GMCP_SERVER (object);

  switch ((GmcpServerProperty) prop_id)
    {
    case PROP_NAME:
      self->name = g_value_dup_string (value);
      break;

    case PROP_PROVIDER:
      self->provider = g_value_dup_object (value);
      break;

    case PROP_VERSION:
      self->version = g_value_dup_string (value);
      break;

    case PROP_TITLE:
      gmcp_server_set_title (self, g_value_get_string (value));
      break;

    case PROP_INSTRUCTIONS:
      gmcp_server_set_instructions (self, g_value_get_string (value));
      break;

    case PROP_PAGE_SIZE:
      set_uint (self, &self->page_size, g_value_get_uint (value), PROP_PAGE_SIZE);
      break;

    case PROP_MAX_REQUESTS:
      set_uint (self, &self->max_requests, g_value_get_uint (value), PROP_MAX_REQUESTS);
      break;

    case PROP_LIST_TTL_MS:
      set_uint (self, &self->list_ttl_ms, g_value_get_uint (value), PROP_LIST_TTL_MS);
      break;

    case PROP_CALL_TIMEOUT_MS:
      set_uint (self, &self->call_timeout_ms, g_value_get_uint (value), PROP_CALL_TIMEOUT_MS);
      break;

    case PROP_MAX_TASKS:
      set_uint (self, &self->max_tasks, g_value_get_uint (value), PROP_MAX_TASKS);
      gmcp_server_tasks_set_max_tasks (self->tasks, self->max_tasks);
      break;

    case PROP_TASK_TTL_MS:
      set_uint (self, &self->task_ttl_ms, g_value_get_uint (value), PROP_TASK_TTL_MS);
      gmcp_server_tasks_set_ttl_ms (self->tasks, self->task_ttl_ms);
      break;

    case PROP_TASK_POLL_INTERVAL_MS:
      set_uint (self, &self->task_poll_interval_ms, g_value_get_uint (value),
                PROP_TASK_POLL_INTERVAL_MS);
      gmcp_server_tasks_set_poll_interval_ms (self->tasks, self->task_poll_interval_ms);
      break;

    case PROP_TASK_FOLDER:
      self->task_folder = g_value_dup_object (value);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
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
  g_free (self->name);
  g_free (self->version);
  g_free (self->title);
  g_free (self->instructions);
  g_free (self->info_json);
  g_clear_pointer (&self->state_key, g_bytes_unref);

  G_OBJECT_CLASS (gmcp_server_parent_class)->finalize (object);
}

static void
install_task_properties (GParamFlags flags, GParamFlags once)
{
  /**
   * GmcpServer:max-tasks:
   *
   * How many calls of one user may be kept as tasks, whether they run or have ended; clients of whom
   * nobody knows whose they are count as one user. One more gets the internal error -32603.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_TASKS] = g_param_spec_uint (
    "max-tasks", NULL, NULL, 1, GMCP_LIMIT_SERVER_TASKS, GMCP_DEFAULT_SERVER_TASKS, flags);

  /**
   * GmcpServer:task-ttl-ms:
   *
   * How long a call that became a task is kept, in milliseconds from its beginning; work that takes
   * longer is cancelled. A client of revision 2025-11-25 may ask for less.
   *
   * Since: 0.1
   */
  properties[PROP_TASK_TTL_MS] = g_param_spec_uint ("task-ttl-ms", NULL, NULL, 1, G_MAXUINT,
                                                    GMCP_DEFAULT_SERVER_TASK_TTL_MS, flags);

  /**
   * GmcpServer:task-poll-interval-ms:
   *
   * How often clients are to ask how a task stands, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_TASK_POLL_INTERVAL_MS] = g_param_spec_uint (
    "task-poll-interval-ms", NULL, NULL, 1, G_MAXUINT, GMCP_DEFAULT_SERVER_TASK_POLL_MS, flags);

  /**
   * GmcpServer:task-folder:
   *
   * The folder in which tasks are kept, so that what came of one can still be read when the process has
   * been started anew; a task that was at work then has failed. It is made where it is not there, and one
   * process uses it at a time. %NULL keeps tasks in memory only.
   *
   * Since: 0.1
   */
  properties[PROP_TASK_FOLDER] = g_param_spec_object ("task-folder", NULL, NULL, G_TYPE_FILE, once);
}

static void
install_properties (GObjectClass *object_class)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpServer:name:
   *
   * The server's name, for programs; clients show [property@Gmcp.Server:title] where there is one.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, "gmcp", once);

  /**
   * GmcpServer:provider: (getter get_provider)
   *
   * What the server serves.
   *
   * Since: 0.1
   */
  properties[PROP_PROVIDER]
    = g_param_spec_object ("provider", NULL, NULL, GMCP_TYPE_TOOL_PROVIDER, once);

  /**
   * GmcpServer:version:
   *
   * The server's version.
   *
   * Since: 0.1
   */
  properties[PROP_VERSION] = g_param_spec_string ("version", NULL, NULL, "0", once);

  /**
   * GmcpServer:title:
   *
   * The server's name for people.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpServer:instructions:
   *
   * What a model should know to use the server well. Where it is not set, clients read what the
   * provider says.
   *
   * Since: 0.1
   */
  properties[PROP_INSTRUCTIONS] = g_param_spec_string ("instructions", NULL, NULL, NULL, flags);

  /**
   * GmcpServer:page-size:
   *
   * How many tools go into one page of a list. A page of large tools is shorter.
   *
   * Since: 0.1
   */
  properties[PROP_PAGE_SIZE] = g_param_spec_uint ("page-size", NULL, NULL, 1, G_MAXUINT,
                                                  GMCP_DEFAULT_SERVER_PAGE_SIZE, flags);

  /**
   * GmcpServer:max-requests:
   *
   * How many requests of one client may run at once, subscriptions among them. One more gets the
   * internal error -32603: the codes from -32000 to -32019 are not to be used by new software, and
   * those up to -32099 are the specification's.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_REQUESTS] = g_param_spec_uint ("max-requests", NULL, NULL, 1, G_MAXUINT,
                                                     GMCP_LIMIT_SERVER_REQUESTS, flags);

  /**
   * GmcpServer:list-ttl-ms:
   *
   * How long a client may take a list of tools as fresh, in milliseconds. Clients that listen hear
   * of a change at once.
   *
   * Since: 0.1
   */
  properties[PROP_LIST_TTL_MS] = g_param_spec_uint ("list-ttl-ms", NULL, NULL, 0, G_MAXUINT,
                                                    GMCP_DEFAULT_SERVER_LIST_TTL_MS, flags);

  /**
   * GmcpServer:call-timeout-ms:
   *
   * How long the provider may take over one request, in milliseconds; then the client gets an error,
   * and the answer is dropped when it comes. 0 leaves it to the provider, whose own time-outs hold;
   * functions that were added with [method@Gmcp.Server.add_tool] have ten minutes then.
   *
   * Since: 0.1
   */
  properties[PROP_CALL_TIMEOUT_MS]
    = g_param_spec_uint ("call-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags);

  install_task_properties (flags, once);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
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
  self->page_size = GMCP_DEFAULT_SERVER_PAGE_SIZE;
  self->max_requests = GMCP_LIMIT_SERVER_REQUESTS;
  self->list_ttl_ms = GMCP_DEFAULT_SERVER_LIST_TTL_MS;
  self->max_tasks = GMCP_DEFAULT_SERVER_TASKS;
  self->task_ttl_ms = GMCP_DEFAULT_SERVER_TASK_TTL_MS;
  self->task_poll_interval_ms = GMCP_DEFAULT_SERVER_TASK_POLL_MS;
  self->clients = gmcp_server_clients_new (self);
  self->tasks = gmcp_server_tasks_new ();
}

/* What the rest of the server asks */

const char *
gmcp_server_get_info_json (GmcpServer *self)
{
  GString *out;
  GmcpJsonWriter writer;

  if (self->info_json != NULL)
    return self->info_json;

  out = g_string_new (NULL);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", self->name);
  if (self->title != NULL)
    gmcp_json_writer_member_string (&writer, "title", self->title);
  gmcp_json_writer_member_string (&writer, "version", self->version);
  gmcp_json_writer_end_object (&writer);
  self->info_json = g_string_free (out, FALSE);
  return self->info_json;
}

char *
gmcp_server_dup_instructions (GmcpServer *self)
{
  if (self->instructions != NULL)
    return g_strdup (self->instructions);
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
  return self->page_size;
}

guint
gmcp_server_get_max_requests (GmcpServer *self)
{
  return self->max_requests;
}

GBytes *
gmcp_server_get_state_key (GmcpServer *self)
{
  if (self->state_key == NULL)
    self->state_key = gmcp_random_new_bytes (STATE_KEY_BYTES);
  return self->state_key;
}

guint
gmcp_server_get_list_ttl_ms (GmcpServer *self)
{
  return self->list_ttl_ms;
}

guint
gmcp_server_get_call_timeout_ms (GmcpServer *self)
{
  if (self->call_timeout_ms != 0 || self->registry == NULL)
    return self->call_timeout_ms;
  return GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS;
}

GmcpToolResult *
gmcp_server_request_refusal (GmcpServer *self, GmcpTool *tool, const GError *error)
{
  GmcpToolResult *result = NULL;

  g_signal_emit (self, signals[SIGNAL_ARGUMENTS_REFUSED], 0, tool, error, &result);
  return result;
}

void
gmcp_server_write_versions (GmcpJsonWriter *writer, GmcpEra era)
{
  const char *const *versions = gmcp_protocol_get_versions ();

  gmcp_json_writer_begin_array (writer);
  for (guint i = g_strv_length ((char **) versions); i > 0; i--)
    {
      if (era == GMCP_ERA_AUTO || gmcp_protocol_get_era (versions[i - 1]) == era)
        gmcp_json_writer_string (writer, versions[i - 1]);
    }
  gmcp_json_writer_end_array (writer);
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
 * gmcp_server_set_title:
 * @self: a server
 * @title: (nullable): the server's name for people
 *
 * Sets [property@Gmcp.Server:title].
 *
 * Since: 0.1
 */
void
gmcp_server_set_title (GmcpServer *self, const char *title)
{
  g_return_if_fail (GMCP_IS_SERVER (self));

  set_string (self, &self->title, title, PROP_TITLE);
}

/**
 * gmcp_server_set_instructions:
 * @self: a server
 * @instructions: (nullable): what a model should know to use the server well
 *
 * Sets [property@Gmcp.Server:instructions]. Clients read them when they connect.
 *
 * Since: 0.1
 */
void
gmcp_server_set_instructions (GmcpServer *self, const char *instructions)
{
  g_return_if_fail (GMCP_IS_SERVER (self));

  set_string (self, &self->instructions, instructions, PROP_INSTRUCTIONS);
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

  gmcp_server_catalog_load (self->catalog);
  connection
    = gmcp_server_clients_add (self->clients, transport, on_attached_finished, self->clients);
  gmcp_server_connection_set_user (connection, user);
}
