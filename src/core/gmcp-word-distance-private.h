/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Words that are longer are not compared, which bounds what one look-up costs. */
#define GMCP_WORD_DISTANCE_MAX_LENGTH 96u

/* The number of bytes to insert, remove, change or swap with the next to make one word of the other, in either
 * case; more than limit where it is more, or a word is longer than what is compared. Only the band of cells that can still be within the limit is looked
 * at. Programs have a copy of this, since it knows nothing but words. */
guint
gmcp_word_distance (const char *a, gsize a_length, const char *b, gsize b_length, guint limit);

G_END_DECLS
