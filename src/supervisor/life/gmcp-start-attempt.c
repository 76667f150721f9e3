/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"
#include "gmcp-health-check-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-start-attempt-private.h"

#include <gmcp/core/gmcp-error.h>

/* Each step that is under way has a reference to the attempt and to its owner. */
struct _GmcpStartAttempt
{
  grefcount ref_count;
  GObject *owner; /* not owned */
  GMainContext *context;
  const GmcpStartFuncs *funcs;
  GmcpServerInstance *instance;
  GmcpServerConfig *config;

  GCancellable *cancellable;
  GSource *limit; /* while the tools are listed and the server is checked */
  gint64 since_us;
  gboolean has_timed_out;
  gboolean is_listed;
  gboolean is_checked;
  gboolean is_over; /* or given up: nothing is told any more */
};

static GmcpStartAttempt *
attempt_ref (GmcpStartAttempt *self)
{
  g_ref_count_inc (&self->ref_count);
  g_object_ref (self->owner);
  return self;
}

static void
attempt_unref (GmcpStartAttempt *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  gmcp_server_instance_unref (self->instance);
  g_object_unref (self->config);
  g_object_unref (self->cancellable);
  g_main_context_unref (self->context);
  g_free (self);
}

/* Ends a step. */
static void
step_unref (GmcpStartAttempt *self)
{
  g_autoptr (GObject) owner G_GNUC_UNUSED = self->owner;

  attempt_unref (self);
}

typedef GmcpStartAttempt Step;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Step, step_unref)

static void
stop_limit (GmcpStartAttempt *self)
{
  if (self->limit != NULL)
    g_source_destroy (self->limit);
  g_clear_pointer (&self->limit, g_source_unref);
}

void
gmcp_start_attempt_free (GmcpStartAttempt *self)
{
  self->is_over = TRUE;
  stop_limit (self);
  attempt_unref (self);
}

void
gmcp_start_attempt_give_up (GmcpStartAttempt *self)
{
  self->is_over = TRUE;
  g_cancellable_cancel (self->cancellable);
  gmcp_start_attempt_free (self);
}

void
gmcp_start_attempt_set_config (GmcpStartAttempt *self, GmcpServerConfig *config)
{
  g_set_object (&self->config, config);
}

void
gmcp_start_attempt_begin_time (GmcpStartAttempt *self)
{
  self->since_us = g_get_monotonic_time ();
}

gboolean
gmcp_start_attempt_has_timed_out (GmcpStartAttempt *self)
{
  return self->has_timed_out;
}

static GError *
new_timed_out_error (GmcpStartAttempt *self)
{
  GmcpClient *client = gmcp_server_instance_get_client (self->instance);

  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_START_FAILED,
    self->is_listed
      ? _ ("Server “%s” did not pass a health check within %u ms of its start: raise its "
           "start-up time limit, or look at what it waits for")
      : _ ("Server “%s” did not list its tools within %u ms of its start: raise its start-up "
           "time limit, or look at what it waits for"),
    gmcp_client_get_name (client), gmcp_client_get_startup_timeout_ms (client));
}

static void
end_attempt (GmcpStartAttempt *self, const GError *error)
{
  self->is_over = TRUE;
  stop_limit (self);
  self->funcs->ended (self->owner, error);
}

/* Takes the error of one step, or NULL where the step was done. */
static void
end_step (GmcpStartAttempt *self, GmcpServerStepKind step, GError *step_error)
{
  GmcpStartTrace *trace = gmcp_server_instance_get_trace (self->instance);
  g_autoptr (GError) error = step_error;

  if (self->is_over)
    return;
  if (error == NULL)
    gmcp_start_trace_end (trace, step);
  else if (error->domain != GMCP_AUTH_ERROR)
    gmcp_start_trace_fail_at (trace, step);
  if (error == NULL && !(self->is_listed && self->is_checked))
    return;

  if (error != NULL && self->has_timed_out)
    {
      g_clear_error (&error);
      error = new_timed_out_error (self);
    }
  end_attempt (self, error);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Step) self = data;
  g_autoptr (GListModel) tools = NULL;
  GError *error = NULL;

  tools = gmcp_client_list_tools_finish (GMCP_CLIENT (object), result, &error);
  self->is_listed = tools != NULL;
  end_step (self, GMCP_SERVER_STEP_LIST, error);
}

/* What came of the check says why, but not of what. */
static GError *
dress_check_error (GmcpStartAttempt *self, GError *error)
{
  GmcpClient *client = gmcp_server_instance_get_client (self->instance);
  GError *dressed;

  /* A server that is gone, or wants a sign-in, failed no check. */
  if (error == NULL || error->domain == GMCP_AUTH_ERROR || self->has_timed_out
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG)
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !gmcp_client_is_open (client))
    return error;

  dressed = g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                         _ ("Server “%s” failed the health check of its start: %s"),
                         gmcp_client_get_name (client), error->message);
  g_error_free (error);
  return dressed;
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Step) self = data;
  GError *error = NULL;

  self->is_checked = gmcp_health_check_finish (result, &error);
  end_step (self, GMCP_SERVER_STEP_HEALTH, dress_check_error (self, error));
}

static gboolean
on_limit (gpointer data)
{
  GmcpStartAttempt *self = data;

  g_clear_pointer (&self->limit, g_source_unref);
  self->has_timed_out = TRUE;
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

static void
limit_rest (GmcpStartAttempt *self, guint timeout_ms)
{
  self->limit = g_timeout_source_new (0);
  g_source_set_ready_time (self->limit, self->since_us + timeout_ms * (gint64) 1000);
  g_source_set_static_name (self->limit, "[gmcp] server's start");
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, self->context);
}

static void
on_opened (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Step) self = data;
  GmcpClient *client = GMCP_CLIENT (object);
  guint timeout_ms = gmcp_client_get_startup_timeout_ms (client);
  g_autoptr (GError) error = NULL;
  gboolean is_open = gmcp_server_instance_open_finish (client, result, &error);
  GmcpStartTrace *trace = gmcp_server_instance_get_trace (self->instance);
  const GmcpOpeningTimes *times = gmcp_client_get_opening_times (client);

  if (self->is_over)
    return;

  gmcp_start_trace_note_opening (trace, times);
  self->since_us = MAX (self->since_us, times->restarted_us);
  if (!is_open)
    {
      self->has_timed_out = g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
      end_attempt (self, error);
      return;
    }

  self->funcs->opened (self->owner, client);
  if (self->is_over)
    return;

  limit_rest (self, timeout_ms);
  gmcp_start_trace_begin (trace, GMCP_SERVER_STEP_LIST);
  gmcp_start_trace_begin (trace, GMCP_SERVER_STEP_HEALTH);
  g_main_context_push_thread_default (self->context);
  gmcp_client_list_tools_async (client, self->cancellable, on_listed, attempt_ref (self));
  gmcp_health_check_async (self->config, self->instance, timeout_ms, self->cancellable, on_checked,
                           attempt_ref (self));
  g_main_context_pop_thread_default (self->context);
}

GmcpStartAttempt *
gmcp_start_attempt_begin (GObject *owner,
                          GMainContext *context,
                          GmcpServerInstance *instance,
                          GmcpServerConfig *config,
                          const GmcpServerHost *host,
                          const GmcpStartFuncs *funcs)
{
  GmcpStartAttempt *self = g_new0 (GmcpStartAttempt, 1);

  g_ref_count_init (&self->ref_count);
  self->owner = owner;
  self->context = g_main_context_ref (context);
  self->funcs = funcs;
  self->instance = gmcp_server_instance_ref (instance);
  self->config = g_object_ref (config);
  self->cancellable = g_cancellable_new ();
  gmcp_start_attempt_begin_time (self);

  g_main_context_push_thread_default (context);
  gmcp_server_instance_open_async (instance, config, host, self->cancellable, on_opened,
                                   attempt_ref (self));
  g_main_context_pop_thread_default (context);
  return self;
}
