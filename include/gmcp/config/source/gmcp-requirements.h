/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/config/source/gmcp-requirements-report.h>

G_BEGIN_DECLS

#define GMCP_TYPE_REQUIREMENTS (gmcp_requirements_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpRequirements, gmcp_requirements, GMCP, REQUIREMENTS, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpRequirements *gmcp_requirements_new (const char *name,
                                         const char *const *required,
                                         const char *const *recommended,
                                         const char *const *optional);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_requirements_get_name (GmcpRequirements *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_requirements_get_required (GmcpRequirements *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_requirements_get_recommended (GmcpRequirements *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_requirements_get_optional (GmcpRequirements *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_requirements_get_metadata (GmcpRequirements *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_requirements_lookup_metadata (GmcpRequirements *self, const char *name);

G_END_DECLS
