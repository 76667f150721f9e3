/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-error-private.h"
#include "gmcp-health-check-private.h"
#include "gmcp-health-monitor-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpHealthMonitor
{
  GObject *owner; /* not owned */
  GMainContext *context;
  const GmcpHealthFuncs *funcs;

  GmcpServerConfig *config; /* NULL before it is configured */
  guint interval_ms;
  guint timeout_ms;
  guint max_failures;

  GmcpServerInstance *instance; /* that is watched; NULL for none */
  GSource *timer;
  GCancellable *check; /* under way; made anew for each */
  gboolean is_early;   /* the check counts only where it passes */
  guint n_failures;    /* in a row */
  guint64 n_heard;     /* from the server, at the end of the last check that counted */
  gint64 passed_us;    /* when the last check passed, by the monotonic clock */
  gint64 checked_at;   /* when the last check ended, in seconds of real time; 0 for never */
  GQueue waiters;      /* of GTask: who asked for a check */
  GQueue callers;      /* of GTask: who wants to call, and waits for the end of a check */
};

static void arm_timer (GmcpHealthMonitor *self, gint64 due_us);

GmcpHealthMonitor *
gmcp_health_monitor_new (GObject *owner, GMainContext *context, const GmcpHealthFuncs *funcs)
{
  GmcpHealthMonitor *self = g_new0 (GmcpHealthMonitor, 1);

  self->owner = owner;
  self->context = g_main_context_ref (context);
  self->funcs = funcs;
  g_queue_init (&self->waiters);
  g_queue_init (&self->callers);
  return self;
}

void
gmcp_health_monitor_free (GmcpHealthMonitor *self)
{
  gmcp_health_monitor_stop (self);
  g_clear_object (&self->config);
  g_main_context_unref (self->context);
  g_free (self);
}

/* When the next check is due, so long as the server says nothing. */
static gint64
get_due_us (GmcpHealthMonitor *self)
{
  gint64 answered_us = gmcp_server_instance_get_last_answer_us (self->instance);

  return MAX (self->passed_us, answered_us) + self->interval_ms * (gint64) 1000;
}

gboolean
gmcp_health_monitor_is_overdue (GmcpHealthMonitor *self)
{
  return self->n_failures == 0 && get_due_us (self) <= g_get_monotonic_time ();
}

gboolean
gmcp_health_monitor_is_checking (GmcpHealthMonitor *self)
{
  return self->check != NULL;
}

gboolean
gmcp_health_monitor_spares (GmcpHealthMonitor *self)
{
  return self->instance != NULL && gmcp_server_instance_get_n_marked_calls (self->instance) > 0
         && self->n_failures < (guint64) 2 * self->max_failures;
}

gboolean
gmcp_health_monitor_is_limit (GmcpHealthMonitor *self, guint n_failures)
{
  return n_failures >= self->max_failures;
}

gint64
gmcp_health_monitor_get_checked_at (GmcpHealthMonitor *self)
{
  return self->checked_at;
}

void
gmcp_health_monitor_settle (GmcpHealthMonitor *self, gboolean is_well)
{
  GQueue callers = { NULL, NULL, 0 };

  gmcp_pending_tasks_move (&self->callers, &callers);
  gmcp_pending_tasks_settle_value (&self->waiters, is_well);
  /* Calls look for themselves what became of the server. */
  gmcp_pending_tasks_settle_value (&callers, TRUE);
}

static void
take_pass (GmcpHealthMonitor *self)
{
  self->n_failures = 0;
  self->n_heard = gmcp_server_instance_get_n_heard (self->instance);
  self->passed_us = g_get_monotonic_time ();
  arm_timer (self, get_due_us (self));
  self->funcs->passed (self->owner);
  gmcp_health_monitor_settle (self, TRUE);
}

/* Many servers answer nothing else while they work on a call. One that at least says something
 * meanwhile, such as how far it is, is well. */
static gboolean
shows_life (GmcpHealthMonitor *self, const GError *error)
{
  return g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT)
         && gmcp_server_instance_get_n_calls (self->instance) > 0
         && gmcp_server_instance_get_n_heard (self->instance) != self->n_heard;
}

/* Nothing is sent after calls that the server may never be done with. */
static void
turn_callers_away (GmcpHealthMonitor *self)
{
  guint n_calls
    = self->instance != NULL ? gmcp_server_instance_get_n_marked_calls (self->instance) : 0;
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
    gmcp_server_config_get_title (self->config), n_calls);
  gmcp_pending_tasks_settle (&self->callers, busy);
}

static void
take_failure (GmcpHealthMonitor *self, const GError *cause)
{
  self->n_heard = gmcp_server_instance_get_n_heard (self->instance);
  if (self->n_failures++ == 0)
    gmcp_server_instance_mark_calls (self->instance);
  arm_timer (self, g_get_monotonic_time () + self->interval_ms * (gint64) 1000);
  self->funcs->failed (self->owner, self->n_failures, cause);
  turn_callers_away (self);
  gmcp_health_monitor_settle (self, FALSE);
}

/* A check; the monitor lives as long as the owner does. */
typedef struct
{
  GmcpHealthMonitor *monitor;
  GObject *owner;
  GCancellable *cancellable; /* tells the check from a later one */
} Check;

static void
judge_check (GmcpHealthMonitor *self, gboolean is_well, const GError *error)
{
  gboolean is_early = self->is_early;

  self->is_early = FALSE;
  if (is_well || shows_life (self, error))
    take_pass (self);
  else if (error->domain == GMCP_AUTH_ERROR)
    self->funcs->refused (self->owner, error);
  else if (!is_early)
    take_failure (self, error);
  else
    {
      turn_callers_away (self);
      gmcp_health_monitor_settle (self, FALSE);
    }
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Check *check = data;
  GmcpHealthMonitor *self = check->monitor;
  g_autoptr (GObject) owner G_GNUC_UNUSED = check->owner;
  g_autoptr (GCancellable) cancellable = check->cancellable;
  g_autoptr (GError) error = NULL;
  gboolean is_well = gmcp_health_check_finish (result, &error);

  if (self->check != cancellable)
    return;

  g_clear_object (&self->check);
  self->checked_at = g_get_real_time () / G_USEC_PER_SEC;
  self->funcs->checked (self->owner);
  /* Where the connection is lost, that is what there is to say. */
  if (self->instance != NULL
      && gmcp_client_is_open (gmcp_server_instance_get_client (self->instance)))
    judge_check (self, is_well, error);
  else
    gmcp_health_monitor_settle (self, FALSE);
}

static void
begin_check (GmcpHealthMonitor *self, gboolean is_early)
{
  Check *check;

  if (self->check != NULL)
    {
      self->is_early = self->is_early && is_early;
      return;
    }

  self->is_early = is_early;
  self->check = g_cancellable_new ();
  check = g_new (Check, 1);
  check->monitor = self;
  check->owner = g_object_ref (self->owner);
  check->cancellable = g_object_ref (self->check);
  g_main_context_push_thread_default (self->context);
  gmcp_health_check_async (self->config, self->instance, self->timeout_ms, check->cancellable,
                           on_checked, check);
  g_main_context_pop_thread_default (self->context);
}

void
gmcp_health_monitor_check (GmcpHealthMonitor *self, GTask *task)
{
  gmcp_pending_tasks_add (&self->waiters, task);
  begin_check (self, FALSE);
}

void
gmcp_health_monitor_check_for_call (GmcpHealthMonitor *self, GTask *task)
{
  gmcp_pending_tasks_add (&self->callers, task);
  /* However many want to call, a server that may be busy has its time. */
  begin_check (self, gmcp_server_instance_get_n_marked_calls (self->instance) > 0);
}

static void
on_call_ended (GmcpServerInstance *instance, const GError *error, gpointer data)
{
  GmcpHealthMonitor *self = data;

  if (error != NULL && error->domain == GMCP_AUTH_ERROR && !gmcp_auth_error_lacks_rights (error))
    self->funcs->refused (self->owner, error);
  /* The server has found its tongue again, or has no excuse any more. */
  else if (self->n_failures > 0
           && (error == NULL || error->domain == GMCP_RPC_ERROR
               || gmcp_server_instance_get_n_marked_calls (instance) == 0))
    begin_check (self, FALSE);
}

static gboolean
on_due (gpointer data)
{
  GmcpHealthMonitor *self = data;
  gint64 due_us = get_due_us (self);

  g_clear_pointer (&self->timer, g_source_unref);
  /* A check that is under way arms the timer when it ends. */
  if (self->n_failures == 0 && due_us > g_get_monotonic_time ())
    arm_timer (self, due_us);
  else
    begin_check (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
arm_timer (GmcpHealthMonitor *self, gint64 due_us)
{
  if (self->timer != NULL)
    {
      g_source_set_ready_time (self->timer, due_us);
      return;
    }

  self->timer = g_timeout_source_new (0);
  g_source_set_ready_time (self->timer, due_us);
  g_source_set_static_name (self->timer, "[gmcp] server's health");
  g_source_set_callback (self->timer, on_due, self, NULL);
  g_source_attach (self->timer, self->context);
}

void
gmcp_health_monitor_configure (GmcpHealthMonitor *self,
                               GmcpServerConfig *config,
                               const GmcpServerLimits *limits)
{
  guint own_interval_ms = gmcp_server_config_get_health_interval_ms (config);
  guint own_timeout_ms = gmcp_server_config_get_health_timeout_ms (config);

  g_set_object (&self->config, config);
  self->interval_ms = own_interval_ms > 0 ? own_interval_ms : limits->health_interval_ms;
  self->timeout_ms = own_timeout_ms > 0 ? own_timeout_ms : limits->health_timeout_ms;
  self->max_failures = limits->max_health_failures;
  /* A check that is under way, and one that follows on a failure, come soon enough. */
  if (self->timer != NULL && self->n_failures == 0)
    arm_timer (self, get_due_us (self));
}

void
gmcp_health_monitor_start (GmcpHealthMonitor *self, GmcpServerInstance *instance)
{
  gmcp_health_monitor_stop (self);
  self->instance = gmcp_server_instance_ref (instance);
  self->n_failures = 0;
  self->passed_us = g_get_monotonic_time ();
  self->checked_at = g_get_real_time () / G_USEC_PER_SEC;
  self->n_heard = gmcp_server_instance_get_n_heard (instance);
  gmcp_server_instance_watch_calls (instance, on_call_ended, self);
  arm_timer (self, get_due_us (self));
  self->funcs->checked (self->owner);
}

void
gmcp_health_monitor_stop (GmcpHealthMonitor *self)
{
  g_autoptr (GCancellable) check = g_steal_pointer (&self->check);

  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
  if (self->instance != NULL)
    gmcp_server_instance_watch_calls (self->instance, NULL, NULL);
  g_clear_pointer (&self->instance, gmcp_server_instance_unref);
  g_cancellable_cancel (check);
}
