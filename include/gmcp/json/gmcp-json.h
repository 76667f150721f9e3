/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_json_parse (const char *text, gssize length, GError **error);
GMCP_AVAILABLE_IN_0_1
char *gmcp_json_print (JsonNode *node, GError **error);

G_END_DECLS
