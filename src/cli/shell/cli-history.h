/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The lines that somebody typed in earlier sessions and in this one. They are kept in a file that only its user
 * can read, without those that look as if there was a secret in them. */
typedef struct _CliHistory CliHistory;

/* A path of NULL stands for the file in the user's state folder. */
CliHistory *cli_history_new (const char *path);
void cli_history_free (CliHistory *self);

/* Whether the line was taken up: none that is empty, that begins with a space, that comes twice in a row, or that
 * may have a secret in it is. */
gboolean cli_history_add (CliHistory *self, const char *line);
/* The oldest first. */
guint cli_history_get_n_lines (CliHistory *self);
const char *cli_history_get_line (CliHistory *self, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliHistory, cli_history_free)

G_END_DECLS
