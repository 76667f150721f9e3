/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-process-name-private.h"

char *
gmcp_process_dup_name (int pid)
{
  g_autofree char *link = g_strdup_printf ("/proc/%d/exe", pid);
  g_autofree char *file = g_file_read_link (link, NULL);

  return g_strdup_printf ("%s (%d)", file != NULL ? file : "?", pid);
}
