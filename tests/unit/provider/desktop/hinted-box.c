/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "hinted-box.h"

struct _HintedBox
{
  GObject parent_instance;

  guint n;
};

G_DEFINE_FINAL_TYPE (HintedBox, hinted_box, G_TYPE_OBJECT)

static void
hinted_box_class_init (HintedBoxClass *klass)
{
}

static void
hinted_box_init (HintedBox *self)
{
}

/**
 * hinted_box_new:
 *
 * Returns: (transfer full): an empty box
 */
HintedBox *
hinted_box_new (void)
{
  return g_object_new (HINTED_TYPE_BOX, NULL);
}

/**
 * hinted_box_add: (attributes org.gmcp.Tool.ReadOnly=false org.gmcp.Tool.Destructive=false org.gmcp.Tool.Idempotent=false org.gmcp.Tool.OpenWorld=false)
 * @self: a box
 * @n: how many
 */
void
hinted_box_add (HintedBox *self, guint n)
{
  self->n += n;
}

/**
 * hinted_box_count: (attributes org.gmcp.Tool.ReadOnly=true)
 * @self: a box
 *
 * Returns: how many
 */
guint
hinted_box_count (HintedBox *self)
{
  return self->n;
}

/**
 * hinted_box_empty: (attributes org.gmcp.Tool.Destructive=true org.gmcp.Tool.Idempotent=true org.gmcp.Tool.OpenWorld=true)
 * @self: a box
 */
void
hinted_box_empty (HintedBox *self)
{
  self->n = 0;
}

/**
 * hinted_box_shake: (attributes org.gmcp.Tool.ReadOnly=yes org.gmcp.Tool.Destructive=False org.gmcp.Tool.Idempotent=1 org.gmcp.Tool.OpenWorld=)
 * @self: a box
 */
void
hinted_box_shake (HintedBox *self)
{
}

/**
 * hinted_box_turn: (attributes org.gmcp.Tool.readOnly=true org.gmcp.Tool=true other.ReadOnly=true)
 * @self: a box
 */
void
hinted_box_turn (HintedBox *self)
{
}
