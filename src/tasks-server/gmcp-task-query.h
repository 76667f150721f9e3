/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-database.h"
#include "gmcp-task-record.h"

G_BEGIN_DECLS

typedef struct _GmcpTaskQuery GmcpTaskQuery;

/* Does the work of a query inside a transaction, and gives what the query is about: a
 * GmcpTaskPage, a GmcpTaskRecord or an identifier. */
typedef gpointer (*GmcpTaskQueryFunc) (const GmcpTaskQuery *query,
                                       GmcpTaskDatabase *database,
                                       GError **error);

typedef struct
{
  const char *name;
  gboolean writes;
  GmcpTaskQueryFunc func;
  GDestroyNotify free_result;
} GmcpTaskQueryType;

extern const GmcpTaskQueryType gmcp_task_query_list;
extern const GmcpTaskQueryType gmcp_task_query_create;
extern const GmcpTaskQueryType gmcp_task_query_update;
extern const GmcpTaskQueryType gmcp_task_query_complete;
extern const GmcpTaskQueryType gmcp_task_query_delete;

/* What to do and with which values; a type uses those that it needs. Fields come checked. */
struct _GmcpTaskQuery
{
  const GmcpTaskQueryType *type;
  char *user;
  char *id;
  char *title;
  char *description;
  gboolean sets_description;
  char *due_date;
  gboolean completed;
  GmcpTaskSelection status;
  guint limit;
  guint offset;
};

GmcpTaskQuery *gmcp_task_query_new (const GmcpTaskQueryType *type, const char *user);

void gmcp_task_query_free (GmcpTaskQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskQuery, gmcp_task_query_free)

G_END_DECLS
