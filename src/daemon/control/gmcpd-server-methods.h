/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-managed-server.h>

#include "gmcpd-calls.h"
#include "gmcpd-dbus.h"

G_BEGIN_DECLS

/* Answers the methods of a server's object for as long as the skeleton lives; the server and the calls live longer. */
void gmcpd_server_methods_connect (GmcpdManager1Server *skeleton,
                                   GmcpManagedServer *server,
                                   GmcpdCalls *calls);

G_END_DECLS
