/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

struct _GmcpSession
{
  GObject *owner; /* not owned */
  const GmcpSessionHooks *hooks;
  const GmcpSessionEvents *events;
  GmcpFeatures *features;
  const GmcpEraFuncs *modern;
  const GmcpEraFuncs *legacy;

  /* Settings. */
  GmcpTransport *transport;
  char *name;
  char *cache_key;
  GmcpImplementation *client_info;
  GmcpEra wanted_era;
  guint timeouts_ms[GMCP_SESSION_N_TIMEOUTS];

  /* The connection. */
  GMainContext *context;
  GmcpSessionState state;
  guint serial; /* of the last opening, as the next */
  GmcpOpeningTimes times;
  const GmcpEraFuncs *era; /* while opening the one that is tried; NULL before */
  GmcpPendingCalls *calls;
  gboolean keeps_requests;
  gboolean clocks_stopped;
  GString *last_problem;
  guint64 n_heard;   /* messages, of any kind */
  guint64 n_dropped; /* messages that nobody waited for */

  /* Parts that are known to their own files only. */
  GmcpSessionOpening *opening; /* while the state is OPENING */
  GmcpSessionOutbox *outbox;
  GmcpSessionPeer *peer;
  GmcpSessionRenewal *renewal;
  GmcpSessionTextFilter *text_filter;
  GmcpGivenUpCalls *given_up;
};

GmcpSession *
gmcp_session_new (gpointer owner,
                  const GmcpEraFuncs *modern,
                  const GmcpEraFuncs *legacy,
                  const GmcpSessionHooks *hooks,
                  const GmcpSessionEvents *events)
{
  GmcpSession *self = g_new0 (GmcpSession, 1);

  self->owner = owner;
  self->hooks = hooks;
  self->events = events;
  self->modern = modern;
  self->legacy = legacy;
  self->client_info = gmcp_implementation_new ("gmcp", GMCP_VERSION);
  self->timeouts_ms[GMCP_SESSION_CALL_TIMEOUT] = GMCP_DEFAULT_CALL_TIMEOUT_MS;
  self->timeouts_ms[GMCP_SESSION_MAX_CALL_TIMEOUT] = GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS;
  self->timeouts_ms[GMCP_SESSION_STARTUP_TIMEOUT] = GMCP_DEFAULT_STARTUP_TIMEOUT_MS;
  self->timeouts_ms[GMCP_SESSION_PROBE_TIMEOUT] = GMCP_DEFAULT_PROBE_TIMEOUT_MS;
  self->context = g_main_context_ref_thread_default ();
  self->calls = gmcp_pending_calls_new (self->context, gmcp_session_exchange_timed_out, self);
  self->last_problem = g_string_new (NULL);
  self->outbox = gmcp_session_outbox_new ();
  self->peer = gmcp_session_peer_new ();
  self->renewal = gmcp_session_renewal_new ();
  self->text_filter = gmcp_session_text_filter_new ();
  self->given_up = gmcp_given_up_calls_new ();
  return self;
}

void
gmcp_session_free (GmcpSession *self)
{
  g_clear_pointer (&self->calls, gmcp_pending_calls_free);
  gmcp_session_outbox_free (self->outbox);
  gmcp_session_peer_free (self->peer);
  gmcp_session_renewal_free (self->renewal);
  gmcp_session_text_filter_free (self->text_filter);
  gmcp_given_up_calls_free (self->given_up);
  g_main_context_unref (self->context);
  g_clear_object (&self->transport);
  gmcp_implementation_unref (self->client_info);
  g_string_free (self->last_problem, TRUE);
  g_free (self->name);
  g_free (self->cache_key);
  g_free (self);
}

GmcpSession *
gmcp_session_ref (GmcpSession *self)
{
  g_object_ref (self->owner);
  return self;
}

void
gmcp_session_unref (GmcpSession *self)
{
  g_object_unref (self->owner);
}

gpointer
gmcp_session_get_owner (GmcpSession *self)
{
  return self->owner;
}

const GmcpSessionHooks *
gmcp_session_get_hooks (GmcpSession *self)
{
  return self->hooks;
}

const GmcpSessionEvents *
gmcp_session_get_events (GmcpSession *self)
{
  return self->events;
}

GmcpFeatures *
gmcp_session_get_features (GmcpSession *self)
{
  return self->features;
}

void
gmcp_session_set_features (GmcpSession *self, GmcpFeatures *features)
{
  self->features = features;
}

/* Settings */

GmcpTransport *
gmcp_session_get_transport (GmcpSession *self)
{
  return self->transport;
}

void
gmcp_session_take_transport (GmcpSession *self, GmcpTransport *transport)
{
  self->transport = transport;
}

void
gmcp_session_replace_transport (GmcpSession *self, GmcpTransport *transport)
{
  gmcp_session_hang_up (self);
  g_set_object (&self->transport, transport);
}

const char *
gmcp_session_describe (GmcpSession *self)
{
  if (self->name == NULL && self->transport != NULL)
    self->name = gmcp_transport_dup_description (self->transport);
  if (self->name == NULL)
    self->name = g_strdup ("");
  return self->name;
}

static gboolean
set_string (char **slot, const char *string)
{
  if (g_strcmp0 (*slot, string) == 0)
    return FALSE;

  g_free (*slot);
  *slot = g_strdup (string);
  return TRUE;
}

gboolean
gmcp_session_set_name (GmcpSession *self, const char *name)
{
  return set_string (&self->name, name);
}

gboolean
gmcp_session_set_cache_key (GmcpSession *self, const char *cache_key)
{
  return set_string (&self->cache_key, cache_key);
}

const char *
gmcp_session_get_cache_key (GmcpSession *self)
{
  return self->cache_key;
}

gboolean
gmcp_session_set_client_info (GmcpSession *self, GmcpImplementation *client_info)
{
  if (self->client_info == client_info)
    return FALSE;

  gmcp_implementation_unref (self->client_info);
  self->client_info = gmcp_implementation_ref (client_info);
  return TRUE;
}

GmcpImplementation *
gmcp_session_get_client_info (GmcpSession *self)
{
  return self->client_info;
}

gboolean
gmcp_session_set_wanted_era (GmcpSession *self, GmcpEra era)
{
  gboolean changed = self->wanted_era != era;

  self->wanted_era = era;
  return changed;
}

GmcpEra
gmcp_session_get_wanted_era (GmcpSession *self)
{
  return self->wanted_era;
}

guint
gmcp_session_get_timeout_ms (GmcpSession *self, GmcpSessionTimeout timeout)
{
  return self->timeouts_ms[timeout];
}

gboolean
gmcp_session_set_timeout_ms (GmcpSession *self, GmcpSessionTimeout timeout, guint timeout_ms)
{
  gboolean changed = self->timeouts_ms[timeout] != timeout_ms;

  self->timeouts_ms[timeout] = timeout_ms;
  return changed;
}

guint
gmcp_session_get_call_timeout_ms (GmcpSession *self)
{
  return self->timeouts_ms[GMCP_SESSION_CALL_TIMEOUT];
}

/* The connection */

GMainContext *
gmcp_session_get_context (GmcpSession *self)
{
  return self->context;
}

GmcpSessionState
gmcp_session_get_state (GmcpSession *self)
{
  return self->state;
}

void
gmcp_session_set_state (GmcpSession *self, GmcpSessionState state)
{
  self->state = state;
}

gboolean
gmcp_session_is_open (GmcpSession *self)
{
  return self->state == GMCP_SESSION_OPEN;
}

GError *
gmcp_session_new_not_connected_error (GmcpSession *self, const char *what)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                      _ ("“%s” was not sent to %s: it is not connected"), what,
                      gmcp_session_describe (self));
}

gboolean
gmcp_session_check_open (GmcpSession *self, GTask *task, const char *what)
{
  if (self->state == GMCP_SESSION_OPEN)
    return TRUE;

  g_task_return_error (task, gmcp_session_new_not_connected_error (self, what));
  return FALSE;
}

const GmcpEraFuncs *
gmcp_session_get_era (GmcpSession *self)
{
  return self->era;
}

void
gmcp_session_set_tried_era (GmcpSession *self, const GmcpEraFuncs *era)
{
  self->era = era;
}

const GmcpEraFuncs *
gmcp_session_get_modern_era (GmcpSession *self)
{
  return self->modern;
}

const GmcpEraFuncs *
gmcp_session_get_legacy_era (GmcpSession *self)
{
  return self->legacy;
}

guint
gmcp_session_begin_opening (GmcpSession *self)
{
  self->state = GMCP_SESSION_OPENING;
  self->times = (GmcpOpeningTimes){ .begun_us = g_get_monotonic_time () };
  self->era = NULL;
  self->keeps_requests = FALSE;
  gmcp_given_up_calls_clear (self->given_up);
  g_string_truncate (self->last_problem, 0);
  gmcp_session_outbox_begin (self);
  return ++self->serial;
}

GmcpGivenUpCalls *
gmcp_session_get_given_up (GmcpSession *self)
{
  return self->given_up;
}

const GmcpOpeningTimes *
gmcp_session_get_opening_times (GmcpSession *self)
{
  return &self->times;
}

/* A server that is started twice, or asked in two ways, is timed by the first. */
static void
note_time (gint64 *time_us)
{
  if (*time_us == 0)
    *time_us = g_get_monotonic_time ();
}

void
gmcp_session_note_talk (GmcpSession *self)
{
  note_time (&self->times.talk_us);
}

void
gmcp_session_note_initialize (GmcpSession *self)
{
  note_time (&self->times.initialize_us);
}

void
gmcp_session_note_restart (GmcpSession *self)
{
  note_time (&self->times.restarted_us);
}

void
gmcp_session_note_open (GmcpSession *self)
{
  note_time (&self->times.open_us);
}

guint
gmcp_session_get_serial (GmcpSession *self)
{
  return self->serial;
}

GmcpPendingCalls *
gmcp_session_get_calls (GmcpSession *self)
{
  return self->calls;
}

gboolean
gmcp_session_keeps_requests (GmcpSession *self)
{
  return self->keeps_requests;
}

void
gmcp_session_set_keeps_requests (GmcpSession *self, gboolean keeps_requests)
{
  self->keeps_requests = keeps_requests;
}

gboolean
gmcp_session_clocks_stand_still (GmcpSession *self)
{
  return self->clocks_stopped;
}

void
gmcp_session_set_clocks_stopped (GmcpSession *self, gboolean stopped)
{
  self->clocks_stopped = stopped;
}

const char *
gmcp_session_get_last_problem (GmcpSession *self)
{
  return self->last_problem->len > 0 ? self->last_problem->str : NULL;
}

void
gmcp_session_set_last_problem (GmcpSession *self, const char *problem)
{
  g_string_assign (self->last_problem, problem);
}

void
gmcp_session_count_heard (GmcpSession *self)
{
  self->n_heard++;
}

guint64
gmcp_session_get_n_heard (GmcpSession *self)
{
  return self->n_heard;
}

void
gmcp_session_drop_message (GmcpSession *self, const char *what)
{
  self->n_dropped++;
  g_debug ("%s: dropped %s", gmcp_session_describe (self), what);
}

void
gmcp_session_listen (GmcpSession *self)
{
  gmcp_transport_set_taker (self->transport, &gmcp_session_taker, self);
}

void
gmcp_session_hang_up (GmcpSession *self)
{
  gmcp_transport_set_taker (self->transport, NULL, NULL);
}

/* Ends everything that waits. First all is taken that belongs to the connection, since a callback
 * may open the next one. */
static void
end_all (GmcpSession *self, const GError *error)
{
  GPtrArray *exchanges = gmcp_session_take_exchanges (self);
  gpointer lost;

  gmcp_session_renewal_forget (self);
  lost = self->hooks->lost (self, error);
  gmcp_session_fail_exchanges (self, exchanges, error);
  self->hooks->after_lost (self, lost, error);
}

void
gmcp_session_went_down (GmcpSession *self, const GError *error)
{
  g_autoptr (GError) told = NULL;

  if (self->state != GMCP_SESSION_OPEN)
    return;

  self->state = GMCP_SESSION_CLOSED;
  gmcp_session_hang_up (self);
  told = error != NULL ? g_error_copy (error)
                       : g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED,
                                              _ ("the server closed the connection"));
  g_prefix_error (&told, "%s: ", gmcp_session_describe (self));
  told = gmcp_session_filter_error (self, told);
  end_all (self, told);
  self->events->open_changed (self->owner);
  self->events->closed (self->owner, told);
}

void
gmcp_session_abandon (GmcpSession *self)
{
  g_autoptr (GError) error = NULL;

  /* The transport stays until the end, so that nothing has to look whether it is there. */
  if (self->state == GMCP_SESSION_CLOSED)
    return;

  error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("The client is gone"));
  if (self->state == GMCP_SESSION_OPENING)
    {
      gmcp_session_open_failed (self, g_steal_pointer (&error));
      return;
    }

  self->state = GMCP_SESSION_CLOSED;
  gmcp_session_hang_up (self);
  gmcp_transport_close_async (self->transport, NULL, NULL, NULL);
  end_all (self, error);
}

static void
on_transport_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpSession *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (gmcp_transport_close_finish (GMCP_TRANSPORT (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, gmcp_session_filter_error (self, error));
}

void
gmcp_session_close_async (GmcpSession *self,
                          gpointer tag,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GmcpSession) held G_GNUC_UNUSED = gmcp_session_ref (self);
  GTask *task = g_task_new (self->owner, cancellable, callback, user_data);
  g_autoptr (GError) error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("The connection to %s was closed"),
                   gmcp_session_describe (self));
  gboolean was_open = self->state == GMCP_SESSION_OPEN;

  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, self, NULL);
  if (self->transport == NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  if (was_open)
    {
      self->state = GMCP_SESSION_CLOSED;
      gmcp_session_hang_up (self);
    }
  gmcp_transport_close_async (self->transport, cancellable, on_transport_closed, task);

  /* Last, since callbacks run in these. */
  if (was_open)
    {
      end_all (self, error);
      self->events->open_changed (self->owner);
    }
  else if (self->state == GMCP_SESSION_OPENING)
    gmcp_session_open_failed (self, g_steal_pointer (&error));
}

/* The parts of a session */

GmcpSessionOpening *
gmcp_session_get_opening (GmcpSession *self)
{
  return self->opening;
}

void
gmcp_session_set_opening (GmcpSession *self, GmcpSessionOpening *opening)
{
  self->opening = opening;
}

GmcpSessionOutbox *
gmcp_session_get_outbox (GmcpSession *self)
{
  return self->outbox;
}

GmcpSessionPeer *
gmcp_session_get_peer (GmcpSession *self)
{
  return self->peer;
}

GmcpSessionRenewal *
gmcp_session_get_renewal (GmcpSession *self)
{
  return self->renewal;
}

GmcpSessionTextFilter *
gmcp_session_get_text_filter (GmcpSession *self)
{
  return self->text_filter;
}
