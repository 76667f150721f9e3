/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-log-message.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* The parameters of a notification; NULL for what is no object. Keeps the value's document. */
GmcpLogMessage *gmcp_log_message_new_from_value (GmcpJsonValue params);

/* The level's name in the protocol; NULL for UNSET. */
const char *gmcp_log_level_get_name (GmcpLogLevel level);
/* UNSET for what is none. */
GmcpLogLevel gmcp_log_level_read (GmcpJsonValue name);

G_END_DECLS
