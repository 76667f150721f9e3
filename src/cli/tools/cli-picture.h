/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Shows a picture where standard output is a terminal that can (kitty's protocol, and that of iTerm); FALSE where it
 * cannot, or where the bytes are no such picture. */
gboolean cli_picture_show (GBytes *bytes);

G_END_DECLS
