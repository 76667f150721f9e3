/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-modern-private.h"

#include "gmcp-changes-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

/* In this era a wish to be told of changes is one request, which is answered when it is over. */

#define METHOD_LISTEN                    "subscriptions/listen"
#define NOTIFICATION_LISTEN_ACKNOWLEDGED "notifications/subscriptions/acknowledged"

#define MEMBER_NOTIFICATIONS             "notifications"
#define MEMBER_RESOURCES                 "resourceSubscriptions"
#define MEMBER_TASKS                     "taskIds"

static const struct
{
  GmcpSubscriptionFlags list;
  const char *member;
} list_members[] = {
  { GMCP_SUBSCRIPTION_TOOLS, "toolsListChanged" },
  { GMCP_SUBSCRIPTION_PROMPTS, "promptsListChanged" },
  { GMCP_SUBSCRIPTION_RESOURCES, "resourcesListChanged" },
};

static GmcpChangeStream *
find_by_exchange (GmcpSession *self, const GmcpExchange *exchange)
{
  for (guint i = 0; i < gmcp_change_streams_get_all (self)->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (gmcp_change_streams_get_all (self), i);

      if (gmcp_change_stream_get_exchange (stream) == exchange)
        return stream;
    }
  return NULL;
}

static GmcpChangeStream *
find_by_id (GmcpSession *self, GmcpJsonValue id)
{
  gint64 number;

  if (!gmcp_rpc_id_get_int64 (id, &number))
    return NULL;
  for (guint i = 0; i < gmcp_change_streams_get_all (self)->len; i++)
    {
      GmcpChangeStream *stream = g_ptr_array_index (gmcp_change_streams_get_all (self), i);
      GmcpExchange *exchange = gmcp_change_stream_get_exchange (stream);

      if (exchange != NULL && !gmcp_exchange_is_held (exchange)
          && gmcp_exchange_get_id (exchange) == number)
        return stream;
    }
  return NULL;
}

static GmcpJsonValue
get_subscription_id (GmcpJsonValue params)
{
  return gmcp_json_value_get_member (gmcp_json_value_get_member (params, GMCP_MEMBER_META),
                                     GMCP_META_SUBSCRIPTION_ID);
}

static void
on_ended (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpChangeStream *stream = find_by_exchange (self, exchange);

  if (stream != NULL)
    gmcp_change_stream_end (stream, error);
  else
    g_clear_error (&error);
}

static void
write_strings (GmcpJsonWriter *params, const char *member, GStrv strings)
{
  if (strings[0] == NULL)
    return;

  gmcp_json_writer_key (params, member);
  gmcp_json_writer_begin_array (params);
  for (guint i = 0; strings[i] != NULL; i++)
    gmcp_json_writer_string (params, strings[i]);
  gmcp_json_writer_end_array (params);
}

void
gmcp_era_modern_open_stream (GmcpSession *self, GmcpChangeStream *stream)
{
  GmcpJsonWriter params;
  /* The time limit is for the acknowledgement; the stream itself has none. */
  GmcpExchange *exchange = gmcp_session_begin_request (
    self, METHOD_LISTEN, on_ended, gmcp_change_stream_get_ack_timeout_ms (stream), &params);
  const GmcpChangeFilter *wanted = gmcp_change_stream_get_wanted (stream);

  gmcp_exchange_set_lasting (exchange);
  gmcp_exchange_set_subject (exchange, METHOD_LISTEN);
  gmcp_change_stream_set_exchange (stream, exchange);
  gmcp_json_writer_key (&params, MEMBER_NOTIFICATIONS);
  gmcp_json_writer_begin_object (&params);
  for (guint i = 0; i < G_N_ELEMENTS (list_members); i++)
    if ((wanted->lists & list_members[i].list) != 0)
      gmcp_json_writer_member_boolean (&params, list_members[i].member, TRUE);
  write_strings (&params, MEMBER_RESOURCES, wanted->resource_uris);
  write_strings (&params, MEMBER_TASKS, wanted->task_ids);
  gmcp_json_writer_end_object (&params);
  gmcp_session_end_request (self, exchange, &params);
}

void
gmcp_era_modern_close_stream (GmcpSession *self, GmcpChangeStream *stream)
{
  GmcpExchange *exchange = gmcp_change_stream_get_exchange (stream);

  if (exchange == NULL)
    return;

  gmcp_change_stream_set_exchange (stream, NULL);
  if (!gmcp_exchange_is_held (exchange))
    gmcp_session_get_era (self)->cancel (self, gmcp_exchange_get_id (exchange),
                                         "The changes are no longer of interest");
  gmcp_session_drop_exchange (self, exchange);
}

gboolean
gmcp_era_modern_find_stream (GmcpSession *self, GmcpJsonValue params, GmcpChangeStream **stream)
{
  GmcpJsonValue id = get_subscription_id (params);

  *stream = find_by_id (self, id);
  return *stream != NULL || !gmcp_json_value_is_present (id);
}

static GStrv
dup_strings (GmcpJsonValue array)
{
  GPtrArray *strings = g_ptr_array_new ();
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (gmcp_json_value_is_array (array))
    {
      gmcp_json_iter_init (&iter, array);
      while (gmcp_json_iter_next (&iter, NULL, &value))
        if (gmcp_json_value_is_string (value))
          g_ptr_array_add (strings, gmcp_json_value_dup_string (value));
    }
  g_ptr_array_add (strings, NULL);
  return (GStrv) g_ptr_array_free (strings, FALSE);
}

static void
on_acknowledged (GmcpSession *self, GmcpJsonValue params)
{
  GmcpChangeStream *stream = find_by_id (self, get_subscription_id (params));
  GmcpJsonValue honoured = gmcp_json_value_get_member (params, MEMBER_NOTIFICATIONS);
  GmcpChangeFilter filter = { .lists = GMCP_SUBSCRIPTION_NONE };
  gboolean given;

  if (stream == NULL || gmcp_change_stream_get_state (stream) != GMCP_SUBSCRIPTION_STATE_OPENING)
    {
      g_debug ("%s acknowledged what was not asked for", gmcp_session_describe (self));
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (list_members); i++)
    if (gmcp_json_value_get_boolean (gmcp_json_value_get_member (honoured, list_members[i].member),
                                     &given)
        && given)
      filter.lists |= list_members[i].list;
  filter.resource_uris = dup_strings (gmcp_json_value_get_member (honoured, MEMBER_RESOURCES));
  filter.task_ids = dup_strings (gmcp_json_value_get_member (honoured, MEMBER_TASKS));

  gmcp_exchange_set_timeout_ms (gmcp_change_stream_get_exchange (stream), 0);
  gmcp_exchange_set_deadline (gmcp_change_stream_get_exchange (stream), G_MAXINT64);
  gmcp_change_stream_acknowledge (stream, &filter);
}

static void
on_cancelled (GmcpSession *self, GmcpJsonValue params)
{
  GmcpChangeStream *stream = find_by_id (self, gmcp_json_value_get_member (params, "requestId"));
  GmcpExchange *exchange;

  if (stream == NULL)
    {
      g_debug ("%s cancelled what it was not asked for", gmcp_session_describe (self));
      return;
    }
  exchange = gmcp_change_stream_get_exchange (stream);
  gmcp_exchange_take (exchange);
  gmcp_session_finish_exchange (self, exchange, NULL, NULL);
}

gboolean
gmcp_era_modern_handle_listen_notification (GmcpSession *self, const GmcpRpcMessage *notification)
{
  if (gmcp_json_value_equals_string (notification->method, NOTIFICATION_LISTEN_ACKNOWLEDGED))
    on_acknowledged (self, notification->params);
  else if (gmcp_json_value_equals_string (notification->method, GMCP_NOTIFICATION_CANCELLED))
    on_cancelled (self, notification->params);
  else
    return FALSE;

  return TRUE;
}
