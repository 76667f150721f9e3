/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The terminal that the program runs on, if it does. */

/* Whether there is one to ask on. */
gboolean cli_may_ask (void);

G_END_DECLS
