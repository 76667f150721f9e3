/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* As json_to_string() has it in one line, with great numbers as JSON has them: json-glib 1.6 makes 1e+20.0 of 1e20. */
char *gmcpd_json_text_print (JsonNode *node);

G_END_DECLS
