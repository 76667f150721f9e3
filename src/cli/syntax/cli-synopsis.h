/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What can stand at a position (0 for the first) among the arguments of a command, as the words of its synopsis:
 * “SERVER” and “FILE” for “SERVER | [FILE]”. Options in a synopsis have no position. */
GPtrArray *cli_synopsis_list_words (const char *synopsis, guint position);

G_END_DECLS
