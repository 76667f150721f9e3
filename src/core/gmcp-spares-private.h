/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Objects of one type that a thread is done with and uses again: making and finalizing a GObject
 * costs more than most of what is done with a short-lived one. */

#define GMCP_SPARES_INIT G_PRIVATE_INIT (gmcp_spares_free)

/* NULL where there is none. The object is as it was left, and the caller's. */
gpointer gmcp_spares_take (GPrivate *spares);

/* Whether the caller's reference is the only one, and nobody has tied anything to the object. */
static inline gboolean
gmcp_spares_accept (GObject *object)
{
  return g_atomic_int_get ((int *) &object->ref_count) == 1 && object->qdata == NULL;
}

/* Takes the reference where it gives TRUE; FALSE where there are enough. */
gboolean gmcp_spares_give (GPrivate *spares, gpointer object);

void gmcp_spares_free (gpointer spares);

G_END_DECLS
