/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* What a provider has of an interface for resources or prompts. Most have what they implement; one that joins
 * others implements all, and has what these have. */
typedef enum
{
  GMCP_OFFERS_ITEMS = 1 << 0,
  GMCP_OFFERS_UPDATES = 1 << 1,
  GMCP_OFFERS_COMPLETION = 1 << 2,
} GmcpProviderOffers;

typedef GmcpProviderOffers (*GmcpProviderOffersFunc) (gpointer provider);

G_END_DECLS
