/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/core/gmcp-enums.h>

G_BEGIN_DECLS

/**
 * GmcpLogOrigin:
 * @GMCP_LOG_ORIGIN_STDERR: the server printed it to its standard error
 * @GMCP_LOG_ORIGIN_STDOUT: the server printed it to its standard output, in place of a message
 * @GMCP_LOG_ORIGIN_MANAGER: the manager says what became of the server
 *
 * Where a line of a server's log is from.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_LOG_ORIGIN_STDERR,
  GMCP_LOG_ORIGIN_STDOUT,
  GMCP_LOG_ORIGIN_MANAGER,
} GmcpLogOrigin;

GMCP_AVAILABLE_IN_0_1
GType gmcp_log_origin_get_type (void) G_GNUC_CONST;

#define GMCP_TYPE_LOG_ORIGIN (gmcp_log_origin_get_type ())
#define GMCP_TYPE_LOG_ENTRY  (gmcp_log_entry_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpLogEntry, gmcp_log_entry, GMCP, LOG_ENTRY, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_log_entry_get_server_id (GmcpLogEntry *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_log_entry_get_time (GmcpLogEntry *self);

GMCP_AVAILABLE_IN_0_1
GmcpLogOrigin gmcp_log_entry_get_origin (GmcpLogEntry *self);

GMCP_AVAILABLE_IN_0_1
GmcpNoticeLevel gmcp_log_entry_get_level (GmcpLogEntry *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_log_entry_get_text (GmcpLogEntry *self);

G_END_DECLS
