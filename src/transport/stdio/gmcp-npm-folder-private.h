/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder that npm keeps what “npx PACKAGE…” runs in. packages is of char *; NULL where the cache's
 * place is not known. */
char *gmcp_npm_folder_dup_path (GPtrArray *packages, const char *const *environment);

/* What to do where a command of npm's failed since that folder is half written: a sentence; NULL where
 * the text, which it printed to standard error, does not speak of that. */
char *gmcp_npm_folder_dup_hint (const char *text, int exit_status, const char *folder);

G_END_DECLS
