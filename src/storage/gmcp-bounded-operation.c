/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-bounded-operation-private.h"

#include "gmcp-limits.h"

struct _GmcpBoundedOperation
{
  GWeakRef owner;
  GCancellable *cancellable;
  GSource *limit;
};

static gboolean
on_limit (gpointer data)
{
  g_cancellable_cancel (((GmcpBoundedOperation *) data)->cancellable);
  return G_SOURCE_REMOVE;
}

GmcpBoundedOperation *
gmcp_bounded_operation_new (gpointer owner, GMainContext *context)
{
  GmcpBoundedOperation *self = g_new0 (GmcpBoundedOperation, 1);

  g_weak_ref_init (&self->owner, owner);
  self->cancellable = g_cancellable_new ();
  self->limit = g_timeout_source_new (GMCP_DEFAULT_STATE_READ_MS);
  g_source_set_static_name (self->limit, "[gmcp] file of the state");
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, context);
  return self;
}

GCancellable *
gmcp_bounded_operation_get_cancellable (GmcpBoundedOperation *self)
{
  return self->cancellable;
}

gpointer
gmcp_bounded_operation_end (GmcpBoundedOperation *self)
{
  gpointer owner = g_weak_ref_get (&self->owner);

  g_source_destroy (self->limit);
  g_source_unref (self->limit);
  g_object_unref (self->cancellable);
  g_weak_ref_clear (&self->owner);
  g_free (self);
  return owner;
}
