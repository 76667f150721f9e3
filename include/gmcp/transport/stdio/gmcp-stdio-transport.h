/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

#define GMCP_TYPE_STDIO_TRANSPORT (gmcp_stdio_transport_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpStdioTransport,
                      gmcp_stdio_transport,
                      GMCP,
                      STDIO_TRANSPORT,
                      GmcpTransport)

GMCP_AVAILABLE_IN_0_1
GmcpStdioTransport *gmcp_stdio_transport_new (const char *const *argv);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_stdio_transport_get_argv (GmcpStdioTransport *self);

GMCP_AVAILABLE_IN_0_1
void
gmcp_stdio_transport_set_environment (GmcpStdioTransport *self, const char *const *environment);

GMCP_AVAILABLE_IN_0_1
void gmcp_stdio_transport_set_cwd (GmcpStdioTransport *self, const char *cwd);

GMCP_AVAILABLE_IN_0_1
void gmcp_stdio_transport_set_inherit_environment (GmcpStdioTransport *self,
                                                   gboolean inherit_environment);

GMCP_AVAILABLE_IN_0_1
void gmcp_stdio_transport_set_use_login_path (GmcpStdioTransport *self, gboolean use_login_path);

GMCP_AVAILABLE_IN_0_1
char *gmcp_stdio_transport_dup_stderr_tail (GmcpStdioTransport *self);

GMCP_AVAILABLE_IN_0_1
guint64 gmcp_stdio_transport_get_n_skipped_lines (GmcpStdioTransport *self);

G_END_DECLS
