/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/tasks/gmcp-task-handle.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What a server says of a task, in the form of either era. */
typedef struct
{
  char *id;
  GmcpTaskStatus status;
  char *status_message;  /* may be NULL */
  GDateTime *created_at; /* may be NULL */
  GDateTime *updated_at; /* may be NULL */
  gint64 ttl_ms;         /* -1 where it is not said */
  guint poll_interval_ms;
} GmcpTaskState;

/* The error is GMCP_ERROR_PROTOCOL. */
gboolean gmcp_task_state_read (GmcpJsonValue value, GmcpTaskState *state, GError **error);
void gmcp_task_state_clear (GmcpTaskState *state);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpTaskState, gmcp_task_state_clear)

/* Whether a task of that status does not change any more. */
gboolean gmcp_task_status_is_final (GmcpTaskStatus status);
/* The word on the wire. */
const char *gmcp_task_status_to_string (GmcpTaskStatus status);
/* A member with a time; nothing where the time is NULL. */
void gmcp_task_write_time (GmcpJsonWriter *writer, const char *key, GDateTime *time);

G_END_DECLS
