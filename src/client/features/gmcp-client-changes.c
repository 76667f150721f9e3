/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-changes-private.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "gmcp-capabilities-private.h"
#include "gmcp-era-private.h"

enum
{
  SIGNAL_TOOLS_LIST_CHANGED,
  SIGNAL_PROMPTS_LIST_CHANGED,
  SIGNAL_RESOURCES_LIST_CHANGED,
  SIGNAL_RESOURCE_UPDATED,
  SIGNAL_NOTIFICATION,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const struct
{
  GmcpSubscriptionFlags list;
  guint signal;
  const char *capability;
} kinds[] = {
  { GMCP_SUBSCRIPTION_TOOLS, SIGNAL_TOOLS_LIST_CHANGED, "tools/listChanged" },
  { GMCP_SUBSCRIPTION_PROMPTS, SIGNAL_PROMPTS_LIST_CHANGED, "prompts/listChanged" },
  { GMCP_SUBSCRIPTION_RESOURCES, SIGNAL_RESOURCES_LIST_CHANGED, "resources/listChanged" },
};

/* The lists of this client that a change concerns. */
static const struct
{
  GmcpSubscriptionFlags change;
  GmcpClientListId list;
} live_lists[] = {
  { GMCP_SUBSCRIPTION_TOOLS, GMCP_CLIENT_LIST_TOOLS },
  { GMCP_SUBSCRIPTION_PROMPTS, GMCP_CLIENT_LIST_PROMPTS },
  { GMCP_SUBSCRIPTION_RESOURCES, GMCP_CLIENT_LIST_RESOURCES },
  { GMCP_SUBSCRIPTION_RESOURCES, GMCP_CLIENT_LIST_TEMPLATES },
};

void
gmcp_client_install_change_signals (void)
{
  /**
   * GmcpClient::tools-list-changed:
   * @self: the client
   *
   * The server said that its list of tools has changed, or may have while it could not say so.
   * [property@Gmcp.Client:tools] is brought up to date by itself.
   *
   * A server of the modern era says so only while a list is being kept up to date or a
   * [class@Gmcp.Subscription] asks for it; it may say so once for each of them. The same holds for
   * the other signals of changes.
   *
   * Spec: MCP 2026-07-28, server/tools, "List Changed Notification".
   *
   * Since: 0.1
   */
  signals[SIGNAL_TOOLS_LIST_CHANGED] = g_signal_new (
    "tools-list-changed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GmcpClient::prompts-list-changed:
   * @self: the client
   *
   * The server said that its list of prompts has changed, or may have while it could not say so.
   *
   * Spec: MCP 2026-07-28, server/prompts, "List Changed Notification".
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROMPTS_LIST_CHANGED]
    = g_signal_new ("prompts-list-changed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);

  /**
   * GmcpClient::resources-list-changed:
   * @self: the client
   *
   * The server said that its list of resources has changed, or may have while it could not say so.
   *
   * Spec: MCP 2026-07-28, server/resources, "List Changed Notification".
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCES_LIST_CHANGED]
    = g_signal_new ("resources-list-changed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);

  /**
   * GmcpClient::resource-updated:
   * @self: the client
   * @uri: which resource; it may be a part of the one that was subscribed to
   *
   * The server said that a resource has changed, which a [class@Gmcp.Subscription] asked for.
   *
   * Spec: MCP 2026-07-28, server/resources, "Subscriptions".
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCE_UPDATED]
    = g_signal_new ("resource-updated", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, G_TYPE_STRING);

  /**
   * GmcpClient::notification:
   * @self: the client
   * @method: which notification
   * @params: (nullable): its parameters, or %NULL where it has none
   * @params_json: (nullable): the same as the text that came
   *
   * The server sent a notification that this library does not know.
   *
   * Spec: MCP 2026-07-28, basic, "Notifications".
   *
   * Since: 0.1
   */
  signals[SIGNAL_NOTIFICATION]
    = g_signal_new ("notification", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_STRING, JSON_TYPE_NODE, G_TYPE_STRING);
}

/* The client's own stream, for the lists that it keeps up to date. */

static void
on_watched (GmcpChangeStream *stream, gpointer data)
{
  gmcp_client_lists_watched (data);
}

static void
on_watch_over (GmcpChangeStream *stream, const GError *error, gpointer data)
{
  /* Then it is read without. */
  gmcp_client_lists_watched (data);
}

static const GmcpChangeStreamFuncs watch_funcs = {
  .acknowledged = on_watched,
  .interrupted = on_watch_over,
  .ended = on_watch_over,
};

GmcpSubscriptionFlags
gmcp_client_get_declared_lists (GmcpClient *self)
{
  GmcpSubscriptionFlags lists = GMCP_SUBSCRIPTION_NONE;

  for (guint i = 0; self->server_capabilities != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (gmcp_capabilities_has (self->server_capabilities, kinds[i].capability))
      lists |= kinds[i].list;
  return lists;
}

void
gmcp_client_watch_lists (GmcpClient *self)
{
  if (self->watch == NULL)
    {
      self->watch = gmcp_change_stream_new (self, gmcp_client_get_declared_lists (self), NULL, NULL,
                                            &watch_funcs, self);
      self->watch->stubborn = TRUE;
      self->watch->ack_timeout_ms = self->probe_timeout_ms;
      if (!gmcp_change_filter_is_empty (&self->watch->wanted))
        {
          gmcp_change_stream_open (self->watch);
          return;
        }
    }

  if (self->watch->state != GMCP_SUBSCRIPTION_STATE_OPENING || self->watch->n_asked > 1)
    gmcp_client_lists_watched (self);
}

void
gmcp_client_unwatch_lists (GmcpClient *self)
{
  g_clear_pointer (&self->watch, gmcp_change_stream_free);
}

void
gmcp_client_announce_lists (GmcpClient *self, GmcpSubscriptionFlags lists)
{
  g_autoptr (GmcpClient) held G_GNUC_UNUSED = g_object_ref (self);

  for (guint i = 0; i < G_N_ELEMENTS (live_lists); i++)
    if ((lists & live_lists[i].change) != 0)
      gmcp_client_list_changed (self, live_lists[i].list);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if ((lists & kinds[i].list) != 0)
      g_signal_emit (self, signals[kinds[i].signal], 0);
}

void
gmcp_client_announce_resource (GmcpClient *self, const char *uri)
{
  g_autoptr (GmcpClient) held G_GNUC_UNUSED = g_object_ref (self);

  g_signal_emit (self, signals[SIGNAL_RESOURCE_UPDATED], 0, uri);
}

/* What came, for those streams that it is meant for. */
typedef struct
{
  const GmcpChangeStream *only; /* NULL for all */
  GmcpSubscriptionFlags lists;
  const char *uri;
  gboolean any_uri; /* it is not known which of them was meant */
  gboolean found;
} Change;

static gboolean
find_stream (GmcpClient *self, GmcpJsonValue params, GmcpChangeStream **stream)
{
  *stream = NULL;
  if (self->era == NULL || self->era->find_stream (self, params, stream))
    return TRUE;

  g_debug ("%s: a notification for a subscription that is over", gmcp_client_describe (self));
  self->n_dropped++;
  return FALSE;
}

static gboolean
concerns (const GmcpChangeStream *stream, const Change *change)
{
  return (change->only == NULL || stream == change->only)
         && (stream->state == GMCP_SUBSCRIPTION_STATE_OPEN
             || stream->state == GMCP_SUBSCRIPTION_STATE_OPENING);
}

static void
tell_list_change (gpointer data, gpointer user_data)
{
  GmcpChangeStream *stream = data;
  const Change *change = user_data;

  if (concerns (stream, change) && (stream->wanted.lists & change->lists) != 0
      && stream->funcs->lists_changed != NULL)
    stream->funcs->lists_changed (stream, change->lists, stream->data);
}

static void
note_list_changed (GmcpClient *self, GmcpJsonValue params, GmcpSubscriptionFlags list)
{
  Change change = { .lists = list };
  GmcpChangeStream *stream;

  if (!find_stream (self, params, &stream))
    return;

  change.only = stream;
  gmcp_client_announce_lists (self, list);
  gmcp_change_streams_foreach (self, tell_list_change, &change);
}

void
gmcp_client_note_tools_changed (GmcpClient *self, GmcpJsonValue params)
{
  note_list_changed (self, params, GMCP_SUBSCRIPTION_TOOLS);
}

void
gmcp_client_note_prompts_changed (GmcpClient *self, GmcpJsonValue params)
{
  note_list_changed (self, params, GMCP_SUBSCRIPTION_PROMPTS);
}

void
gmcp_client_note_resources_changed (GmcpClient *self, GmcpJsonValue params)
{
  note_list_changed (self, params, GMCP_SUBSCRIPTION_RESOURCES);
}

/* A part of a resource that is subscribed to may change. */
static gboolean
wants_uri (const GmcpChangeStream *stream, const char *uri)
{
  for (guint i = 0; stream->wanted.resource_uris[i] != NULL; i++)
    if (g_str_has_prefix (uri, stream->wanted.resource_uris[i]))
      return TRUE;
  return FALSE;
}

static void
tell_update (gpointer data, gpointer user_data)
{
  GmcpChangeStream *stream = data;
  Change *change = user_data;

  if (!concerns (stream, change) || stream->wanted.resource_uris[0] == NULL
      || (!change->any_uri && !wants_uri (stream, change->uri)))
    return;

  change->found = TRUE;
  if (stream->funcs->resource_updated != NULL)
    stream->funcs->resource_updated (stream, change->uri, stream->data);
}

void
gmcp_client_note_resource_updated (GmcpClient *self, GmcpJsonValue params)
{
  g_autofree char *uri = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "uri"));
  Change change = { .uri = uri };
  GmcpChangeStream *stream;

  if (uri == NULL)
    {
      g_debug ("%s: an update of no resource", gmcp_client_describe (self));
      self->n_dropped++;
      return;
    }
  if (!find_stream (self, params, &stream))
    return;

  change.only = stream;
  change.any_uri = stream != NULL;
  gmcp_client_announce_resource (self, uri);
  gmcp_change_streams_foreach (self, tell_update, &change);
  if (change.found || change.any_uri)
    return;
  /* A server may write an address in another way than it was asked with. */
  change.any_uri = TRUE;
  gmcp_change_streams_foreach (self, tell_update, &change);
}

void
gmcp_client_emit_notification (gpointer object, guint signal_id, const GmcpRpcMessage *notification)
{
  g_autofree char *method = gmcp_json_value_dup_string (notification->method);
  g_autoptr (JsonNode) params = NULL;
  g_autofree char *params_json = NULL;

  if (gmcp_json_value_is_present (notification->params))
    {
      params = gmcp_json_value_to_node (notification->params);
      params_json = gmcp_json_value_dup_raw (notification->params);
    }
  g_signal_emit (object, signal_id, 0, method, params, params_json);
}

gboolean
gmcp_client_note_unknown (GmcpClient *self, const GmcpRpcMessage *notification)
{
  GmcpChangeStream *stream = NULL;
  gboolean known = FALSE;

  if (self->era != NULL && self->era->find_stream (self, notification->params, &stream)
      && stream != NULL && stream->funcs->notified != NULL)
    {
      stream->funcs->notified (stream, notification, stream->data);
      known = TRUE;
    }
  if (!g_signal_has_handler_pending (self, signals[SIGNAL_NOTIFICATION], 0, FALSE))
    return known;

  gmcp_client_emit_notification (self, signals[SIGNAL_NOTIFICATION], notification);
  return TRUE;
}
