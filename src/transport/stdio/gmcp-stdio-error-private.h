/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-child-private.h"

G_BEGIN_DECLS

/* What to tell of a server that could not be started, or that ended by itself. */

GError *gmcp_stdio_error_new_start_failed (const GmcpSpawnOptions *options,
                                           const GmcpChildFailure *failure);

GError *
gmcp_stdio_error_new_exited (const char *command, int wait_status, const GmcpStderrTail *tail);

/* Adds what it printed to standard output in place of messages, where there is any (text is nullable). */
void gmcp_stdio_error_add_text (GError *error, const char *text);

/* Fetching the server's program took too long. package is nullable. */
GError *gmcp_stdio_error_new_late_install (const char *program,
                                           const char *package,
                                           guint timeout_ms,
                                           const GmcpStderrTail *tail);

/* The server runs on, but has closed its end of a stream. */
GError *gmcp_stdio_error_new_deaf (const char *command, const GmcpStderrTail *tail);

/* Where bubblewrap says in the end why it could not make the sandbox; else NULL. */
GError *gmcp_stdio_error_new_no_sandbox (const char *command, const GmcpStderrTail *tail);

G_END_DECLS
