/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-server-closing-private.h"

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  GmcpServerClosing *self = data;
  g_autoptr (GObject) endpoint = g_object_ref (g_task_get_source_object (self->task));

  self->close_now (endpoint);
  return G_SOURCE_REMOVE;
}

static void
watch_cancellable (GmcpServerClosing *self)
{
  GCancellable *cancellable = g_task_get_cancellable (self->task);
  GSource *source;

  if (cancellable == NULL)
    return;

  source = g_cancellable_source_new (cancellable);
  g_source_set_static_name (source, "[gmcp] closing cancelled");
  g_source_set_callback (source, G_SOURCE_FUNC (on_cancelled), self, NULL);
  g_source_attach (source, g_task_get_context (self->task));
  g_task_set_task_data (self->task, source, (GDestroyNotify) g_source_unref);
}

gboolean
gmcp_server_closing_begin (GmcpServerClosing *self,
                           gpointer endpoint,
                           void (*close_now) (gpointer endpoint),
                           gpointer source_tag,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (endpoint, cancellable, callback, user_data);

  (g_task_set_source_tag) (task, source_tag);
  /* However it came to its end, all is closed. */
  g_task_set_check_cancellable (task, FALSE);
  if (self->task != NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING, "%s",
                               _ ("The endpoint is being closed"));
      return FALSE;
    }

  self->task = g_steal_pointer (&task);
  self->close_now = close_now;
  watch_cancellable (self);
  return TRUE;
}

void
gmcp_server_closing_end (GmcpServerClosing *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  if (task == NULL)
    return;

  if (g_task_get_task_data (task) != NULL)
    g_source_destroy (g_task_get_task_data (task));
  g_task_return_boolean (task, TRUE);
}
