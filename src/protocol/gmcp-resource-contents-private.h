/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource-contents.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* NULL for what is no object. Keeps the value's document. */
GmcpResourceContents *gmcp_resource_contents_new_from_value (GmcpJsonValue value);

GmcpJsonValue gmcp_resource_contents_get_value (GmcpResourceContents *self);

G_END_DECLS
