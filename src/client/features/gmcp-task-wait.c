/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-wait-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-task-handle-private.h"
#include "gmcp-tasks-private.h"

/* Between two questions where the server does not say how often it wants them. */
#define FIRST_POLL_MS      250u
#define SLOWEST_POLL_MS    5000u
#define MAX_FAILED_POLL_MS 30000u
#define MAX_FAILURES       7u

struct _GmcpTaskWait
{
  grefcount ref_count;
  GmcpSession *session;
  GmcpExchange *exchange; /* that is held; NULL once it has ended */
  guint serial;           /* of the connection that it belongs to */
  GmcpTaskHandle *handle;
  gint64 progress_token; /* of the call */
  GSource *timer;        /* until the next question */
  GmcpExchange *poll;    /* under way */
  guint n_polls;
  guint n_failures;      /* of questions, one after the other */
  guint n_side_failures; /* of the era's requests, one after the other */
  gboolean settled;      /* nothing more is to be asked: the end is known, or on its way */
  gboolean abandoned;    /* the task is to go on though nobody waits any more */
  gboolean asked;        /* its clock stands still for the client's questions */

  /* The era's. */
  GmcpExchange *side; /* another request about the task, under way */
  gpointer input;     /* what it has asked; NULL for nothing */
  void (*drop_input) (GmcpTaskWait *wait, gpointer input);
  guint n_clock_stops; /* while people or models are asked */
  gint64 left_us;      /* until the deadline, while the clock is stopped */
};

GmcpTaskWait *
gmcp_task_wait_ref (GmcpTaskWait *wait)
{
  g_ref_count_inc (&wait->ref_count);
  return wait;
}

void
gmcp_task_wait_unref (GmcpTaskWait *wait)
{
  if (!g_ref_count_dec (&wait->ref_count))
    return;

  g_object_unref (wait->handle);
  g_free (wait);
}

const char *
gmcp_task_wait_get_subject (GmcpTaskWait *wait)
{
  const char *tool = gmcp_task_handle_get_tool_name (wait->handle);

  return tool != NULL ? tool : gmcp_task_handle_get_task_id (wait->handle);
}

GmcpTaskHandle *
gmcp_task_wait_get_handle (GmcpTaskWait *wait)
{
  return wait->handle;
}

GmcpExchange *
gmcp_task_wait_get_exchange (GmcpTaskWait *wait)
{
  return wait->exchange;
}

gint64
gmcp_task_wait_get_progress_token (GmcpTaskWait *wait)
{
  return wait->progress_token;
}

gboolean
gmcp_task_wait_is_settled (GmcpTaskWait *wait)
{
  return wait->settled;
}

void
gmcp_task_wait_unsettle (GmcpTaskWait *wait)
{
  wait->settled = FALSE;
}

GmcpSession *
gmcp_task_wait_get_session (GmcpTaskWait *wait)
{
  return wait->session;
}

gboolean
gmcp_task_wait_is_pending (GmcpTaskWait *wait)
{
  return wait->exchange != NULL && gmcp_exchange_is_pending (wait->exchange);
}

void
gmcp_task_wait_set_input (GmcpTaskWait *wait,
                          gpointer input,
                          void (*drop) (GmcpTaskWait *wait, gpointer input))
{
  wait->input = input;
  wait->drop_input = drop;
}

gpointer
gmcp_task_wait_get_input (GmcpTaskWait *wait)
{
  return wait->input;
}

void
gmcp_task_wait_set_side (GmcpTaskWait *wait, GmcpExchange *side)
{
  wait->side = side;
}

GmcpExchange *
gmcp_task_wait_get_side (GmcpTaskWait *wait)
{
  return wait->side;
}

guint
gmcp_task_wait_count_side_failure (GmcpTaskWait *wait)
{
  return ++wait->n_side_failures;
}

void
gmcp_task_wait_forget_side_failures (GmcpTaskWait *wait)
{
  wait->n_side_failures = 0;
}

gboolean
gmcp_task_wait_is_connected (GmcpTaskWait *wait)
{
  return gmcp_session_is_open (wait->session)
         && gmcp_session_get_serial (wait->session) == wait->serial;
}

static void
stop_timer (GmcpTaskWait *wait)
{
  if (wait->timer != NULL)
    {
      g_source_destroy (wait->timer);
      g_clear_pointer (&wait->timer, g_source_unref);
    }
}

/* A request that was taken with all others ends later, and finds nobody. */
void
gmcp_task_wait_drop_request (GmcpTaskWait *wait, GmcpExchange **slot)
{
  GmcpExchange *exchange = g_steal_pointer (slot);

  if (exchange == NULL)
    return;

  gmcp_exchange_set_data (exchange, NULL);
  if (gmcp_task_wait_is_connected (wait))
    gmcp_session_get_era (wait->session)
      ->cancel (wait->session, gmcp_exchange_get_id (exchange),
                "The task it is about is no longer followed");
  gmcp_session_drop_exchange (wait->session, exchange);
}

static void
on_cancel_answered (GmcpSession *self,
                    GmcpExchange *exchange,
                    const GmcpRpcMessage *reply,
                    GError *error)
{
  if (error != NULL)
    g_debug ("%s: a task was not cancelled: %s", gmcp_session_describe (self), error->message);
  g_clear_error (&error);
}

static void
cancel_task (GmcpTaskWait *wait)
{
  GmcpSession *self = wait->session;
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  if (!gmcp_task_wait_is_connected (wait)
      || !gmcp_session_get_era (self)->features->can_cancel_tasks (self))
    return;

  exchange = gmcp_session_begin_request (self, GMCP_METHOD_TASKS_CANCEL, on_cancel_answered,
                                         gmcp_session_get_call_timeout_ms (self), &params);
  gmcp_json_writer_member_string (&params, "taskId", gmcp_task_handle_get_task_id (wait->handle));
  gmcp_session_end_request (self, exchange, &params);
}

/* The exchange has ended, or is about to. */
static void
task_wait_end (GmcpSession *self, gpointer data)
{
  g_autoptr (GmcpTaskWait) wait = data;

  if (!gmcp_task_handle_is_finished (wait->handle))
    gmcp_exchange_note_given_up (wait->exchange);
  wait->exchange = NULL;
  gmcp_tasks_forget (self, wait);
  stop_timer (wait);
  gmcp_task_wait_drop_request (wait, &wait->poll);
  gmcp_task_wait_drop_request (wait, &wait->side);
  if (wait->input != NULL)
    wait->drop_input (wait, g_steal_pointer (&wait->input));
  if (!wait->abandoned && !gmcp_task_handle_is_finished (wait->handle))
    cancel_task (wait);
}

/* The limit that the caller has set; 0 for none. */
static guint
get_own_limit_ms (GmcpExchange *exchange)
{
  GmcpCallOptions *options = gmcp_exchange_get_options (exchange);

  return options != NULL ? gmcp_call_options_get_max_timeout_ms (options) : 0;
}

static GError *
task_timed_out (GmcpSession *self, GmcpExchange *exchange, gpointer data)
{
  GmcpTaskWait *wait = data;
  guint own_limit_ms = get_own_limit_ms (exchange);
  guint limit_ms = own_limit_ms != 0 ? own_limit_ms : gmcp_tasks_get_max_timeout_ms (self);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                      /* Translators: a tool's name, a server's name, a number */
                      _ ("“%s” on %s goes on as a task, which did not end within %u ms; the limit "
                         "can be raised in the call"),
                      gmcp_task_wait_get_subject (wait), gmcp_session_describe (self), limit_ms);
}

void
gmcp_task_wait_stop_clock (GmcpTaskWait *wait)
{
  GmcpExchange *exchange = wait->exchange;

  if (wait->n_clock_stops++ > 0)
    return;

  wait->left_us = MAX (gmcp_exchange_get_deadline_us (exchange) - g_get_monotonic_time (), 1);
  gmcp_exchange_set_deadline (exchange, G_MAXINT64);
}

void
gmcp_task_wait_start_clock (GmcpTaskWait *wait)
{
  if (--wait->n_clock_stops > 0 || wait->exchange == NULL)
    return;

  gmcp_exchange_set_deadline (wait->exchange, g_get_monotonic_time () + wait->left_us);
}

static const GmcpExchangeWait task_wait = { .end = task_wait_end, .timed_out = task_timed_out };

void
gmcp_task_wait_set_asked (GmcpTaskWait *wait, gboolean asked)
{
  if (asked && !wait->asked)
    gmcp_task_wait_stop_clock (wait);
  else if (!asked && wait->asked)
    gmcp_task_wait_start_clock (wait);
  wait->asked = asked;
}

void
gmcp_task_wait_complete (GmcpTaskWait *wait, GmcpJsonValue result)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (wait->session);
  GmcpRpcMessage reply = { .kind = GMCP_RPC_RESULT, .value = result, .result = result };
  GmcpExchange *exchange = wait->exchange;

  if (exchange == NULL || !gmcp_exchange_take (exchange))
    return;

  wait->abandoned = TRUE;
  gmcp_session_finish_exchange (self, exchange, &reply, NULL);
}

void
gmcp_task_wait_fail (GmcpTaskWait *wait, GError *error)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (wait->session);

  if (wait->exchange == NULL)
    {
      g_error_free (error);
      return;
    }
  gmcp_exchange_fail (self, wait->exchange, error);
}

void
gmcp_task_wait_cancelled (GmcpTaskWait *wait)
{
  const char *message = gmcp_task_handle_get_status_message (wait->handle);
  g_autofree char *shown = message != NULL ? gmcp_protocol_shorten (message) : NULL;

  gmcp_task_wait_fail (wait, g_error_new (GMCP_ERROR, GMCP_ERROR_TASK_ENDED,
                                          /* Translators: a tool's name, a server's name */
                                          _ ("The task of “%s” on %s was cancelled%s%s"),
                                          gmcp_task_wait_get_subject (wait),
                                          gmcp_session_describe (wait->session),
                                          shown != NULL ? ": " : "", shown != NULL ? shown : ""));
}

/* The task is not followed any more, but its handle may be tried again. */
static void
lose_task (GmcpTaskWait *wait, GError *error)
{
  wait->abandoned = TRUE;
  gmcp_task_wait_fail (wait, error);
}

static gboolean
on_timer (gpointer user_data)
{
  g_autoptr (GmcpTaskWait) wait = gmcp_task_wait_ref (user_data);
  g_autoptr (GmcpSession) self G_GNUC_UNUSED = gmcp_session_ref (wait->session);

  g_clear_pointer (&wait->timer, g_source_unref);
  gmcp_task_wait_poll (wait);
  return G_SOURCE_REMOVE;
}

static void
poll_after (GmcpTaskWait *wait, guint delay_ms)
{
  stop_timer (wait);
  if (wait->exchange == NULL || wait->settled)
    return;

  wait->timer = g_timeout_source_new (delay_ms);
  g_source_set_static_name (wait->timer, "[gmcp] a task is asked for");
  g_source_set_callback (wait->timer, on_timer, wait, NULL);
  g_source_attach (wait->timer, gmcp_session_get_context (wait->session));
}

static guint
get_interval (GmcpTaskWait *wait)
{
  guint wanted = gmcp_task_handle_get_poll_interval_ms (wait->handle);

  if (wanted != 0)
    return CLAMP (wanted, GMCP_LIMIT_TASK_POLL_MIN_MS, GMCP_LIMIT_TASK_POLL_MAX_MS);
  return MIN (FIRST_POLL_MS << MIN (wait->n_polls, 8u), SLOWEST_POLL_MS);
}

void
gmcp_task_wait_poll_soon (GmcpTaskWait *wait)
{
  if (wait->poll == NULL)
    poll_after (wait, MIN (get_interval (wait), FIRST_POLL_MS));
}

void
gmcp_task_wait_begin_polling (GmcpTaskWait *wait)
{
  /* The handle may say that the task is final, or waits for input, but holds neither result nor
   * questions. */
  poll_after (wait, gmcp_task_handle_get_status (wait->handle) == GMCP_TASK_STATUS_WORKING
                      ? get_interval (wait)
                      : 0);
}

static gboolean
is_permanent (const GError *error)
{
  return error->domain == GMCP_AUTH_ERROR
         || g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS)
         || g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND)
         || g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY);
}

void
gmcp_task_wait_try_again (GmcpTaskWait *wait, GError *error)
{
  GmcpSession *self = wait->session;
  guint interval_ms;

  /* What ends the connection ends the call too, with an error that says so. */
  if (!gmcp_task_wait_is_connected (wait) || wait->exchange == NULL)
    {
      g_error_free (error);
      return;
    }

  wait->n_failures++;
  if (g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS))
    {
      lose_task (
        wait, g_error_new (GMCP_ERROR, GMCP_ERROR_TASK_ENDED,
                           /* Translators: a server's name, a tool's name, what the server says */
                           _ ("%s no longer has the task of “%s”, so that what came of it is not "
                              "known: %s"),
                           gmcp_session_describe (self), gmcp_task_wait_get_subject (wait),
                           error->message));
      g_error_free (error);
      return;
    }
  if (is_permanent (error) || wait->n_failures + wait->n_side_failures >= MAX_FAILURES)
    {
      g_prefix_error (&error,
                      /* Translators: a server's name, a tool's name */
                      _ ("%s does not tell what came of the task of “%s”: "),
                      gmcp_session_describe (self), gmcp_task_wait_get_subject (wait));
      lose_task (wait, error);
      return;
    }

  g_debug ("%s: a task was asked for in vain: %s", gmcp_session_describe (self), error->message);
  g_error_free (error);
  interval_ms = get_interval (wait);
  poll_after (wait, MAX (interval_ms, MIN (interval_ms << wait->n_failures, MAX_FAILED_POLL_MS)));
}

void
gmcp_task_wait_take_state (GmcpTaskWait *held, GmcpJsonValue state)
{
  g_autoptr (GmcpTaskWait) wait = gmcp_task_wait_ref (held);
  GmcpSession *self = wait->session;
  GError *error = NULL;
  gboolean taken = gmcp_task_handle_update (wait->handle, state, &error);

  if (wait->exchange == NULL)
    {
      g_clear_error (&error);
      return;
    }
  if (!taken)
    {
      g_prefix_error (&error, _ ("%s broke the rules about the task of “%s”: "),
                      gmcp_session_describe (self), gmcp_task_wait_get_subject (wait));
      lose_task (wait, error);
      return;
    }

  wait->n_failures = 0;
  if (gmcp_task_handle_get_status (wait->handle) == GMCP_TASK_STATUS_WORKING)
    wait->n_side_failures = 0;
  if (gmcp_task_handle_is_finished (wait->handle))
    {
      wait->settled = TRUE;
      stop_timer (wait);
      gmcp_task_wait_drop_request (wait, &wait->poll);
      gmcp_session_get_era (self)->features->task_ended (wait, state);
      return;
    }
  poll_after (wait, get_interval (wait));
  if (gmcp_task_handle_get_status (wait->handle) == GMCP_TASK_STATUS_INPUT_REQUIRED)
    gmcp_session_get_era (self)->features->task_needs_input (wait, state);
}

static void
on_polled (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpTaskWait *wait = gmcp_task_wait_of (exchange);

  if (wait == NULL)
    {
      g_clear_error (&error);
      return;
    }

  wait->poll = NULL;
  if (error != NULL)
    gmcp_task_wait_try_again (wait, error);
  else
    gmcp_task_wait_take_state (wait, reply->result);
}

void
gmcp_task_wait_poll (GmcpTaskWait *wait)
{
  GmcpSession *self = wait->session;
  GmcpJsonWriter params;

  if (wait->exchange == NULL || wait->poll != NULL || wait->settled
      || !gmcp_task_wait_is_connected (wait))
    return;

  wait->n_polls++;
  wait->poll = gmcp_task_wait_begin_request (wait, GMCP_METHOD_TASKS_GET, on_polled,
                                             gmcp_session_get_call_timeout_ms (self), &params);
  gmcp_session_end_request (self, wait->poll, &params);
}

GmcpExchange *
gmcp_task_wait_begin_request (GmcpTaskWait *wait,
                              const char *method,
                              GmcpExchangeFunc done,
                              guint timeout_ms,
                              GmcpJsonWriter *params)
{
  GmcpExchange *exchange
    = gmcp_session_begin_request (wait->session, method, done, timeout_ms, params);

  gmcp_exchange_set_data (exchange, wait);
  gmcp_json_writer_member_string (params, "taskId", gmcp_task_handle_get_task_id (wait->handle));
  return exchange;
}

GmcpTaskWait *
gmcp_task_wait_of (GmcpExchange *exchange)
{
  return gmcp_exchange_get_data (exchange);
}

static gint64
get_deadline (GmcpSession *self, GmcpExchange *exchange)
{
  guint own_limit_ms = get_own_limit_ms (exchange);
  guint limit_ms = own_limit_ms != 0 ? own_limit_ms : gmcp_tasks_get_max_timeout_ms (self);

  if (own_limit_ms != 0 && gmcp_exchange_get_cap_us (exchange) != 0)
    return gmcp_exchange_get_cap_us (exchange);
  return g_get_monotonic_time () + limit_ms * (gint64) 1000;
}

GmcpTaskWait *
gmcp_task_wait_new (GmcpSession *self, GmcpExchange *exchange, GmcpTaskHandle *handle)
{
  GmcpTaskWait *wait = g_new0 (GmcpTaskWait, 1);

  g_ref_count_init (&wait->ref_count);
  wait->session = self;
  wait->exchange = exchange;
  wait->serial = gmcp_session_get_serial (self);
  wait->handle = g_object_ref (handle);
  wait->progress_token = gmcp_exchange_get_id (exchange);
  gmcp_exchange_hold (self, exchange, &task_wait, wait, get_deadline (self, exchange));
  return wait;
}
