/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A long text on standard error, one screen after the other, so that whoever agrees to it can have read it. */
typedef struct _CliPages CliPages;

/* Text of others has been made visible. */
CliPages *cli_pages_new (const char *text);
void cli_pages_free (CliPages *self);
/* Prints as much as fits on a screen, or all that is left. */
void cli_pages_print (CliPages *self, gboolean all);
/* How many characters have not been printed. */
gulong cli_pages_count_left (CliPages *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliPages, cli_pages_free)

G_END_DECLS
