/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/audit/gmcp-log-reader.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A line of a server's log. Owned by the caller. */
JsonObject *gmcpd_api_logs_describe (GmcpLogEntry *entry);

G_END_DECLS
