/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/gmcp-prompt-provider.h>
#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-completion-result-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-name-search-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-resources-private.h"

static void
refuse_params (GmcpServerExchange *exchange, const char *message)
{
  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, message, NULL);
}

static void
reply_completion (GmcpServerCaller *caller, GmcpCompletionResult *result, const GError *error)
{
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (caller);

  gmcp_server_caller_end (caller);
  if (gmcp_server_exchange_is_closed (exchange))
    return;

  if (result != NULL)
    gmcp_server_reply_members (exchange, gmcp_completion_result_get_value (result));
  else
    gmcp_server_caller_reply_error (caller, error);
}

static void
on_argument_completed (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpServerCaller) caller = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_prompt_provider_complete_argument_finish (
    GMCP_PROMPT_PROVIDER (source), async_result, &error);

  reply_completion (caller, result, error);
}

static void
on_variable_completed (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpServerCaller) caller = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_resource_provider_complete_variable_finish (
    GMCP_RESOURCE_PROVIDER (source), async_result, &error);

  reply_completion (caller, result, error);
}

/* What the reference leads to; NULL where there is nothing of that name. The request is answered then, or looked into. */
static GmcpServerItem *
find_reference (GmcpServerExchange *exchange, GmcpJsonValue reference, gboolean *is_prompt)
{
  GmcpServerCatalog *catalog = gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
  GmcpJsonValue type = gmcp_json_value_get_member (reference, "type");
  g_autofree char *key = NULL;
  GmcpServerItem *item = NULL;

  *is_prompt = gmcp_json_value_equals_string (type, "ref/prompt");
  if (*is_prompt)
    {
      key = gmcp_json_value_dup_string (gmcp_json_value_get_member (reference, "name"));
      if (key != NULL)
        item = gmcp_server_list_find (gmcp_server_catalog_get_prompts (catalog), key);
    }
  else if (gmcp_json_value_equals_string (type, "ref/resource"))
    {
      key = gmcp_json_value_dup_string (gmcp_json_value_get_member (reference, "uri"));
      if (key != NULL)
        item = gmcp_server_list_find (gmcp_server_catalog_get_templates (catalog), key);
    }

  if (item != NULL)
    return gmcp_server_item_ref (item);
  if (key != NULL
      && gmcp_server_search_name (exchange, *is_prompt ? GMCP_LATE_PROMPT : GMCP_LATE_RESOURCE,
                                  key))
    return NULL;

  if (gmcp_server_search_failed (exchange))
    gmcp_server_reply_unknown (exchange, *is_prompt ? "prompt" : "resource template",
                               gmcp_json_value_get_member (reference, *is_prompt ? "name" : "uri"));
  else
    refuse_params (exchange, "Invalid params: ref names neither a prompt nor a resource template");
  return NULL;
}

void
gmcp_server_completion_handle (GmcpServerExchange *exchange)
{
  GmcpServerCatalog *catalog = gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
  gpointer provider = gmcp_server_catalog_get_provider (catalog);
  GmcpJsonValue params = gmcp_server_exchange_get_params (exchange);
  g_autofree char *argument
    = gmcp_json_value_dup_string (gmcp_json_value_get_pointer (params, "/argument/name"));
  g_autofree char *value
    = gmcp_json_value_dup_string (gmcp_json_value_get_pointer (params, "/argument/value"));
  gboolean is_prompt;
  g_autoptr (GmcpServerItem) item = NULL;
  g_autoptr (GHashTable) context = NULL;
  g_autoptr (GmcpServerCaller) caller = NULL;
  g_autoptr (GmcpCallOptions) options = NULL;
  g_autoptr (GObject) alive = NULL;
  GCancellable *cancellable;

  if (argument == NULL || value == NULL)
    {
      refuse_params (exchange, "Invalid params: argument needs a name and a value, both strings");
      return;
    }
  item = find_reference (exchange, gmcp_json_value_get_member (params, "ref"), &is_prompt);
  if (item == NULL)
    return;
  context
    = gmcp_server_read_texts (exchange, gmcp_json_value_get_pointer (params, "/context/arguments"));
  if (context == NULL)
    return;
  caller = gmcp_server_caller_new (exchange, item);
  if (caller == NULL)
    return;

  alive = g_object_ref (provider);
  options = gmcp_server_caller_make_options (caller);
  cancellable = gmcp_server_caller_get_cancellable (caller);
  if (is_prompt)
    gmcp_prompt_provider_complete_argument_async (provider, item->key, argument, value, context,
                                                  options, cancellable, on_argument_completed,
                                                  g_steal_pointer (&caller));
  else
    gmcp_resource_provider_complete_variable_async (provider, item->key, argument, value, context,
                                                    options, cancellable, on_variable_completed,
                                                    g_steal_pointer (&caller));
}
