/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/gmcp-prompt-provider.h>

#include "gmcp-prompt-result-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-name-search-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-resources-private.h"

static GmcpServerCatalog *
get_catalog (GmcpServerExchange *exchange)
{
  return gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange));
}

void
gmcp_server_prompts_handle_list (GmcpServerExchange *exchange)
{
  gmcp_server_list_reply (gmcp_server_catalog_get_prompts (get_catalog (exchange)), exchange);
}

static void
on_got (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpServerCaller) caller = data;
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (caller);
  g_autoptr (GmcpPromptResult) result = NULL;
  g_autoptr (GError) error = NULL;

  result
    = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (source), async_result, &error);
  gmcp_server_caller_end (caller);
  if (gmcp_server_exchange_is_closed (exchange))
    return;

  if (result != NULL)
    gmcp_server_reply_members (exchange, gmcp_prompt_result_get_value (result));
  else
    gmcp_server_caller_reply_error (caller, error);
}

static gboolean
check_required (GmcpServerExchange *exchange, GmcpPrompt *prompt, GHashTable *arguments)
{
  for (guint i = 0; i < gmcp_prompt_get_n_arguments (prompt); i++)
    {
      GmcpPromptArgument *argument = gmcp_prompt_get_argument (prompt, i);
      const char *name = gmcp_prompt_argument_get_name (argument);
      g_autofree char *message = NULL;

      if (!gmcp_prompt_argument_is_required (argument) || g_hash_table_contains (arguments, name))
        continue;

      message = g_strdup_printf ("Invalid params: the prompt %s needs the argument %s",
                                 gmcp_definition_get_name (GMCP_DEFINITION (prompt)), name);
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, message, NULL);
      return FALSE;
    }

  return TRUE;
}

/* NULL where there is none; the request is answered then, or looked into. */
static GmcpServerItem *
find_prompt (GmcpServerExchange *exchange, GmcpJsonValue name)
{
  g_autofree char *key = gmcp_json_value_dup_string (name);
  GmcpServerItem *prompt = NULL;

  if (key == NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: name is missing or no string", NULL);
      return NULL;
    }

  prompt = gmcp_server_list_find (gmcp_server_catalog_get_prompts (get_catalog (exchange)), key);
  if (prompt != NULL)
    return gmcp_server_item_ref (prompt);

  if (!gmcp_server_search_name (exchange, GMCP_LATE_PROMPT, key))
    gmcp_server_reply_unknown (exchange, "prompt", name);
  return NULL;
}

void
gmcp_server_prompts_handle_get (GmcpServerExchange *exchange)
{
  gpointer provider = gmcp_server_catalog_get_provider (get_catalog (exchange));
  g_autoptr (GmcpServerItem) prompt = find_prompt (
    exchange, gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "name"));
  g_autoptr (GHashTable) arguments = NULL;
  g_autoptr (GmcpServerCaller) caller = NULL;
  g_autoptr (GmcpPromptProvider) alive = NULL;
  g_autoptr (GmcpCallOptions) options = NULL;
  GCancellable *cancellable;

  if (prompt == NULL)
    return;
  arguments = gmcp_server_read_texts (
    exchange, gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "arguments"));
  if (arguments == NULL || !check_required (exchange, prompt->object, arguments))
    return;
  caller = gmcp_server_caller_new (exchange, prompt);
  if (caller == NULL)
    return;

  alive = g_object_ref (provider);
  options = gmcp_server_caller_make_options (caller);
  cancellable = gmcp_server_caller_get_cancellable (caller);
  gmcp_prompt_provider_get_prompt_async (provider, prompt->key, arguments, options, cancellable,
                                         on_got, g_steal_pointer (&caller));
}
