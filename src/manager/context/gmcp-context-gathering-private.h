/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-project.h>
#include <gmcp/supervisor/gmcp-managed-server.h>

G_BEGIN_DECLS

/* What belongs to a project is read side by side, all of it within the time of one. What comes later
 * fills the cache. */

/* The servers that there are; the owner is the source object of the task. */
typedef struct
{
  /* NULL where none of that id is configured. Borrowed. */
  GmcpManagedServer *(*get_server) (gpointer owner, const char *id);
  /* FALSE where nothing of the server may be used. */
  gboolean (*may_reach) (gpointer owner, const char *id, GError **error);
  void (*notice) (gpointer owner,
                  const char *server_id,
                  GmcpNoticeLevel level,
                  const char *message);
} GmcpContextHostFuncs;

/* Ends the task with a GmcpProjectContext after limit_ms at the latest, or when it is cancelled; what is still
 * read then holds its source object. The functions are static. */
void gmcp_context_gather (GTask *task,
                          GmcpProject *project,
                          GMainContext *context,
                          guint limit_ms,
                          const GmcpContextHostFuncs *funcs);

G_END_DECLS
