/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-requirement.h>

G_BEGIN_DECLS

/* reason is NULL where the requirement is met. */
GmcpRequirement *
gmcp_requirement_new (const char *server, GmcpTier tier, const char *reason, const char *hint);

G_END_DECLS
