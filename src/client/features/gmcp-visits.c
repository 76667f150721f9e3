/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-visits-private.h"

#include "gmcp-limits.h"

static GPtrArray *
visits_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->visits;
}

GPtrArray *
gmcp_visits_new (void)
{
  return g_ptr_array_new_with_free_func (g_object_unref);
}

void
gmcp_visits_note (GmcpSession *self, GmcpElicitation *elicitation)
{
  if (gmcp_elicitation_get_elicitation_id (elicitation) == NULL)
    return;

  if (visits_of (self)->len >= GMCP_LIMIT_INPUT_REQUESTS)
    g_ptr_array_remove_index (visits_of (self), 0);
  g_ptr_array_add (visits_of (self), g_object_ref (elicitation));
}

void
gmcp_visits_remove (GmcpSession *self, GmcpElicitation *elicitation)
{
  g_ptr_array_remove (visits_of (self), elicitation);
}

void
gmcp_visits_complete (GmcpSession *self, GmcpJsonValue params)
{
  GmcpJsonValue id = gmcp_json_value_get_member (params, "elicitationId");
  g_autoptr (GPtrArray) done = g_ptr_array_new_with_free_func (g_object_unref);

  /* Several calls may wait for what is done once. They are found first: to end one may end the session. */
  for (guint i = visits_of (self)->len; i > 0; i--)
    {
      GmcpElicitation *elicitation = g_ptr_array_index (visits_of (self), i - 1);

      if (gmcp_json_value_equals_string (id, gmcp_elicitation_get_elicitation_id (elicitation)))
        g_ptr_array_add (done, g_ptr_array_steal_index (visits_of (self), i - 1));
    }
  for (guint i = done->len; i > 0; i--)
    gmcp_elicitation_complete (done->pdata[i - 1]);
}

void
gmcp_visits_forget (GmcpSession *self)
{
  g_ptr_array_set_size (visits_of (self), 0);
}
