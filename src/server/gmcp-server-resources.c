/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-protocol-private.h"
#include "gmcp-resource-result-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-resources-private.h"

static GmcpServerCatalog *
get_catalog (GmcpServerExchange *exchange)
{
  return gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
}

void
gmcp_server_resources_handle_list (GmcpServerExchange *exchange)
{
  gmcp_server_list_reply (gmcp_server_catalog_get_resources (get_catalog (exchange)), exchange);
}

void
gmcp_server_resources_handle_list_templates (GmcpServerExchange *exchange)
{
  gmcp_server_list_reply (gmcp_server_catalog_get_templates (get_catalog (exchange)), exchange);
}

char *
gmcp_server_resources_dup_uri (GmcpServerExchange *exchange)
{
  char *uri = gmcp_json_value_dup_string (
    gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "uri"));

  if (uri == NULL)
    gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                      "Invalid params: uri is missing or no string", NULL);
  return uri;
}

/* What the era writes into results itself is left out of the provider's. */
static gboolean
is_own_member (const char *name, gboolean may_be_cached)
{
  return strcmp (name, GMCP_MEMBER_META) != 0 && strcmp (name, GMCP_MEMBER_RESULT_TYPE) != 0
         && !(may_be_cached && (strcmp (name, "ttlMs") == 0 || strcmp (name, "cacheScope") == 0));
}

static GmcpJsonWriter
begin_members (GmcpServerExchange *exchange, GmcpJsonValue result, gboolean may_be_cached)
{
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (
    exchange, gmcp_json_value_get_member (result, GMCP_MEMBER_META));
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, result);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (is_own_member (name, may_be_cached))
        gmcp_json_writer_member_value (&writer, name, value);
    }
  return writer;
}

void
gmcp_server_reply_members (GmcpServerExchange *exchange, GmcpJsonValue result)
{
  GmcpJsonWriter writer = begin_members (exchange, result, FALSE);

  gmcp_server_exchange_end_result (exchange, &writer);
}

GHashTable *
gmcp_server_read_texts (GmcpServerExchange *exchange, GmcpJsonValue object)
{
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GmcpJsonKind kind = gmcp_json_value_get_kind (object);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (kind == GMCP_JSON_ABSENT || kind == GMCP_JSON_NULL)
    return g_steal_pointer (&texts);

  if (kind == GMCP_JSON_OBJECT)
    gmcp_json_iter_init (&iter, object);
  while (kind == GMCP_JSON_OBJECT && gmcp_json_iter_next (&iter, &key, &value))
    {
      if (!gmcp_json_value_is_string (value))
        kind = GMCP_JSON_ABSENT;
      else
        g_hash_table_insert (texts, gmcp_json_value_dup_string (key),
                             gmcp_json_value_dup_string (value));
    }
  if (kind == GMCP_JSON_OBJECT)
    return g_steal_pointer (&texts);

  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                    "Invalid params: arguments has to be an object of strings",
                                    NULL);
  return NULL;
}

/* Reading */

static void
reply_not_found (GmcpServerExchange *exchange, const GError *error)
{
  g_autoptr (GString) data = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (data);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_value (
    &writer, "uri", gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "uri"));
  gmcp_json_writer_end_object (&writer);
  gmcp_server_exchange_reply_error (exchange,
                                    gmcp_server_exchange_get_era (exchange)->unknown_resource_code,
                                    error->message, data->str);
}

static void
reply_read (GmcpServerExchange *exchange, GmcpResourceResult *result)
{
  GmcpJsonWriter writer = begin_members (exchange, gmcp_resource_result_get_value (result), TRUE);

  gmcp_server_exchange_get_era (exchange)->write_cache_members (
    exchange, &writer, gmcp_resource_result_get_ttl_ms (result),
    gmcp_resource_result_get_cache_scope (result));
  gmcp_server_exchange_end_result (exchange, &writer);
}

static void
on_read (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpServerCaller) caller = data;
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (caller);
  g_autoptr (GmcpResourceResult) result = NULL;
  g_autoptr (GError) error = NULL;

  result
    = gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (source), async_result, &error);
  gmcp_server_caller_end (caller);
  if (gmcp_server_exchange_is_closed (exchange))
    return;

  if (result != NULL)
    reply_read (exchange, result);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    reply_not_found (exchange, error);
  else
    gmcp_server_caller_reply_error (caller, error);
}

void
gmcp_server_resources_handle_read (GmcpServerExchange *exchange)
{
  gpointer provider = gmcp_server_catalog_get_provider (get_catalog (exchange));
  g_autofree char *uri = gmcp_server_resources_dup_uri (exchange);
  g_autoptr (GmcpServerCaller) caller = NULL;
  g_autoptr (GmcpResourceProvider) alive = NULL;
  g_autoptr (GmcpCallOptions) options = NULL;
  GCancellable *cancellable;

  if (uri == NULL)
    return;
  caller = gmcp_server_caller_new (exchange, NULL);
  if (caller == NULL)
    return;

  alive = g_object_ref (provider);
  options = gmcp_server_caller_make_options (caller);
  cancellable = gmcp_server_caller_get_cancellable (caller);
  gmcp_resource_provider_read_async (provider, uri, options, cancellable, on_read,
                                     g_steal_pointer (&caller));
}
