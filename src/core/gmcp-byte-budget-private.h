/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many bytes a peer may make this program keep. Bytes are charged before they are kept, and
 * released when they are gone. What is charged to a budget is charged to its parent too. May be
 * used in any thread. */
typedef struct _GmcpByteBudget GmcpByteBudget;

/* parent: nullable. */
GmcpByteBudget *gmcp_byte_budget_new (gsize max_bytes, GmcpByteBudget *parent);
/* The budget of this process, for all servers together. */
GmcpByteBudget *gmcp_byte_budget_get_host (void);
GmcpByteBudget *gmcp_byte_budget_ref (GmcpByteBudget *self);
void gmcp_byte_budget_unref (GmcpByteBudget *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpByteBudget, gmcp_byte_budget_unref)

/* FALSE, and nothing is charged, where it would be too much. */
gboolean gmcp_byte_budget_charge (GmcpByteBudget *self, gsize n_bytes);
void gmcp_byte_budget_release (GmcpByteBudget *self, gsize n_bytes);

gsize gmcp_byte_budget_get_used (GmcpByteBudget *self);
gsize gmcp_byte_budget_get_max (GmcpByteBudget *self);
/* What was charged stays, also where it is more. */
void gmcp_byte_budget_set_max (GmcpByteBudget *self, gsize max_bytes);
gsize gmcp_byte_budget_get_left (GmcpByteBudget *self);

G_END_DECLS
