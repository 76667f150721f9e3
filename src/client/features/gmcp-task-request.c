/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-wait-private.h"

#include "gmcp-lists-private.h"
#include "gmcp-tool-private.h"

/* Which calls are made tasks of by this side. */

typedef enum
{
  TASK_FORBIDDEN,
  TASK_OPTIONAL,
  TASK_REQUIRED,
} TaskSupport;

static TaskSupport
get_support (GmcpSession *self, const char *name)
{
  GmcpObjectList *tools = gmcp_lists_get_items (self, GMCP_LIST_TOOLS);
  guint length = gmcp_object_list_get_length (tools);

  for (guint i = 0; i < length; i++)
    {
      GmcpTool *tool = gmcp_object_list_peek (tools, i);
      GmcpJsonValue support;

      if (!g_str_equal (gmcp_tool_get_server_tool_name (tool), name))
        continue;
      support
        = gmcp_json_value_get_pointer (gmcp_definition_get_value (tool), "/execution/taskSupport");
      if (gmcp_json_value_equals_string (support, "required"))
        return TASK_REQUIRED;
      return gmcp_json_value_equals_string (support, "optional") ? TASK_OPTIONAL : TASK_FORBIDDEN;
    }
  return TASK_FORBIDDEN;
}

void
gmcp_tasks_write_request (GmcpSession *self,
                          GmcpJsonWriter *params,
                          const char *name,
                          GmcpCallOptions *options)
{
  TaskSupport support = get_support (self, name);
  gboolean wanted = options != NULL && gmcp_call_options_get_as_task (options);
  guint ttl_ms = options != NULL ? gmcp_call_options_get_task_ttl_ms (options) : 0;

  if (support == TASK_FORBIDDEN || (support == TASK_OPTIONAL && !wanted))
    return;

  gmcp_json_writer_plain_key (params, "task");
  gmcp_json_writer_begin_object (params);
  if (ttl_ms != 0)
    gmcp_json_writer_member_int64 (params, "ttl", ttl_ms);
  gmcp_json_writer_end_object (params);
}
