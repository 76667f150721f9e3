/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <sys/random.h>

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

/* A random UUID of the system's random numbers: those of GLib can be told from others that came before. */
char *
gmcp_task_record_new_id (void)
{
  guint8 bytes[16];
  GString *id;

  if (getrandom (bytes, sizeof bytes, 0) != (ssize_t) sizeof bytes)
    return NULL;

  id = g_string_sized_new (36);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_string_append_printf (id, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", bytes[i]);

  return g_string_free (id, FALSE);
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
