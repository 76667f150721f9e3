/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <sys/mman.h>
#include <unistd.h>

G_BEGIN_DECLS

/* From here on a block is asked to lie in huge pages: of ten megabytes, most of the time would go
 * into the faults of 2,500 small ones. */
#define GMCP_LARGE_BLOCK_BYTES (2u * 1024 * 1024)

/* A hint, so it may fail; the block need not begin with a page. */
static inline void
gmcp_advise_large_block (gpointer block, gsize size)
{
#ifdef MADV_HUGEPAGE
  if (size >= GMCP_LARGE_BLOCK_BYTES)
    {
      gsize page = (gsize) sysconf (_SC_PAGESIZE);
      gsize begin = (gsize) block & ~(page - 1);
      gsize end = ((gsize) block + size) & ~(page - 1);

      (void) madvise ((gpointer) begin, end - begin, MADV_HUGEPAGE);
    }
#endif
}

G_END_DECLS
