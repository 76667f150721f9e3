/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-tool-load-private.h"

/**
 * GmcpToolLoad:
 *
 * A wish that a provider bring its list of tools up to date. The provider completes it once,
 * now or later, with [method@Gmcp.ToolLoad.return_success] or [method@Gmcp.ToolLoad.return_error]. One that
 * is let go of without either fails with [error@Gmcp.Error] `FAILED`.
 *
 * Since: 0.1
 */
struct _GmcpToolLoad
{
  GObject parent_instance;

  GmcpRequestTask request;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (GmcpToolLoad, gmcp_tool_load, G_TYPE_OBJECT)

static void
gmcp_tool_load_dispose (GObject *object)
{
  GmcpToolLoad *self = GMCP_TOOL_LOAD (object);
  g_autoptr (GTask) task
    = self->request.task != NULL ? gmcp_request_task_take (&self->request) : NULL;

  if (task != NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_FAILED, "%s",
                             _ ("The provider stopped loading its tools without an answer"));
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (gmcp_tool_load_parent_class)->dispose (object);
}

static void
gmcp_tool_load_class_init (GmcpToolLoadClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_tool_load_dispose;
}

static void
gmcp_tool_load_init (GmcpToolLoad *self)
{
}

GmcpToolLoad *
gmcp_tool_load_new_take (GTask *task)
{
  GmcpToolLoad *self = g_object_new (GMCP_TYPE_TOOL_LOAD, NULL);
  GCancellable *cancellable = g_task_get_cancellable (task);

  self->request.task = task;
  if (cancellable != NULL)
    self->cancellable = g_object_ref (cancellable);
  return self;
}

void
gmcp_tool_load_guard (GmcpToolLoad *self)
{
  gmcp_request_task_guard (&self->request);
}

/**
 * gmcp_tool_load_get_cancellable:
 * @self: a load
 *
 * Gives what is cancelled when nobody waits for the list any more.
 *
 * Returns: (transfer none) (nullable): the cancellable, or %NULL where the caller gave none
 *
 * Since: 0.1
 */
GCancellable *
gmcp_tool_load_get_cancellable (GmcpToolLoad *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_LOAD (self), NULL);

  return self->cancellable;
}

/**
 * gmcp_tool_load_return_success:
 * @self: a load
 *
 * Says that the list is up to date as far as it can be. That one of several servers failed is no
 * reason for an error.
 *
 * Since: 0.1
 */
void
gmcp_tool_load_return_success (GmcpToolLoad *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_TOOL_LOAD (self));

  task = gmcp_request_task_take (&self->request);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

/**
 * gmcp_tool_load_return_error:
 * @self: a load
 * @error: why there is no list
 *
 * Says that the list could not be brought up to date.
 *
 * Since: 0.1
 */
void
gmcp_tool_load_return_error (GmcpToolLoad *self, const GError *error)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_TOOL_LOAD (self));
  g_return_if_fail (error != NULL);

  task = gmcp_request_task_take (&self->request);
  if (task != NULL)
    g_task_return_error (task, g_error_copy (error));
}
