/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-line-batch-private.h"

#include "gmcp-limits.h"

GmcpLineBatch
gmcp_line_batch_take (GmcpLineFramer *framer,
                      const GmcpLineChannelFuncs *funcs,
                      gpointer data,
                      GSource *const *source)
{
  for (guint n_taken = 1; n_taken <= GMCP_LIMIT_DISPATCH_MESSAGES; n_taken++)
    {
      g_autoptr (GError) error = NULL;
      GmcpLine line;

      if (gmcp_line_framer_next (framer, &line, &error))
        {
          funcs->message (data, line.text, line.length, line.owner);
          g_clear_pointer (&line.owner, g_bytes_unref);
        }
      else if (error != NULL)
        funcs->violation (data, error);
      else
        return GMCP_LINE_BATCH_ALL;

      if (*source == NULL)
        return GMCP_LINE_BATCH_CLOSED;
      if (n_taken % 16 == 0
          && g_get_monotonic_time () >= g_source_get_time (*source) + GMCP_LIMIT_DISPATCH_US)
        break;
    }

  return GMCP_LINE_BATCH_YIELD;
}
