/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-wait-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-task-handle-private.h"

/* Between two questions where the server does not say how often it wants them. */
#define FIRST_POLL_MS      250u
#define SLOWEST_POLL_MS    5000u
#define MAX_FAILED_POLL_MS 30000u
#define MAX_FAILURES       7u

struct _GmcpTasks
{
  GPtrArray *waits; /* of GmcpTaskWait, not owned */
  gboolean offered; /* this side decides which calls are tasks */
  guint max_timeout_ms;
};

static void poll_task (GmcpTaskWait *wait);

GmcpTasks *
gmcp_tasks_new (void)
{
  GmcpTasks *tasks = g_new0 (GmcpTasks, 1);

  tasks->waits = g_ptr_array_new ();
  tasks->max_timeout_ms = GMCP_DEFAULT_MAX_TASK_TIMEOUT_MS;
  return tasks;
}

void
gmcp_tasks_free (GmcpTasks *tasks)
{
  g_ptr_array_unref (tasks->waits);
  g_free (tasks);
}

static GmcpTasks *
tasks_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->tasks;
}

void
gmcp_tasks_begin (GmcpSession *self)
{
  tasks_of (self)->offered = gmcp_session_get_era_features (self)->offers_tasks (self);
}

gboolean
gmcp_tasks_are_offered (GmcpSession *self)
{
  return tasks_of (self)->offered;
}

guint
gmcp_tasks_get_max_timeout_ms (GmcpSession *self)
{
  return tasks_of (self)->max_timeout_ms;
}

gboolean
gmcp_tasks_set_max_timeout_ms (GmcpSession *self, guint timeout_ms)
{
  gboolean changed = tasks_of (self)->max_timeout_ms != timeout_ms;

  tasks_of (self)->max_timeout_ms = timeout_ms;
  return changed;
}

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

  wait->exchange = NULL;
  g_ptr_array_remove_fast (tasks_of (self)->waits, wait);
  stop_timer (wait);
  gmcp_task_wait_drop_request (wait, &wait->poll);
  gmcp_task_wait_drop_request (wait, &wait->side);
  if (wait->input != NULL)
    wait->drop_input (wait);
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
  poll_task (wait);
  return G_SOURCE_REMOVE;
}

static void
poll_after (GmcpTaskWait *wait, guint delay_ms)
{
  stop_timer (wait);
  if (wait->exchange == NULL || wait->followed)
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

static void
poll_soon (GmcpTaskWait *wait)
{
  if (wait->poll == NULL)
    poll_after (wait, MIN (get_interval (wait), FIRST_POLL_MS));
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

/* What the server says of the task. User code may run in the middle, and end the wait. */
static void
take_state (GmcpTaskWait *held, GmcpJsonValue state)
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
      wait->followed = TRUE;
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
    take_state (wait, reply->result);
}

static void
poll_task (GmcpTaskWait *wait)
{
  GmcpSession *self = wait->session;
  GmcpJsonWriter params;

  if (wait->exchange == NULL || wait->poll != NULL || wait->followed
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

static GmcpTaskWait *
hold_exchange (GmcpSession *self, GmcpExchange *exchange, GmcpTaskHandle *handle)
{
  GmcpTaskWait *wait = g_new0 (GmcpTaskWait, 1);

  g_ref_count_init (&wait->ref_count);
  wait->session = self;
  wait->exchange = exchange;
  wait->serial = gmcp_session_get_serial (self);
  wait->handle = g_object_ref (handle);
  wait->progress_token = gmcp_exchange_get_id (exchange);
  g_ptr_array_add (tasks_of (self)->waits, wait);
  gmcp_exchange_hold (self, exchange, &task_wait, wait, get_deadline (self, exchange));
  if (gmcp_session_clocks_stand_still (self))
    gmcp_tasks_stop_clocks (self);
  return wait;
}

/* Comes last, since a listener may do anything. */
static void
announce_task (GmcpTaskWait *wait)
{
  g_autoptr (GmcpTaskHandle) handle = g_object_ref (wait->handle);
  g_autoptr (GmcpCallOptions) options = NULL;

  if (gmcp_exchange_get_options (wait->exchange) == NULL)
    return;

  options = g_object_ref (gmcp_exchange_get_options (wait->exchange));
  gmcp_call_options_emit_task_created (options, handle);
}

gboolean
gmcp_tasks_take (GmcpSession *self, GmcpExchange *exchange, GmcpJsonValue state, GError **error)
{
  g_autoptr (GmcpTaskHandle) handle = gmcp_task_handle_new_from_value (
    state, gmcp_session_describe (self), gmcp_exchange_get_subject (exchange), error);
  GmcpTaskWait *wait;

  if (handle == NULL)
    {
      g_prefix_error (error, _ ("%s answered the call of “%s” with a task that is of no use: "),
                      gmcp_session_describe (self), gmcp_exchange_get_subject (exchange));
      return FALSE;
    }

  wait = hold_exchange (self, exchange, handle);
  /* The handle may say that the task is final, or waits for input, but holds neither result nor
   * questions. */
  poll_after (wait, gmcp_task_handle_get_status (handle) == GMCP_TASK_STATUS_WORKING
                      ? get_interval (wait)
                      : 0);
  announce_task (wait);
  return TRUE;
}

void
gmcp_tasks_follow (GmcpSession *self, GmcpExchange *exchange, GmcpTaskHandle *handle)
{
  GmcpTaskWait *wait = hold_exchange (self, exchange, handle);

  gmcp_task_handle_fill_in (handle, gmcp_session_describe (self));
  poll_task (wait);
}

gboolean
gmcp_tasks_note (GmcpSession *self, GmcpJsonValue state)
{
  g_autofree char *id = gmcp_json_value_dup_string (gmcp_json_value_get_member (state, "taskId"));
  g_autoptr (GPtrArray) found = NULL;

  if (id == NULL)
    return FALSE;

  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (wait->followed || !g_str_equal (gmcp_task_handle_get_task_id (wait->handle), id))
        continue;
      if (found == NULL)
        found = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_task_wait_unref);
      g_ptr_array_add (found, gmcp_task_wait_ref (wait));
    }
  for (guint i = 0; found != NULL && i < found->len; i++)
    take_state (g_ptr_array_index (found, i), state);
  return found != NULL;
}

void
gmcp_tasks_stop_clocks (GmcpSession *self)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (!wait->asked)
        gmcp_task_wait_stop_clock (wait);
      wait->asked = TRUE;
    }
}

void
gmcp_tasks_start_clocks (GmcpSession *self)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (wait->asked)
        gmcp_task_wait_start_clock (wait);
      wait->asked = FALSE;
    }
}

GmcpExchange *
gmcp_tasks_find_call (GmcpSession *self, gint64 progress_token)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (wait->progress_token == progress_token)
        return wait->exchange;
    }
  return NULL;
}

gboolean
gmcp_tasks_is_followed (GmcpSession *self, GmcpTaskHandle *handle)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    if (((GmcpTaskWait *) g_ptr_array_index (tasks_of (self)->waits, i))->handle == handle)
      return TRUE;
  return FALSE;
}

/* The server tells the news of the task. */
void
gmcp_tasks_ask_anew (GmcpSession *self, const char *id)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (g_str_equal (gmcp_task_handle_get_task_id (wait->handle), id))
        poll_soon (wait);
    }
}
