/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"
#include "gmcp-server-states-private.h"

G_BEGIN_DECLS

/* The state machine of a server, and its run. */

/* FALSE where the event means nothing now. */
gboolean gmcp_managed_server_take_event (GmcpManagedServer *self, GmcpServerEvent event);
/* The tasks that wait for the start. */
GQueue *gmcp_managed_server_get_starters (GmcpManagedServer *self);
/* Moves the starters to the other queue; no start is wanted for them any more. */
void gmcp_managed_server_take_starters (GmcpManagedServer *self, GQueue *starters);
/* The time up to now is not that of the start under way. */
void gmcp_managed_server_begin_start_time (GmcpManagedServer *self);
/* Begins a start as soon as nothing is left of the process before. */
void gmcp_managed_server_want_start (GmcpManagedServer *self);
/* The run becomes the one that leaves. Callbacks may run in it. */
void gmcp_managed_server_let_go (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event);
/* Lets go of an instance that is up and no process of this program; a start does not wait for its last calls. */
void gmcp_managed_server_set_apart (GmcpManagedServer *self, guint drain_ms);
/* Lets go of the run where there is one, and takes the event. */
void gmcp_managed_server_end (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event);
void gmcp_managed_server_say_farewell (GmcpManagedServer *self);

G_END_DECLS
