/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-json-schema-private.h"
#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* The tools of a server: in the order they were added, and by name. */

typedef struct _GmcpServerTools GmcpServerTools;

/* One of them. Calls that run keep it, so it may be removed meanwhile. */
typedef struct
{
  GmcpTool *tool;
  const char *name;
  GmcpJsonSchema *input;
  GmcpJsonSchema *output; /* nullable */

  /* What a list says of it; plain_json is for clients to whom structured content is an object. */
  char *json;
  char *plain_json;
  guint64 serial; /* never given twice */

  GmcpServerToolFunc func;
  gpointer user_data;
  GDestroyNotify destroy;
} GmcpServerTool;

GmcpServerTools *gmcp_server_tools_new (void);
void gmcp_server_tools_free (GmcpServerTools *self);
/* Takes user_data over only where it succeeds. */
gboolean gmcp_server_tools_add (GmcpServerTools *self,
                                GmcpTool *tool,
                                GmcpServerToolFunc func,
                                gpointer user_data,
                                GDestroyNotify destroy,
                                GError **error);
gboolean gmcp_server_tools_remove (GmcpServerTools *self, const char *name);
GmcpServerTool *gmcp_server_tools_find (GmcpServerTools *self, GmcpJsonValue name);

GmcpServerTool *gmcp_server_tool_ref (GmcpServerTool *tool);
void gmcp_server_tool_unref (GmcpServerTool *tool);

void gmcp_server_tools_handle_list (GmcpServerExchange *exchange);
void gmcp_server_tools_handle_call (GmcpServerExchange *exchange);
/* The answer to a call, checked against the tool's output schema. */
void gmcp_server_tools_reply (GmcpServerExchange *exchange,
                              GmcpServerTool *tool,
                              GmcpToolResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerTool, gmcp_server_tool_unref)

G_END_DECLS
