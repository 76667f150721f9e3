/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-provider-request.h>

G_BEGIN_DECLS

/* Before anybody else has the request: takes the task, which the request completes, and begins to
 * look after the answer. The task's source object is the provider. */
void
gmcp_provider_request_take_task (GmcpProviderRequest *self, GTask *task, GmcpCallOptions *options);

/* Takes the answer. One that comes late, or a second one, is dropped. */
void gmcp_provider_request_return_pointer (GmcpProviderRequest *self,
                                           gpointer answer,
                                           GDestroyNotify destroy);

/* Completes a task for which the provider has no function. */
void gmcp_provider_request_refuse (GTask *task, const char *message);

G_END_DECLS
