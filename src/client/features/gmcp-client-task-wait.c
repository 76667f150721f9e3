/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-task-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-era-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-task-handle-private.h"

/* Between two questions where the server does not say how often it wants them. */
#define FIRST_POLL_MS      250u
#define SLOWEST_POLL_MS    5000u
#define MAX_FAILED_POLL_MS 30000u
#define MAX_FAILURES       7u

static void poll_task (GmcpTaskWait *wait);

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
  return wait->client->state == GMCP_CLIENT_OPEN && wait->client->open_serial == wait->serial;
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

/* Where it was taken with all others it ends later, and finds nobody. */
void
gmcp_task_wait_drop_request (GmcpTaskWait *wait, GmcpExchange **slot)
{
  GmcpExchange *exchange = g_steal_pointer (slot);

  if (exchange == NULL)
    return;

  exchange->call_data = NULL;
  if (gmcp_task_wait_is_connected (wait))
    wait->client->era->cancel (wait->client, exchange->pending.id,
                               "The task it is about is no longer followed");
  gmcp_client_drop_exchange (wait->client, exchange);
}

static void
on_cancel_answered (GmcpClient *self,
                    GmcpExchange *exchange,
                    const GmcpRpcMessage *reply,
                    GError *error)
{
  if (error != NULL)
    g_debug ("%s: a task was not cancelled: %s", gmcp_client_describe (self), error->message);
  g_clear_error (&error);
}

static void
cancel_task (GmcpTaskWait *wait)
{
  GmcpClient *self = wait->client;
  GmcpJsonWriter params;
  GmcpExchange *exchange;

  if (!gmcp_task_wait_is_connected (wait) || !self->era->can_cancel_tasks (self))
    return;

  exchange = gmcp_client_begin_request (self, GMCP_METHOD_TASKS_CANCEL, on_cancel_answered,
                                        self->call_timeout_ms, &params);
  gmcp_json_writer_member_string (&params, "taskId", gmcp_task_handle_get_task_id (wait->handle));
  gmcp_client_end_request (self, exchange, &params);
}

/* The exchange has ended, or is about to. */
static void
task_wait_end (GmcpClient *self, gpointer data)
{
  g_autoptr (GmcpTaskWait) wait = data;

  wait->exchange = NULL;
  g_ptr_array_remove_fast (self->tasks, wait);
  stop_timer (wait);
  gmcp_task_wait_drop_request (wait, &wait->poll);
  gmcp_task_wait_drop_request (wait, &wait->side);
  if (wait->input != NULL)
    wait->drop_input (wait);
  if (!wait->abandoned && !gmcp_task_handle_is_finished (wait->handle))
    cancel_task (wait);
}

static GError *
task_timed_out (GmcpClient *self, GmcpExchange *exchange, gpointer data)
{
  GmcpTaskWait *wait = data;
  guint limit_ms = self->max_task_timeout_ms;

  if (exchange->options != NULL && gmcp_call_options_get_max_timeout_ms (exchange->options) != 0)
    limit_ms = gmcp_call_options_get_max_timeout_ms (exchange->options);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                      /* Translators: a tool's name, a server's name, a number */
                      _ ("“%s” on %s goes on as a task, which did not end within %u ms; the limit "
                         "can be raised in the call"),
                      gmcp_task_wait_get_subject (wait), gmcp_client_describe (self), limit_ms);
}

void
gmcp_task_wait_stop_clock (GmcpTaskWait *wait)
{
  GmcpPendingCall *pending = &wait->exchange->pending;

  if (wait->n_clock_stops++ > 0)
    return;

  wait->left_us = MAX (pending->deadline_us - g_get_monotonic_time (), 1);
  gmcp_pending_calls_set_deadline (wait->client->pending, pending, G_MAXINT64);
}

void
gmcp_task_wait_start_clock (GmcpTaskWait *wait)
{
  if (--wait->n_clock_stops > 0 || wait->exchange == NULL)
    return;

  gmcp_pending_calls_set_deadline (wait->client->pending, &wait->exchange->pending,
                                   g_get_monotonic_time () + wait->left_us);
}

static const GmcpExchangeWait task_wait = { .end = task_wait_end, .timed_out = task_timed_out };

void
gmcp_task_wait_complete (GmcpTaskWait *wait, GmcpJsonValue result)
{
  g_autoptr (GmcpClient) self = g_object_ref (wait->client);
  GmcpRpcMessage reply = { .kind = GMCP_RPC_RESULT, .value = result, .result = result };
  GmcpExchange *exchange = wait->exchange;

  if (exchange == NULL || !gmcp_pending_calls_take_call (self->pending, &exchange->pending))
    return;

  wait->abandoned = TRUE;
  gmcp_client_finish_exchange (self, exchange, &reply, NULL);
}

void
gmcp_task_wait_fail (GmcpTaskWait *wait, GError *error)
{
  g_autoptr (GmcpClient) self = g_object_ref (wait->client);

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
                                          gmcp_client_describe (wait->client),
                                          shown != NULL ? ": " : "", shown != NULL ? shown : ""));
}

/* The task is not to be followed any more, but whoever keeps its handle may try again. */
static void
lose (GmcpTaskWait *wait, GError *error)
{
  wait->abandoned = TRUE;
  gmcp_task_wait_fail (wait, error);
}

static gboolean
on_timer (gpointer user_data)
{
  g_autoptr (GmcpTaskWait) wait = gmcp_task_wait_ref (user_data);
  g_autoptr (GmcpClient) self G_GNUC_UNUSED = g_object_ref (wait->client);

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
  g_source_attach (wait->timer, wait->client->context);
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
  GmcpClient *self = wait->client;
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
      lose (wait,
            g_error_new (GMCP_ERROR, GMCP_ERROR_TASK_ENDED,
                         /* Translators: a server's name, a tool's name, what the server says */
                         _ ("%s no longer has the task of “%s”, so that what came of it is not "
                            "known: %s"),
                         gmcp_client_describe (self), gmcp_task_wait_get_subject (wait),
                         error->message));
      g_error_free (error);
      return;
    }
  if (is_permanent (error) || wait->n_failures + wait->n_side_failures >= MAX_FAILURES)
    {
      g_prefix_error (&error,
                      /* Translators: a server's name, a tool's name */
                      _ ("%s does not tell what came of the task of “%s”: "),
                      gmcp_client_describe (self), gmcp_task_wait_get_subject (wait));
      lose (wait, error);
      return;
    }

  g_debug ("%s: a task was asked for in vain: %s", gmcp_client_describe (self), error->message);
  g_error_free (error);
  interval_ms = get_interval (wait);
  poll_after (wait, MAX (interval_ms, MIN (interval_ms << wait->n_failures, MAX_FAILED_POLL_MS)));
}

/* What the server says of the task. User code may run in the middle, and end the wait. */
static void
take_state (GmcpTaskWait *held, GmcpJsonValue state)
{
  g_autoptr (GmcpTaskWait) wait = gmcp_task_wait_ref (held);
  GmcpClient *self = wait->client;
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
                      gmcp_client_describe (self), gmcp_task_wait_get_subject (wait));
      lose (wait, error);
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
      self->era->task_ended (wait, state);
      return;
    }
  poll_after (wait, get_interval (wait));
  if (gmcp_task_handle_get_status (wait->handle) == GMCP_TASK_STATUS_INPUT_REQUIRED)
    self->era->task_needs_input (wait, state);
}

static void
on_polled (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
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
  GmcpClient *self = wait->client;
  GmcpJsonWriter params;

  if (wait->exchange == NULL || wait->poll != NULL || wait->followed
      || !gmcp_task_wait_is_connected (wait))
    return;

  wait->n_polls++;
  wait->poll = gmcp_task_wait_begin_request (wait, GMCP_METHOD_TASKS_GET, on_polled,
                                             self->call_timeout_ms, &params);
  gmcp_client_end_request (self, wait->poll, &params);
}

GmcpExchange *
gmcp_task_wait_begin_request (GmcpTaskWait *wait,
                              const char *method,
                              GmcpExchangeFunc done,
                              guint timeout_ms,
                              GmcpJsonWriter *params)
{
  GmcpExchange *exchange
    = gmcp_client_begin_request (wait->client, method, done, timeout_ms, params);

  exchange->call_data = wait;
  gmcp_json_writer_member_string (params, "taskId", gmcp_task_handle_get_task_id (wait->handle));
  return exchange;
}

GmcpTaskWait *
gmcp_task_wait_of (GmcpExchange *exchange)
{
  return exchange->call_data;
}

static gint64
get_deadline (GmcpClient *self, GmcpExchange *exchange)
{
  guint limit_ms = self->max_task_timeout_ms;

  if (exchange->options != NULL && gmcp_call_options_get_max_timeout_ms (exchange->options) != 0)
    {
      if (exchange->cap_us != 0)
        return exchange->cap_us;
      limit_ms = gmcp_call_options_get_max_timeout_ms (exchange->options);
    }
  return g_get_monotonic_time () + limit_ms * (gint64) 1000;
}

static GmcpTaskWait *
hold (GmcpClient *self, GmcpExchange *exchange, GmcpTaskHandle *handle)
{
  GmcpTaskWait *wait = g_new0 (GmcpTaskWait, 1);

  g_ref_count_init (&wait->ref_count);
  wait->client = self;
  wait->exchange = exchange;
  wait->serial = self->open_serial;
  wait->handle = g_object_ref (handle);
  wait->progress_token = exchange->pending.id;
  if (self->tasks == NULL)
    self->tasks = g_ptr_array_new ();
  g_ptr_array_add (self->tasks, wait);
  gmcp_exchange_hold (self, exchange, &task_wait, wait, get_deadline (self, exchange));
  if (self->input.questions.length > 0)
    gmcp_client_stop_task_clocks (self);
  return wait;
}

/* Last of all, since whoever hears of it may do anything. */
static void
announce (GmcpTaskWait *wait)
{
  g_autoptr (GmcpTaskHandle) handle = g_object_ref (wait->handle);
  g_autoptr (GmcpCallOptions) options = NULL;

  if (wait->exchange->options == NULL)
    return;

  options = g_object_ref (wait->exchange->options);
  gmcp_call_options_emit_task_created (options, handle);
}

gboolean
gmcp_client_task_created (GmcpClient *self,
                          GmcpExchange *exchange,
                          GmcpJsonValue state,
                          GError **error)
{
  g_autoptr (GmcpTaskHandle) handle = gmcp_task_handle_new_from_value (
    state, gmcp_client_describe (self), exchange->subject, error);
  GmcpTaskWait *wait;

  if (handle == NULL)
    {
      g_prefix_error (error, _ ("%s answered the call of “%s” with a task that is of no use: "),
                      gmcp_client_describe (self), exchange->subject);
      return FALSE;
    }

  wait = hold (self, exchange, handle);
  /* Its seed may be final or wait for input already, but has nothing that goes with that. */
  poll_after (wait, gmcp_task_handle_get_status (handle) == GMCP_TASK_STATUS_WORKING
                      ? get_interval (wait)
                      : 0);
  announce (wait);
  return TRUE;
}

void
gmcp_client_follow_task (GmcpClient *self, GmcpExchange *exchange, GmcpTaskHandle *handle)
{
  GmcpTaskWait *wait = hold (self, exchange, handle);

  gmcp_task_handle_fill_in (handle, gmcp_client_describe (self));
  poll_task (wait);
}

gboolean
gmcp_client_task_notified (GmcpClient *self, GmcpJsonValue state)
{
  g_autofree char *id = gmcp_json_value_dup_string (gmcp_json_value_get_member (state, "taskId"));
  g_autoptr (GPtrArray) found = NULL;

  if (id == NULL || self->tasks == NULL)
    return FALSE;

  for (guint i = 0; i < self->tasks->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (self->tasks, i);

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
gmcp_client_stop_task_clocks (GmcpClient *self)
{
  for (guint i = 0; self->tasks != NULL && i < self->tasks->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (self->tasks, i);

      if (!wait->asked)
        gmcp_task_wait_stop_clock (wait);
      wait->asked = TRUE;
    }
}

void
gmcp_client_start_task_clocks (GmcpClient *self)
{
  for (guint i = 0; self->tasks != NULL && i < self->tasks->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (self->tasks, i);

      if (wait->asked)
        gmcp_task_wait_start_clock (wait);
      wait->asked = FALSE;
    }
}

GmcpExchange *
gmcp_client_find_task_call (GmcpClient *self, gint64 progress_token)
{
  for (guint i = 0; self->tasks != NULL && i < self->tasks->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (self->tasks, i);

      if (wait->progress_token == progress_token)
        return wait->exchange;
    }
  return NULL;
}
