/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcpd-api-body.h"
#include "gmcpd-api-listener.h"
#include "gmcpd-api-problem.h"

#define MAX_BODY_BYTES    (1024u * 1024)
#define MAX_DRAINED_BYTES (8u * 1024 * 1024)
#define MAX_LENGTH_DIGITS 16
#define MAX_DEPTH         64

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

/* What json-glib would take though it is no JSON, and what would be too deep for it. */
static gboolean
is_plain_json (const char *text, gsize length)
{
  guint depth = 0;
  gboolean in_string = FALSE;

  for (gsize i = 0; i < length; i++)
    {
      char c = text[i];

      if (in_string)
        {
          if ((guchar) c < 0x20)
            return FALSE;
          if (c == '\\')
            i++;
          else if (c == '"')
            in_string = FALSE;
        }
      else if (c == '"')
        in_string = TRUE;
      else if (c == '[' || c == '{')
        {
          if (++depth > MAX_DEPTH)
            return FALSE;
        }
      else if (c == ']' || c == '}')
        {
          if (depth-- == 0)
            return FALSE;
        }
      else if (c == '\0' || strchr (" \t\r\n,:-+.0123456789aeflnrstuE", c) == NULL)
        return FALSE;
    }
  return depth == 0 && !in_string;
}

JsonObject *
gmcpd_api_body_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonNode *root = NULL;

  if (length > 0 && g_utf8_validate_len (text, length, NULL) && is_plain_json (text, length)
      && json_parser_load_from_data (parser, text, (gssize) length, NULL))
    root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return json_object_ref (json_node_get_object (root));

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON,
               _ ("The body of the request has to be a JSON object, at most %d levels deep"),
               MAX_DEPTH);
  return NULL;
}
