/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-icon.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* The icons of an object: of GmcpIcon, never NULL. */
GPtrArray *gmcp_icons_list (GmcpJsonValue owner);

G_END_DECLS
