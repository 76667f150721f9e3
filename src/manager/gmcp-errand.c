/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-errand-private.h"

#include "gmcp-limits.h"

struct _GmcpErrand
{
  GWeakRef owner;
  GCancellable *cancellable;
  GSource *limit;
};

static gboolean
on_limit (gpointer data)
{
  g_cancellable_cancel (((GmcpErrand *) data)->cancellable);
  return G_SOURCE_REMOVE;
}

GmcpErrand *
gmcp_errand_new (gpointer owner, GMainContext *context)
{
  GmcpErrand *self = g_new0 (GmcpErrand, 1);

  g_weak_ref_init (&self->owner, owner);
  self->cancellable = g_cancellable_new ();
  self->limit = g_timeout_source_new (GMCP_DEFAULT_STATE_READ_MS);
  g_source_set_static_name (self->limit, "[gmcp] file of the state");
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, context);
  return self;
}

GCancellable *
gmcp_errand_get_cancellable (GmcpErrand *self)
{
  return self->cancellable;
}

gpointer
gmcp_errand_end (GmcpErrand *self)
{
  gpointer owner = g_weak_ref_get (&self->owner);

  g_source_destroy (self->limit);
  g_source_unref (self->limit);
  g_object_unref (self->cancellable);
  g_weak_ref_clear (&self->owner);
  g_free (self);
  return owner;
}
