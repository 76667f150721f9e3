/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-annotations.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* The annotations of an object, or NULL. Keeps the value's document. */
GmcpAnnotations *gmcp_annotations_new_from_owner (GmcpJsonValue owner);

G_END_DECLS
