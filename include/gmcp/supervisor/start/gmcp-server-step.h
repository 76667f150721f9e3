/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SERVER_STEP_KIND (gmcp_server_step_kind_get_type ())
#define GMCP_TYPE_STEP_OUTCOME     (gmcp_step_outcome_get_type ())
#define GMCP_TYPE_SERVER_STEP      (gmcp_server_step_get_type ())

/**
 * GmcpServerStepKind:
 * @GMCP_SERVER_STEP_CONFIGURATION: its configuration is right, and its variables and secrets are there
 * @GMCP_SERVER_STEP_PROGRAM: the program that it is run with is there
 * @GMCP_SERVER_STEP_CONNECTION: the program is started, or its address connected to
 * @GMCP_SERVER_STEP_ERA: it is found out which era of the protocol it speaks
 * @GMCP_SERVER_STEP_HANDSHAKE: the connection is opened as that era has it
 * @GMCP_SERVER_STEP_LIST: it lists its tools
 * @GMCP_SERVER_STEP_HEALTH: it passes the health check that is configured for it, which does no harm
 * @GMCP_SERVER_STEP_SIGN_IN: it lets this user in
 *
 * What has to go well until a server can be used, in order. Values may be added.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_SERVER_STEP_CONFIGURATION,
  GMCP_SERVER_STEP_PROGRAM,
  GMCP_SERVER_STEP_CONNECTION,
  GMCP_SERVER_STEP_ERA,
  GMCP_SERVER_STEP_HANDSHAKE,
  GMCP_SERVER_STEP_LIST,
  GMCP_SERVER_STEP_HEALTH,
  GMCP_SERVER_STEP_SIGN_IN,
} GmcpServerStepKind;

/**
 * GmcpStepOutcome:
 * @GMCP_STEP_OUTCOME_PASSED: all is well
 * @GMCP_STEP_OUTCOME_FAILED: something is wrong
 * @GMCP_STEP_OUTCOME_SKIPPED: it did not come to that, or there is nothing to be done
 *
 * What became of a step.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_STEP_OUTCOME_PASSED,
  GMCP_STEP_OUTCOME_FAILED,
  GMCP_STEP_OUTCOME_SKIPPED,
} GmcpStepOutcome;

GMCP_AVAILABLE_IN_0_1
GType gmcp_server_step_kind_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_step_outcome_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpServerStep, gmcp_server_step, GMCP, SERVER_STEP, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpServerStepKind gmcp_server_step_get_kind (GmcpServerStep *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_step_get_title (GmcpServerStep *self);

GMCP_AVAILABLE_IN_0_1
GmcpStepOutcome gmcp_server_step_get_outcome (GmcpServerStep *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_server_step_get_duration_us (GmcpServerStep *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_step_get_detail (GmcpServerStep *self);

G_END_DECLS
