/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-provider-offers-private.h"

G_BEGIN_DECLS

/* For any object: nothing for one without the interface. */
GmcpProviderOffers gmcp_resource_provider_get_offers (gpointer provider);
/* In the init function of a provider's interface. */
void gmcp_resource_provider_set_offers (GmcpResourceProviderInterface *iface,
                                        GmcpProviderOffersFunc func);

G_END_DECLS
