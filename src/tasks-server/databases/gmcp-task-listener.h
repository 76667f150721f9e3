/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A connection, with a thread of its own, that hears what other programs change in a PostgreSQL
 * database. */
typedef struct _GmcpTaskListener GmcpTaskListener;

/* Called in the context of the listener. Without a user anything may have changed. */
typedef void (*GmcpTaskChangedFunc) (const char *user, const char *id, gpointer user_data);

GmcpTaskListener *gmcp_task_listener_new (const char *url,
                                          const char *origin,
                                          GMainContext *context,
                                          GmcpTaskChangedFunc func,
                                          gpointer user_data);

void gmcp_task_listener_free (GmcpTaskListener *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskListener, gmcp_task_listener_free)

G_END_DECLS
