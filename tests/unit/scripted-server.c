/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "scripted-server.h"

#include "gmcp-transport-private.h"

static const char tools_members[]
  = "\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"name\":\"add\",\"title\":\"Add\",\"inputSchema\":{\"type\":\"object\"}}]";

static void
on_message (gpointer data, const char *text, gsize length, GBytes *owner)
{
  ScriptedServer *self = data;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, NULL);
  g_autofree char *method = NULL;
  GmcpRpcMessage message;

  g_assert_nonnull (doc);
  g_ptr_array_add (self->received, g_strndup (text, length));
  gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (doc));
  if (message.kind == GMCP_RPC_REQUEST)
    {
      g_free (self->last_id);
      self->last_id = gmcp_json_value_dup_raw (message.id);
    }
  method = gmcp_json_value_dup_string (message.method);
  if (method != NULL && self->answer != NULL)
    self->answer (self, method, &message);
}

static void
on_violation (gpointer data, const GError *error)
{
}

static void
on_closed (gpointer data, const GError *error)
{
}

static const GmcpTransportTaker taker = { on_message, on_violation, on_closed };

ScriptedServer *
scripted_server_new (GmcpTransport *transport, ScriptedServerFunc answer)
{
  ScriptedServer *self = g_new0 (ScriptedServer, 1);

  self->transport = g_object_ref (transport);
  self->received = g_ptr_array_new_with_free_func (g_free);
  self->answer = answer;
  gmcp_transport_set_taker (transport, &taker, self);
  gmcp_transport_open_async (transport, NULL, NULL, NULL);

  return self;
}

void
scripted_server_free (ScriptedServer *self)
{
  gmcp_transport_set_taker (self->transport, NULL, NULL);
  g_object_unref (self->transport);
  g_ptr_array_unref (self->received);
  g_free (self->last_id);
  g_free (self);
}

void
scripted_server_send (ScriptedServer *self, const char *text)
{
  g_autoptr (GString) whole = g_string_new (text);
  GmcpOutgoing outgoing = { 0 };

  if (self->last_id != NULL)
    g_string_replace (whole, "$ID", self->last_id, 0);
  outgoing.text = whole->str;
  outgoing.length = whole->len;
  gmcp_transport_send (self->transport, &outgoing, NULL);
}

const char *
scripted_server_find (ScriptedServer *self, const char *method)
{
  g_autofree char *member = g_strdup_printf ("\"method\":\"%s\"", method);

  for (guint i = self->received->len; i > 0; i--)
    {
      const char *text = g_ptr_array_index (self->received, i - 1);

      if (strstr (text, member) != NULL)
        return text;
    }
  return NULL;
}

guint
scripted_server_count (ScriptedServer *self, const char *method)
{
  g_autofree char *member = g_strdup_printf ("\"method\":\"%s\"", method);
  guint n = 0;

  for (guint i = 0; i < self->received->len; i++)
    n += strstr (g_ptr_array_index (self->received, i), member) != NULL;
  return n;
}

static void
send_tools (ScriptedServer *self)
{
  g_autofree char *text
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{%s}}", tools_members);

  scripted_server_send (self, text);
}

void
scripted_server_modern (ScriptedServer *self, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "server/discover"))
    scripted_server_send (
      self,
      "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
      "\"supportedVersions\":[\"2025-11-25\",\"2026-07-28\"],"
      "\"capabilities\":{\"tools\":{\"listChanged\":true}},\"instructions\":\"Be kind\","
      "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"m\",\"version\":\"1\"}}}}");
  else if (g_str_equal (method, "subscriptions/listen"))
    scripted_server_send (
      self,
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":"
      "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":$ID},"
      "\"notifications\":{\"toolsListChanged\":true}}}");
  else if (g_str_equal (method, "tools/list"))
    send_tools (self);
}

void
scripted_server_legacy (ScriptedServer *self, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "server/discover"))
    scripted_server_send (self, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32601,"
                                "\"message\":\"Method not found\"}}");
  else if (g_str_equal (method, "initialize"))
    scripted_server_send (
      self, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"protocolVersion\":\"2025-06-18\","
            "\"capabilities\":{\"tools\":{\"listChanged\":true}},"
            "\"serverInfo\":{\"name\":\"l\",\"version\":\"2\"},\"instructions\":\"Be quick\"}}");
  else if (g_str_equal (method, "tools/list"))
    send_tools (self);
  else if (g_str_equal (method, "ping"))
    scripted_server_send (self, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{}}");
}
