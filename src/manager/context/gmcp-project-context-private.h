/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/context/gmcp-project-context.h>

G_BEGIN_DECLS

/* Without a result it is one that was not there in time. */
GmcpContextResource *
gmcp_context_resource_new (const char *server, const char *uri, GmcpResourceResult *result);

/* Takes the array (of GmcpContextResource), the text (nullable) and the notes. */
GmcpProjectContext *gmcp_project_context_new_take (GmcpProject *project,
                                                   GPtrArray *resources,
                                                   char *instructions,
                                                   GStrv notes);

G_END_DECLS
