/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-error-private.h"
#include "gmcp-health-check-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* While a server is up it is asked at intervals whether it works, unless it has just answered something
 * else. */

static void arm (GmcpManagedServer *self, gint64 due_us);

static guint
get_interval_ms (GmcpManagedServer *self)
{
  guint own_ms = gmcp_server_config_get_health_interval_ms (self->config);

  return own_ms > 0 ? own_ms : self->limits.health_interval_ms;
}

static guint
get_timeout_ms (GmcpManagedServer *self)
{
  guint own_ms = gmcp_server_config_get_health_timeout_ms (self->config);

  return own_ms > 0 ? own_ms : self->limits.health_timeout_ms;
}

/* When the next check is due, so long as the server says nothing. */
static gint64
get_due_us (GmcpManagedServer *self)
{
  gint64 answered_us = gmcp_server_instance_get_last_answer_us (self->run);

  return MAX (self->health.passed_us, answered_us) + get_interval_ms (self) * (gint64) 1000;
}

gboolean
gmcp_managed_server_is_check_overdue (GmcpManagedServer *self)
{
  return self->health.n_failures == 0 && get_due_us (self) <= g_get_monotonic_time ();
}

void
gmcp_managed_server_tell_of_check (GmcpManagedServer *self, gboolean is_well)
{
  GQueue callers = { NULL, NULL, 0 };

  gmcp_pending_tasks_move (&self->health.callers, &callers);
  gmcp_pending_tasks_settle_value (&self->health.waiters, is_well);
  /* They look for themselves what became of the server. */
  gmcp_pending_tasks_settle_value (&callers, TRUE);
}

static void
passed (GmcpManagedServer *self)
{
  GmcpServerHealthWatch *health = &self->health;
  gboolean was_unwell = self->state != GMCP_SERVER_STATE_READY;

  health->n_failures = 0;
  health->n_heard = gmcp_server_instance_get_n_heard (self->run);
  health->passed_us = g_get_monotonic_time ();
  arm (self, get_due_us (self));
  g_object_freeze_notify (G_OBJECT (self));
  if (was_unwell)
    gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_CHECK_PASSED);
  g_object_thaw_notify (G_OBJECT (self));
  if (was_unwell && self->run != NULL)
    {
      if (gmcp_tool_snapshot_take (self->snapshot, self->config,
                                   gmcp_server_instance_get_client (self->run)))
        gmcp_managed_server_tools_changed (self);
      gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” recovered"),
                                  gmcp_managed_server_get_title (self));
    }
  gmcp_managed_server_tell_of_check (self, TRUE);
}

/* Many servers answer nothing else while they work on a call. One that at least says something
 * meanwhile, such as how far it is, is well. */
static gboolean
shows_life (GmcpManagedServer *self, const GError *error)
{
  return g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT)
         && gmcp_server_instance_get_n_calls (self->run) > 0
         && gmcp_server_instance_get_n_heard (self->run) != self->health.n_heard;
}

/* One that has been silent since it got the calls that it works on may be busy with those, or hang: it
 * is given as much time again as made it unhealthy. */
static gboolean
is_spared (GmcpManagedServer *self)
{
  return gmcp_server_instance_get_n_marked_calls (self->run) > 0
         && self->health.n_failures < (guint64) 2 * self->limits.max_health_failures;
}

static void
tell_of_illness (GmcpManagedServer *self, gboolean is_restarted, const GError *error)
{
  const char *title = gmcp_managed_server_get_title (self);
  guint n_calls = gmcp_server_instance_get_n_marked_calls (self->run);

  if (!is_restarted)
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_ERROR,
      _ ("Server “%s” is unhealthy and is not to be restarted; going on without its tools: %s"),
      title, error->message);
  else if (is_spared (self))
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_WARNING,
      /* TRANSLATORS: a server’s name, a number, an error message */
      g_dngettext (
        GETTEXT_PACKAGE,
        "Server “%s” is unhealthy. It works on %u call, and is restarted unless that ends "
        "or it says something soon; a server that answers nothing else while it works "
        "needs the setting health-method=process: %s",
        "Server “%s” is unhealthy. It works on %u calls, and is restarted unless those end "
        "or it says something soon; a server that answers nothing else while it works "
        "needs the setting health-method=process: %s",
        n_calls),
      title, n_calls, error->message);
  else
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING,
                                _ ("Server “%s” is unhealthy and is being restarted: %s"), title,
                                error->message);
}

static void
become_unhealthy (GmcpManagedServer *self, const GError *error)
{
  gboolean is_restarted = gmcp_server_config_get_restart_on_failure (self->config);
  gboolean is_news = self->state != GMCP_SERVER_STATE_UNHEALTHY;
  GmcpServerInstance *run = self->run;

  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_UNHEALTHY);
  if (self->run != run)
    return;

  if (!is_restarted && is_news)
    gmcp_managed_server_withdraw_tools (self);
  if (self->run == run && (is_news || (is_restarted && !is_spared (self))))
    tell_of_illness (self, is_restarted, error);
  if (self->run == run && is_restarted && !is_spared (self))
    gmcp_managed_server_recover (self, error);
}

/* Nothing is sent after calls that it may never be done with. */
static void
turn_callers_away (GmcpManagedServer *self)
{
  guint n_calls = self->run != NULL ? gmcp_server_instance_get_n_marked_calls (self->run) : 0;
  g_autoptr (GError) busy = NULL;

  if (n_calls == 0)
    return;

  busy = g_error_new (
    GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
    /* TRANSLATORS: a server’s name, a number */
    g_dngettext (
      GETTEXT_PACKAGE,
      "Server “%s” works on %u call and does not answer anything else; nothing was sent. "
      "Try again later",
      "Server “%s” works on %u calls and does not answer anything else; nothing was "
      "sent. Try again later",
      n_calls),
    gmcp_managed_server_get_title (self), n_calls);
  gmcp_pending_tasks_settle (&self->health.callers, busy);
}

static void
failed (GmcpManagedServer *self, const GError *cause)
{
  GmcpServerHealthWatch *health = &self->health;
  GmcpServerInstance *run = self->run;
  g_autoptr (GError) error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_FAILED, _ ("Server “%s” failed a health check: %s"),
                   gmcp_managed_server_get_title (self), cause->message);
  gboolean is_last;

  health->n_heard = gmcp_server_instance_get_n_heard (run);
  if (health->n_failures++ == 0)
    gmcp_server_instance_mark_calls (run);
  arm (self, g_get_monotonic_time () + get_interval_ms (self) * (gint64) 1000);
  gmcp_managed_server_set_last_error (self, error);
  is_last = health->n_failures >= self->limits.max_health_failures;
  if (self->run == run && !is_last)
    gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_CHECK_FAILED);
  if (self->run == run && health->n_failures == 1)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_ERROR, "%s", error->message);
  if (self->run == run && is_last)
    become_unhealthy (self, error);
  turn_callers_away (self);
  gmcp_managed_server_tell_of_check (self, FALSE);
}

typedef struct
{
  GmcpManagedServer *server;
  GCancellable *cancellable; /* tells it from a later one */
} Check;

static void
judge (GmcpManagedServer *self, gboolean is_well, const GError *error)
{
  GmcpServerHealthWatch *health = &self->health;
  gboolean is_early = health->is_early;

  health->is_early = FALSE;
  if (is_well || shows_life (self, error))
    passed (self);
  else if (error->domain == GMCP_AUTH_ERROR)
    gmcp_managed_server_need_sign_in (self, error);
  else if (!is_early)
    failed (self, error);
  else
    {
      turn_callers_away (self);
      gmcp_managed_server_tell_of_check (self, FALSE);
    }
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  Check *check = data;
  g_autoptr (GmcpManagedServer) self = check->server;
  g_autoptr (GCancellable) cancellable = check->cancellable;
  g_autoptr (GError) error = NULL;
  gboolean is_well = gmcp_health_check_finish (result, &error);

  g_free (check);
  if (self->health.check != cancellable)
    return;

  g_clear_object (&self->health.check);
  self->health.checked_at = g_get_real_time () / G_USEC_PER_SEC;
  gmcp_managed_server_checked (self);
  /* Where the connection is lost, that is what there is to say. */
  if (self->run == NULL || !gmcp_client_is_open (gmcp_server_instance_get_client (self->run)))
    {
      gmcp_managed_server_tell_of_check (self, FALSE);
      return;
    }

  judge (self, is_well, error);
}

static void
begin_check (GmcpManagedServer *self, gboolean is_early)
{
  Check *check;

  if (self->health.check != NULL)
    {
      self->health.is_early = self->health.is_early && is_early;
      return;
    }

  self->health.is_early = is_early;
  self->health.check = g_cancellable_new ();
  check = g_new (Check, 1);
  check->server = g_object_ref (self);
  check->cancellable = g_object_ref (self->health.check);
  g_main_context_push_thread_default (self->context);
  gmcp_health_check_async (self->config, self->run, get_timeout_ms (self), check->cancellable,
                           on_checked, check);
  g_main_context_pop_thread_default (self->context);
}

void
gmcp_managed_server_check_health (GmcpManagedServer *self)
{
  begin_check (self, FALSE);
}

void
gmcp_managed_server_check_for_call (GmcpManagedServer *self)
{
  /* However many want to call, a server that may be busy has its time. */
  begin_check (self, gmcp_server_instance_get_n_marked_calls (self->run) > 0);
}

static void
on_call_ended (GmcpServerInstance *run, const GError *error, gpointer data)
{
  GmcpManagedServer *self = data;

  if (error != NULL && error->domain == GMCP_AUTH_ERROR && !gmcp_auth_error_lacks_rights (error))
    gmcp_managed_server_need_sign_in (self, error);
  /* It has found its tongue again, or has no excuse any more. */
  else if (self->health.n_failures > 0
           && (error == NULL || error->domain == GMCP_RPC_ERROR
               || gmcp_server_instance_get_n_marked_calls (run) == 0))
    gmcp_managed_server_check_health (self);
}

static gboolean
on_due (gpointer data)
{
  GmcpManagedServer *self = data;
  gint64 due_us = get_due_us (self);

  g_clear_pointer (&self->health.timer, g_source_unref);
  /* A check that is under way arms the timer when it ends. */
  if (self->health.n_failures == 0 && due_us > g_get_monotonic_time ())
    arm (self, due_us);
  else
    gmcp_managed_server_check_health (self);
  return G_SOURCE_REMOVE;
}

static void
arm (GmcpManagedServer *self, gint64 due_us)
{
  if (self->health.timer != NULL)
    {
      g_source_set_ready_time (self->health.timer, due_us);
      return;
    }

  self->health.timer = g_timeout_source_new (0);
  g_source_set_ready_time (self->health.timer, due_us);
  g_source_set_static_name (self->health.timer, "[gmcp] server's health");
  g_source_set_callback (self->health.timer, on_due, self, NULL);
  g_source_attach (self->health.timer, self->context);
}

void
gmcp_managed_server_rearm_health (GmcpManagedServer *self)
{
  /* A check that is under way, and one that follows on a failure, come soon enough. */
  if (self->health.timer != NULL && self->health.n_failures == 0)
    arm (self, get_due_us (self));
}

void
gmcp_managed_server_watch_health (GmcpManagedServer *self)
{
  self->health.n_failures = 0;
  self->health.passed_us = g_get_monotonic_time ();
  self->health.checked_at = g_get_real_time () / G_USEC_PER_SEC;
  self->health.n_heard = gmcp_server_instance_get_n_heard (self->run);
  gmcp_server_instance_watch_calls (self->run, on_call_ended, self);
  gmcp_managed_server_checked (self);
  arm (self, get_due_us (self));
}

void
gmcp_managed_server_unwatch_health (GmcpManagedServer *self)
{
  g_autoptr (GCancellable) check = g_steal_pointer (&self->health.check);

  if (self->health.timer != NULL)
    g_source_destroy (self->health.timer);
  g_clear_pointer (&self->health.timer, g_source_unref);
  g_cancellable_cancel (check);
}
