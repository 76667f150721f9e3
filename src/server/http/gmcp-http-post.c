/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-post-private.h"

#include <string.h>

#include "gmcp-http-gate-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-rpc-message-private.h"
#include "gmcp-server-dispatch-private.h"
#include "gmcp-server-era-legacy-private.h"

#define TYPE_JSON    "application/json"
#define TYPE_EVENTS  "text/event-stream"
#define USUAL_ACCEPT TYPE_JSON ", " TYPE_EVENTS

void
gmcp_http_post_clear (GmcpHttpPost *self)
{
  g_clear_pointer (&self->doc, gmcp_json_doc_unref);
  g_clear_pointer (&self->ids, g_array_unref);
}

static gboolean
check_types (const GmcpSoupServer *soup, SoupServerMessage *message, GmcpHttpResponse *response)
{
  const char *accept = gmcp_http_response_get_request_header (response, "Accept");
  const char *type = soup->message_headers_get_content_type (
    soup->server_message_get_request_headers (message), NULL);

  if (type == NULL || (strcmp (type, TYPE_JSON) != 0 && g_ascii_strcasecmp (type, TYPE_JSON) != 0))
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_UNSUPPORTED_MEDIA_TYPE,
                                 GMCP_RPC_ERROR_INVALID_REQUEST,
                                 "Invalid request: Content-Type has to be " TYPE_JSON);
      return FALSE;
    }
  if (g_strcmp0 (accept, USUAL_ACCEPT) != 0
      && (!gmcp_http_accepts (accept, TYPE_JSON) || !gmcp_http_accepts (accept, TYPE_EVENTS)))
    {
      gmcp_http_response_refuse (
        response, SOUP_STATUS_NOT_ACCEPTABLE, GMCP_RPC_ERROR_INVALID_REQUEST,
        "Invalid request: Accept has to allow " TYPE_JSON " and " TYPE_EVENTS);
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_modern_message (const GmcpRpcMessage *message)
{
  GmcpJsonValue meta = gmcp_json_value_get_member (message->params, GMCP_MEMBER_META);

  return gmcp_json_value_is_present (gmcp_json_value_get_member (meta, GMCP_META_PROTOCOL_VERSION));
}

static void
read_message (GmcpHttpPost *self, const GmcpRpcMessage *message)
{
  self->is_invalid
    = self->is_invalid || gmcp_server_dispatch_get_kind (message) == GMCP_RPC_INVALID;
  if (message->kind != GMCP_RPC_REQUEST)
    return;

  g_array_append_val (self->ids, message->id);
  self->is_modern = self->is_modern || is_modern_message (message);
  self->is_initialize = self->is_initialize || gmcp_server_era_legacy_is_opening (message->method);
}

static void
read_messages (GmcpHttpPost *self)
{
  GmcpJsonValue root = gmcp_json_doc_get_root (self->doc);
  GmcpRpcMessage message;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (!gmcp_json_value_is_array (root))
    {
      gmcp_rpc_message_read (&message, root);
      read_message (self, &message);
      self->opens_session = gmcp_server_era_legacy_opens (&message);
      return;
    }
  gmcp_json_iter_init (&iter, root);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      gmcp_rpc_message_read (&message, value);
      read_message (self, &message);
    }
}

static gboolean
read_version (GmcpHttpPost *self, GmcpHttpResponse *response)
{
  const char *known = gmcp_http_response_get_version (response);

  if (known != NULL && gmcp_protocol_get_era (known) == GMCP_ERA_MODERN)
    {
      self->is_modern = TRUE;
      return TRUE;
    }
  self->version = known;
  if (known != NULL || self->is_modern)
    return TRUE;

  gmcp_http_response_refuse_version (response);
  return FALSE;
}

/* Spec: MCP 2026-07-28, basic/transports/streamable-http, "Sending Messages". */
static gboolean
check_notification (GmcpHttpPost *self, GmcpHttpResponse *response)
{
  GmcpRpcMessage message;

  if (!self->is_modern || self->ids->len > 0)
    return TRUE;

  gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (self->doc));
  if (message.kind == GMCP_RPC_NOTIFICATION
      && (!gmcp_json_value_is_present (message.params)
          || gmcp_json_value_is_object (message.params)))
    return TRUE;

  gmcp_http_response_refuse (response, SOUP_STATUS_BAD_REQUEST, GMCP_RPC_ERROR_INVALID_REQUEST,
                             "Invalid request: it has to be one request or notification");
  return FALSE;
}

gboolean
gmcp_http_post_read (GmcpHttpPost *self,
                     const GmcpSoupServer *soup,
                     SoupServerMessage *message,
                     GmcpHttpResponse *response)
{
  g_autoptr (GBytes) body = NULL;
  g_autoptr (GError) error = NULL;
  const char *text;
  gsize length;

  if (!check_types (soup, message, response))
    return FALSE;

  body = soup->message_body_flatten (soup->server_message_get_request_body (message));
  /* libsoup keeps it in parts, too. */
  soup->message_body_truncate (soup->server_message_get_request_body (message));
  text = g_bytes_get_data (body, &length);
  self->doc = gmcp_json_doc_parse (text, length, body, 0, &error);
  if (self->doc == NULL)
    {
      g_autofree char *reason = g_strconcat ("Parse error: ", error->message, NULL);

      gmcp_http_response_refuse (response, SOUP_STATUS_BAD_REQUEST, GMCP_RPC_ERROR_PARSE, reason);
      return FALSE;
    }

  self->ids = g_array_new (FALSE, FALSE, sizeof (GmcpJsonValue));
  read_messages (self);
  self->is_invalid |= gmcp_json_value_is_array (gmcp_json_doc_get_root (self->doc))
                      && gmcp_json_value_get_length (gmcp_json_doc_get_root (self->doc)) == 0;
  if (self->is_invalid && self->ids->len == 0)
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_BAD_REQUEST, GMCP_RPC_ERROR_INVALID_REQUEST,
                                 "Invalid request: not a JSON-RPC 2.0 message");
      return FALSE;
    }
  return read_version (self, response) && check_notification (self, response);
}
