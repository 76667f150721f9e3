/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-capabilities-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-log-message-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-era-modern-private.h"
#include "gmcp-server-headers-private.h"
#include "gmcp-server-private.h"

/* Revision 2026-07-28 and later: each request says in _meta what it is of, and nothing is kept from
 * one to the next but the subscriptions that are open. */

#define METHOD_DISCOVER "server/discover"
#define METHOD_LISTEN   "subscriptions/listen"

/* The revisions of an era (AUTO: of both) as an array, newest first. */
static void
write_versions (GmcpJsonWriter *writer, GmcpEra era)
{
  const char *const *versions = gmcp_protocol_get_versions ();

  gmcp_json_writer_begin_array (writer);
  for (guint i = g_strv_length ((char **) versions); i > 0; i--)
    {
      if (era == GMCP_ERA_AUTO || gmcp_protocol_get_era (versions[i - 1]) == era)
        gmcp_json_writer_string (writer, versions[i - 1]);
    }
  gmcp_json_writer_end_array (writer);
}

/* Requests */

static void
refuse_version (GmcpServerExchange *exchange, GmcpJsonValue requested)
{
  g_autofree char *text = gmcp_server_quote (requested);
  /* A client that asks for a legacy revision in the modern way would only ask again if it were
   * offered. */
  gboolean name_all = gmcp_protocol_get_era (text) != GMCP_ERA_LEGACY;
  g_autoptr (GString) data = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (data);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "supported");
  write_versions (&writer, name_all ? GMCP_ERA_AUTO : GMCP_ERA_MODERN);
  gmcp_json_writer_member_string (&writer, "requested", text);
  gmcp_json_writer_end_object (&writer);
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION,
                                    "Unsupported protocol version", data->str);
}

static gboolean
check_log_level (GmcpServerExchange *exchange, GmcpJsonValue meta)
{
  GmcpJsonValue level = gmcp_json_value_get_member (meta, GMCP_META_LOG_LEVEL);

  if (!gmcp_json_value_is_present (level) || gmcp_log_level_read (level) != GMCP_LOG_LEVEL_UNSET)
    return TRUE;

  gmcp_server_exchange_reply_error (
    exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
    "Invalid params: " GMCP_META_LOG_LEVEL " is none of the log levels", NULL);
  return FALSE;
}

/* Whether a question may be the answer to such a request. */
static gboolean
takes_rounds (const GmcpServerExchange *exchange)
{
  static const char *const methods_with_rounds[]
    = { GMCP_METHOD_TOOLS_CALL, GMCP_METHOD_RESOURCES_READ, GMCP_METHOD_PROMPTS_GET };
  GmcpJsonValue method = gmcp_server_exchange_get_method (exchange);

  for (guint i = 0; i < G_N_ELEMENTS (methods_with_rounds); i++)
    if (gmcp_json_value_equals_string (method, methods_with_rounds[i]))
      return TRUE;
  return FALSE;
}

static gboolean
accept_request (gpointer state, GmcpServerExchange *exchange)
{
  GmcpJsonValue meta = gmcp_server_exchange_get_meta (exchange);
  GmcpJsonValue requested = gmcp_json_value_get_member (meta, GMCP_META_PROTOCOL_VERSION);
  GmcpJsonValue client = gmcp_json_value_get_member (meta, GMCP_META_CLIENT_INFO);
  g_autofree char *version = NULL;
  const char *known;

  if (gmcp_server_exchange_get_batch (exchange) != NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_REQUEST,
                                        "Invalid request: this protocol version has no batches",
                                        NULL);
      return FALSE;
    }

  if (!gmcp_json_value_is_string (requested))
    {
      gmcp_server_exchange_reply_error (
        exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
        "Invalid params: _meta needs " GMCP_META_PROTOCOL_VERSION ", a string", NULL);
      return FALSE;
    }

  if (!gmcp_server_headers_check_version (exchange, requested))
    return FALSE;

  version = gmcp_json_value_dup_string (requested);
  known = gmcp_protocol_lookup_version (version);
  gmcp_server_exchange_set_protocol_version (exchange, known);
  if (known == NULL || gmcp_protocol_get_era (known) != GMCP_ERA_MODERN)
    {
      refuse_version (exchange, requested);
      return FALSE;
    }

  if (!gmcp_json_value_is_object (gmcp_json_value_get_member (meta, GMCP_META_CLIENT_CAPABILITIES)))
    {
      gmcp_server_exchange_reply_error (
        exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
        "Invalid params: _meta needs " GMCP_META_CLIENT_CAPABILITIES ", an object", NULL);
      return FALSE;
    }

  if (!gmcp_server_headers_check_names (exchange) || !check_log_level (exchange, meta)
      || (takes_rounds (exchange) && !gmcp_server_round_check (exchange)))
    return FALSE;

  if (gmcp_json_value_is_object (client))
    gmcp_server_exchange_set_client_info (exchange, client);
  return TRUE;
}

static GmcpCapabilities *
new_client_capabilities (gpointer state, const GmcpServerExchange *exchange)
{
  return gmcp_capabilities_new_from_value (gmcp_json_value_get_member (
    gmcp_server_exchange_get_meta (exchange), GMCP_META_CLIENT_CAPABILITIES));
}

static void
handle_discover (GmcpServerExchange *exchange)
{
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);
  GmcpServerCatalog *catalog = gmcp_server_get_catalog (server);
  g_autofree char *instructions = gmcp_server_dup_instructions (server);
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_json_writer_key (&writer, "supportedVersions");
  write_versions (&writer, GMCP_ERA_AUTO);
  gmcp_json_writer_key (&writer, "capabilities");
  gmcp_json_writer_begin_object (&writer);
  gmcp_server_catalog_write_capabilities (catalog, &writer, TRUE);
  gmcp_server_identity_write_extensions (
    gmcp_server_get_identity (server), &writer,
    gmcp_server_catalog_offers_tasks (catalog) ? GMCP_EXTENSION_TASKS : NULL);
  gmcp_json_writer_end_object (&writer);
  if (instructions != NULL)
    gmcp_json_writer_member_string (&writer, "instructions", instructions);
  gmcp_server_exchange_get_era (exchange)->write_cache_members (
    exchange, &writer, -1, gmcp_server_get_list_cache_scope (server));
  gmcp_server_exchange_end_result (exchange, &writer);
}

/* Results */

/* Pictures and the like are for whoever asks what the server is, and not for each result. */
static const char *
get_server_info (GmcpServerExchange *exchange)
{
  GmcpServerIdentity *identity
    = gmcp_server_get_identity (gmcp_server_exchange_get_server (exchange));

  return gmcp_json_value_equals_string (gmcp_server_exchange_get_method (exchange), METHOD_DISCOVER)
           ? gmcp_server_identity_get_json (identity)
           : gmcp_server_identity_get_short_json (identity);
}

static void
write_members_of_type (GmcpServerExchange *exchange,
                       GmcpJsonWriter *writer,
                       const char *type,
                       GmcpJsonValue meta)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_member_string (writer, GMCP_MEMBER_RESULT_TYPE, type);
  gmcp_json_writer_key (writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (writer);
  if (gmcp_server_streams_has (exchange))
    gmcp_json_writer_member_value (writer, GMCP_META_SUBSCRIPTION_ID,
                                   gmcp_server_exchange_get_id (exchange));
  gmcp_json_writer_key (writer, GMCP_META_SERVER_INFO);
  gmcp_json_writer_raw (writer, get_server_info (exchange), -1);

  if (gmcp_json_value_is_object (meta))
    {
      gmcp_json_iter_init (&iter, meta);
      while (gmcp_json_iter_next (&iter, &key, &value))
        {
          g_autofree char *name = gmcp_json_value_dup_string (key);

          if (strcmp (name, GMCP_META_SERVER_INFO) != 0)
            gmcp_json_writer_member_value (writer, name, value);
        }
    }

  gmcp_json_writer_end_object (writer);
}

static void
write_result_members (GmcpServerExchange *exchange, GmcpJsonWriter *writer, GmcpJsonValue meta)
{
  write_members_of_type (exchange, writer, GMCP_RESULT_TYPE_COMPLETE, meta);
}

GmcpJsonWriter
gmcp_server_era_modern_begin_result (GmcpServerExchange *exchange, const char *type)
{
  GmcpJsonWriter writer = gmcp_server_exchange_begin_bare_result (exchange);

  write_members_of_type (exchange, &writer, type, GMCP_JSON_NONE);
  return writer;
}

static void
write_cache_members (GmcpServerExchange *exchange,
                     GmcpJsonWriter *writer,
                     gint64 ttl_ms,
                     GmcpCacheScope scope)
{
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);

  gmcp_json_writer_member_int64 (writer, "ttlMs",
                                 ttl_ms >= 0 ? ttl_ms : gmcp_server_get_list_ttl_ms (server));
  gmcp_json_writer_member_string (writer, "cacheScope",
                                  scope == GMCP_CACHE_SCOPE_PUBLIC ? "public" : "private");
}

static gboolean
bad_arguments_are_results (GmcpServerExchange *exchange)
{
  return TRUE;
}

static GmcpLogLevel
get_log_level (gpointer state, const GmcpServerExchange *exchange)
{
  return gmcp_log_level_read (
    gmcp_json_value_get_member (gmcp_server_exchange_get_meta (exchange), GMCP_META_LOG_LEVEL));
}

static gboolean
takes_question (gpointer state, const GmcpServerExchange *exchange, GmcpServerQuestionKind kind)
{
  return gmcp_server_question_is_taken (
    kind, gmcp_json_value_get_member (gmcp_server_exchange_get_meta (exchange),
                                      GMCP_META_CLIENT_CAPABILITIES));
}

/* A question of this era is an interim result, after which the client sends the request again. */
static void
ask_client (gpointer state,
            GmcpServerExchange *exchange,
            gpointer asker,
            GmcpServerQuestionKind kind,
            GmcpInputRequest *question,
            GTask *task)
{
  g_autoptr (GTask) owned = task;

  if (takes_rounds (exchange))
    gmcp_server_round_ask (gmcp_server_caller_get_round (asker), kind, question,
                           g_steal_pointer (&owned));
  else
    g_task_return_new_error (
      task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
      _ ("A client cannot be asked anything in the course of such a request"));
}

static const GmcpServerMethod methods[] = {
  { METHOD_DISCOVER, handle_discover },
  { METHOD_LISTEN, gmcp_server_streams_handle_listen },
  { NULL },
};

static const GmcpServerNotification notifications[] = {
  { NULL },
};

static gboolean
claims_message (gpointer state, const GmcpRpcMessage *message)
{
  GmcpJsonValue meta = gmcp_json_value_get_member (message->params, GMCP_MEMBER_META);

  return gmcp_json_value_is_present (gmcp_json_value_get_member (meta, GMCP_META_PROTOCOL_VERSION))
         || gmcp_server_method_find (methods, message->method) != NULL;
}

const GmcpServerEra gmcp_server_era_modern = {
  .methods = methods,
  .task_methods = gmcp_server_era_modern_task_methods,
  .notifications = notifications,
  .tasks = &gmcp_server_era_modern_tasks,
  .state_new = gmcp_server_streams_new,
  .state_free = gmcp_server_streams_free,
  .claims = claims_message,
  .accept = accept_request,
  .write_result_members = write_result_members,
  .begin_result_of_type = gmcp_server_era_modern_begin_result,
  .write_cache_members = write_cache_members,
  .bad_arguments_are_results = bad_arguments_are_results,
  .check_headers = gmcp_server_headers_check_arguments,
  .unknown_resource_code = GMCP_RPC_ERROR_INVALID_PARAMS,
  .new_client_capabilities = new_client_capabilities,
  .get_log_level = get_log_level,
  .takes_question = takes_question,
  .ask = ask_client,
  .list_changed = gmcp_server_streams_list_changed,
  .resource_updated = gmcp_server_streams_resource_updated,
  .stop = gmcp_server_streams_stop,
};
