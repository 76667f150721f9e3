/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GMCPD_PLAIN_JSON_MAX_DEPTH 64

/* A JSON object out of the text of a caller; NULL for what is none, and for what json-glib would take though it is no JSON,
 * or could not take since it is too deep. */
JsonObject *gmcpd_plain_json_parse_object (const char *text, gsize length);

G_END_DECLS
