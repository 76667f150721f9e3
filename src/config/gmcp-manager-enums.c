/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/config/gmcp-manager-enums.h>

G_DEFINE_ENUM_TYPE (GmcpServerTransport,
                    gmcp_server_transport,
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_TRANSPORT_STDIO, "stdio"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_TRANSPORT_HTTP, "http"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_TRANSPORT_SSE, "sse"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_TRANSPORT_AUTO, "auto"))

G_DEFINE_ENUM_TYPE (GmcpPermission,
                    gmcp_permission,
                    G_DEFINE_ENUM_VALUE (GMCP_PERMISSION_ALLOWED, "allowed"),
                    G_DEFINE_ENUM_VALUE (GMCP_PERMISSION_ASKED, "asked"),
                    G_DEFINE_ENUM_VALUE (GMCP_PERMISSION_REFUSED, "refused"))

G_DEFINE_ENUM_TYPE (GmcpServerState,
                    gmcp_server_state,
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_STOPPED, "stopped"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_STARTING, "starting"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_READY, "ready"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_STOPPING, "stopping"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_DISABLED, "disabled"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_DEGRADED, "degraded"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_UNHEALTHY, "unhealthy"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_BACKING_OFF, "backing-off"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_NEEDS_SIGN_IN, "needs-sign-in"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STATE_INSTALLING, "installing"))

G_DEFINE_ENUM_TYPE (GmcpServerStart,
                    gmcp_server_start,
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_START_MANUAL, "manual"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_START_ON_DEMAND, "on-demand"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_START_AT_LOAD, "at-load"))

G_DEFINE_ENUM_TYPE (GmcpHealthMethod,
                    gmcp_health_method,
                    G_DEFINE_ENUM_VALUE (GMCP_HEALTH_METHOD_PING, "ping"),
                    G_DEFINE_ENUM_VALUE (GMCP_HEALTH_METHOD_TOOL_CALL, "tool-call"),
                    G_DEFINE_ENUM_VALUE (GMCP_HEALTH_METHOD_PROCESS, "process"))

G_DEFINE_ENUM_TYPE (GmcpSandbox,
                    gmcp_sandbox,
                    G_DEFINE_ENUM_VALUE (GMCP_SANDBOX_NONE, "none"),
                    G_DEFINE_ENUM_VALUE (GMCP_SANDBOX_READ_ONLY_HOME, "read-only-home"))

G_DEFINE_ENUM_TYPE (GmcpShare,
                    gmcp_share,
                    G_DEFINE_ENUM_VALUE (GMCP_SHARE_AUTO, "auto"),
                    G_DEFINE_ENUM_VALUE (GMCP_SHARE_YES, "yes"),
                    G_DEFINE_ENUM_VALUE (GMCP_SHARE_NO, "no"))

G_DEFINE_ENUM_TYPE (GmcpTier,
                    gmcp_tier,
                    G_DEFINE_ENUM_VALUE (GMCP_TIER_REQUIRED, "required"),
                    G_DEFINE_ENUM_VALUE (GMCP_TIER_RECOMMENDED, "recommended"),
                    G_DEFINE_ENUM_VALUE (GMCP_TIER_OPTIONAL, "optional"))

G_DEFINE_ENUM_TYPE (GmcpReadiness,
                    gmcp_readiness,
                    G_DEFINE_ENUM_VALUE (GMCP_READINESS_READY, "ready"),
                    G_DEFINE_ENUM_VALUE (GMCP_READINESS_DEGRADED, "degraded"),
                    G_DEFINE_ENUM_VALUE (GMCP_READINESS_BLOCKED, "blocked"))

G_DEFINE_ENUM_TYPE (GmcpPinPolicy,
                    gmcp_pin_policy,
                    G_DEFINE_ENUM_VALUE (GMCP_PIN_POLICY_OFF, "off"),
                    G_DEFINE_ENUM_VALUE (GMCP_PIN_POLICY_NOTICE, "notice"),
                    G_DEFINE_ENUM_VALUE (GMCP_PIN_POLICY_WITHHOLD, "withhold"))

G_DEFINE_ENUM_TYPE (GmcpPinStatus,
                    gmcp_pin_status,
                    G_DEFINE_ENUM_VALUE (GMCP_PIN_STATUS_APPROVED, "approved"),
                    G_DEFINE_ENUM_VALUE (GMCP_PIN_STATUS_NEW, "new"),
                    G_DEFINE_ENUM_VALUE (GMCP_PIN_STATUS_CHANGED, "changed"))

G_DEFINE_ENUM_TYPE (GmcpImportChange,
                    gmcp_import_change,
                    G_DEFINE_ENUM_VALUE (GMCP_IMPORT_CHANGE_ADDED, "added"),
                    G_DEFINE_ENUM_VALUE (GMCP_IMPORT_CHANGE_CHANGED, "changed"),
                    G_DEFINE_ENUM_VALUE (GMCP_IMPORT_CHANGE_SAME, "same"),
                    G_DEFINE_ENUM_VALUE (GMCP_IMPORT_CHANGE_REFUSED, "refused"))
