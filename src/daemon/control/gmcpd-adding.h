/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-calls.h"

G_BEGIN_DECLS

/* Servers that are added and removed over D-Bus, stored in the settings where that is asked for. Both functions
 * answer the call. */
void gmcpd_adding_add (GmcpManager *manager,
                       GmcpdCall *call,
                       const char *name,
                       const char *configuration,
                       GVariant *options);
void
gmcpd_adding_remove (GmcpManager *manager, GmcpdCall *call, const char *name, GVariant *options);

G_END_DECLS
