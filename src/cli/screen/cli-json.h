/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What --json prints: one object or array, indented on a terminal and in one line elsewhere. */

/* The object of a JSON text, as its server sent it, behind members of our own: names and values (a
 * NULL value is left out), ended by NULL. A member of that name that the server sent is left out. */
JsonNode *cli_json_describe (const char *text, const char *first_name, ...) G_GNUC_NULL_TERMINATED;
/* An array of strings; empty for NULL. */
JsonNode *cli_json_new_strings (const char *const *strings);
/* The object with its members named as MCP names them: startedAt for started_at. Objects in it stay as they are. */
JsonNode *cli_json_rename_members (JsonNode *node);
/* Prints JSON text; its numbers stay as they are written. */
void cli_json_print (const char *text);
void cli_json_print_node (JsonNode *node);
/* Prints an array of nodes, which it takes. */
void cli_json_print_array (JsonArray *array);

/* Valid JSON with two spaces a level, or where indented is FALSE without any white space. */
char *cli_json_format (const char *text, gboolean indented);

G_END_DECLS
