/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-catalog-private.h"
#include "gmcp-server-deferred-private.h"
#include "gmcp-server-exchange-struct-private.h"
#include "gmcp-server-name-search-private.h"
#include "gmcp-server-private.h"

typedef struct
{
  GmcpServerDeferred *request; /* NULL once it has ended */
  GCancellable *cancellable;
} Search;

static void
on_ended (GmcpServerDeferred *request, gpointer data)
{
  Search *search = data;

  search->request = NULL;
  g_cancellable_cancel (search->cancellable);
}

static void
on_looked_for (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Search *search = data;
  g_autoptr (GCancellable) cancellable G_GNUC_UNUSED = search->cancellable;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) unlisted = NULL;
  GmcpServerNameSearch outcome = { NULL };

  if (!gmcp_tool_provider_look_for_finish (result, &unlisted, &error))
    outcome.error = error;
  outcome.unlisted = unlisted;
  if (search->request != NULL)
    gmcp_server_deferred_resume (search->request, &outcome);
}

gboolean
gmcp_server_search_name (GmcpServerExchange *exchange, GmcpLateKind kind, const char *name)
{
  GmcpToolProvider *provider = gmcp_server_catalog_get_provider (
    gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange)));
  Search *search;

  if (exchange->search != NULL || !gmcp_tool_provider_can_look_for (provider))
    return FALSE;

  search = g_new0 (Search, 1);
  search->request = gmcp_server_deferred_new (exchange, on_ended, search);
  if (search->request == NULL)
    {
      g_free (search);
      return TRUE;
    }

  search->cancellable = g_cancellable_new ();
  gmcp_tool_provider_look_for_async (provider, kind, name, search->cancellable, on_looked_for,
                                     search);
  return TRUE;
}

GmcpTool *
gmcp_server_search_get_unlisted (GmcpServerExchange *exchange)
{
  return exchange->search != NULL ? exchange->search->unlisted : NULL;
}

gboolean
gmcp_server_search_failed (GmcpServerExchange *exchange)
{
  return exchange->search != NULL && exchange->search->error != NULL;
}

void
gmcp_server_reply_unknown (GmcpServerExchange *exchange, const char *what, GmcpJsonValue name)
{
  const GError *error = exchange->search != NULL ? exchange->search->error : NULL;
  int code = error != NULL ? GMCP_RPC_ERROR_INTERNAL : GMCP_RPC_ERROR_INVALID_PARAMS;
  g_autofree char *text = gmcp_server_quote (name);
  g_autofree char *message = error != NULL ? g_strdup_printf ("The %s %s cannot be reached: %s",
                                                              what, text, error->message)
                                           : g_strdup_printf ("Unknown %s: %s", what, text);

  gmcp_server_exchange_reply_error (exchange, code, message, NULL);
}
