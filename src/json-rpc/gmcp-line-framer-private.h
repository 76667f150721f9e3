/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"

G_BEGIN_DECLS

/* Splits messages that end in a newline out of a stream of bytes. The caller owns the descriptor:
 * it reserves room, reads into it, commits what came, then takes the lines. What comes out does not
 * depend on how the bytes were cut into reads. */

typedef struct _GmcpLineFramer GmcpLineFramer;

/* Valid until the framer's next call, owner for as long as a reference is held. */
typedef struct
{
  const char *text; /* not NUL-terminated */
  gsize length;
  GBytes *owner; /* nullable: of a large message, the buffer it came in; the caller's to unref */
} GmcpLine;

GmcpLineFramer *gmcp_line_framer_new (gsize max_message_bytes);
void gmcp_line_framer_free (GmcpLineFramer *self);
void gmcp_line_framer_set_max_message_bytes (GmcpLineFramer *self, gsize max_message_bytes);

/* For what has come of a message that is not complete, past the first 64 KiB of it: a message for which there is no room is
 * dropped, like one that is too large. Nullable; kept. */
void gmcp_line_framer_set_budget (GmcpLineFramer *self, GmcpByteBudget *budget);

/* Room for the next read. To be called only when gmcp_line_framer_next() has no more lines. */
char *gmcp_line_framer_reserve (GmcpLineFramer *self, gsize *room);
void gmcp_line_framer_commit (GmcpLineFramer *self, gsize length);
void gmcp_line_framer_commit_eof (GmcpLineFramer *self);

/* TRUE with the next line; FALSE with an error for a line that was dropped, after which it can be
 * called again; FALSE without one when more bytes are needed. A last line without an end is given where it is
 * text, and an error where it may be the beginning of a message. */
gboolean gmcp_line_framer_next (GmcpLineFramer *self, GmcpLine *line, GError **error);

/* What came of a line that has no end yet; valid until the framer's next call. NULL for nothing. */
const char *gmcp_line_framer_peek_rest (GmcpLineFramer *self, gsize *length);

/* Whether a message is under way that is so large that bigger reads pay. */
gboolean gmcp_line_framer_is_in_large_message (GmcpLineFramer *self);

GError *gmcp_line_framer_limit_error (guint64 max_message_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpLineFramer, gmcp_line_framer_free)

G_END_DECLS
