/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-private.h"

/* What becomes of an address that the user has agreed to visit. */

void
gmcp_elicitation_note_asked (GmcpElicitation *self)
{
  self->accepted = TRUE;
}

/* was_awaited: before what was just done. */
static void
tell_of_awaited (GmcpElicitation *self, gboolean was_awaited)
{
  if (gmcp_elicitation_is_awaited (self) != was_awaited)
    g_object_notify (G_OBJECT (self), "awaited");
}

void
gmcp_elicitation_set_awaited (GmcpElicitation *self,
                              void (*abandoned) (gpointer data),
                              gpointer data)
{
  gboolean was_awaited = gmcp_elicitation_is_awaited (self);

  self->abandoned = abandoned;
  self->abandoned_data = data;
  tell_of_awaited (self, was_awaited);
}

/**
 * gmcp_elicitation_is_awaited: (get-property awaited)
 * @self: a question that is an address
 *
 * Tells whether a call waits until all is done at the address.
 *
 * Returns: whether one waits
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_is_awaited (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), FALSE);

  return self->abandoned != NULL && !self->completed;
}

/**
 * gmcp_elicitation_abandon:
 * @self: a question that is an address, and was accepted
 *
 * Says that the user has agreed to visit the address, and does not finish there after all. A call that waits for that
 * ([property@Gmcp.Elicitation:awaited]) fails with what the server refused it with; where none waits, nothing happens.
 *
 * Since: 0.1
 */
void
gmcp_elicitation_abandon (GmcpElicitation *self)
{
  void (*abandoned) (gpointer);

  g_return_if_fail (GMCP_IS_ELICITATION (self));

  if (!gmcp_elicitation_is_awaited (self))
    return;

  g_object_ref (self);
  abandoned = g_steal_pointer (&self->abandoned);
  abandoned (self->abandoned_data);
  tell_of_awaited (self, TRUE);
  g_object_unref (self);
}

/**
 * gmcp_elicitation_is_completed:
 * @self: a question that is an address
 *
 * Tells whether what the user was to do at the address is known to be done.
 *
 * Returns: whether it is done
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_is_completed (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), FALSE);

  return self->completed;
}

/**
 * gmcp_elicitation_complete:
 * @self: a question that is an address, and was accepted, or asked by this program
 *
 * Says that the user has done what was to be done at the address. A server of 2025-11-25 that refused
 * a call until then gets the call again; most such servers say by themselves when it is done, but
 * they need not, so let the user say it too. Of a question that this program has asked, its client is told.
 *
 * Since: 0.1
 */
void
gmcp_elicitation_complete (GmcpElicitation *self)
{
  gboolean was_awaited;

  g_return_if_fail (GMCP_IS_ELICITATION (self));

  if (!self->accepted || self->completed)
    return;

  g_object_ref (self);
  was_awaited = gmcp_elicitation_is_awaited (self);
  self->completed = TRUE;
  tell_of_awaited (self, was_awaited);
  g_signal_emit_by_name (self, "completed");
  g_object_unref (self);
}
