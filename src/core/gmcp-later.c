/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-later-private.h"

typedef struct
{
  GSourceOnceFunc func;
  gpointer data;
} Later;

static gboolean
on_turn (gpointer data)
{
  Later *later = data;

  later->func (later->data);
  return G_SOURCE_REMOVE;
}

void
gmcp_call_later (GMainContext *context, const char *name, GSourceOnceFunc func, gpointer data)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Later *later = g_new (Later, 1);

  later->func = func;
  later->data = data;
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, name);
  g_source_set_callback (source, on_turn, later, g_free);
  g_source_attach (source, context);
}
