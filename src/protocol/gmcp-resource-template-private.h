/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource-template.h>

#include "gmcp-definition-private.h"

G_BEGIN_DECLS

/* A template as its server lists it; keeps the value's document. GMCP_ERROR_PROTOCOL for what is no
 * template. */
GmcpResourceTemplate *gmcp_resource_template_new_from_value (GmcpJsonValue value, GError **error);

G_END_DECLS
