/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-requirements.h>

G_BEGIN_DECLS

/* All requirements that there are: those of the program, then those of the configuration. */
typedef struct _GmcpRequirementSet GmcpRequirementSet;

GmcpRequirementSet *gmcp_requirement_set_new (void);
void gmcp_requirement_set_free (GmcpRequirementSet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpRequirementSet, gmcp_requirement_set_free)

void gmcp_requirement_set_add (GmcpRequirementSet *self, GmcpRequirements *requirements);
/* What the program did not add is let pass. */
void gmcp_requirement_set_remove (GmcpRequirementSet *self, GmcpRequirements *requirements);
/* All those of the configuration: of GmcpRequirements. */
void gmcp_requirement_set_configure (GmcpRequirementSet *self, GPtrArray *requirements);

/* The program's own requirements, and those of the configuration, of GmcpRequirements. Borrowed. */
GPtrArray *gmcp_requirement_set_peek_own (GmcpRequirementSet *self);
GPtrArray *gmcp_requirement_set_peek_configured (GmcpRequirementSet *self);

/* What is required of any host or tool, and of that one (nullable), as one. */
GmcpRequirements *gmcp_requirement_set_merge (GmcpRequirementSet *self, const char *name);
/* One for each host or tool that is named in any, of references. */
GPtrArray *gmcp_requirement_set_list (GmcpRequirementSet *self);
/* Whether that host cannot do without the server. */
gboolean
gmcp_requirement_set_has_server (GmcpRequirementSet *self, const char *name, const char *server_id);

G_END_DECLS
