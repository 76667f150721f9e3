/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-caller-private.h"

G_BEGIN_DECLS

/* Seen by the files of the caller alone. */
struct _GmcpCaller
{
  GObject parent_instance;

  const GmcpCallerFuncs *funcs;
  gpointer data;
  GDestroyNotify destroy;
  guint n_asking;        /* questions that wait for an answer */
  GThread *thread;       /* of its call; not owned, only compared */
  GMainContext *context; /* of its call */
};

/* Whether it is used in the thread of its call. */
gboolean gmcp_caller_is_at_home (GmcpCaller *self);

G_END_DECLS
