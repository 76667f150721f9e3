/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-icon.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* The icons of an object: of GmcpIcon, never NULL. */
GPtrArray *gmcp_icons_list (GmcpJsonValue owner);

/* Adds an icon to those that are written already, with commas between them; FALSE where its address is none for an
 * image. icons: made with the first one. */
gboolean
gmcp_icons_append (GString **icons, const char *src, const char *mime_type, const char *theme);

G_END_DECLS
