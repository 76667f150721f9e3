/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-random-private.h"

#include <sys/random.h>

/* As many as the kernel gives at once, whatever signal comes. */
#define AT_ONCE 256u

GBytes *
gmcp_random_new_bytes (gsize n_bytes)
{
  g_autofree guint8 *bytes = g_malloc (n_bytes);

  g_assert (n_bytes <= AT_ONCE);
  /* Without them nothing would be a secret. */
  if (getrandom (bytes, n_bytes, 0) != (gssize) n_bytes)
    g_error ("The system has no random numbers");
  return g_bytes_new_take (g_steal_pointer (&bytes), n_bytes);
}
