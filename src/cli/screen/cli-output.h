/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Standard output as a whole. */

/* Whether nobody reads any more what goes to the pipe that it is. */
gboolean cli_output_has_lost_reader (void);
/* Writes out what is kept back. FALSE where not all could be written, since the last time; that is told, but not where
 * a reader had enough of it, as in “gmcp tools | head”. */
gboolean cli_output_flush (void);

G_END_DECLS
