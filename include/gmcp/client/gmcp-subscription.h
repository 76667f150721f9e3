/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/features/gmcp-subscription-enums.h>
#include <gmcp/client/gmcp-client.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SUBSCRIPTION (gmcp_subscription_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpSubscription, gmcp_subscription, GMCP, SUBSCRIPTION, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpSubscription *gmcp_subscription_new (GmcpClient *client,
                                         GmcpSubscriptionFlags lists,
                                         const char *const *resource_uris,
                                         const char *const *task_ids);

GMCP_AVAILABLE_IN_0_1
GmcpClient *gmcp_subscription_get_client (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
GmcpSubscriptionFlags gmcp_subscription_get_lists (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_subscription_get_resource_uris (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_subscription_get_task_ids (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
GmcpSubscriptionState gmcp_subscription_get_state (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
GmcpSubscriptionFlags gmcp_subscription_get_acknowledged_lists (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_subscription_get_acknowledged_resource_uris (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_subscription_get_acknowledged_task_ids (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_subscription_is_complete (GmcpSubscription *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_subscription_open_async (GmcpSubscription *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_subscription_open_finish (GmcpSubscription *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_subscription_close (GmcpSubscription *self);

G_END_DECLS
