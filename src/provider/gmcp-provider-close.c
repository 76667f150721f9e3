/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-provider-close-private.h"

/**
 * GmcpProviderClose:
 *
 * A wish that a provider end what it keeps running. The provider completes it once, now or later, with
 * [method@Gmcp.ProviderClose.return_success] or [method@Gmcp.ProviderClose.return_error]. One that is
 * let go of without either fails with [error@Gmcp.Error] `FAILED`.
 *
 * Since: 0.1
 */
struct _GmcpProviderClose
{
  GObject parent_instance;

  GmcpRequestTask request;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (GmcpProviderClose, gmcp_provider_close, G_TYPE_OBJECT)

static void
gmcp_provider_close_dispose (GObject *object)
{
  GmcpProviderClose *self = GMCP_PROVIDER_CLOSE (object);
  g_autoptr (GTask) task
    = self->request.task != NULL ? gmcp_request_task_take (&self->request) : NULL;

  if (task != NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_FAILED, "%s",
                             _ ("The provider stopped closing without an answer"));
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (gmcp_provider_close_parent_class)->dispose (object);
}

static void
gmcp_provider_close_class_init (GmcpProviderCloseClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_provider_close_dispose;
}

static void
gmcp_provider_close_init (GmcpProviderClose *self)
{
}

GmcpProviderClose *
gmcp_provider_close_new_take (GTask *task)
{
  GmcpProviderClose *self = g_object_new (GMCP_TYPE_PROVIDER_CLOSE, NULL);
  GCancellable *cancellable = g_task_get_cancellable (task);

  self->request.task = task;
  if (cancellable != NULL)
    self->cancellable = g_object_ref (cancellable);
  return self;
}

void
gmcp_provider_close_guard (GmcpProviderClose *self)
{
  gmcp_request_task_guard (&self->request);
}

/**
 * gmcp_provider_close_get_cancellable:
 * @self: a wish to close
 *
 * Gives what is cancelled when nobody waits for the end any more.
 *
 * Returns: (transfer none) (nullable): the cancellable, or %NULL where the caller gave none
 *
 * Since: 0.1
 */
GCancellable *
gmcp_provider_close_get_cancellable (GmcpProviderClose *self)
{
  g_return_val_if_fail (GMCP_IS_PROVIDER_CLOSE (self), NULL);

  return self->cancellable;
}

/**
 * gmcp_provider_close_return_success:
 * @self: a wish to close
 *
 * Says that all has ended.
 *
 * Since: 0.1
 */
void
gmcp_provider_close_return_success (GmcpProviderClose *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_PROVIDER_CLOSE (self));

  task = gmcp_request_task_take (&self->request);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

/**
 * gmcp_provider_close_return_error:
 * @self: a wish to close
 * @error: why not all has ended
 *
 * Says that something could not be ended.
 *
 * Since: 0.1
 */
void
gmcp_provider_close_return_error (GmcpProviderClose *self, const GError *error)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_PROVIDER_CLOSE (self));
  g_return_if_fail (error != NULL);

  task = gmcp_request_task_take (&self->request);
  if (task != NULL)
    g_task_return_error (task, g_error_copy (error));
}
