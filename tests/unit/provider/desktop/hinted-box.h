/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* A class as a library has it, with introspection data of its own: its authors say there what its methods do. */
#define HINTED_TYPE_BOX (hinted_box_get_type ())
G_DECLARE_FINAL_TYPE (HintedBox, hinted_box, HINTED, BOX, GObject)

HintedBox *hinted_box_new (void);
void hinted_box_add (HintedBox *self, guint n);
guint hinted_box_count (HintedBox *self);
void hinted_box_empty (HintedBox *self);
void hinted_box_shake (HintedBox *self);
void hinted_box_turn (HintedBox *self);

G_END_DECLS
