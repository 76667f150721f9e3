/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json-rpc/gmcp-rpc-error.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-provider-request-private.h"
#include "gmcp-request-guard-private.h"

/**
 * GmcpProviderRequest:
 *
 * What all requests to a [iface@Gmcp.ToolProvider], a [iface@Gmcp.ResourceProvider] and a
 * [iface@Gmcp.PromptProvider] have in common. The provider completes a request once, now or later, with
 * the `return_…` method of its class or with [method@Gmcp.ProviderRequest.return_error].
 *
 * The one who asked is not left waiting: when the request is cancelled, when its time is over
 * ([property@Gmcp.CallOptions:timeout-ms], 30 seconds where nothing is said), and when the provider
 * lets go of the request, it ends with an error. An answer that comes after that is dropped.
 *
 * Since: 0.1
 */
typedef struct
{
  GTask *task; /* NULL once completed */
  GCancellable *cancellable;
  GmcpCallOptions *options;
  GmcpCaller *caller; /* made when asked for, where a host asks */
  GmcpRequestGuard guard;
} GmcpProviderRequestPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GmcpProviderRequest, gmcp_provider_request, G_TYPE_OBJECT)

static GmcpProviderRequestPrivate *
get_private (GmcpProviderRequest *self)
{
  return gmcp_provider_request_get_instance_private (self);
}

/* NULL where the request was completed before. */
static GTask *
take_task (GmcpProviderRequest *self)
{
  GmcpProviderRequestPrivate *priv = get_private (self);

  gmcp_request_guard_stop (&priv->guard);
  if (priv->task == NULL)
    g_debug ("An answer to a request that has ended is dropped");
  return g_steal_pointer (&priv->task);
}

/* Takes the task and the error, whose data the options keep. */
static void
return_error (GmcpProviderRequestPrivate *priv, GTask *task, GError *error)
{
  g_autoptr (GTask) owned G_GNUC_UNUSED = task;

  if (priv->options != NULL)
    gmcp_call_options_take_outcome (priv->options, error);
  g_task_return_error (task, error);
}

static void
gmcp_provider_request_dispose (GObject *object)
{
  GmcpProviderRequest *self = GMCP_PROVIDER_REQUEST (object);
  GmcpProviderRequestPrivate *priv = get_private (self);

  if (priv->task != NULL)
    return_error (priv, take_task (self),
                  g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED,
                                       _ ("The provider dropped the request without an answer")));
  gmcp_request_guard_clear (&priv->guard, priv->cancellable);
  g_clear_object (&priv->cancellable);
  g_clear_object (&priv->options);
  g_clear_object (&priv->caller);

  G_OBJECT_CLASS (gmcp_provider_request_parent_class)->dispose (object);
}

static void
gmcp_provider_request_class_init (GmcpProviderRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_provider_request_dispose;
}

static void
gmcp_provider_request_init (GmcpProviderRequest *self)
{
}

static GmcpProviderRequestPrivate *
get_guarded (GmcpRequestGuard *guard)
{
  return (gpointer) ((char *) guard - G_STRUCT_OFFSET (GmcpProviderRequestPrivate, guard));
}

/* Takes the error. */
static void
fail_request (GmcpRequestGuard *guard, GError *error)
{
  GmcpProviderRequestPrivate *priv = get_guarded (guard);

  return_error (priv, g_steal_pointer (&priv->task), error);
}

static gboolean
is_asking (GmcpRequestGuard *guard)
{
  GmcpCaller *caller = get_guarded (guard)->caller;

  return caller != NULL && gmcp_caller_is_asking (caller);
}

static void
start_guard (GmcpProviderRequestPrivate *priv)
{
  guint timeout_ms = priv->options != NULL ? gmcp_call_options_get_timeout_ms (priv->options) : 0;
  guint max_timeout_ms
    = priv->options != NULL ? gmcp_call_options_get_max_timeout_ms (priv->options) : 0;

  priv->guard.is_asking = is_asking;
  gmcp_request_guard_start (&priv->guard, g_task_get_context (priv->task), priv->cancellable,
                            timeout_ms != 0 ? timeout_ms : GMCP_DEFAULT_CALL_TIMEOUT_MS,
                            max_timeout_ms != 0 ? max_timeout_ms : GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS,
                            fail_request);
}

static gboolean
keeps_time (gpointer provider)
{
  return GMCP_IS_TOOL_PROVIDER (provider) && GMCP_TOOL_PROVIDER_GET_IFACE (provider)->keeps_time;
}

void
gmcp_provider_request_send (gpointer request,
                            gpointer provider,
                            GmcpProviderRequestFunc func,
                            gpointer tag,
                            GmcpCallOptions *options,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GmcpProviderRequest) self = request;
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, user_data);
  GmcpProviderRequestPrivate *priv = get_private (self);

  g_task_set_source_tag (task, tag);
  if (g_task_return_error_if_cancelled (task))
    return;

  priv->task = g_steal_pointer (&task);
  if (options != NULL)
    priv->options = g_object_ref (options);
  if (cancellable != NULL)
    priv->cancellable = g_object_ref (cancellable);
  if (!keeps_time (provider))
    start_guard (priv);
  func (provider, self);
}

/* The task of a request that is completed now, with no error; NULL where it was completed before. */
static GTask *
take_successful_task (GmcpProviderRequest *self)
{
  GmcpProviderRequestPrivate *priv = get_private (self);
  GTask *task = take_task (self);

  if (task != NULL && priv->options != NULL)
    gmcp_call_options_take_outcome (priv->options, NULL);
  return task;
}

void
gmcp_provider_request_return_pointer (gpointer request, gpointer answer, GDestroyNotify destroy)
{
  g_autoptr (GTask) task = take_successful_task (request);

  if (task != NULL)
    g_task_return_pointer (task, answer, destroy);
  else
    destroy (answer);
}

void
gmcp_provider_request_return_success (gpointer request)
{
  g_autoptr (GTask) task = take_successful_task (request);

  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

void
gmcp_provider_request_return_not_supported (gpointer request, const char *message)
{
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, message);

  gmcp_provider_request_return_error (request, error);
}

/**
 * gmcp_provider_request_get_cancellable:
 * @self: a request
 *
 * Gives what is cancelled when nobody waits for the answer any more: the one who asked has cancelled, or the
 * time is over.
 *
 * Returns: (transfer none) (nullable): the cancellable, or %NULL where the one who asked gave none and
 *   nobody looks after the time of the request
 *
 * Since: 0.1
 */
GCancellable *
gmcp_provider_request_get_cancellable (GmcpProviderRequest *self)
{
  GmcpProviderRequestPrivate *priv;

  g_return_val_if_fail (GMCP_IS_PROVIDER_REQUEST (self), NULL);

  priv = get_private (self);
  return gmcp_request_guard_get_cancellable (&priv->guard, priv->cancellable);
}

/**
 * gmcp_provider_request_get_options:
 * @self: a request
 *
 * Gives the options that came with the request, which has a client's `_meta` and trace context as
 * [method@Gmcp.ToolCall.get_options] has those of a call.
 *
 * Returns: (transfer none) (nullable): the options, or %NULL for the defaults
 *
 * Since: 0.1
 */
GmcpCallOptions *
gmcp_provider_request_get_options (GmcpProviderRequest *self)
{
  g_return_val_if_fail (GMCP_IS_PROVIDER_REQUEST (self), NULL);

  return get_private (self)->options;
}

/**
 * gmcp_provider_request_get_caller:
 * @self: a request
 *
 * Gives the one who asks: to tell it what is going on, and to ask it back.
 *
 * Returns: (transfer none): the caller
 *
 * Since: 0.1
 */
GmcpCaller *
gmcp_provider_request_get_caller (GmcpProviderRequest *self)
{
  GmcpProviderRequestPrivate *priv;
  gpointer provider;

  g_return_val_if_fail (GMCP_IS_PROVIDER_REQUEST (self), NULL);

  priv = get_private (self);
  if (priv->caller != NULL)
    return priv->caller;

  if (priv->options != NULL && gmcp_call_options_get_caller (priv->options) != NULL)
    {
      priv->caller = g_object_ref (gmcp_call_options_get_caller (priv->options));
      return priv->caller;
    }

  provider = priv->task != NULL ? g_task_get_source_object (priv->task) : NULL;
  priv->caller
    = gmcp_caller_new_for_host (GMCP_IS_TOOL_PROVIDER (provider) ? provider : NULL, priv->options);
  return priv->caller;
}

/**
 * gmcp_provider_request_return_error:
 * @self: a request
 * @error: why there is no answer
 *
 * Completes the request with an error. %G_IO_ERROR_NOT_FOUND says that there is no such thing; an
 * error of the domain %GMCP_RPC_ERROR reaches the client of a server as it is.
 *
 * Since: 0.1
 */
void
gmcp_provider_request_return_error (GmcpProviderRequest *self, const GError *error)
{
  GTask *task;

  g_return_if_fail (GMCP_IS_PROVIDER_REQUEST (self));
  g_return_if_fail (error != NULL);

  task = take_task (self);
  if (task != NULL)
    return_error (get_private (self), task, g_error_copy (error));
}

/**
 * gmcp_provider_request_return_rpc_error:
 * @self: a request
 * @code: the code, as it stands on the wire; [error@Gmcp.RpcError] has those of the protocol
 * @message: what went wrong
 * @data_json: (nullable): what a program can read of it, as JSON text, or %NULL for nothing
 *
 * Completes the request with the error that [func@Gmcp.RpcError.new] makes of all three.
 *
 * Since: 0.1
 */
void
gmcp_provider_request_return_rpc_error (GmcpProviderRequest *self,
                                        int code,
                                        const char *message,
                                        const char *data_json)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (GMCP_IS_PROVIDER_REQUEST (self));
  g_return_if_fail (message != NULL);

  error = gmcp_rpc_error_new (code, message, data_json);
  gmcp_provider_request_return_error (self, error);
}
