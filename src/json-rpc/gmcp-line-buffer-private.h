/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The memory that messages are read into. It grows without a copy once it is large, and what was not touched of it costs
 * nothing. */
typedef struct
{
  char *data;
  gsize size;
} GmcpLineBuffer;

/* Makes the buffer as large as size or larger, and keeps its first used bytes. max_size is that of a message, of which a
 * large buffer has room for all. */
void gmcp_line_buffer_resize (GmcpLineBuffer *self, gsize size, gsize used, gsize max_size);
void gmcp_line_buffer_clear (GmcpLineBuffer *self);

/* Gives length bytes from offset on, which keep what the buffer was; it is empty after that. */
GBytes *gmcp_line_buffer_steal (GmcpLineBuffer *self, gsize offset, gsize length);

G_END_DECLS
