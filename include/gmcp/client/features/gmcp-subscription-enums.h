/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SUBSCRIPTION_FLAGS (gmcp_subscription_flags_get_type ())
#define GMCP_TYPE_SUBSCRIPTION_STATE (gmcp_subscription_state_get_type ())

/**
 * GmcpSubscriptionFlags:
 * @GMCP_SUBSCRIPTION_NONE: no list
 * @GMCP_SUBSCRIPTION_TOOLS: the list of tools
 * @GMCP_SUBSCRIPTION_PROMPTS: the list of prompts
 * @GMCP_SUBSCRIPTION_RESOURCES: the list of resources
 *
 * The lists of a server whose changes it can tell of.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SUBSCRIPTION_NONE = 0,
  GMCP_SUBSCRIPTION_TOOLS = 1 << 0,
  GMCP_SUBSCRIPTION_PROMPTS = 1 << 1,
  GMCP_SUBSCRIPTION_RESOURCES = 1 << 2,
} GmcpSubscriptionFlags;

/**
 * GmcpSubscriptionState:
 * @GMCP_SUBSCRIPTION_STATE_CLOSED: not asked for, refused, or over
 * @GMCP_SUBSCRIPTION_STATE_OPENING: asked for, and not acknowledged yet
 * @GMCP_SUBSCRIPTION_STATE_OPEN: acknowledged; changes are told
 * @GMCP_SUBSCRIPTION_STATE_WAITING: interrupted; it will be asked for again
 *
 * How far a subscription is.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SUBSCRIPTION_STATE_CLOSED,
  GMCP_SUBSCRIPTION_STATE_OPENING,
  GMCP_SUBSCRIPTION_STATE_OPEN,
  GMCP_SUBSCRIPTION_STATE_WAITING,
} GmcpSubscriptionState;

GMCP_AVAILABLE_IN_0_1
GType gmcp_subscription_flags_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_subscription_state_get_type (void) G_GNUC_CONST;

G_END_DECLS
