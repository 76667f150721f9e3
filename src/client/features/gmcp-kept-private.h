/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"
#include "gmcp-features-private.h"
#include "gmcp-input-request-private.h"

G_BEGIN_DECLS

/* What a server makes its client keep: questions, ids, states. All of it is charged to one budget a
 * client, and that to one of the process. */

GmcpKept *gmcp_kept_new (void);
void gmcp_kept_free (GmcpKept *kept);
/* For what is charged in another place. */
GmcpByteBudget *gmcp_kept_get_budget (GmcpSession *self);

/* FALSE with an error, GMCP_ERROR_LIMIT_EXCEEDED, where there is no room. Else as much is to be
 * released in the end. */
gboolean gmcp_kept_charge (GmcpSession *self, gsize n_bytes, GError **error);
void gmcp_kept_release (GmcpSession *self, gsize n_bytes);

/* What a server says of itself is kept as long as it is connected to. */
gboolean gmcp_kept_check_handshake (GmcpSession *self, GmcpJsonValue result, GError **error);

/* Whether a question of that size may be kept; charges what it takes. */
gboolean gmcp_kept_charge_question (GmcpSession *self,
                                    GmcpJsonValue params,
                                    gsize max_bytes,
                                    gsize *n_bytes,
                                    GError **error);
/* What was charged belongs to the request from now on; where there is none it is released. */
void gmcp_kept_give (GmcpSession *self, gpointer request, gsize n_bytes);

G_END_DECLS
