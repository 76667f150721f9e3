/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-database.h"
#include "gmcp-task-pq.h"

G_BEGIN_DECLS

/* A connection to a server that never waits longer than it is allowed to: each wait ends when the
 * stop function says so, and a request that does not come back after that is given up with the
 * connection. Used by one thread; only wake() may be called from another. */
typedef struct _GmcpTaskLink GmcpTaskLink;

GmcpTaskLink *gmcp_task_link_new (const char *url, GmcpTaskStopFunc stop_func, gpointer stop_data);

void gmcp_task_link_free (GmcpTaskLink *self);

gboolean gmcp_task_link_open (GmcpTaskLink *self, GError **error);

void gmcp_task_link_close (GmcpTaskLink *self);

gboolean gmcp_task_link_is_open (GmcpTaskLink *self);

gboolean gmcp_task_link_in_transaction (GmcpTaskLink *self);

const char *gmcp_task_link_get_name (GmcpTaskLink *self);

void gmcp_task_link_wake (GmcpTaskLink *self);

PGresult *gmcp_task_link_execute (GmcpTaskLink *self, const char *sql, GError **error);

PGresult *gmcp_task_link_execute_with (GmcpTaskLink *self,
                                       const char *sql,
                                       int n_values,
                                       const char *const *values,
                                       GError **error);

gboolean
gmcp_task_link_prepare (GmcpTaskLink *self, const char *name, const char *sql, GError **error);

PGresult *gmcp_task_link_execute_prepared (GmcpTaskLink *self,
                                           const char *name,
                                           int n_values,
                                           const char *const *values,
                                           GError **error);

void gmcp_task_link_pause (GmcpTaskLink *self, guint pause_ms);

char *gmcp_task_link_wait_for_notice (GmcpTaskLink *self, GError **error);

const GmcpTaskPq *gmcp_task_link_get_pq (GmcpTaskLink *self);

/* Why something failed, as a sentence and a code of GMCP_TASK_ERROR. @state is the SQLSTATE, or NULL
 * where there is no connection. */
void gmcp_task_postgres_set_error (const char *name,
                                   const char *state,
                                   const char *detail,
                                   GError **error);

gboolean gmcp_task_postgres_prepare_schema (GmcpTaskLink *link, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskLink, gmcp_task_link_free)

G_END_DECLS
