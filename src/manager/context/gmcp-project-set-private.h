/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-project.h>

G_BEGIN_DECLS

/* The projects that there are, and the one that is chosen. A project of the program comes before one of the
 * configuration with the same id. */
typedef struct _GmcpProjectSet GmcpProjectSet;

GmcpProjectSet *gmcp_project_set_new (void);
void gmcp_project_set_free (GmcpProjectSet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpProjectSet, gmcp_project_set_free)

/* Takes the place of a project of the program with the same id. */
void gmcp_project_set_add (GmcpProjectSet *self, GmcpProject *project);
/* FALSE where the program did not add that one. */
gboolean gmcp_project_set_remove (GmcpProjectSet *self, GmcpProject *project);
/* All projects of the configuration, of which the first one of an id counts. FALSE where there were none, and
 * there are none. */
gboolean gmcp_project_set_configure (GmcpProjectSet *self, GPtrArray *projects);

/* NULL where no project has that id. Borrowed. */
GmcpProject *gmcp_project_set_find (GmcpProjectSet *self, const char *id);
/* Each id once, of references. */
GPtrArray *gmcp_project_set_list (GmcpProjectSet *self);
/* Says that no project has that id, and which ones there are; NULL where none was named. */
GError *gmcp_project_set_missing_error (GmcpProjectSet *self, const char *id);

/* The id of the chosen project, which need not be there; NULL for none. FALSE where that one is chosen. */
gboolean gmcp_project_set_choose (GmcpProjectSet *self, const char *id);
const char *gmcp_project_set_get_chosen (GmcpProjectSet *self);
/* Whether the server belongs to the chosen project; while none is chosen every server does. */
gboolean gmcp_project_set_includes (GmcpProjectSet *self, const char *server_id);

G_END_DECLS
