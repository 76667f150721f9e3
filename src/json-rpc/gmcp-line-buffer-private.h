/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The memory that messages are read into. Once it is large it grows without a copy. */
typedef struct
{
  char *data;
  gsize size;
} GmcpLineBuffer;

/* Makes the buffer as large as size or larger, and keeps its first used bytes. max_size is the largest that a message can
 * be: a buffer of 2 MiB is made for all of that at once, up to 32 MiB. */
void gmcp_line_buffer_resize (GmcpLineBuffer *self, gsize size, gsize used, gsize max_size);
void gmcp_line_buffer_clear (GmcpLineBuffer *self);

/* Gives length bytes from offset on, which own the buffer's memory from then on. The buffer is empty after that. */
GBytes *gmcp_line_buffer_steal (GmcpLineBuffer *self, gsize offset, gsize length);

G_END_DECLS
