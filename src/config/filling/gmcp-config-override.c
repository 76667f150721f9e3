/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-expand-private.h"

#define PREFIX "MCP_"

/* Whether the text is MCP_<SERVER>_, with something behind it; gives how long that is. */
static gsize
match_id (const char *variable, const char *id)
{
  const char *p = variable + strlen (PREFIX);

  for (; *id != '\0'; id++, p++)
    {
      if (*p != (g_ascii_isalnum (*id) ? g_ascii_toupper (*id) : '_'))
        return 0;
    }
  return p[0] == '_' && p[1] != '\0' && p[1] != '=' ? (gsize) (p + 1 - variable) : 0;
}

/* MCP_A_B_C is about a-b where there is such a server, and about a otherwise. */
static gsize
match_longest (const char *variable, const char *id, const char *const *ids)
{
  gsize length = match_id (variable, id);

  for (gsize i = 0; length > 0 && ids != NULL && ids[i] != NULL; i++)
    {
      if (match_id (variable, ids[i]) > length)
        return 0;
    }
  return length;
}

GStrv
gmcp_config_find_overrides (const char *id, const char *const *ids, const char *const *environment)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (gsize i = 0; environment[i] != NULL; i++)
    {
      gsize skipped
        = g_str_has_prefix (environment[i], PREFIX) ? match_longest (environment[i], id, ids) : 0;

      if (skipped > 0)
        g_ptr_array_add (found, g_strdup (environment[i] + skipped));
    }

  g_ptr_array_add (found, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
