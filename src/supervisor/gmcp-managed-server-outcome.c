/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-statistics-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"

#include <gmcp/core/gmcp-error.h>

/* What became of a server the last time, which is shown, and remembered by the next run. */

static GmcpServerOutcome *
dup_outcome (GmcpManagedServer *self)
{
  const GmcpServerOutcome *outcome = gmcp_managed_server_peek_outcome (self);

  return outcome != NULL ? gmcp_server_outcome_copy (outcome) : gmcp_server_outcome_new ();
}

void
gmcp_managed_server_note_failure (GmcpManagedServer *self, const GError *error)
{
  GmcpServerOutcome *outcome;
  g_autofree char *text = NULL;

  /* What was not even tried did not fail; each run looks for what is missing. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING))
    return;

  text = gmcp_managed_server_redact (self, g_strdup (error->message));
  outcome = dup_outcome (self);
  gmcp_server_outcome_fail (outcome, text, error->domain == GMCP_AUTH_ERROR);
  gmcp_managed_server_take_outcome (self, outcome);
}

void
gmcp_managed_server_note_ready (GmcpManagedServer *self)
{
  GmcpServerOutcome *outcome = dup_outcome (self);

  gmcp_server_outcome_succeed (outcome, gmcp_managed_server_get_tools_count (self));
  gmcp_managed_server_take_outcome (self, outcome);
}

void
gmcp_managed_server_forget_outcome (GmcpManagedServer *self)
{
  gmcp_managed_server_take_outcome (self, NULL);
}

void
gmcp_managed_server_recall_outcome (GmcpManagedServer *self, const GmcpServerOutcome *outcome)
{
  const GmcpServerOutcome *known = gmcp_managed_server_peek_outcome (self);

  if (outcome != NULL
      && !gmcp_restart_policy_was_tried (gmcp_managed_server_get_restart_policy (self))
      && (known == NULL
          || gmcp_server_outcome_get_time (outcome) > gmcp_server_outcome_get_time (known)))
    gmcp_managed_server_take_outcome (self, gmcp_server_outcome_copy (outcome));
}
