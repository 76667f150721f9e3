/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One task as the database holds it. Times are UTC, in the form 2026-01-31T12:00:00Z. */
typedef struct
{
  char *id;
  char *title;
  char *description; /* NULL: none */
  char *due_date;    /* NULL: none; a date, or a time with its zone */
  char *created_at;
  char *updated_at;
  char *completed_at; /* NULL: still to be done */
} GmcpTaskRecord;

typedef struct
{
  GPtrArray *tasks; /* of GmcpTaskRecord */
  gint64 total;     /* all that match, on this page or not */
} GmcpTaskPage;

typedef enum
{
  GMCP_TASK_SELECTION_ALL,
  GMCP_TASK_SELECTION_PENDING,
  GMCP_TASK_SELECTION_COMPLETED,
} GmcpTaskSelection;

void gmcp_task_record_free (GmcpTaskRecord *self);

char *gmcp_task_record_new_id (void);

GmcpTaskPage *gmcp_task_page_new (void);

void gmcp_task_page_free (GmcpTaskPage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskRecord, gmcp_task_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskPage, gmcp_task_page_free)

G_END_DECLS
