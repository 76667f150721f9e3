/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/stdio/gmcp-stdio-transport.h>

#include "gmcp-confinement-private.h"
#include "gmcp-stderr-tail-private.h"
#include "gmcp-stdio-link-private.h"

G_BEGIN_DECLS

/* Used by the next opening. */
void gmcp_stdio_transport_set_argv (GmcpStdioTransport *self, const char *const *argv);

/* Used by the next opening; NULL for none. */
void
gmcp_stdio_transport_set_confinement (GmcpStdioTransport *self, const GmcpConfinement *confinement);

/* How long a command that fetches its program may take for that, and who is told how it gets on (nullable);
 * 0 where it is one like others. It is opened once the program runs, where that can be seen. */
void gmcp_stdio_transport_set_install (GmcpStdioTransport *self,
                                       guint timeout_ms,
                                       GmcpInstallFunc func,
                                       gpointer data);

/* Whether the last opening failed since there is no such program. */
gboolean gmcp_stdio_transport_lacks_command (GmcpStdioTransport *self);

/* Whether the last server was ended by somebody, and not by what it was sent. */
gboolean gmcp_stdio_transport_was_killed (GmcpStdioTransport *self);

/* Whether the server is on the host while this program is in a sandbox, so that its process id means
 * nothing here. */
gboolean gmcp_stdio_transport_is_on_host (GmcpStdioTransport *self);

/* Who else gets what the server prints to its standard error, and what of it goes into messages (filter,
 * nullable), before the transport is opened. destroy is called when nothing more comes. func must not let go of the transport. */
void gmcp_stdio_transport_set_stderr_func (GmcpStdioTransport *self,
                                           GmcpStderrFunc func,
                                           GmcpStderrFilter filter,
                                           gpointer data,
                                           GDestroyNotify destroy);

/* After that: who also gets the first lines that the server prints to its standard output and that are no
 * messages, one at a time, with the same data. */
void gmcp_stdio_transport_set_text_func (GmcpStdioTransport *self, GmcpStderrFunc func);
/* The first lines of text, where no message has come since the last opening; else NULL. */
char *gmcp_stdio_transport_dup_text (GmcpStdioTransport *self);

/* For the link itself. */
GmcpStdioLink *gmcp_stdio_transport_get_link (gpointer self);

G_END_DECLS
