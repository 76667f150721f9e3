/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-call-record-private.h"

G_BEGIN_DECLS

/* The log of one server: what it prints to its standard error, and what becomes of it, each line with its
 * time and without secrets. The transports that it runs with keep it. */
typedef struct _GmcpServerLog GmcpServerLog;

GmcpServerLog *gmcp_server_log_new (const char *id, GmcpCallBook *book);
GmcpServerLog *gmcp_server_log_ref (GmcpServerLog *self);
void gmcp_server_log_unref (GmcpServerLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerLog, gmcp_server_log_unref)

/* A part of what the server prints, which may end in the middle of a line. */
void gmcp_server_log_take_output (GmcpServerLog *self, const char *text, gsize length);
/* A line that it printed to its standard output in place of a message. */
void gmcp_server_log_take_text (GmcpServerLog *self, const char *text, gsize length);
/* The process is gone, so the last output is a whole line. */
void gmcp_server_log_end_line (GmcpServerLog *self);
/* Something that happened to the server. */
void gmcp_server_log_note (GmcpServerLog *self, const char *level, const char *message);

/* Without secrets; NULL where there are none in it. */
char *gmcp_server_log_redact (GmcpServerLog *self, const char *text);

/* The redactor of certain secrets. */
GmcpRedactor *gmcp_server_log_get_certain_redactor (GmcpServerLog *self);

/* The file, which need not be there yet. */
char *gmcp_server_log_dup_own_path (GmcpServerLog *self);

G_END_DECLS
