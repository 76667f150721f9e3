/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "gmcp-elicitation-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-era-legacy-private.h"

/* Addresses that the user is sent to: whether the call waits for that or ends, and how the client learns that it is
 * done. Spec: MCP 2025-11-25, client/elicitation, "URL Mode Elicitation Requests". */

#define NOTIFICATION_COMPLETE "notifications/elicitation/complete"
#define MEMBER_ID             "elicitationId"

static void
on_completed (GmcpElicitation *visit, gpointer data)
{
  GmcpServerOutbox *outbox = gmcp_server_connection_get_outbox (data);
  GmcpJsonWriter writer;

  if (gmcp_server_outbox_is_closed (outbox))
    return;

  writer = gmcp_server_outbox_begin_notification (outbox, NOTIFICATION_COMPLETE);
  gmcp_json_writer_member_string (&writer, MEMBER_ID, gmcp_elicitation_get_elicitation_id (visit));
  gmcp_server_outbox_send_notification (outbox, &writer, NOTIFICATION_COMPLETE, GMCP_JSON_NONE);
}

static void
unref_connection (gpointer data, GClosure *closure)
{
  gmcp_server_connection_unref (data);
}

void
gmcp_server_era_legacy_watch_visit (GmcpServerConnection *connection, GmcpElicitation *visit)
{
  if (gmcp_elicitation_get_elicitation_id (visit) == NULL)
    return;

  gmcp_elicitation_note_asked (visit);
  g_signal_connect_data (visit, "completed", G_CALLBACK (on_completed),
                         gmcp_server_connection_ref (connection), unref_connection, 0);
}

void
gmcp_server_era_legacy_refuse_for_visit (GmcpServerExchange *exchange,
                                         GmcpServerCaller *caller,
                                         GmcpElicitation *visit,
                                         GTask *task)
{
  g_autoptr (GString) data = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (data);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "elicitations");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_value (&writer,
                          gmcp_input_request_get_params_value (GMCP_INPUT_REQUEST (visit)));
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);

  gmcp_server_era_legacy_watch_visit (gmcp_server_exchange_get_connection (exchange), visit);
  gmcp_server_caller_require_visit (caller, data->str);
  g_task_return_error (task, gmcp_rpc_error_new (GMCP_CODE_URL_ELICITATION_REQUIRED,
                                                 gmcp_elicitation_get_message (visit), data->str));
}
