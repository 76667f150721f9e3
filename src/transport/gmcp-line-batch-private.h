/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-line-channel-private.h"
#include "gmcp-line-framer-private.h"

G_BEGIN_DECLS

typedef enum
{
  GMCP_LINE_BATCH_ALL,    /* more bytes are needed */
  GMCP_LINE_BATCH_YIELD,  /* lines are left, and other sources get their turn first */
  GMCP_LINE_BATCH_CLOSED, /* by a callback: the framer may be gone */
} GmcpLineBatch;

/* Hands over the whole messages that the framer has, so many that it does not hold up the loop.
 * Where a callback closes the connection, its source is NULL from then on. */
GmcpLineBatch gmcp_line_batch_take (GmcpLineFramer *framer,
                                    const GmcpLineChannelFuncs *funcs,
                                    gpointer data,
                                    GSource *const *source);

G_END_DECLS
