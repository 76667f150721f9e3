/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-calls.h"

G_BEGIN_DECLS

/* The tools of all servers over D-Bus. Each function answers the call. */

/* Of one server, or of all where its id is empty. */
void gmcpd_tools_list (GmcpManager *manager, GmcpdCall *call, const char *server_id);
void gmcpd_tools_call (GmcpManager *manager,
                       GmcpdCall *call,
                       const char *name,
                       const char *arguments_json,
                       GVariant *options);
/* What a role may call; all where it is NULL. */
void gmcpd_tools_list_permitted (GmcpManager *manager, GmcpdCall *call, const char *role);
/* Under that role, whatever the options say, which may have no role. */
void gmcpd_tools_call_as (GmcpManager *manager,
                          GmcpdCall *call,
                          const char *name,
                          const char *arguments_json,
                          GVariant *options,
                          const char *role);

G_END_DECLS
