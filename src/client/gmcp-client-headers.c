/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-headers-private.h"

#include "gmcp-client-era-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-tool-private.h"

/* What a message says in headers, where the transport has such. */

void
gmcp_client_add_header (GPtrArray *headers, const char *name, const char *value)
{
  g_ptr_array_add (headers, g_strdup (name));
  g_ptr_array_add (headers, gmcp_header_value_new (value));
}

GPtrArray *
gmcp_client_dress (GmcpClient *self, GmcpOutgoing *outgoing)
{
  GPtrArray *headers = g_ptr_array_new_with_free_func (g_free);

  if (self->era != NULL)
    self->era->dress (self, outgoing, headers);
  g_ptr_array_add (headers, NULL);
  outgoing->headers = (const char *const *) headers->pdata;
  return headers;
}

void
gmcp_client_begin_session (GmcpClient *self)
{
  GmcpOutgoing unasked = { 0 };
  g_autoptr (GPtrArray) headers = NULL;

  if (!self->has_headers)
    return;

  headers = gmcp_client_dress (self, &unasked);
  gmcp_transport_begin_session (self->transport, unasked.headers);
}

gboolean
gmcp_client_accept_tool (GmcpClient *self, gpointer tool, GError **error)
{
  g_autoptr (GmcpToolHeaders) headers = NULL;
  g_autoptr (GError) reason = NULL;

  if (!self->has_headers || !self->era->has_tool_headers)
    return TRUE;

  headers = gmcp_tool_headers_new (gmcp_tool_get_input_schema_value (tool), &reason);
  if (reason == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

GmcpTool *
gmcp_client_peek_tool (GmcpClient *self, const char *name)
{
  return gmcp_client_list_peek (self, GMCP_CLIENT_LIST_TOOLS, name);
}

void
gmcp_client_add_tool_headers (GmcpClient *self,
                              const char *name,
                              GmcpJsonValue arguments,
                              GPtrArray *headers)
{
  GmcpTool *tool = gmcp_client_peek_tool (self, name);
  g_autoptr (GmcpToolHeaders) marked = NULL;

  if (tool != NULL)
    marked = gmcp_tool_headers_new (gmcp_tool_get_input_schema_value (tool), NULL);
  if (marked != NULL)
    gmcp_tool_headers_append (marked, arguments, headers);
}
