/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-tasks-private.h"

G_BEGIN_DECLS

/* Seen by the files of this folder only. */
struct _GmcpServerTask
{
  GmcpServerTasks *table; /* not owned; NULL once it is out of the table */
  GList *link;            /* in the table's order */
  char *id;
  char *owner;
  char *tool;
  GmcpTaskStatus status;
  char *message; /* nullable */
  GDateTime *created;
  GDateTime *updated;
  gint64 ttl_ms;
  gint64 expires_us; /* of the clock on the wall, since a task outlives its process */
  guint poll_interval_ms;
  GCancellable *cancellable; /* nullable: of the call that runs */

  /* What came of it. */
  gboolean is_ending; /* its end is being kept, and nobody is told yet */
  GmcpToolResult *result;
  int code;
  char *error_message;
  char *error_data_json;
  gsize n_bytes;    /* that are charged */
  gsize call_bytes; /* of them, as long as the call runs */

  GPtrArray *questions; /* of GmcpServerTaskQuestion */
  GHashTable *keys;     /* set of those that were used */
  GPtrArray *watchers;  /* of Watcher */
};

GmcpServerTask *gmcp_server_task_new (const char *id, const char *owner, const char *tool);
/* Tells those who watch. */
void gmcp_server_task_changed (GmcpServerTask *self);
/* Ends as it is to end. */
void gmcp_server_task_finish (GmcpServerTask *self, GmcpTaskStatus status, const char *message);
/* Nobody will answer any more. */
void gmcp_server_task_close_questions (GmcpServerTask *self);
void gmcp_server_task_question_free (gpointer data);

/* As text that is kept, and back; NULL for what is no record of a task. */
GBytes *gmcp_server_task_write_record (GmcpServerTask *self, GmcpTaskStatus status);
GmcpServerTask *gmcp_server_task_read_record (const char *id, GBytes *bytes);

G_END_DECLS
