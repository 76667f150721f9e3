/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

#include <gmcp/config/source/gmcp-project.h>

G_BEGIN_DECLS

/* What the manager knows of projects. */
struct _GmcpManagerProjects
{
  char *chosen;          /* the id of the one whose servers are listed; NULL for all */
  GPtrArray *own;        /* of GmcpProject: added by the program */
  GPtrArray *configured; /* of GmcpProject: of the configuration */
  GmcpToolNames *prompt_names;
};

GmcpManagerProjects *gmcp_manager_projects_new (void);
void gmcp_manager_projects_free (GmcpManagerProjects *projects);

/* Other projects of the configuration. */
void gmcp_manager_set_config_projects (GmcpManager *self, GPtrArray *projects);
/* NULL where there is none; borrowed. */
GmcpProject *gmcp_manager_find_project (GmcpManager *self, const char *id);
GError *gmcp_manager_no_project_error (GmcpManager *self, const char *id);

/* What a model should know of a server, if anything, with a heading. */
void gmcp_manager_append_instructions (GString *text, GmcpManagedServer *server);

G_END_DECLS
