/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-capabilities.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Whatever a peer declares; none where it is no object. Does not keep the value's document. */
GmcpCapabilities *gmcp_capabilities_new_from_value (GmcpJsonValue value);

G_END_DECLS
