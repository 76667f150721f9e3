/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-process-name-private.h"

#include <stdio.h>
#include <string.h>

char *
gmcp_process_dup_name (int pid)
{
  g_autofree char *link = g_strdup_printf ("/proc/%d/exe", pid);
  g_autofree char *file = g_file_read_link (link, NULL);

  return g_strdup_printf ("%s (%d)", file != NULL ? file : "?", pid);
}

/* 0 where nobody knows. */
static int
find_parent (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;
  const char *end;
  int parent;

  /* The name of the file stands in brackets, and may hold any. */
  if (!g_file_get_contents (path, &stat, NULL, NULL) || (end = strrchr (stat, ')')) == NULL
      || sscanf (end, ") %*c %d", &parent) != 1)
    return 0;
  return parent;
}

char *
gmcp_process_dup_name_of_peer (int pid)
{
  g_autofree char *name = gmcp_process_dup_name (pid);
  g_autofree char *own = g_strdup_printf ("/gmcp (%d)", pid);
  int parent = g_str_has_suffix (name, own) ? find_parent (pid) : 0;
  g_autofree char *parent_name = parent > 0 ? gmcp_process_dup_name (parent) : NULL;

  return parent_name != NULL ? g_strdup_printf ("%s, started by %s", name, parent_name)
                             : g_steal_pointer (&name);
}
