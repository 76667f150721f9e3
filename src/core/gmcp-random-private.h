/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes that nobody can guess: for keys, and for names that are all somebody needs to know. */
GBytes *gmcp_random_new_bytes (gsize n_bytes);

G_END_DECLS
