/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-listener.h"
#include "gmcp-task-store.h"

G_BEGIN_DECLS

/* Tells of what changes in a store, whoever changes it: this program, or another that uses the
 * same database. */
typedef struct _GmcpTaskWatch GmcpTaskWatch;

GmcpTaskWatch *
gmcp_task_watch_new (GmcpTaskStore *store, GmcpTaskChangedFunc func, gpointer user_data);

void gmcp_task_watch_free (GmcpTaskWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskWatch, gmcp_task_watch_free)

G_END_DECLS
