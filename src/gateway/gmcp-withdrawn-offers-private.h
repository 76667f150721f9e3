/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Servers that have failed, each by its id, and left out of what is offered until it may be tried again. */

typedef struct _GmcpWithdrawnOffers GmcpWithdrawnOffers;

/* The server may be tried again, and is not among the withdrawn any more. */
typedef void (*GmcpOfferBackFunc) (const char *id, gpointer data);
typedef gboolean (*GmcpOfferPredicate) (const char *id, gpointer data);

/* back is called in the context. */
GmcpWithdrawnOffers *gmcp_withdrawn_offers_new (GMainContext *context,
                                                guint delay_ms,
                                                GmcpOfferBackFunc back,
                                                gpointer data);
void gmcp_withdrawn_offers_free (GmcpWithdrawnOffers *self);

/* From when a server was withdrawn; holds for those that are, too. */
void gmcp_withdrawn_offers_set_delay_ms (GmcpWithdrawnOffers *self, guint delay_ms);

void gmcp_withdrawn_offers_add (GmcpWithdrawnOffers *self, const char *id);
gboolean gmcp_withdrawn_offers_contain (GmcpWithdrawnOffers *self, const char *id);
/* Says whether it was there; back is not called. */
gboolean gmcp_withdrawn_offers_remove (GmcpWithdrawnOffers *self, const char *id);
/* Those that are not in the configuration any more. */
void gmcp_withdrawn_offers_remove_if (GmcpWithdrawnOffers *self,
                                      GmcpOfferPredicate is_gone,
                                      gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpWithdrawnOffers, gmcp_withdrawn_offers_free)

G_END_DECLS
