/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

#include "cli-style.h"

G_BEGIN_DECLS

/* A list to be printed in columns. On a terminal the last column is cut to its width, and where that is
 * not enough, the widest of the others. Where a terminal is too narrow for all columns of a table with a
 * heading, each row is a few lines, with the titles before what stands in the columns. */
typedef struct _CliTable CliTable;

/* Names, and what is said of them. */
CliTable *cli_table_new (void);
/* With a heading: translated titles, ended by NULL. */
CliTable *cli_table_new_with_titles (const char *first, ...) G_GNUC_NULL_TERMINATED;
void cli_table_free (CliTable *self);
/* text may be NULL. */
void cli_table_add (CliTable *self, const char *name, const char *text);
/* A row of as many cells as there are titles; each may be NULL. */
void cli_table_add_cells (CliTable *self, const char *const *cells);
/* Styles a cell of the row that was added last. */
void cli_table_set_style (CliTable *self, guint column, CliStyle style);
/* A column that is worth nothing in part, such as a time: others give way for it. */
void cli_table_keep_column (CliTable *self, guint column);
/* The last column gives way first, up to a few characters: what the others say is worth more. */
void cli_table_cut_last_first (CliTable *self);
/* Spaces before each line. */
void cli_table_set_indent (CliTable *self, guint indent);
void cli_table_print (CliTable *self);
/* Cuts nothing. */
void cli_table_print_whole (CliTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliTable, cli_table_free)

G_END_DECLS
