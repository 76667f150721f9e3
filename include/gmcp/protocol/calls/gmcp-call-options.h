/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/calls/gmcp-log-message.h>
#include <gmcp/protocol/tasks/gmcp-task-handle.h>
#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CALL_OPTIONS (gmcp_call_options_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpCallOptions, gmcp_call_options, GMCP, CALL_OPTIONS, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpCallOptions *gmcp_call_options_new (void);

GMCP_AVAILABLE_IN_0_1
guint gmcp_call_options_get_timeout_ms (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_timeout_ms (GmcpCallOptions *self, guint timeout_ms);

GMCP_AVAILABLE_IN_0_1
guint gmcp_call_options_get_max_timeout_ms (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_max_timeout_ms (GmcpCallOptions *self, guint max_timeout_ms);

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_call_options_get_expected_tool (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_expected_tool (GmcpCallOptions *self, GmcpTool *expected_tool);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_options_get_meta_json (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_call_options_set_meta_json (GmcpCallOptions *self, const char *meta_json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpCacheMode gmcp_call_options_get_cache_mode (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_cache_mode (GmcpCallOptions *self, GmcpCacheMode cache_mode);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_call_options_get_stale_on_error (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_stale_on_error (GmcpCallOptions *self, gboolean stale_on_error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_call_options_get_strict_output (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_strict_output (GmcpCallOptions *self, gboolean strict_output);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_options_get_role (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_role (GmcpCallOptions *self, const char *role);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_options_get_client (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_client (GmcpCallOptions *self, const char *client);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_call_options_get_as_task (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_as_task (GmcpCallOptions *self, gboolean as_task);

GMCP_AVAILABLE_IN_0_1
guint gmcp_call_options_get_task_ttl_ms (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_task_ttl_ms (GmcpCallOptions *self, guint task_ttl_ms);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_options_get_traceparent (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_call_options_set_traceparent (GmcpCallOptions *self, const char *traceparent, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_options_get_tracestate (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_call_options_set_tracestate (GmcpCallOptions *self, const char *tracestate, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_options_get_baggage (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_call_options_set_baggage (GmcpCallOptions *self, const char *baggage, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpLogLevel gmcp_call_options_get_log_level (GmcpCallOptions *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_options_set_log_level (GmcpCallOptions *self, GmcpLogLevel log_level);

GMCP_AVAILABLE_IN_0_1
char *gmcp_call_options_dup_error_data_json (GmcpCallOptions *self);

G_END_DECLS
