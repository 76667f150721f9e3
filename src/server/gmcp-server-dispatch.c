/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-protocol-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-dispatch-private.h"
#include "gmcp-server-exchange-struct-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-resources-private.h"
#include "gmcp-server-tools-private.h"

const GmcpServerEra *const gmcp_server_eras[GMCP_SERVER_N_ERAS] = {
  &gmcp_server_era_modern,
  &gmcp_server_era_legacy,
};

/* What both eras have. */

static void
on_cancelled (GmcpServerConnection *connection, GmcpJsonValue params)
{
  GmcpJsonValue id = gmcp_json_value_get_member (params, "requestId");
  GmcpServerExchange *exchange;

  if (!gmcp_json_value_is_present (gmcp_server_dispatch_usable_id (id)))
    return;

  exchange = gmcp_server_connection_find (connection, id);
  if (exchange == NULL)
    return;

  if (exchange->batch == NULL)
    gmcp_server_outbox_leave_unanswered (gmcp_server_connection_get_outbox (connection),
                                         exchange->id);
  gmcp_server_connection_forget (connection, exchange);
  exchange->ended (exchange, exchange->ended_data);
}

static const GmcpServerMethod shared_methods[] = {
  { GMCP_METHOD_TOOLS_CALL, gmcp_server_tools_handle_call, GMCP_SERVER_SUBJECT_TOOLS },
  { GMCP_METHOD_TOOLS_LIST, gmcp_server_tools_handle_list, GMCP_SERVER_SUBJECT_TOOLS },
  { GMCP_METHOD_RESOURCES_READ, gmcp_server_resources_handle_read, GMCP_SERVER_SUBJECT_RESOURCES },
  { GMCP_METHOD_RESOURCES_LIST, gmcp_server_resources_handle_list, GMCP_SERVER_SUBJECT_RESOURCES },
  { GMCP_METHOD_TEMPLATES_LIST, gmcp_server_resources_handle_list_templates,
    GMCP_SERVER_SUBJECT_RESOURCES },
  { GMCP_METHOD_PROMPTS_GET, gmcp_server_prompts_handle_get, GMCP_SERVER_SUBJECT_PROMPTS },
  { GMCP_METHOD_PROMPTS_LIST, gmcp_server_prompts_handle_list, GMCP_SERVER_SUBJECT_PROMPTS },
  { GMCP_METHOD_COMPLETE, gmcp_server_completion_handle, GMCP_SERVER_SUBJECT_COMPLETIONS },
  { NULL },
};

static const GmcpServerNotification shared_notifications[] = {
  { "notifications/cancelled", on_cancelled },
  { NULL },
};

const GmcpServerMethod *
gmcp_server_method_find (const GmcpServerMethod *methods, GmcpJsonValue name)
{
  for (const GmcpServerMethod *method = methods; method->name != NULL; method++)
    {
      if (gmcp_json_value_equals_string (name, method->name))
        return method;
    }

  return NULL;
}

static const GmcpServerMethod *
find_era_method (const GmcpServerEra *era, GmcpJsonValue name)
{
  const GmcpServerMethod *method = gmcp_server_method_find (era->methods, name);

  return method != NULL ? method : gmcp_server_method_find (era->task_methods, name);
}

static gboolean
handle_notification (const GmcpServerNotification *notifications,
                     GmcpServerConnection *connection,
                     const GmcpRpcMessage *message)
{
  for (const GmcpServerNotification *each = notifications; each->name != NULL; each++)
    {
      if (!gmcp_json_value_equals_string (message->method, each->name))
        continue;

      each->handle (connection, message->params);
      return TRUE;
    }

  return FALSE;
}

void
gmcp_server_dispatch_notification (GmcpServerConnection *connection, const GmcpRpcMessage *message)
{
  if (handle_notification (shared_notifications, connection, message))
    return;

  for (guint i = 0; i < GMCP_SERVER_N_ERAS; i++)
    {
      if (handle_notification (gmcp_server_eras[i]->notifications, connection, message))
        return;
    }
}

/* However large it is, and also where it is written with a fraction that is nought. */
static gboolean
is_integer (GmcpJsonValue number)
{
  gsize length;
  const char *text = gmcp_json_value_peek_raw (number, &length);
  gint64 value;

  for (gsize i = 0; i < length; i++)
    if (text[i] == '.' || text[i] == 'e' || text[i] == 'E')
      return gmcp_json_value_get_int64 (number, &value);
  return TRUE;
}

GmcpJsonValue
gmcp_server_dispatch_usable_id (GmcpJsonValue id)
{
  if (gmcp_json_value_is_string (id) || (gmcp_json_value_is_number (id) && is_integer (id)))
    return id;
  return GMCP_JSON_NONE;
}

GmcpRpcKind
gmcp_server_dispatch_get_kind (const GmcpRpcMessage *message)
{
  if (message->kind != GMCP_RPC_REQUEST && message->kind != GMCP_RPC_NOTIFICATION)
    return message->kind;
  if (!gmcp_json_value_equals_string (gmcp_json_value_get_member (message->value, "jsonrpc"),
                                      "2.0"))
    return GMCP_RPC_INVALID;
  if (message->kind == GMCP_RPC_REQUEST
      && !gmcp_json_value_is_present (gmcp_server_dispatch_usable_id (message->id)))
    return GMCP_RPC_INVALID;
  return message->kind;
}

static void
refuse_unclaimed (GmcpServerExchange *exchange)
{
  gboolean known = gmcp_server_method_find (shared_methods, exchange->method) != NULL;
  g_autofree char *name = gmcp_server_quote (exchange->method);
  g_autofree char *message = NULL;

  for (guint i = 0; !known && i < GMCP_SERVER_N_ERAS; i++)
    known = find_era_method (gmcp_server_eras[i], exchange->method) != NULL;

  if (!known)
    {
      message = g_strdup_printf ("Method not found: %s", name);
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_METHOD_NOT_FOUND, message, NULL);
      return;
    }

  message = g_strdup_printf ("Invalid params: %s has none of the _meta fields that say which "
                             "protocol version it is of, and the connection was not initialized",
                             name);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, message, NULL);
}

static void
run_method (GmcpServerExchange *exchange)
{
  GmcpServerCatalog *catalog = gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
  const GmcpServerMethod *method = gmcp_server_method_find (shared_methods, exchange->method);
  g_autofree char *name = NULL;
  g_autofree char *message = NULL;

  if (method == NULL)
    method = find_era_method (exchange->era, exchange->method);
  if (method != NULL && gmcp_server_catalog_has (catalog, method->subject))
    {
      if (method->subject == GMCP_SERVER_SUBJECT_NONE || gmcp_server_catalog_is_loaded (catalog))
        method->handle (exchange);
      else
        gmcp_server_catalog_wait (catalog, exchange);
      return;
    }

  name = gmcp_server_quote (exchange->method);
  message = g_strdup_printf ("Method not found: %s", name);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_METHOD_NOT_FOUND, message, NULL);
}

void
gmcp_server_dispatch_request (GmcpServerConnection *connection,
                              GmcpJsonDoc *doc,
                              const GmcpRpcMessage *message,
                              GmcpServerBatch *batch,
                              const GmcpServerNameSearch *search)
{
  GmcpServerExchange exchange = {
    .connection = connection,
    .batch = batch,
    .doc = doc,
    .id = message->id,
    .method = message->method,
    .params = message->params,
    .search = search,
  };

  if (gmcp_server_connection_find (connection, exchange.id) != NULL)
    {
      gmcp_server_exchange_reply_error (&exchange, GMCP_RPC_ERROR_INVALID_REQUEST,
                                        "Invalid request: a request with this id is running", NULL);
      return;
    }

  if (gmcp_json_value_is_present (message->params) && !gmcp_json_value_is_object (message->params))
    {
      gmcp_server_exchange_reply_error (&exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: params has to be an object", NULL);
      return;
    }

  for (guint i = 0; i < GMCP_SERVER_N_ERAS; i++)
    {
      const GmcpServerEra *era = gmcp_server_eras[i];

      if (!era->claims (gmcp_server_connection_get_state (connection, era), message))
        continue;

      exchange.era = era;
      exchange.accepted
        = era->accept (gmcp_server_connection_get_state (connection, era), &exchange);
      if (exchange.accepted)
        run_method (&exchange);
      return;
    }

  refuse_unclaimed (&exchange);
}
