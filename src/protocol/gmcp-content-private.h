/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-content.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Any value will do: what is no content block is of an unknown kind. Keeps the value's document. */
GmcpContent *gmcp_content_new_from_value (GmcpJsonValue value);

GmcpJsonValue gmcp_content_get_value (GmcpContent *self);

GmcpContentKind gmcp_content_value_get_kind (GmcpJsonValue block);

/* A block as text for a model; what is no text is named in square brackets. */
void gmcp_content_value_append_text (GmcpJsonValue block, GString *out);
/* The contents of a resource as text for a model. */
void gmcp_content_resource_append_text (GmcpJsonValue resource, GString *out);

G_END_DECLS
