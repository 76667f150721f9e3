/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/client/features/gmcp-subscription-enums.h>

G_DEFINE_FLAGS_TYPE (GmcpSubscriptionFlags,
                     gmcp_subscription_flags,
                     G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_NONE, "none"),
                     G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_TOOLS, "tools"),
                     G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_PROMPTS, "prompts"),
                     G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_RESOURCES, "resources"))

G_DEFINE_ENUM_TYPE (GmcpSubscriptionState,
                    gmcp_subscription_state,
                    G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_STATE_CLOSED, "closed"),
                    G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_STATE_OPENING, "opening"),
                    G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_STATE_OPEN, "open"),
                    G_DEFINE_ENUM_VALUE (GMCP_SUBSCRIPTION_STATE_WAITING, "waiting"))
