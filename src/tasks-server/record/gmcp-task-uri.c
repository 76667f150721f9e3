/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-task-uri.h"

#define TASK_PREFIX "tasks://task/"

static const struct
{
  const char *uri;
  GmcpTaskSelection selection;
} lists[] = {
  { GMCP_TASK_URI_ALL, GMCP_TASK_SELECTION_ALL },
  { GMCP_TASK_URI_PENDING, GMCP_TASK_SELECTION_PENDING },
  { GMCP_TASK_URI_COMPLETED, GMCP_TASK_SELECTION_COMPLETED },
};

/* Every resource has one address, written in one way; another way to write it leads nowhere. */
GmcpTaskUri
gmcp_task_uri_parse (const char *text)
{
  GmcpTaskUri uri = { GMCP_TASK_URI_KIND_NONE, GMCP_TASK_SELECTION_ALL, NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (strcmp (text, lists[i].uri) == 0)
      {
        uri.kind = GMCP_TASK_URI_KIND_LIST;
        uri.selection = lists[i].selection;
        return uri;
      }

  if (g_str_has_prefix (text, TASK_PREFIX) && g_uuid_string_is_valid (text + strlen (TASK_PREFIX)))
    {
      uri.kind = GMCP_TASK_URI_KIND_TASK;
      uri.id = text + strlen (TASK_PREFIX);
    }

  return uri;
}

char *
gmcp_task_uri_new_for_task (const char *id)
{
  return g_strconcat (TASK_PREFIX, id, NULL);
}
