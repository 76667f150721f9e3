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

/* Makes it at least that large; used bytes of it are kept. max_size: what it can ever need. */
void gmcp_line_buffer_resize (GmcpLineBuffer *self, gsize size, gsize used, gsize max_size);
void gmcp_line_buffer_clear (GmcpLineBuffer *self);

/* Hands the buffer over; owner is for length bytes from offset on. */
GBytes *gmcp_line_buffer_steal (GmcpLineBuffer *self, gsize offset, gsize length);

G_END_DECLS
