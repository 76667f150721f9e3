/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/core/gmcp-enums.h>

G_BEGIN_DECLS

#define GMCP_TYPE_LOG_MESSAGE (gmcp_log_message_get_type ())

typedef struct _GmcpLogMessage GmcpLogMessage;

GMCP_AVAILABLE_IN_0_1
GType gmcp_log_message_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpLogMessage *gmcp_log_message_ref (GmcpLogMessage *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_log_message_unref (GmcpLogMessage *self);

GMCP_AVAILABLE_IN_0_1
GmcpLogLevel gmcp_log_message_get_level (GmcpLogMessage *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_log_message_get_logger (GmcpLogMessage *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_log_message_get_data (GmcpLogMessage *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_log_message_dup_data_json (GmcpLogMessage *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_log_message_dup_text (GmcpLogMessage *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_log_message_dup_json (GmcpLogMessage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpLogMessage, gmcp_log_message_unref)

G_END_DECLS
