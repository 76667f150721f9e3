/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-requirements.h>

G_BEGIN_DECLS

/* The ids of a tier, without doubles. */
const char *const *gmcp_requirements_get_tier (GmcpRequirements *self, GmcpTier tier);

/* Names and values in turn, of what is said: NULL, and an empty text or list, say nothing. */
GStrv gmcp_requirements_make_metadata (const char *binary,
                                       const char *command_template,
                                       const char *const *models);

/* What several need together: a server is in the strictest tier that one of them has it in. */
GmcpRequirements *gmcp_requirements_merge (const char *name, GPtrArray *parts);

G_END_DECLS
