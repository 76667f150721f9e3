/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* What became of each server the last time, in whatever program: a file over all runs. What is told of a
 * failure holds no secret. */

#define GMCP_SERVER_OUTCOMES_FILE "server-outcomes.json"

typedef struct
{
  char *failure;          /* NULL where the server did not fail since it was ready */
  gint64 failed_at;       /* in seconds of real time, as the next */
  gboolean needs_sign_in; /* that was the failure */
  gint64 ready_at;        /* the last time that it became ready, or a little before; 0 for never */
  gint64 n_tools;         /* that it had then */
} GmcpServerOutcome;

GmcpServerOutcome *gmcp_server_outcome_new (void);
GmcpServerOutcome *gmcp_server_outcome_copy (const GmcpServerOutcome *self);
void gmcp_server_outcome_free (GmcpServerOutcome *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerOutcome, gmcp_server_outcome_free)

/* What the server was ready with before stays known. */
void
gmcp_server_outcome_fail (GmcpServerOutcome *self, const char *failure, gboolean needs_sign_in);
void gmcp_server_outcome_succeed (GmcpServerOutcome *self, guint n_tools);
/* The later of the two times. */
gint64 gmcp_server_outcome_get_time (const GmcpServerOutcome *self);

typedef struct _GmcpServerOutcomes GmcpServerOutcomes;

GmcpServerOutcomes *gmcp_server_outcomes_new (void);
void gmcp_server_outcomes_free (GmcpServerOutcomes *self);

/* What the file holds takes the place of what is known; NULL where it is not there. A file that makes no
 * sense holds nothing, and is written anew with the next outcome. */
void gmcp_server_outcomes_take (GmcpServerOutcomes *self, GBytes *bytes);
/* The outcome of the server as it is configured; NULL for none. Borrowed. */
const GmcpServerOutcome *
gmcp_server_outcomes_find (GmcpServerOutcomes *self, GmcpServerConfig *config);

/* A change of the file, for gmcp_server_outcomes_write(). NULL where nothing new is to be kept: a server that
 * works as it did a short time ago is no news, so that starts do not write. */
typedef struct _GmcpOutcomeChange GmcpOutcomeChange;

GmcpOutcomeChange *gmcp_server_outcomes_change (GmcpServerOutcomes *self,
                                                GmcpServerConfig *config,
                                                const GmcpServerOutcome *outcome);
void gmcp_outcome_change_free (gpointer change);
/* A GmcpStateFileFunc. */
GBytes *gmcp_server_outcomes_write (GBytes *present, gpointer change, GError **error);

G_END_DECLS
