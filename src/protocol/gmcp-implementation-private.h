/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-implementation.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Whatever a peer says of itself: what is missing or malformed is an empty string. Keeps no
 * document. */
GmcpImplementation *gmcp_implementation_new_from_value (GmcpJsonValue value);

G_END_DECLS
