/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-features-private.h"

#include "gmcp-caching-private.h"
#include "gmcp-change-streams-private.h"
#include "gmcp-changes-private.h"
#include "gmcp-input-private.h"
#include "gmcp-kept-private.h"
#include "gmcp-lists-private.h"
#include "gmcp-logging-private.h"
#include "gmcp-outputs-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-served-tasks-private.h"
#include "gmcp-server-requests-private.h"
#include "gmcp-tasks-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-visits-private.h"

typedef void (*NotificationFunc) (GmcpSession *session, GmcpJsonValue params);

static const struct
{
  const char *method;
  NotificationFunc func;
} notifications[] = {
  { GMCP_NOTIFICATION_MESSAGE, gmcp_logging_note_message },
  { GMCP_NOTIFICATION_TOOLS_LIST_CHANGED, gmcp_changes_note_tools },
  { GMCP_NOTIFICATION_PROMPTS_LIST_CHANGED, gmcp_changes_note_prompts },
  { GMCP_NOTIFICATION_RESOURCES_LIST_CHANGED, gmcp_changes_note_resources },
  { GMCP_NOTIFICATION_RESOURCES_UPDATED, gmcp_changes_note_resource },
};

static void
on_tools_changed (GmcpSession *session)
{
  gmcp_outputs_index (session);
}

GmcpFeatures *
gmcp_features_new (GmcpSession *session, const GmcpFeatureEvents *events)
{
  GmcpFeatures *self = g_new0 (GmcpFeatures, 1);

  gmcp_session_set_features (session, self);
  self->events = events;
  self->kept = gmcp_kept_new ();
  self->caching = gmcp_caching_new ();
  self->changes = gmcp_changes_new (gmcp_lists_watched, gmcp_lists_note_changes);
  self->streams
    = gmcp_change_streams_new (gmcp_changes_announce_lists, gmcp_changes_announce_resource);
  self->input = gmcp_input_new (session);
  self->lists = gmcp_lists_new ();
  self->logging = gmcp_logging_new ();
  self->outputs = gmcp_outputs_new ();
  self->served_tasks = gmcp_served_tasks_new ();
  self->server_requests = gmcp_server_requests_new ();
  self->tasks = gmcp_tasks_new ();
  self->visits = gmcp_visits_new ();
  g_signal_connect_swapped (gmcp_lists_get_items (session, GMCP_LIST_TOOLS), "items-changed",
                            G_CALLBACK (on_tools_changed), session);
  return self;
}

void
gmcp_features_free (GmcpFeatures *self, GmcpSession *session)
{
  g_signal_handlers_disconnect_by_func (gmcp_lists_get_items (session, GMCP_LIST_TOOLS),
                                        on_tools_changed, session);
  gmcp_caching_leave (session);
  gmcp_caching_free (self->caching);
  gmcp_changes_free (self->changes);
  gmcp_change_streams_free (self->streams);
  gmcp_input_free (self->input);
  gmcp_lists_free (self->lists);
  gmcp_logging_free (self->logging);
  gmcp_outputs_free (self->outputs);
  gmcp_served_tasks_free (self->served_tasks);
  gmcp_server_requests_free (self->server_requests);
  gmcp_tasks_free (self->tasks);
  g_ptr_array_unref (self->visits);
  gmcp_kept_free (self->kept);
  g_free (self);
}

static gpointer
on_lost (GmcpSession *session, const GError *error)
{
  GPtrArray *lost;

  gmcp_input_forget (session);
  gmcp_changes_unwatch_lists (session);
  lost = gmcp_change_streams_lose (session);
  gmcp_lists_forget (session);
  gmcp_lists_abandon (session, error);
  gmcp_server_requests_close_all (session);
  gmcp_visits_forget (session);
  gmcp_served_tasks_drop (session);
  return lost;
}

static void
on_after_lost (GmcpSession *session, gpointer lost, const GError *error)
{
  gmcp_change_streams_report_loss (lost, error);
}

/* Whatever happened between the two sessions was not told. */
static void
on_renewed (GmcpSession *session)
{
  gmcp_lists_all_changed (session);
  if (gmcp_session_is_open (session))
    gmcp_change_streams_renew (session);
}

static void
on_listening (GmcpSession *session, const GError *error)
{
  if (error != NULL)
    gmcp_change_streams_deafen (session, error);
  else
    gmcp_change_streams_hear (session);
}

static gboolean
on_notification (GmcpSession *session, const GmcpRpcMessage *notification)
{
  /* Before anybody who hears of the change asks. */
  gmcp_caching_expire (session, notification);
  for (guint i = 0; i < G_N_ELEMENTS (notifications); i++)
    if (gmcp_json_value_equals_string (notification->method, notifications[i].method))
      {
        notifications[i].func (session, notification->params);
        return TRUE;
      }
  return FALSE;
}

static void
on_opened (GmcpSession *session)
{
  gmcp_logging_begin (session);
  gmcp_change_streams_resume (session);
}

static gboolean
is_harmless (GmcpSession *session, const GmcpExchange *exchange)
{
  GmcpTool *tool;

  if (!g_str_equal (gmcp_exchange_get_method (exchange), GMCP_METHOD_TOOLS_CALL)
      || gmcp_exchange_get_subject (exchange) == NULL)
    return FALSE;

  tool = gmcp_lists_peek_tool (session, gmcp_exchange_get_subject (exchange));
  return tool != NULL && (gmcp_tool_is_read_only (tool) || gmcp_tool_is_idempotent (tool));
}

const GmcpSessionHooks gmcp_features_hooks = {
  .introduced = gmcp_tasks_begin,
  .opened = on_opened,
  .lost = on_lost,
  .after_lost = on_after_lost,
  .renewed = on_renewed,
  .listening = on_listening,
  .notification = on_notification,
  .unknown_notification = gmcp_changes_note_unknown,
  .before_send = gmcp_caching_ask,
  .write_meta = gmcp_logging_write_level,
  .find_call = gmcp_tasks_find_call,
  .is_harmless = is_harmless,
};
