/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tasks-private.h"

#include "gmcp-lists-private.h"
#include "gmcp-tool-private.h"

/* Which calls are made tasks of by this side. */

static GmcpTaskSupport
get_support (GmcpSession *self, const char *name)
{
  GmcpObjectList *tools = gmcp_lists_get_items (self, GMCP_LIST_TOOLS);
  guint length = gmcp_object_list_get_length (tools);

  for (guint i = 0; i < length; i++)
    {
      GmcpTool *tool = gmcp_object_list_peek (tools, i);

      if (g_str_equal (gmcp_tool_get_server_tool_name (tool), name))
        return gmcp_tool_get_task_support (tool);
    }
  return GMCP_TASK_SUPPORT_FORBIDDEN;
}

void
gmcp_tasks_write_request (GmcpSession *self,
                          GmcpJsonWriter *params,
                          const char *name,
                          GmcpCallOptions *options)
{
  GmcpTaskSupport support = get_support (self, name);
  gboolean wanted = options != NULL && gmcp_call_options_get_as_task (options);
  guint ttl_ms = options != NULL ? gmcp_call_options_get_task_ttl_ms (options) : 0;

  if (support == GMCP_TASK_SUPPORT_FORBIDDEN || (support == GMCP_TASK_SUPPORT_OPTIONAL && !wanted))
    return;

  gmcp_json_writer_plain_key (params, "task");
  gmcp_json_writer_begin_object (params);
  if (ttl_ms != 0)
    gmcp_json_writer_member_int64 (params, "ttl", ttl_ms);
  gmcp_json_writer_end_object (params);
}
