/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-record.h"

G_BEGIN_DECLS

/* The addresses that tasks have as resources. */
#define GMCP_TASK_URI_ALL       "tasks://list"
#define GMCP_TASK_URI_PENDING   "tasks://list/pending"
#define GMCP_TASK_URI_COMPLETED "tasks://list/completed"
#define GMCP_TASK_URI_TEMPLATE  "tasks://task/{id}"

typedef enum
{
  GMCP_TASK_URI_KIND_NONE,
  GMCP_TASK_URI_KIND_LIST,
  GMCP_TASK_URI_KIND_TASK,
} GmcpTaskUriKind;

typedef struct
{
  GmcpTaskUriKind kind;
  GmcpTaskSelection selection; /* of a list */
  const char *id;              /* of a task; a part of the address */
} GmcpTaskUri;

GmcpTaskUri gmcp_task_uri_parse (const char *text);

char *gmcp_task_uri_new_for_task (const char *id);

G_END_DECLS
