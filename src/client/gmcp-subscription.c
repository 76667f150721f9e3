/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-subscription-private.h"

#include "gmcp-client-parts-private.h"

#include <json-glib/json-glib.h>

#include "gmcp-i18n-private.h"

/**
 * GmcpSubscription:
 *
 * A wish to be told when something on a server changes: its lists of tools, prompts or resources,
 * single resources, or tasks.
 *
 * It is made for what is wanted, its signals are connected to, and then it is opened with
 * [method@Gmcp.Subscription.open_async]. From then on, until it is closed or its last reference is
 * dropped, it is kept up: where the server ends it, the stream breaks, or the client's connection
 * ends and is opened again, it is asked for again, after a second at first and later the longer, the
 * sooner it ends; then all that it is for counts as changed, since what changed meanwhile was not
 * told. The same object serves servers of both eras.
 *
 * A server need not grant all that is wanted: see
 * [property@Gmcp.Subscription:acknowledged-lists],
 * [property@Gmcp.Subscription:acknowledged-resource-uris] and
 * [method@Gmcp.Subscription.is_complete]. There can be several subscriptions on one client.
 *
 * Read a resource or a list after the subscription is open, not before it; then no change is missed.
 *
 * Spec: MCP 2026-07-28, basic/patterns/subscriptions; MCP 2025-11-25, server/resources,
 * "Subscriptions".
 *
 * Since: 0.1
 */
G_DEFINE_FINAL_TYPE (GmcpSubscription, gmcp_subscription, G_TYPE_OBJECT)

typedef enum
{
  PROP_CLIENT = 1,
  PROP_LISTS,
  PROP_RESOURCE_URIS,
  PROP_TASK_IDS,
  PROP_STATE,
  PROP_ACKNOWLEDGED_LISTS,
  PROP_ACKNOWLEDGED_RESOURCE_URIS,
  PROP_ACKNOWLEDGED_TASK_IDS,
} GmcpSubscriptionProperty;

enum
{
  SIGNAL_TOOLS_LIST_CHANGED,
  SIGNAL_PROMPTS_LIST_CHANGED,
  SIGNAL_RESOURCES_LIST_CHANGED,
  SIGNAL_RESOURCE_UPDATED,
  SIGNAL_NOTIFICATION,
  SIGNAL_INTERRUPTED,
  SIGNAL_ENDED,
  N_SIGNALS,
};

static GParamSpec *properties[PROP_ACKNOWLEDGED_TASK_IDS + 1];
static guint signals[N_SIGNALS];

static const struct
{
  GmcpSubscriptionFlags list;
  guint signal;
} list_signals[] = {
  { GMCP_SUBSCRIPTION_TOOLS, SIGNAL_TOOLS_LIST_CHANGED },
  { GMCP_SUBSCRIPTION_PROMPTS, SIGNAL_PROMPTS_LIST_CHANGED },
  { GMCP_SUBSCRIPTION_RESOURCES, SIGNAL_RESOURCES_LIST_CHANGED },
};

static GTask *
steal_opening (GmcpSubscription *self)
{
  if (self->cancelled != NULL)
    {
      g_source_destroy (self->cancelled);
      g_clear_pointer (&self->cancelled, g_source_unref);
    }
  return g_steal_pointer (&self->opening);
}

static void
notify_state (GmcpSubscription *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

static void
on_acknowledged (GmcpChangeStream *stream, gpointer data)
{
  g_autoptr (GmcpSubscription) self = g_object_ref (data);
  g_autoptr (GTask) task = steal_opening (self);

  g_object_freeze_notify (G_OBJECT (self));
  notify_state (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACKNOWLEDGED_LISTS]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACKNOWLEDGED_RESOURCE_URIS]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACKNOWLEDGED_TASK_IDS]);
  g_object_thaw_notify (G_OBJECT (self));
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
on_lists_changed (GmcpChangeStream *stream, GmcpSubscriptionFlags lists, gpointer data)
{
  g_autoptr (GmcpSubscription) self = g_object_ref (data);

  for (guint i = 0; i < G_N_ELEMENTS (list_signals); i++)
    if ((lists & self->lists & list_signals[i].list) != 0)
      g_signal_emit (self, signals[list_signals[i].signal], 0);
}

static void
on_resource_updated (GmcpChangeStream *stream, const char *uri, gpointer data)
{
  g_autoptr (GmcpSubscription) self = g_object_ref (data);

  g_signal_emit (self, signals[SIGNAL_RESOURCE_UPDATED], 0, uri);
}

static void
on_notified (GmcpChangeStream *stream, const GmcpRpcMessage *notification, gpointer data)
{
  g_autoptr (GmcpSubscription) self = g_object_ref (data);

  if (g_signal_has_handler_pending (self, signals[SIGNAL_NOTIFICATION], 0, FALSE))
    gmcp_client_emit_notification (self, signals[SIGNAL_NOTIFICATION], notification);
}

static void
on_interrupted (GmcpChangeStream *stream, const GError *error, gpointer data)
{
  g_autoptr (GmcpSubscription) self = g_object_ref (data);

  notify_state (self);
  g_signal_emit (self, signals[SIGNAL_INTERRUPTED], 0, error);
}

static void
on_ended (GmcpChangeStream *stream, const GError *error, gpointer data)
{
  g_autoptr (GmcpSubscription) self = g_object_ref (data);
  g_autoptr (GTask) task = steal_opening (self);

  notify_state (self);
  if (task != NULL)
    g_task_return_error (task, g_error_copy (error));
  else
    g_signal_emit (self, signals[SIGNAL_ENDED], 0, error);
}

static const GmcpChangeStreamFuncs stream_funcs = {
  .acknowledged = on_acknowledged,
  .lists_changed = on_lists_changed,
  .resource_updated = on_resource_updated,
  .notified = on_notified,
  .interrupted = on_interrupted,
  .ended = on_ended,
};

static void
gmcp_subscription_constructed (GObject *object)
{
  GmcpSubscription *self = GMCP_SUBSCRIPTION (object);

  G_OBJECT_CLASS (gmcp_subscription_parent_class)->constructed (object);

  /* Nothing comes of one that was made without a client: it stays closed. */
  if (self->client == NULL)
    return;

  self->stream = gmcp_change_stream_new (gmcp_client_get_session (self->client), self->lists,
                                         (const char *const *) self->resource_uris,
                                         (const char *const *) self->task_ids, &stream_funcs, self);
}

static void
gmcp_subscription_finalize (GObject *object)
{
  GmcpSubscription *self = GMCP_SUBSCRIPTION (object);

  g_clear_pointer (&self->stream, gmcp_change_stream_free);
  g_strfreev (self->resource_uris);
  g_strfreev (self->task_ids);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (gmcp_subscription_parent_class)->finalize (object);
}

static void
gmcp_subscription_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpSubscription *self = GMCP_SUBSCRIPTION (object);

  switch ((GmcpSubscriptionProperty) prop_id)
    {
    case PROP_CLIENT:
      g_value_set_object (value, gmcp_subscription_get_client (self));
      break;
    case PROP_LISTS:
      g_value_set_flags (value, gmcp_subscription_get_lists (self));
      break;
    case PROP_RESOURCE_URIS:
      g_value_set_boxed (value, gmcp_subscription_get_resource_uris (self));
      break;
    case PROP_TASK_IDS:
      g_value_set_boxed (value, gmcp_subscription_get_task_ids (self));
      break;
    case PROP_STATE:
      g_value_set_enum (value, gmcp_subscription_get_state (self));
      break;
    case PROP_ACKNOWLEDGED_LISTS:
      g_value_set_flags (value, gmcp_subscription_get_acknowledged_lists (self));
      break;
    case PROP_ACKNOWLEDGED_RESOURCE_URIS:
      g_value_set_boxed (value, gmcp_subscription_get_acknowledged_resource_uris (self));
      break;
    case PROP_ACKNOWLEDGED_TASK_IDS:
      g_value_set_boxed (value, gmcp_subscription_get_acknowledged_task_ids (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_subscription_set_property (GObject *object,
                                guint prop_id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  GmcpSubscription *self = GMCP_SUBSCRIPTION (object);

  switch ((GmcpSubscriptionProperty) prop_id)
    {
    case PROP_CLIENT:
      self->client = g_value_dup_object (value);
      break;
    case PROP_LISTS:
      self->lists = g_value_get_flags (value);
      break;
    case PROP_RESOURCE_URIS:
      self->resource_uris = g_value_dup_boxed (value);
      break;
    case PROP_TASK_IDS:
      self->task_ids = g_value_dup_boxed (value);
      break;
    case PROP_STATE:
    case PROP_ACKNOWLEDGED_LISTS:
    case PROP_ACKNOWLEDGED_RESOURCE_URIS:
    case PROP_ACKNOWLEDGED_TASK_IDS:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags wiring = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpSubscription:client:
   *
   * The client whose server is asked.
   *
   * Since: 0.1
   */
  properties[PROP_CLIENT] = g_param_spec_object ("client", NULL, NULL, GMCP_TYPE_CLIENT, wiring);

  /**
   * GmcpSubscription:lists:
   *
   * The lists whose changes are wanted.
   *
   * Since: 0.1
   */
  properties[PROP_LISTS]
    = g_param_spec_flags ("lists", NULL, NULL, GMCP_TYPE_SUBSCRIPTION_FLAGS, 0, wiring);

  /**
   * GmcpSubscription:resource-uris:
   *
   * The resources whose changes are wanted.
   *
   * Since: 0.1
   */
  properties[PROP_RESOURCE_URIS]
    = g_param_spec_boxed ("resource-uris", NULL, NULL, G_TYPE_STRV, wiring);

  /**
   * GmcpSubscription:task-ids:
   *
   * The tasks whose changes are wanted, where client and server have the tasks extension. They come
   * by [signal@Gmcp.Subscription::notification].
   *
   * Since: 0.1
   */
  properties[PROP_TASK_IDS] = g_param_spec_boxed ("task-ids", NULL, NULL, G_TYPE_STRV, wiring);

  /**
   * GmcpSubscription:state:
   *
   * How far it is.
   *
   * Since: 0.1
   */
  properties[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, GMCP_TYPE_SUBSCRIPTION_STATE,
                                              GMCP_SUBSCRIPTION_STATE_CLOSED, readable);

  /**
   * GmcpSubscription:acknowledged-lists:
   *
   * Those of the wanted lists whose changes the server tells of; what it said last.
   *
   * Since: 0.1
   */
  properties[PROP_ACKNOWLEDGED_LISTS] = g_param_spec_flags (
    "acknowledged-lists", NULL, NULL, GMCP_TYPE_SUBSCRIPTION_FLAGS, 0, readable);

  /**
   * GmcpSubscription:acknowledged-resource-uris:
   *
   * Those of the wanted resources whose changes the server tells of; what it said last.
   *
   * Since: 0.1
   */
  properties[PROP_ACKNOWLEDGED_RESOURCE_URIS]
    = g_param_spec_boxed ("acknowledged-resource-uris", NULL, NULL, G_TYPE_STRV, readable);

  /**
   * GmcpSubscription:acknowledged-task-ids:
   *
   * Those of the wanted tasks whose changes the server tells of; what it said last.
   *
   * Since: 0.1
   */
  properties[PROP_ACKNOWLEDGED_TASK_IDS]
    = g_param_spec_boxed ("acknowledged-task-ids", NULL, NULL, G_TYPE_STRV, readable);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static guint
new_signal (const char *name)
{
  return g_signal_new (name, GMCP_TYPE_SUBSCRIPTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, 0);
}

static guint
new_error_signal (const char *name)
{
  return g_signal_new (name, GMCP_TYPE_SUBSCRIPTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
gmcp_subscription_class_init (GmcpSubscriptionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = gmcp_subscription_constructed;
  object_class->finalize = gmcp_subscription_finalize;
  object_class->get_property = gmcp_subscription_get_property;
  object_class->set_property = gmcp_subscription_set_property;
  install_properties (object_class);

  /**
   * GmcpSubscription::tools-list-changed:
   * @self: the subscription
   *
   * The server's list of tools has changed, or may have while the subscription was interrupted.
   *
   * Since: 0.1
   */
  signals[SIGNAL_TOOLS_LIST_CHANGED] = new_signal ("tools-list-changed");

  /**
   * GmcpSubscription::prompts-list-changed:
   * @self: the subscription
   *
   * The server's list of prompts has changed, or may have while the subscription was interrupted.
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROMPTS_LIST_CHANGED] = new_signal ("prompts-list-changed");

  /**
   * GmcpSubscription::resources-list-changed:
   * @self: the subscription
   *
   * The server's list of resources has changed, or may have while the subscription was interrupted.
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCES_LIST_CHANGED] = new_signal ("resources-list-changed");

  /**
   * GmcpSubscription::resource-updated:
   * @self: the subscription
   * @uri: which resource; it may be a part of the one that was asked for
   *
   * A resource has changed, or may have while the subscription was interrupted.
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCE_UPDATED]
    = g_signal_new ("resource-updated", GMCP_TYPE_SUBSCRIPTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  /**
   * GmcpSubscription::notification:
   * @self: the subscription
   * @method: which notification
   * @params: (nullable): its parameters, or %NULL where it has none
   * @params_json: (nullable): the same as the text that came
   *
   * Another notification came with this subscription, such as the state of a task.
   *
   * Since: 0.1
   */
  signals[SIGNAL_NOTIFICATION]
    = g_signal_new ("notification", GMCP_TYPE_SUBSCRIPTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_STRING, JSON_TYPE_NODE, G_TYPE_STRING);

  /**
   * GmcpSubscription::interrupted:
   * @self: the subscription
   * @error: (nullable): why, or %NULL where the server ended it in order
   *
   * The subscription has ended for now. It will be asked for again, or when the client is opened
   * again; who no longer wants it calls [method@Gmcp.Subscription.close].
   *
   * Since: 0.1
   */
  signals[SIGNAL_INTERRUPTED] = new_error_signal ("interrupted");

  /**
   * GmcpSubscription::ended:
   * @self: the subscription
   * @error: why
   *
   * The server refused to open the subscription again, and it is closed. Where it refuses the first
   * time, [method@Gmcp.Subscription.open_async] fails and this is not emitted.
   *
   * Since: 0.1
   */
  signals[SIGNAL_ENDED] = new_error_signal ("ended");
}

static void
gmcp_subscription_init (GmcpSubscription *self)
{
}

/**
 * gmcp_subscription_new:
 * @client: whose server is asked
 * @lists: the lists whose changes are wanted
 * @resource_uris: (nullable) (array zero-terminated=1): the resources whose changes are wanted
 * @task_ids: (nullable) (array zero-terminated=1): the tasks whose changes are wanted
 *
 * Makes a subscription. Nothing is sent yet.
 *
 * Returns: (transfer full): a new subscription
 *
 * Since: 0.1
 */
GmcpSubscription *
gmcp_subscription_new (GmcpClient *client,
                       GmcpSubscriptionFlags lists,
                       const char *const *resource_uris,
                       const char *const *task_ids)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (client), NULL);

  return g_object_new (GMCP_TYPE_SUBSCRIPTION, "client", client, "lists", lists, "resource-uris",
                       resource_uris, "task-ids", task_ids, NULL);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GmcpSubscription) self = g_object_ref (g_task_get_source_object (user_data));
  g_autoptr (GTask) task = steal_opening (self);

  gmcp_change_stream_close (self->stream);
  notify_state (self);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled"));
  return G_SOURCE_REMOVE;
}

static gboolean
check_can_open (GmcpSubscription *self, GTask *task)
{
  GmcpSession *session = self->client != NULL ? gmcp_client_get_session (self->client) : NULL;
  const char *server = session != NULL ? gmcp_session_describe (session) : "";

  if (session == NULL || !gmcp_session_is_open (session))
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CLOSED,
                             _ ("%s cannot be asked to tell of changes: it is not connected"),
                             server);
  else if (gmcp_change_filter_is_empty (gmcp_change_stream_get_wanted (self->stream)))
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                             _ ("%s was not asked to tell of changes: the subscription names "
                                "nothing that could change"),
                             server);
  else if (gmcp_change_stream_get_state (self->stream) != GMCP_SUBSCRIPTION_STATE_CLOSED)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                             _ ("The subscription on %s is open already"), server);
  else
    return TRUE;

  return FALSE;
}

/**
 * gmcp_subscription_open_async:
 * @self: a subscription that is closed, on a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks the server to tell of what is wanted, and waits until it has said of what it will. Cancelling
 * closes the subscription.
 *
 * It fails with a [error@Gmcp.RpcError] where the server refuses, or with [error@Gmcp.Error]
 * `TIMED_OUT` after [property@Gmcp.Client:call-timeout-ms], `CLOSED`, `NOT_SUPPORTED`,
 * `INVALID_ARGUMENT` where nothing is wanted, or `PROTOCOL`; then it is closed, and can be opened
 * again. That the server grants a part only is no error.
 *
 * Spec: MCP 2026-07-28, basic/patterns/subscriptions, "Opening a Stream".
 *
 * Since: 0.1
 */
void
gmcp_subscription_open_async (GmcpSubscription *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_SUBSCRIPTION (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_subscription_open_async);
  if (g_task_return_error_if_cancelled (task) || !check_can_open (self, task))
    return;

  if (cancellable != NULL)
    {
      self->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (self->cancelled, "[gmcp] subscribing cancelled");
      g_task_attach_source (task, self->cancelled, (GSourceFunc) G_CALLBACK (on_cancelled));
    }
  self->opening = g_object_ref (task);
  gmcp_change_stream_open (self->stream);
  if (self->opening == task)
    notify_state (self);
}

/**
 * gmcp_subscription_open_finish:
 * @self: a subscription
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Subscription.open_async].
 *
 * Returns: whether the server has acknowledged the subscription, or a part of it
 *
 * Since: 0.1
 */
gboolean
gmcp_subscription_open_finish (GmcpSubscription *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_subscription_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_subscription_close:
 * @self: a subscription
 *
 * Ends the subscription; the server is told. An opening under way fails with %G_IO_ERROR_CANCELLED.
 * It can be opened again. To close what is closed does nothing.
 *
 * Spec: MCP 2026-07-28, basic/patterns/subscriptions, "Cancellation".
 *
 * Since: 0.1
 */
void
gmcp_subscription_close (GmcpSubscription *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_SUBSCRIPTION (self));

  if (gmcp_subscription_get_state (self) == GMCP_SUBSCRIPTION_STATE_CLOSED)
    return;

  task = steal_opening (self);
  gmcp_change_stream_close (self->stream);
  notify_state (self);
  if (task != NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                             _ ("The subscription was closed before it was open"));
}
