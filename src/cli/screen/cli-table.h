/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A list to be printed: names, and what is said of them, cut to the width of the terminal; or a JSON
 * array. */
typedef struct _CliTable CliTable;

CliTable *cli_table_new (void);
void cli_table_free (CliTable *self);
/* text may be NULL. */
void cli_table_add (CliTable *self, const char *name, const char *text);
void cli_table_print (CliTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliTable, cli_table_free)

/* The object of a JSON text, as its server sent it, behind members of our own: names and values (a
 * NULL value is left out), ended by NULL. A member of that name that the server sent is left out. */
JsonNode *cli_json_describe (const char *text, const char *first_name, ...) G_GNUC_NULL_TERMINATED;
/* Prints an array of nodes, which it takes. */
void cli_json_print_array (JsonArray *array);

G_END_DECLS
