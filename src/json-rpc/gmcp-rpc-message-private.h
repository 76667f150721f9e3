/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* JSON-RPC 2.0 envelopes. Ids stay as they came: 1 is not "1", and a reply carries the id's own
 * bytes. */

typedef enum
{
  GMCP_RPC_INVALID,      /* JSON, but no JSON-RPC message */
  GMCP_RPC_REQUEST,      /* method and id */
  GMCP_RPC_NOTIFICATION, /* method without id */
  GMCP_RPC_RESULT,       /* result; the id may be absent or null with a peer that is off */
  GMCP_RPC_FAILURE,      /* error; the id may be absent or null */
  GMCP_RPC_BATCH,        /* an array; value is it */
} GmcpRpcKind;

typedef struct
{
  GmcpRpcKind kind;
  GmcpJsonValue value; /* the whole message */
  GmcpJsonValue id;
  GmcpJsonValue method;
  GmcpJsonValue params;
  GmcpJsonValue result;
  GmcpJsonValue error;
} GmcpRpcMessage;

void gmcp_rpc_message_read (GmcpRpcMessage *message, GmcpJsonValue value);

/* A request's id that this side gave: a JSON integer, not a string that looks like one. */
gboolean gmcp_rpc_id_get_int64 (GmcpJsonValue id, gint64 *out);

/* The GError of a failure's error member; what is malformed in it is made good for. */
GError *gmcp_rpc_error_new_from_value (GmcpJsonValue error);

/* Writers. Each leaves out without its line end; id is copied as it came, and null where absent. */
void gmcp_rpc_write_error (GString *out,
                           GmcpJsonValue id,
                           int code,
                           const char *message,
                           const char *data_json);
/* The text up to the result's value; end with one "}" after it. */
void gmcp_rpc_write_result_start (GString *out, GmcpJsonValue id);
/* The text up to the params' value; end with one "}" after it. */
void gmcp_rpc_write_request_start (GString *out, gint64 id, const char *method);
void gmcp_rpc_write_notification_start (GString *out, const char *method);

G_END_DECLS
