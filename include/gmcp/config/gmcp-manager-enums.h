/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SERVER_TRANSPORT (gmcp_server_transport_get_type ())
#define GMCP_TYPE_SERVER_STATE     (gmcp_server_state_get_type ())
#define GMCP_TYPE_TIER             (gmcp_tier_get_type ())
#define GMCP_TYPE_READINESS        (gmcp_readiness_get_type ())
#define GMCP_TYPE_SERVER_START     (gmcp_server_start_get_type ())
#define GMCP_TYPE_HEALTH_METHOD    (gmcp_health_method_get_type ())
#define GMCP_TYPE_SANDBOX          (gmcp_sandbox_get_type ())
#define GMCP_TYPE_SHARE            (gmcp_share_get_type ())
#define GMCP_TYPE_PIN_POLICY       (gmcp_pin_policy_get_type ())
#define GMCP_TYPE_PIN_STATUS       (gmcp_pin_status_get_type ())
#define GMCP_TYPE_IMPORT_CHANGE    (gmcp_import_change_get_type ())

/**
 * GmcpServerTransport:
 * @GMCP_SERVER_TRANSPORT_STDIO: a program is started; messages go over its standard streams
 * @GMCP_SERVER_TRANSPORT_HTTP: a URL is connected to; which protocol is spoken there is found out
 * @GMCP_SERVER_TRANSPORT_SSE: a URL is connected to, and HTTP+SSE as in revision 2024-11-05 is spoken
 * @GMCP_SERVER_TRANSPORT_AUTO: what the configuration says: a command is started, else a URL is connected to
 *
 * How a configured server is reached.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SERVER_TRANSPORT_STDIO,
  GMCP_SERVER_TRANSPORT_HTTP,
  GMCP_SERVER_TRANSPORT_SSE,
  GMCP_SERVER_TRANSPORT_AUTO,
} GmcpServerTransport;

/**
 * GmcpServerState:
 * @GMCP_SERVER_STATE_STOPPED: does not run; the next call starts it
 * @GMCP_SERVER_STATE_STARTING: has been started, and is not ready for calls yet
 * @GMCP_SERVER_STATE_READY: runs and answers
 * @GMCP_SERVER_STATE_STOPPING: is being stopped
 * @GMCP_SERVER_STATE_FAILED: could not be started, or started again; its tools are not listed
 * @GMCP_SERVER_STATE_DISABLED: is configured, and may not be started
 * @GMCP_SERVER_STATE_DEGRADED: runs, and one or two health checks in a row failed
 * @GMCP_SERVER_STATE_UNHEALTHY: runs, but three health checks in a row failed; its tools are not listed
 * @GMCP_SERVER_STATE_BACKING_OFF: failed, and is started again after a while
 * @GMCP_SERVER_STATE_NEEDS_SIGN_IN: refuses to talk before somebody has signed in
 * @GMCP_SERVER_STATE_INSTALLING: its command, such as `npx`, fetches the program first, or waits until
 *   another one of its kind has done so
 *
 * What a managed server is doing; [server states](states.html) says what leads from one to
 * another. Values may be added.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SERVER_STATE_STOPPED,
  GMCP_SERVER_STATE_STARTING,
  GMCP_SERVER_STATE_READY,
  GMCP_SERVER_STATE_STOPPING,
  GMCP_SERVER_STATE_FAILED,
  GMCP_SERVER_STATE_DISABLED,
  GMCP_SERVER_STATE_DEGRADED,
  GMCP_SERVER_STATE_UNHEALTHY,
  GMCP_SERVER_STATE_BACKING_OFF,
  GMCP_SERVER_STATE_NEEDS_SIGN_IN,
  GMCP_SERVER_STATE_INSTALLING,
} GmcpServerState;

/**
 * GmcpTier:
 * @GMCP_TIER_REQUIRED: without it no work can begin
 * @GMCP_TIER_RECOMMENDED: its lack is worth a warning
 * @GMCP_TIER_OPTIONAL: of use where it is there
 *
 * How much a server is needed.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_TIER_REQUIRED,
  GMCP_TIER_RECOMMENDED,
  GMCP_TIER_OPTIONAL,
} GmcpTier;

/**
 * GmcpReadiness:
 * @GMCP_READINESS_READY: nothing is missing that matters
 * @GMCP_READINESS_DEGRADED: a recommended server is missing
 * @GMCP_READINESS_BLOCKED: a required server is missing
 *
 * Whether some work can be done with the servers that are there.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_READINESS_READY,
  GMCP_READINESS_DEGRADED,
  GMCP_READINESS_BLOCKED,
} GmcpReadiness;

/**
 * GmcpPinPolicy:
 * @GMCP_PIN_POLICY_OFF: tools are not compared with what they were
 * @GMCP_PIN_POLICY_NOTICE: a notice tells of tools that are new or have changed
 * @GMCP_PIN_POLICY_WITHHOLD: they are neither listed nor called either, until they are approved
 *
 * What is done about tools that are not what they were when their server was first seen.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_PIN_POLICY_OFF,
  GMCP_PIN_POLICY_NOTICE,
  GMCP_PIN_POLICY_WITHHOLD,
} GmcpPinPolicy;

/**
 * GmcpPinStatus:
 * @GMCP_PIN_STATUS_APPROVED: the tool is what it was when it was approved, or its server first seen
 * @GMCP_PIN_STATUS_NEW: the tool came later, and was not approved
 * @GMCP_PIN_STATUS_CHANGED: the tool is not what was approved
 *
 * Whether a tool is what was approved.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_PIN_STATUS_APPROVED,
  GMCP_PIN_STATUS_NEW,
  GMCP_PIN_STATUS_CHANGED,
} GmcpPinStatus;

/**
 * GmcpServerStart:
 * @GMCP_SERVER_START_MANUAL: nothing starts it by itself; a call fails with %GMCP_ERROR_NOT_RUNNING
 * @GMCP_SERVER_START_ON_DEMAND: it is started when it is first needed
 * @GMCP_SERVER_START_AT_LOAD: it is started as soon as the configuration is read
 *
 * When a configured server is started.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SERVER_START_MANUAL,
  GMCP_SERVER_START_ON_DEMAND,
  GMCP_SERVER_START_AT_LOAD,
} GmcpServerStart;

/**
 * GmcpHealthMethod:
 * @GMCP_HEALTH_METHOD_PING: the server is asked for a sign of life, as its era has it; any answer is one
 * @GMCP_HEALTH_METHOD_TOOL_CALL: a tool of the server is called, and has to succeed
 * @GMCP_HEALTH_METHOD_PROCESS: nothing is asked; the process or the connection has to be there
 *
 * How it is found out whether a server still works.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_HEALTH_METHOD_PING,
  GMCP_HEALTH_METHOD_TOOL_CALL,
  GMCP_HEALTH_METHOD_PROCESS,
} GmcpHealthMethod;

/**
 * GmcpSandbox:
 * @GMCP_SANDBOX_NONE: what the user may
 * @GMCP_SANDBOX_READ_ONLY_HOME: it may read what the user may, but write nowhere but where that is
 *   configured and to a folder for temporary files of its own; it sees no other processes, and no sockets of
 *   the user's session
 *
 * What a local server may do.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SANDBOX_NONE,
  GMCP_SANDBOX_READ_ONLY_HOME,
} GmcpSandbox;

GMCP_AVAILABLE_IN_0_1
GType gmcp_sandbox_get_type (void) G_GNUC_CONST;

/**
 * GmcpShare:
 * @GMCP_SHARE_AUTO: a server of revision 2026-07-28 or later is shared where gmcpd runs; for a single server, what
 *   holds for all
 * @GMCP_SHARE_YES: it is shared where gmcpd runs, whatever revision it speaks
 * @GMCP_SHARE_NO: each host has a process of its own
 *
 * Whether the hosts of a session share one process of a server.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SHARE_AUTO,
  GMCP_SHARE_YES,
  GMCP_SHARE_NO,
} GmcpShare;

GMCP_AVAILABLE_IN_0_1
GType gmcp_share_get_type (void) G_GNUC_CONST;

/**
 * GmcpPermission:
 * @GMCP_PERMISSION_ALLOWED: it may be called
 * @GMCP_PERMISSION_ASKED: it may be called once somebody was asked
 * @GMCP_PERMISSION_REFUSED: it may not be called
 *
 * What the rules say of a call.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_PERMISSION_ALLOWED,
  GMCP_PERMISSION_ASKED,
  GMCP_PERMISSION_REFUSED,
} GmcpPermission;

GMCP_AVAILABLE_IN_0_1
GType gmcp_permission_get_type (void) G_GNUC_CONST;

#define GMCP_TYPE_PERMISSION (gmcp_permission_get_type ())

GMCP_AVAILABLE_IN_0_1
GType gmcp_server_transport_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_server_state_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_tier_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_readiness_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_pin_policy_get_type (void) G_GNUC_CONST;

/**
 * GmcpImportChange:
 * @GMCP_IMPORT_CHANGE_ADDED: a server of that id is not there so far
 * @GMCP_IMPORT_CHANGE_CHANGED: one is there, and something about it would change
 * @GMCP_IMPORT_CHANGE_SAME: one is there, and stays as it is
 * @GMCP_IMPORT_CHANGE_REFUSED: it cannot be imported
 *
 * What importing a server of another program does.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_IMPORT_CHANGE_ADDED,
  GMCP_IMPORT_CHANGE_CHANGED,
  GMCP_IMPORT_CHANGE_SAME,
  GMCP_IMPORT_CHANGE_REFUSED,
} GmcpImportChange;

GMCP_AVAILABLE_IN_0_1
GType gmcp_import_change_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_pin_status_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_server_start_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_health_method_get_type (void) G_GNUC_CONST;

G_END_DECLS
