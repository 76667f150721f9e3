/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-database.h"
#include "gmcp-task-record.h"

G_BEGIN_DECLS

typedef struct _GmcpTaskQuery GmcpTaskQuery;

/* Does the work of a query inside a transaction, and gives what the query is about: a
 * GmcpTaskPage, a GmcpTaskRecord or an identifier. */
typedef gpointer (*GmcpTaskQueryFunc) (GmcpTaskQuery *query,
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
extern const GmcpTaskQueryType gmcp_task_query_get;
extern const GmcpTaskQueryType gmcp_task_query_find_ids;
extern const GmcpTaskQueryType gmcp_task_query_agenda;
extern const GmcpTaskQueryType gmcp_task_query_version;

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
  char *day; /* of an agenda, with the moments of its start and its end */
  char *start;
  char *end;
  char *origin;        /* who is it that changes something; told to other programs */
  gboolean did_change; /* out: something is not as it was before */
};

GmcpTaskQuery *gmcp_task_query_new (const GmcpTaskQueryType *type, const char *user);

gboolean
gmcp_task_query_tell_change (GmcpTaskQuery *self, GmcpTaskDatabase *database, GError **error);

void gmcp_task_query_free (GmcpTaskQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskQuery, gmcp_task_query_free)

G_END_DECLS
