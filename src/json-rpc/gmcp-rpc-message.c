/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-rpc-message-private.h"

#include <string.h>

#include "gmcp-error-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-append-private.h"
#include "gmcp-limits.h"

static GmcpRpcKind
classify_message (const GmcpRpcMessage *message)
{
  GmcpJsonKind id_kind = gmcp_json_value_get_kind (message->id);
  gboolean id_usable = id_kind == GMCP_JSON_STRING || id_kind == GMCP_JSON_NUMBER;

  if (gmcp_json_value_is_present (message->method))
    {
      if (!gmcp_json_value_is_string (message->method))
        return GMCP_RPC_INVALID;
      if (id_kind == GMCP_JSON_ABSENT)
        return GMCP_RPC_NOTIFICATION;
      return id_usable ? GMCP_RPC_REQUEST : GMCP_RPC_INVALID;
    }

  if (!id_usable && id_kind != GMCP_JSON_ABSENT && id_kind != GMCP_JSON_NULL)
    return GMCP_RPC_INVALID;
  /* Some peers write "error": null beside each result. */
  if (gmcp_json_value_is_present (message->error)
      && !(gmcp_json_value_get_kind (message->error) == GMCP_JSON_NULL
           && gmcp_json_value_is_present (message->result)))
    return GMCP_RPC_FAILURE;
  if (gmcp_json_value_is_present (message->result))
    return GMCP_RPC_RESULT;

  return GMCP_RPC_INVALID;
}

void
gmcp_rpc_message_read (GmcpRpcMessage *message, GmcpJsonValue value)
{
  enum
  {
    ID,
    RESULT,
    METHOD,
    PARAMS,
    ERROR,
    N_MEMBERS
  };
  static const GmcpJsonName names[N_MEMBERS] = {
    [ID] = { "id", 2 },         [METHOD] = { "method", 6 }, [PARAMS] = { "params", 6 },
    [RESULT] = { "result", 6 }, [ERROR] = { "error", 5 },
  };
  GmcpJsonValue members[N_MEMBERS];

  if (!gmcp_json_value_is_object (value))
    {
      *message = (GmcpRpcMessage){ .value = value };
      message->kind = gmcp_json_value_is_array (value) ? GMCP_RPC_BATCH : GMCP_RPC_INVALID;
      return;
    }

  gmcp_json_value_get_members (value, names, N_MEMBERS, members);
  *message = (GmcpRpcMessage){
    .value = value,
    .id = members[ID],
    .method = members[METHOD],
    .params = members[PARAMS],
    .result = members[RESULT],
    .error = members[ERROR],
  };
  message->kind = classify_message (message);
}

gboolean
gmcp_rpc_id_get_int64 (GmcpJsonValue id, gint64 *out)
{
  return gmcp_json_value_get_int64 (id, out);
}

/* An error is copied for each who waits, and kept to be shown. Takes the text. */
static char *
cut_message (char *message)
{
  g_autofree char *whole = message;
  g_autofree char *more = NULL;
  gsize length = strlen (message);
  gsize kept = GMCP_LIMIT_ERROR_MESSAGE_BYTES;

  if (length <= kept)
    return g_steal_pointer (&whole);

  while (kept > 0 && ((guchar) message[kept] & 0xc0) == 0x80)
    kept--;
  message[kept] = '\0';
  more = g_strdup_printf ("%" G_GSIZE_FORMAT, length - kept);
  /* Translators: a text, and how many bytes of it are left out */
  return g_strdup_printf (_ ("%s… (%s more bytes)"), message, more);
}

static char *
dup_data (GmcpJsonValue data)
{
  gsize length;

  if (!gmcp_json_value_is_present (data))
    return NULL;
  gmcp_json_value_peek_raw (data, &length);
  if (length > GMCP_LIMIT_ERROR_DATA_BYTES)
    {
      g_debug ("%" G_GSIZE_FORMAT " bytes of data of an error are left out", length);
      return NULL;
    }
  return gmcp_json_value_dup_raw (data);
}

GError *
gmcp_rpc_error_new_from_value (GmcpJsonValue error)
{
  GmcpJsonValue data = gmcp_json_value_get_member (error, "data");
  g_autofree char *message = NULL;
  gint64 code;

  if (!gmcp_json_value_get_int64 (gmcp_json_value_get_member (error, "code"), &code)
      || code < G_MININT || code > G_MAXINT)
    code = GMCP_RPC_ERROR_INTERNAL;

  message = gmcp_json_value_dup_string (gmcp_json_value_get_member (error, "message"));
  if (message == NULL && gmcp_json_value_is_string (error))
    message = gmcp_json_value_dup_string (error);

  message = message != NULL ? cut_message (g_steal_pointer (&message)) : NULL;
  return gmcp_rpc_error_new_take ((int) code, message != NULL ? message : "", dup_data (data));
}

static void
write_id (GString *out, GmcpJsonValue id)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  if (gmcp_json_value_is_present (id))
    gmcp_json_writer_value (&writer, id);
  else
    gmcp_json_writer_null (&writer);
}

void
gmcp_rpc_write_error (GString *out,
                      GmcpJsonValue id,
                      int code,
                      const char *message,
                      const char *data_json)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  g_string_append (out, "{\"jsonrpc\":\"2.0\",\"id\":");
  write_id (out, id);
  g_string_append (out, ",\"error\":");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_int64 (&writer, "code", code);
  gmcp_json_writer_member_string (&writer, "message", message);
  if (data_json != NULL)
    {
      gmcp_json_writer_key (&writer, "data");
      gmcp_json_writer_raw (&writer, data_json, -1);
    }
  gmcp_json_writer_end_object (&writer);
  g_string_append_c (out, '}');
}

void
gmcp_rpc_write_result_start (GString *out, GmcpJsonValue id)
{
  g_string_append (out, "{\"jsonrpc\":\"2.0\",\"id\":");
  write_id (out, id);
  g_string_append (out, ",\"result\":");
}

void
gmcp_rpc_write_request_start (GString *out, gint64 id, const char *method)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  gmcp_json_append_literal (out, "{\"jsonrpc\":\"2.0\",\"id\":");
  gmcp_json_writer_int64 (&writer, id);
  gmcp_json_append_literal (out, ",\"method\":\"");
  gmcp_json_append (out, method, strlen (method));
  gmcp_json_append_literal (out, "\",\"params\":");
}

void
gmcp_rpc_write_notification_start (GString *out, const char *method)
{
  gmcp_json_append_literal (out, "{\"jsonrpc\":\"2.0\",\"method\":\"");
  gmcp_json_append (out, method, strlen (method));
  gmcp_json_append_literal (out, "\",\"params\":");
}
