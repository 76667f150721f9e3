/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-provider-request.h>

G_BEGIN_DECLS

/* A function of a provider's, which completes the request that it gets, now or later. */
typedef void (*GmcpProviderRequestFunc) (gpointer provider, gpointer request);

/* Hands a new request, which it takes, on to a provider. It ends with an error when it is cancelled or its
 * time is over, whatever the provider does, unless that is a tool provider that keeps the time itself.
 * tag is the async function whose finish function gives what the request was completed with. */
void gmcp_provider_request_send (gpointer request,
                                 gpointer provider,
                                 GmcpProviderRequestFunc func,
                                 gpointer tag,
                                 GmcpCallOptions *options,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Takes the answer. One that comes late, or a second one, is dropped. */
void
gmcp_provider_request_return_pointer (gpointer request, gpointer answer, GDestroyNotify destroy);
/* For a finish function that gives a boolean. */
void gmcp_provider_request_return_success (gpointer request);

/* For a function that the provider does not have. */
void gmcp_provider_request_return_not_supported (gpointer request, const char *message);

G_END_DECLS
