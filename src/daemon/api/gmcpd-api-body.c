/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-body.h"
#include "gmcpd-api-listener.h"
#include "gmcpd-api-problem.h"

#define MAX_BODY_BYTES (1024u * 1024)
/* Of a body that is refused and kept nothing of, so that a client which sends it all the same gets to the answer. */
#define MAX_DRAINED_BYTES (128u * 1024 * 1024)
#define MAX_LENGTH_DIGITS 16

typedef struct
{
  const GmcpdSoup *soup;
  gsize n_bytes;
} Count;

gboolean
gmcpd_api_body_is_length_sound (const GmcpdSoup *soup, SoupServerMessage *message)
{
  const char *length = gmcpd_soup_get_header (soup, message, "Content-Length");
  gsize n_digits = length != NULL ? strspn (length, "0123456789") : 0;

  if (length == NULL)
    return TRUE;
  return gmcpd_soup_get_header (soup, message, "Transfer-Encoding") == NULL && n_digits > 0
         && n_digits < MAX_LENGTH_DIGITS && length[n_digits] == '\0';
}

static void
refuse_body (const GmcpdSoup *soup, SoupServerMessage *message)
{
  soup->message_body_set_accumulate (soup->server_message_get_request_body (message), FALSE);
  if (soup->server_message_get_status (message) == 0)
    gmcpd_api_problem_set (soup, message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, "limit-exceeded",
                           _ ("The body of a request may have at most 1 MiB"));
}

static void
on_chunk (SoupServerMessage *message, GBytes *chunk, gpointer data)
{
  Count *count = data;

  count->n_bytes += g_bytes_get_size (chunk);
  if (count->n_bytes > MAX_BODY_BYTES)
    refuse_body (count->soup, message);
  if (count->n_bytes > MAX_DRAINED_BYTES)
    gmcpd_api_listener_cut_off (count->soup, message);
}

static void
free_count (gpointer data, GClosure *closure)
{
  g_free (data);
}

void
gmcpd_api_body_limit (const GmcpdSoup *soup, SoupServerMessage *message)
{
  Count *count = g_new0 (Count, 1);

  count->soup = soup;
  g_signal_connect_data (message, "got-chunk", G_CALLBACK (on_chunk), count, free_count, 0);
  if (soup->message_headers_get_content_length (soup->server_message_get_request_headers (message))
      > (goffset) MAX_BODY_BYTES)
    refuse_body (soup, message);
}

JsonObject *
gmcpd_api_body_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (JsonNode) node = gmcp_json_parse (text, (gssize) length, &reason);

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return json_node_dup_object (node);
  if (node != NULL)
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON,
                         _ ("The body of the request has to be a JSON object"));
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON,
                 /* Translators: what is wrong with it */
                 _ ("The body of the request has to be a JSON object: %s"), reason->message);
  return NULL;
}
