/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-round-state-private.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-server-private.h"

#define STATE_EXPIRES    "expires"
#define STATE_REQUEST    "request"
#define STATE_ANSWERS    "answers"
#define STATE_KEPT       "kept"
#define SIGNATURE_LENGTH 64u /* SHA-256, in hexadecimal digits */

/* Of what has to be the same each time that a request is sent, and of who sends it. */
static char *
digest_request (GmcpServerExchange *exchange)
{
  static const char *const members[] = { "name", "uri", "arguments" };
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  GmcpJsonValue params = gmcp_server_exchange_get_params (exchange);
  const char *user
    = gmcp_server_connection_get_user (gmcp_server_exchange_get_connection (exchange));
  gsize length;
  const char *text = gmcp_json_value_peek_raw (gmcp_server_exchange_get_method (exchange), &length);

  g_checksum_update (checksum, (const guchar *) text, (gssize) length);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      GmcpJsonValue member = gmcp_json_value_get_member (params, members[i]);

      g_checksum_update (checksum, (const guchar *) "\n", 1);
      if (!gmcp_json_value_is_present (member))
        continue;
      text = gmcp_json_value_peek_raw (member, &length);
      g_checksum_update (checksum, (const guchar *) text, (gssize) length);
    }
  if (user != NULL)
    {
      g_checksum_update (checksum, (const guchar *) "\n", 1);
      g_checksum_update (checksum, (const guchar *) user, -1);
    }
  return g_strdup (g_checksum_get_string (checksum));
}

static char *
sign_text (GmcpServerExchange *exchange, const char *text, gsize length)
{
  gsize key_length;
  const guchar *key = g_bytes_get_data (
    gmcp_server_get_state_key (gmcp_server_exchange_get_server (exchange)), &key_length);

  return g_compute_hmac_for_data (G_CHECKSUM_SHA256, key, key_length, (const guchar *) text,
                                  length);
}

/* In a time that tells nothing of where they differ. */
static gboolean
is_same_signature (const char *first, const char *second)
{
  guint different = 0;

  for (guint i = 0; i < SIGNATURE_LENGTH; i++)
    different |= (guint) first[i] ^ (guint) second[i];
  return different == 0;
}

GmcpJsonDoc *
gmcp_server_round_state_open (GmcpServerExchange *exchange, const char *state)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *signature = NULL;
  g_autofree char *digest = NULL;
  g_autofree guchar *text = NULL;
  gsize length = 0;
  gint64 expires;

  if (strlen (state) <= SIGNATURE_LENGTH)
    return NULL;
  text = g_base64_decode (state + SIGNATURE_LENGTH, &length);
  signature = sign_text (exchange, (const char *) text, length);
  if (!is_same_signature (signature, state))
    return NULL;

  bytes = g_bytes_new_take (g_steal_pointer (&text), length);
  doc = gmcp_json_doc_parse (g_bytes_get_data (bytes, NULL), length, bytes, 0, NULL);
  if (doc == NULL)
    return NULL;

  digest = digest_request (exchange);
  if (!gmcp_json_value_equals_string (
        gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), STATE_REQUEST), digest)
      || !gmcp_json_value_get_int64 (
        gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), STATE_EXPIRES), &expires)
      || expires < g_get_real_time () / G_USEC_PER_SEC)
    return NULL;
  return g_steal_pointer (&doc);
}

char *
gmcp_server_round_state_make (GmcpServerExchange *exchange,
                              const char *answers,
                              const char *kept_json)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *digest = digest_request (exchange);
  g_autofree char *signature = NULL;
  g_autofree char *encoded = NULL;

  g_string_printf (text,
                   "{\"" STATE_EXPIRES "\":%" G_GINT64_FORMAT ",\"" STATE_REQUEST
                   "\":\"%s\",\"" STATE_ANSWERS "\":{%s}",
                   g_get_real_time () / G_USEC_PER_SEC + GMCP_DEFAULT_REQUEST_STATE_S, digest,
                   answers);
  if (kept_json != NULL)
    g_string_append_printf (text, ",\"" STATE_KEPT "\":%s", kept_json);
  g_string_append_c (text, '}');
  signature = sign_text (exchange, text->str, text->len);
  encoded = g_base64_encode ((const guchar *) text->str, text->len);
  return g_strconcat (signature, encoded, NULL);
}

GmcpJsonValue
gmcp_server_round_state_get_answers (GmcpJsonDoc *state)
{
  return gmcp_json_value_get_member (gmcp_json_doc_get_root (state), STATE_ANSWERS);
}

char *
gmcp_server_round_state_dup_kept (GmcpJsonDoc *state)
{
  GmcpJsonValue kept = gmcp_json_value_get_member (gmcp_json_doc_get_root (state), STATE_KEPT);

  return gmcp_json_value_is_present (kept) ? gmcp_json_value_dup_raw (kept) : NULL;
}
