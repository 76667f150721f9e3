/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-record.h"

void
gmcp_task_record_free (GmcpTaskRecord *self)
{
  g_free (self->id);
  g_free (self->title);
  g_free (self->description);
  g_free (self->due_date);
  g_free (self->created_at);
  g_free (self->updated_at);
  g_free (self->completed_at);
  g_free (self);
}

GmcpTaskPage *
gmcp_task_page_new (void)
{
  GmcpTaskPage *self = g_new0 (GmcpTaskPage, 1);

  self->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_task_record_free);
  return self;
}

void
gmcp_task_page_free (GmcpTaskPage *self)
{
  g_ptr_array_unref (self->tasks);
  g_free (self);
}
