/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-load-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-request-guard-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpConfigLoad:
 *
 * A request to a [class@Gmcp.ConfigSource] to read its configuration. Whoever implements the source
 * completes it once, at any time later; one that is dropped without an answer counts as failed.
 *
 * The one who asked is not left waiting: without an answer the request fails after 30 seconds with
 * [error@Gmcp.Error] `TIMED_OUT`, and it ends when it is cancelled. An answer that comes after that is
 * dropped.
 *
 * Since: 0.1
 */
struct _GmcpConfigLoad
{
  GObject parent_instance;

  GTask *task; /* NULL once it is completed */
  GCancellable *cancellable;
  GmcpRequestGuard guard;
};

G_DEFINE_FINAL_TYPE (GmcpConfigLoad, gmcp_config_load, G_TYPE_OBJECT)

/* NULL for an answer that is not the first. */
static GTask *
take_task (GmcpConfigLoad *self)
{
  if (self->task == NULL)
    g_debug ("An answer of a source of configuration is ignored: the wish to load has ended");

  gmcp_request_guard_stop (&self->guard);
  return g_steal_pointer (&self->task);
}

static void
gmcp_config_load_dispose (GObject *object)
{
  GmcpConfigLoad *self = GMCP_CONFIG_LOAD (object);
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  if (task != NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_FAILED, "%s",
                             _ ("The source of the configuration gave no answer"));
  gmcp_request_guard_clear (&self->guard, self->cancellable);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (gmcp_config_load_parent_class)->dispose (object);
}

static void
gmcp_config_load_class_init (GmcpConfigLoadClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_config_load_dispose;
}

static void
gmcp_config_load_init (GmcpConfigLoad *self)
{
}

GmcpConfigLoad *
gmcp_config_load_new_take (GTask *task)
{
  GmcpConfigLoad *self = g_object_new (GMCP_TYPE_CONFIG_LOAD, NULL);

  self->task = task;
  g_set_object (&self->cancellable, g_task_get_cancellable (task));
  return self;
}

/* Takes the error. */
static void
fail_load (GmcpRequestGuard *guard, GError *error)
{
  GmcpConfigLoad *self = (gpointer) ((char *) guard - G_STRUCT_OFFSET (GmcpConfigLoad, guard));
  g_autoptr (GTask) task = take_task (self);

  g_prefix_error (&error, "%s: ", G_OBJECT_TYPE_NAME (g_task_get_source_object (task)));
  g_task_return_error (task, error);
}

void
gmcp_config_load_guard (GmcpConfigLoad *self, guint timeout_ms)
{
  gmcp_request_guard_start (&self->guard, g_task_get_context (self->task), self->cancellable,
                            timeout_ms, timeout_ms, fail_load);
}

/**
 * gmcp_config_load_get_cancellable:
 * @self: a request
 *
 * Gives what is cancelled when nobody waits for the answer any more: the caller has cancelled, or the time
 * is over.
 *
 * Returns: (transfer none) (nullable): a cancellable; a source of the program's own always gets one
 *
 * Since: 0.1
 */
GCancellable *
gmcp_config_load_get_cancellable (GmcpConfigLoad *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_LOAD (self), NULL);

  return gmcp_request_guard_get_cancellable (&self->guard, self->cancellable);
}

/**
 * gmcp_config_load_return_success:
 * @self: a request
 *
 * Completes the request: the source's list is up to date. Does nothing where it is completed.
 *
 * Since: 0.1
 */
void
gmcp_config_load_return_success (GmcpConfigLoad *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CONFIG_LOAD (self));

  task = take_task (self);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

/**
 * gmcp_config_load_return_error:
 * @self: a request
 * @error: why the configuration could not be read
 *
 * Completes the request with an error. The source's list stays as it was.
 *
 * Since: 0.1
 */
void
gmcp_config_load_return_error (GmcpConfigLoad *self, const GError *error)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CONFIG_LOAD (self));
  g_return_if_fail (error != NULL);

  task = take_task (self);
  if (task != NULL)
    g_task_return_error (task, g_error_copy (error));
}
