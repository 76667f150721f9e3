/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The lines that differ between two texts, as a unified diff without lines around them: a line with the numbers, then
 * those that go behind “-” and those that come behind “+”. Empty where nothing differs but the end of
 * the last line. What is between the first
 * and the last difference is compared line by line, unless that is very much. */
char *gmcp_line_diff (const char *before, const char *after);

G_END_DECLS
