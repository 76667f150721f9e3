/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-elicitation-private.h"
#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* Addresses that the user has accepted to visit, of GmcpElicitation. The server says by their ids what
 * is done there. */

GPtrArray *gmcp_visits_new (void);
void gmcp_visits_note (GmcpSession *self, GmcpElicitation *elicitation);
/* Nobody waits any more for what is to be done there. */
void gmcp_visits_remove (GmcpSession *self, GmcpElicitation *elicitation);
void gmcp_visits_complete (GmcpSession *self, GmcpJsonValue params);
void gmcp_visits_forget (GmcpSession *self);

G_END_DECLS
