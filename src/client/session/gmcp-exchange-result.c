/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include "gmcp-i18n-private.h"

static GError *
explain_error (GmcpExchange *exchange, const char *capability, GError *error)
{
  GmcpSession *self = gmcp_exchange_get_session (exchange);
  g_autoptr (GError) owned = error;

  /* What a server declares is not always so; what it does not know counts. */
  if (g_error_matches (owned, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND)
      && (gmcp_session_get_capabilities (self) == NULL
          || !gmcp_capabilities_has (gmcp_session_get_capabilities (self), capability)))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                        /* Translators: a server, the protocol's word for what it lacks, and what
                         * was asked for */
                        _ ("%s does not have “%s”, which “%s” needs"), gmcp_session_describe (self),
                        capability, gmcp_exchange_get_subject (exchange));

  if (owned->domain == GMCP_RPC_ERROR)
    g_prefix_error (&owned, "%s: ", gmcp_session_describe (self));
  else if (g_error_matches (owned, GMCP_ERROR, GMCP_ERROR_PROTOCOL))
    g_prefix_error (&owned, _ ("%s did not answer “%s” as it should: "),
                    gmcp_session_describe (self), gmcp_exchange_get_subject (exchange));
  return g_steal_pointer (&owned);
}

void
gmcp_exchange_return_result (GmcpExchange *exchange,
                             gpointer result,
                             GDestroyNotify free_result,
                             const char *capability,
                             GError *error)
{
  if (result != NULL)
    g_task_return_pointer (gmcp_exchange_get_task (exchange), result, free_result);
  else
    g_task_return_error (gmcp_exchange_get_task (exchange),
                         explain_error (exchange, capability, error));
}

void
gmcp_exchange_write_strings (GmcpJsonWriter *writer, GHashTable *strings)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (strings), (GCompareFunc) g_strcmp0);

  gmcp_json_writer_begin_object (writer);
  for (GList *l = keys; l != NULL; l = l->next)
    {
      const char *value = g_hash_table_lookup (strings, l->data);

      if (value != NULL)
        gmcp_json_writer_member_string (writer, l->data, value);
    }
  gmcp_json_writer_end_object (writer);
}
