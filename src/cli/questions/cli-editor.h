/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The user's own editor, for a text. */

/* Opens the text in it, under a name with that ending (as “.json”), waits until it is closed, and gives what is then
 * there. NULL with an error where no editor starts, or it ends with a failure. */
char *cli_editor_edit (const char *text, const char *ending, GError **error);

G_END_DECLS
