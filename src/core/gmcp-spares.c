/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-spares-private.h"

#define KEPT_OBJECTS 64u

typedef struct
{
  guint n;
  gpointer objects[KEPT_OBJECTS];
} Spares;

gpointer
gmcp_spares_take (GPrivate *spares)
{
  Spares *self = g_private_get (spares);

  return self != NULL && self->n > 0 ? self->objects[--self->n] : NULL;
}

gboolean
gmcp_spares_give (GPrivate *spares, gpointer object)
{
  Spares *self = g_private_get (spares);

  if (G_UNLIKELY (self == NULL))
    {
      self = g_new0 (Spares, 1);
      g_private_set (spares, self);
    }
  if (self->n == KEPT_OBJECTS)
    return FALSE;

  self->objects[self->n++] = object;
  return TRUE;
}

void
gmcp_spares_free (gpointer spares)
{
  Spares *self = spares;

  while (self->n > 0)
    g_object_unref (self->objects[--self->n]);
  g_free (self);
}
