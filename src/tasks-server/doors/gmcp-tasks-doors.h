/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-tasks-door-options.h"

G_BEGIN_DECLS

/* Where the program serves: Unix sockets, and HTTP. */
typedef struct _GmcpTasksDoors GmcpTasksDoors;

GmcpTasksDoors *
gmcp_tasks_doors_open (GmcpServer *server, const GmcpTasksDoorOptions *options, GError **error);
/* Closes what is still open. */
void gmcp_tasks_doors_free (GmcpTasksDoors *self);

/* Says on standard output where the program serves. */
void gmcp_tasks_doors_announce (GmcpTasksDoors *self);
/* Serves no more, in order; closed is called when that is done. */
void gmcp_tasks_doors_close (GmcpTasksDoors *self, void (*closed) (gpointer data), gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTasksDoors, gmcp_tasks_doors_free)

G_END_DECLS
