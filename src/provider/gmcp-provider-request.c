/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-provider-request-private.h"

/**
 * GmcpProviderRequest:
 *
 * What all requests to a [iface@Gmcp.ResourceProvider] and a [iface@Gmcp.PromptProvider] have in
 * common. The provider completes a request once, now or later, with the `return_result` method of its
 * class or with [method@Gmcp.ProviderRequest.return_error].
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
  GSource *cancelled;
  GSource *deadline;
} GmcpProviderRequestPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GmcpProviderRequest, gmcp_provider_request, G_TYPE_OBJECT)

static GmcpProviderRequestPrivate *
get_private (GmcpProviderRequest *self)
{
  return gmcp_provider_request_get_instance_private (self);
}

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;

  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* NULL where the request was completed before. */
static GTask *
take_task (GmcpProviderRequest *self)
{
  GmcpProviderRequestPrivate *priv = get_private (self);

  clear_source (&priv->cancelled);
  clear_source (&priv->deadline);
  if (priv->task == NULL)
    g_debug ("An answer to a request that has ended is dropped");
  return g_steal_pointer (&priv->task);
}

static void
gmcp_provider_request_dispose (GObject *object)
{
  GmcpProviderRequest *self = GMCP_PROVIDER_REQUEST (object);
  GmcpProviderRequestPrivate *priv = get_private (self);

  if (priv->task != NULL)
    {
      g_autoptr (GTask) task = take_task (self);

      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_FAILED, "%s",
                               _ ("The provider dropped the request without an answer"));
    }
  clear_source (&priv->cancelled);
  clear_source (&priv->deadline);
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

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GmcpProviderRequest) self = g_object_ref (user_data);
  g_autoptr (GTask) task = take_task (self);

  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static gboolean
on_deadline (gpointer user_data)
{
  g_autoptr (GmcpProviderRequest) self = g_object_ref (user_data);
  g_autoptr (GTask) task = NULL;

  /* The time begins anew with the answer. */
  if (gmcp_caller_is_asking (gmcp_provider_request_get_caller (self)))
    return G_SOURCE_CONTINUE;

  task = take_task (self);
  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_TIMED_OUT, "%s",
                           _ ("The provider did not answer in time"));
  return G_SOURCE_REMOVE;
}

static GSource *
attach (GSource *source, const char *name, GSourceFunc func, GmcpProviderRequest *self)
{
  g_source_set_static_name (source, name);
  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, g_task_get_context (get_private (self)->task));
  return source;
}

void
gmcp_provider_request_take_task (GmcpProviderRequest *self, GTask *task, GmcpCallOptions *options)
{
  GmcpProviderRequestPrivate *priv = get_private (self);
  GCancellable *cancellable = g_task_get_cancellable (task);
  guint timeout_ms = options != NULL ? gmcp_call_options_get_timeout_ms (options) : 0;

  priv->task = task;
  if (options != NULL)
    priv->options = g_object_ref (options);
  if (cancellable != NULL)
    {
      priv->cancellable = g_object_ref (cancellable);
      priv->cancelled = attach (g_cancellable_source_new (cancellable), "[gmcp] request cancelled",
                                G_SOURCE_FUNC (on_cancelled), self);
    }
  priv->deadline
    = attach (g_timeout_source_new (timeout_ms != 0 ? timeout_ms : GMCP_DEFAULT_CALL_TIMEOUT_MS),
              "[gmcp] request deadline", on_deadline, self);
}

void
gmcp_provider_request_return_pointer (GmcpProviderRequest *self,
                                      gpointer answer,
                                      GDestroyNotify destroy)
{
  g_autoptr (GTask) task = take_task (self);

  if (task != NULL)
    g_task_return_pointer (task, answer, destroy);
  else
    destroy (answer);
}

void
gmcp_provider_request_refuse (GTask *task, const char *message)
{
  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s", message);
}

/**
 * gmcp_provider_request_get_cancellable:
 * @self: a request
 *
 * Gives what is cancelled when nobody waits for the answer any more.
 *
 * Returns: (transfer none) (nullable): the cancellable, or %NULL where the one who asked gave none
 *
 * Since: 0.1
 */
GCancellable *
gmcp_provider_request_get_cancellable (GmcpProviderRequest *self)
{
  g_return_val_if_fail (GMCP_IS_PROVIDER_REQUEST (self), NULL);

  return get_private (self)->cancellable;
}

/**
 * gmcp_provider_request_get_options:
 * @self: a request
 *
 * Gives the options that came with the request.
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
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_PROVIDER_REQUEST (self));
  g_return_if_fail (error != NULL);

  task = take_task (self);
  if (task != NULL)
    g_task_return_error (task, g_error_copy (error));
}
