/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-headers-private.h"

#include "gmcp-era-private.h"
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
  GError *reason = NULL;

  if (!self->has_headers || !self->era->has_tool_headers)
    return TRUE;

  gmcp_tool_peek_headers (tool, &reason);
  if (reason == NULL)
    return TRUE;
  g_propagate_error (error, reason);
  return FALSE;
}

GmcpTool *
gmcp_client_peek_tool (GmcpClient *self, const char *name)
{
  return gmcp_client_list_peek (self, GMCP_CLIENT_LIST_TOOLS, name);
}

const GmcpToolHeaders *
gmcp_client_peek_tool_headers (GmcpClient *self, const char *name)
{
  GmcpTool *tool = gmcp_client_peek_tool (self, name);

  return tool != NULL ? gmcp_tool_peek_headers (tool, NULL) : NULL;
}
