/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-origin-private.h"

GmcpConfigOrigin *
gmcp_config_origin_new (const char *file,
                        const char *workspace,
                        const char *folder,
                        gboolean confined)
{
  GmcpConfigOrigin *origin = g_new0 (GmcpConfigOrigin, 1);

  g_atomic_ref_count_init (&origin->ref_count);
  origin->file = g_strdup (file);
  origin->workspace = g_strdup (workspace);
  origin->folder = g_strdup (folder);
  origin->confined = confined;
  return origin;
}

GmcpConfigOrigin *
gmcp_config_origin_ref (GmcpConfigOrigin *origin)
{
  g_atomic_ref_count_inc (&origin->ref_count);
  return origin;
}

void
gmcp_config_origin_unref (GmcpConfigOrigin *origin)
{
  if (!g_atomic_ref_count_dec (&origin->ref_count))
    return;

  g_free (origin->file);
  g_free (origin->workspace);
  g_free (origin->folder);
  g_clear_pointer (&origin->inputs, g_ptr_array_unref);
  g_free (origin);
}
