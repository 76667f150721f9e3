/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-legacy-private.h"

#include "gmcp-changes-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

/* In this era a server tells of changes of its lists unasked, and of a resource after a request for
 * that resource. Such a request is made once, however many want to know. */

#define METHOD_SUBSCRIBE   "resources/subscribe"
#define METHOD_UNSUBSCRIBE "resources/unsubscribe"

typedef struct
{
  char *uri;
  GPtrArray *users;       /* of GmcpChangeStream */
  GmcpExchange *exchange; /* while the answer is awaited */
} Resource;

static void
resource_free (gpointer data)
{
  Resource *resource = data;

  g_free (resource->uri);
  g_ptr_array_unref (resource->users);
  g_free (resource);
}

/* All answers that this stream waits for are there. */
static void
conclude_stream (GmcpSession *self, GmcpChangeStream *stream)
{
  GmcpChangeFilter filter = { .lists = gmcp_changes_get_declared_lists (self) };
  const GmcpChangeFilter *wanted = gmcp_change_stream_get_wanted (stream);
  GPtrArray *uris = g_ptr_array_new ();

  for (guint i = 0; wanted->resource_uris[i] != NULL; i++)
    {
      const char *uri = wanted->resource_uris[i];

      if (gmcp_changes_get_subscriptions (self) != NULL
          && g_hash_table_contains (gmcp_changes_get_subscriptions (self), uri))
        g_ptr_array_add (uris, g_strdup (uri));
    }
  g_ptr_array_add (uris, NULL);
  filter.resource_uris = (GStrv) g_ptr_array_free (uris, FALSE);
  filter.task_ids = g_new0 (char *, 1);

  if (gmcp_change_stream_is_refused (stream) && filter.resource_uris[0] == NULL
      && wanted->lists == GMCP_SUBSCRIPTION_NONE)
    {
      gmcp_change_filter_clear (&filter);
      gmcp_change_stream_end (stream, gmcp_change_stream_steal_refusal (stream));
    }
  else
    gmcp_change_stream_acknowledge (stream, &filter);
}

static void
conclude_if_ready (gpointer data, gpointer session)
{
  GmcpChangeStream *stream = data;

  if (gmcp_change_stream_get_state (stream) == GMCP_SUBSCRIPTION_STATE_OPENING
      && !gmcp_change_stream_is_awaiting (stream))
    conclude_stream (session, stream);
}

static void
on_subscribed (GmcpSession *self,
               GmcpExchange *exchange,
               const GmcpRpcMessage *reply,
               GError *error)
{
  g_autoptr (GError) owned = error;
  Resource *resource = gmcp_exchange_get_data (exchange);

  /* The answer is of an earlier connection, or nobody wants it any more. */
  if (resource == NULL)
    return;

  resource->exchange = NULL;
  for (guint i = 0; i < resource->users->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (resource->users, i);

      gmcp_change_stream_end_awaiting (stream);
      if (owned != NULL)
        {
          GError *refusal = g_error_copy (owned);

          g_prefix_error (&refusal, _ ("%s does not tell of changes of “%s”: "),
                          gmcp_session_describe (self), resource->uri);
          gmcp_change_stream_refuse (stream, refusal);
        }
    }
  if (owned != NULL)
    g_hash_table_remove (gmcp_changes_get_subscriptions (self), resource->uri);
  gmcp_change_streams_foreach (self, conclude_if_ready, self);
}

static void
subscribe_resource (GmcpSession *self, const char *uri, GmcpChangeStream *stream)
{
  Resource *resource = g_hash_table_lookup (gmcp_changes_get_subscriptions (self), uri);
  GmcpJsonWriter params;

  if (resource != NULL)
    {
      g_ptr_array_add (resource->users, stream);
      if (resource->exchange != NULL)
        gmcp_change_stream_begin_awaiting (stream);
      return;
    }

  resource = g_new0 (Resource, 1);
  resource->uri = g_strdup (uri);
  resource->users = g_ptr_array_new ();
  g_ptr_array_add (resource->users, stream);
  g_hash_table_insert (gmcp_changes_get_subscriptions (self), resource->uri, resource);
  gmcp_change_stream_begin_awaiting (stream);

  resource->exchange = gmcp_session_begin_request (
    self, METHOD_SUBSCRIBE, on_subscribed, gmcp_session_get_call_timeout_ms (self), &params);
  gmcp_exchange_set_data (resource->exchange, resource);
  gmcp_exchange_set_subject (resource->exchange, METHOD_SUBSCRIBE);
  gmcp_json_writer_member_string (&params, "uri", uri);
  gmcp_session_end_request (self, resource->exchange, &params);
}

void
gmcp_era_legacy_open_stream (GmcpSession *self, GmcpChangeStream *stream)
{
  const GmcpChangeFilter *wanted = gmcp_change_stream_get_wanted (stream);
  guint n_asked = gmcp_change_stream_get_n_asked (stream);

  if (wanted->resource_uris[0] != NULL
      && !gmcp_capabilities_has (gmcp_session_get_capabilities (self), "resources/subscribe"))
    gmcp_change_stream_refuse (
      stream, g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           _ ("%s does not tell of changes of resources; read them again instead"),
                           gmcp_session_describe (self)));
  else
    {
      if (gmcp_changes_get_subscriptions (self) == NULL)
        gmcp_changes_take_subscriptions (
          self, g_hash_table_new_full (g_str_hash, g_str_equal, NULL, resource_free));
      /* One more than there are, so that none is the last before all were sent. */
      gmcp_change_stream_begin_awaiting (stream);
      for (guint i = 0; wanted->resource_uris[i] != NULL; i++)
        {
          subscribe_resource (self, wanted->resource_uris[i], stream);
          /* The connection may end where it is written to. */
          if (!gmcp_change_stream_is_alive (stream)
              || gmcp_change_stream_get_state (stream) != GMCP_SUBSCRIPTION_STATE_OPENING
              || gmcp_change_stream_get_n_asked (stream) != n_asked || !gmcp_session_is_open (self))
            return;
        }
      gmcp_change_stream_end_awaiting (stream);
    }
  conclude_if_ready (stream, self);
}

static void
on_unsubscribed (GmcpSession *self,
                 GmcpExchange *exchange,
                 const GmcpRpcMessage *reply,
                 GError *error)
{
  g_clear_error (&error);
}

static void
unsubscribe_resource (GmcpSession *self, const char *uri)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange = gmcp_session_begin_request (
    self, METHOD_UNSUBSCRIBE, on_unsubscribed, gmcp_session_get_call_timeout_ms (self), &params);

  gmcp_exchange_set_subject (exchange, METHOD_UNSUBSCRIBE);
  gmcp_json_writer_member_string (&params, "uri", uri);
  gmcp_session_end_request (self, exchange, &params);
}

void
gmcp_era_legacy_close_stream (GmcpSession *self, GmcpChangeStream *stream)
{
  const GmcpChangeFilter *wanted = gmcp_change_stream_get_wanted (stream);

  for (guint i = 0; wanted->resource_uris[i] != NULL; i++)
    {
      const char *uri = wanted->resource_uris[i];
      /* The table is gone when the connection ends in the middle of this. */
      Resource *resource = gmcp_changes_get_subscriptions (self) != NULL
                             ? g_hash_table_lookup (gmcp_changes_get_subscriptions (self), uri)
                             : NULL;

      if (resource == NULL || !g_ptr_array_remove (resource->users, stream)
          || resource->users->len > 0)
        continue;

      if (resource->exchange != NULL)
        {
          /* An exchange that was taken with all others ends later, without this data. */
          gmcp_exchange_set_data (resource->exchange, NULL);
          gmcp_session_drop_exchange (self, resource->exchange);
        }
      g_hash_table_remove (gmcp_changes_get_subscriptions (self), uri);
      unsubscribe_resource (self, uri);
    }
}

void
gmcp_era_legacy_forget_streams (GmcpSession *self)
{
  GHashTableIter iter;
  gpointer resource;

  if (gmcp_changes_get_subscriptions (self) == NULL)
    return;

  g_hash_table_iter_init (&iter, gmcp_changes_get_subscriptions (self));
  while (g_hash_table_iter_next (&iter, NULL, &resource))
    if (((Resource *) resource)->exchange != NULL)
      gmcp_exchange_set_data (((Resource *) resource)->exchange, NULL);
  gmcp_changes_take_subscriptions (self, NULL);
}

gboolean
gmcp_era_legacy_find_stream (GmcpSession *self, GmcpJsonValue params, GmcpChangeStream **stream)
{
  return TRUE;
}
