/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-task-query.h"

G_BEGIN_DECLS

/* The calls that wait for the worker, with their time limit and their cancellables. Belongs to the
 * thread that runs its context. */
typedef struct _GmcpTaskCalls GmcpTaskCalls;

/* Called for each query that has changed something, before its caller is answered. */
typedef void (*GmcpTaskDidChangeFunc) (const GmcpTaskQuery *query, gpointer user_data);

GmcpTaskCalls *gmcp_task_calls_new (const char *location,
                                    guint timeout_ms,
                                    GMainContext *context,
                                    GmcpTaskDidChangeFunc func,
                                    gpointer user_data);

void gmcp_task_calls_free (GmcpTaskCalls *self);

void gmcp_task_calls_submit (GmcpTaskCalls *self, GTask *task, GmcpTaskQuery *query);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskCalls, gmcp_task_calls_free)

G_END_DECLS
