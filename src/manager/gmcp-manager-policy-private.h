/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-approvals-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-pin-store-private.h"
#include "gmcp-policy-private.h"
#include "gmcp-state-store-private.h"

G_BEGIN_DECLS

/* Roles of the configuration, as they are now. */
void gmcp_manager_set_config_roles (GmcpManager *self, GPtrArray *roles);

/* What is kept in files: gmcp-manager-state.c. */
GmcpStateStore *gmcp_manager_make_state_store (GmcpManager *self);

/* The rules that hold whatever the role go by the settings that hold now. */
void gmcp_manager_use_asking (GmcpManager *self);

/* What is done about tools that are new or have changed goes by the setting that holds now. */
void gmcp_manager_use_pin_policy (GmcpManager *self);

G_END_DECLS
