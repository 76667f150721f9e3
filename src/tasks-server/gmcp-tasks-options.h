/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-tasks-door-options.h"

G_BEGIN_DECLS

typedef struct
{
  char *database; /* an absolute file name, or the address of a PostgreSQL database */
  char *user;     /* of callers whom nobody verified; NULL where there are none */
  guint timeout_ms;
  gboolean shows_version;
  GmcpTasksDoorOptions doors;
} GmcpTasksOptions;

GmcpTasksOptions *gmcp_tasks_options_new_from_arguments (int argc, char *argv[], GError **error);

void gmcp_tasks_options_free (GmcpTasksOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTasksOptions, gmcp_tasks_options_free)

G_END_DECLS
