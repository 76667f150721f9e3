/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource.h>

#include "gmcp-definition-private.h"

G_BEGIN_DECLS

/* A resource as its server lists it; keeps the value's document. GMCP_ERROR_PROTOCOL for what is no
 * resource. */
GmcpResource *gmcp_resource_new_from_value (GmcpJsonValue value, GError **error);

G_END_DECLS
