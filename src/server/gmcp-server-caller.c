/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-call-options-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-implementation-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-progress-private.h"
#include "gmcp-server-questions-private.h"
#include "gmcp-server-task-call-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-transport-private.h"

struct _GmcpServerCaller
{
  GmcpServerExchange *exchange;
  GmcpServerItem *item;            /* nullable */
  GCancellable *cancellable;       /* made when asked for */
  GmcpToolCall *call;              /* not owned; NULL where there is none, and once it has ended */
  GmcpImplementation *client_info; /* made when asked for, as what follows */
  GmcpCapabilities *client_capabilities;
  GmcpLogLevel log_level; /* UNSET: nothing is logged */
  gboolean log_level_is_default;
  GmcpServerProgress progress;
  GmcpServerBucket log_bucket;
  GmcpServerRound *round;        /* nullable: of the modern era */
  GmcpServerTaskCall *task_call; /* nullable: of one that becomes a task */
  char *visit_json; /* nullable: where the user has to be before the call can be made */
};

static void
on_ended (GmcpServerExchange *exchange, gpointer data)
{
  g_autoptr (GmcpServerCaller) self = gmcp_server_caller_ref (data);

  gmcp_server_caller_end (self);
  g_cancellable_cancel (gmcp_server_caller_get_cancellable (self));
}

GmcpServerCaller *
gmcp_server_caller_new (const GmcpServerExchange *exchange, GmcpServerItem *item)
{
  g_autoptr (GmcpServerCaller) self = g_rc_box_new0 (GmcpServerCaller);
  const GmcpServerEra *era;
  gpointer state;

  self->exchange = gmcp_server_exchange_keep (exchange, on_ended, self);
  if (self->exchange == NULL)
    return NULL;

  if (item != NULL)
    self->item = gmcp_server_item_ref (item);
  era = gmcp_server_exchange_get_era (exchange);
  state = gmcp_server_connection_get_state (gmcp_server_exchange_get_connection (exchange), era);
  self->log_level = era->get_log_level (state, exchange);
  self->log_level_is_default
    = era->has_default_log_level != NULL && era->has_default_log_level (state);
  gmcp_server_progress_init (&self->progress);
  gmcp_server_bucket_init (&self->log_bucket);
  return g_steal_pointer (&self);
}

GmcpServerCaller *
gmcp_server_caller_ref (GmcpServerCaller *self)
{
  return g_rc_box_acquire (self);
}

static void
caller_clear (gpointer data)
{
  GmcpServerCaller *self = data;

  g_clear_pointer (&self->round, gmcp_server_round_free);
  g_clear_pointer (&self->task_call, gmcp_server_task_call_free);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->client_info, gmcp_implementation_unref);
  g_clear_pointer (&self->client_capabilities, gmcp_capabilities_unref);
  g_clear_pointer (&self->item, gmcp_server_item_unref);
  g_clear_pointer (&self->visit_json, g_free);
  g_clear_pointer (&self->exchange, gmcp_server_exchange_free);
}

void
gmcp_server_caller_unref (GmcpServerCaller *self)
{
  g_rc_box_release_full (self, caller_clear);
}

GCancellable *
gmcp_server_caller_get_cancellable (GmcpServerCaller *self)
{
  if (self->cancellable == NULL)
    {
      self->cancellable = g_cancellable_new ();
      if (self->call != NULL)
        gmcp_tool_call_set_cancellable (self->call, self->cancellable);
    }
  return self->cancellable;
}

void
gmcp_server_caller_set_call (GmcpServerCaller *self, GmcpToolCall *call)
{
  self->call = call;
}

GmcpServerExchange *
gmcp_server_caller_get_exchange (GmcpServerCaller *self)
{
  return self->exchange;
}

GmcpServerRound *
gmcp_server_caller_get_round (GmcpServerCaller *self)
{
  if (self->round == NULL)
    self->round = gmcp_server_round_new (self->exchange, gmcp_server_caller_get_cancellable (self));
  return self->round;
}

void
gmcp_server_caller_become_task (GmcpServerCaller *self)
{
  self->task_call = gmcp_server_task_call_new (self);
}

GmcpServerTaskCall *
gmcp_server_caller_get_task_call (GmcpServerCaller *self)
{
  return self->task_call;
}

void
gmcp_server_caller_start (GmcpServerCaller *self)
{
  if (self->task_call != NULL)
    gmcp_server_task_call_start (self->task_call);
}

GmcpServerTask *
gmcp_server_caller_take_outcome (GmcpServerCaller *self)
{
  return self->task_call != NULL ? gmcp_server_task_call_take_outcome (self->task_call) : NULL;
}

GmcpServerItem *
gmcp_server_caller_get_item (GmcpServerCaller *self)
{
  return self->item;
}

void
gmcp_server_caller_end (GmcpServerCaller *self)
{
  gmcp_server_questions_close (gmcp_server_exchange_get_connection (self->exchange), self);
  if (self->round != NULL)
    gmcp_server_round_close (self->round);
}

/* Codes that say how two peers speak with each other, and by which a client may send a request again or ask
 * somebody to open an address. Where a provider fails with one it is of a connection of its own. */
static gboolean
is_of_connection (int code)
{
  switch (code)
    {
    case GMCP_RPC_ERROR_PARSE:
    case GMCP_RPC_ERROR_HEADER_MISMATCH:
    case GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY:
    case GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION:
    case GMCP_CODE_URL_ELICITATION_REQUIRED:
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
gmcp_server_caller_reply_missing (GmcpServerCaller *self, const GError *error)
{
  return self->round != NULL && g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED)
         && gmcp_server_round_reply_missing (self->round);
}

int
gmcp_server_caller_read_error (const GError *error, char **data_json)
{
  if (error->domain == GMCP_RPC_ERROR && !is_of_connection (error->code))
    {
      *data_json = gmcp_rpc_error_dup_data_json (error);
      return error->code;
    }
  return g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT)
           ? GMCP_RPC_ERROR_INVALID_PARAMS
           : GMCP_RPC_ERROR_INTERNAL;
}

void
gmcp_server_caller_require_visit (GmcpServerCaller *self, const char *data_json)
{
  g_free (self->visit_json);
  self->visit_json = g_strdup (data_json);
}

void
gmcp_server_caller_reply_error (GmcpServerCaller *self, const GError *error)
{
  g_autofree char *data_json = NULL;
  int code;

  if (gmcp_server_caller_reply_missing (self, error))
    return;

  /* Bindings lose the data of an error. */
  if (self->visit_json != NULL
      && g_error_matches (error, GMCP_RPC_ERROR, GMCP_CODE_URL_ELICITATION_REQUIRED))
    {
      gmcp_server_exchange_reply_error (self->exchange, error->code, error->message,
                                        self->visit_json);
      return;
    }

  code = gmcp_server_caller_read_error (error, &data_json);
  gmcp_server_exchange_reply_error (self->exchange, code, error->message, data_json);
}

/* Progress */

/* The task that the call is by now, where its client is told of the progress of tasks; NULL where there is none. */
static GmcpServerTask *
find_told_task (GmcpServerCaller *self)
{
  GmcpServerTask *task
    = self->task_call != NULL ? gmcp_server_task_call_get_task (self->task_call) : NULL;

  if (task == NULL || gmcp_server_task_is_final (task)
      || !gmcp_server_exchange_get_era (self->exchange)->tasks->tells_progress
      || gmcp_server_connection_is_closed (gmcp_server_exchange_get_connection (self->exchange)))
    return NULL;
  return task;
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer data)
{
  GmcpServerCaller *self = data;
  GmcpServerTask *task;

  if (!gmcp_server_progress_take (&self->progress, progress, total))
    return;

  if (self->task_call != NULL)
    gmcp_server_task_call_report (self->task_call, progress, total, message);
  task = find_told_task (self);
  if (task != NULL || !gmcp_server_exchange_is_closed (self->exchange))
    gmcp_server_progress_tell (self->exchange, task != NULL ? gmcp_server_task_get_id (task) : NULL,
                               progress, total, message);
}

/* What the provider sees of the client */

static GmcpImplementation *
get_client_info (gpointer data)
{
  GmcpServerCaller *self = data;

  if (self->client_info == NULL
      && gmcp_json_value_is_present (gmcp_server_exchange_get_client_info (self->exchange)))
    self->client_info
      = gmcp_implementation_new_from_value (gmcp_server_exchange_get_client_info (self->exchange));

  return self->client_info != NULL ? self->client_info
                                   : gmcp_server_exchange_get_client (self->exchange);
}

static GmcpCapabilities *
get_client_capabilities (gpointer data)
{
  GmcpServerCaller *self = data;
  const GmcpServerEra *era = gmcp_server_exchange_get_era (self->exchange);

  if (self->client_capabilities == NULL)
    self->client_capabilities = era->new_client_capabilities (
      gmcp_server_connection_get_state (gmcp_server_exchange_get_connection (self->exchange), era),
      self->exchange);
  return self->client_capabilities;
}

static const char *
get_protocol_version (gpointer data)
{
  return gmcp_server_exchange_get_protocol_version (((GmcpServerCaller *) data)->exchange);
}

static const char *
get_user (gpointer data)
{
  return gmcp_server_connection_get_user (
    gmcp_server_exchange_get_connection (((GmcpServerCaller *) data)->exchange));
}

static const char *
get_program (gpointer data)
{
  return gmcp_server_connection_get_program (
    gmcp_server_exchange_get_connection (((GmcpServerCaller *) data)->exchange));
}

static gboolean
wants_log (gpointer data, GmcpLogLevel level)
{
  GmcpServerCaller *self = data;

  return !gmcp_server_exchange_is_closed (self->exchange) && self->log_level != GMCP_LOG_LEVEL_UNSET
         && level >= self->log_level;
}

static void
tell_log (gpointer data, GmcpLogLevel level, GmcpJsonDoc *params)
{
  GmcpServerCaller *self = data;
  GmcpServerOutbox *outbox = gmcp_server_exchange_get_outbox (self->exchange);
  GmcpJsonWriter writer;
  GString *out;

  if (!gmcp_server_bucket_take (&self->log_bucket))
    return;

  out = gmcp_server_outbox_begin (outbox);
  gmcp_rpc_write_notification_start (out, GMCP_NOTIFICATION_MESSAGE);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (params));
  g_string_append_c (out, '}');
  gmcp_server_outbox_send (outbox, GMCP_NOTIFICATION_MESSAGE,
                           gmcp_server_exchange_get_id (self->exchange));
}

/* Takes the task. */
static void
ask_in_era (GmcpServerCaller *self,
            GmcpServerQuestionKind kind,
            GmcpInputRequest *question,
            GTask *task)
{
  g_autoptr (GTask) owned = NULL;
  GmcpServerExchange *exchange = self->exchange;

  if (self->task_call != NULL && gmcp_server_task_call_ask (self->task_call, kind, question, task))
    return;

  owned = task;
  if (gmcp_server_exchange_is_closed (exchange))
    gmcp_server_round_return_end (self->round, task);
  else
    gmcp_server_exchange_get_era (exchange)->ask (
      gmcp_server_connection_get_state (gmcp_server_exchange_get_connection (exchange),
                                        gmcp_server_exchange_get_era (exchange)),
      exchange, self, kind, question, g_steal_pointer (&owned));
}

static void
ask_question (gpointer data, GmcpInputRequest *question, GTask *task)
{
  g_autoptr (GTask) owned = task;
  GmcpServerQuestionKind kind = gmcp_server_question_get_kind (question);

  if (kind == GMCP_SERVER_QUESTION_NONE)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                             _ ("A tool can ask the user for input, or the model; not this"));
  else
    ask_in_era (data, kind, question, g_steal_pointer (&owned));
}

static void
list_roots (gpointer data, GTask *task)
{
  ask_in_era (data, GMCP_SERVER_QUESTION_ROOTS, NULL, task);
}

/* Both eras have one way for handlers; in the legacy one the state goes no farther than this. */
static void
keep_state (gpointer data, const char *json)
{
  gmcp_server_round_set_kept (gmcp_server_caller_get_round (data), json);
}

static const char *
get_state (gpointer data)
{
  return gmcp_server_round_get_kept (gmcp_server_caller_get_round (data));
}

static gboolean
hold_task (gpointer data)
{
  GmcpServerCaller *self = data;

  return self->task_call != NULL && gmcp_server_task_call_hold (self->task_call);
}

static gboolean
begin_task (gpointer data)
{
  GmcpServerCaller *self = data;

  return self->task_call != NULL && gmcp_server_task_call_begin (self->task_call);
}

static gboolean
end_stream (gpointer data, guint retry_ms)
{
  GmcpServerCaller *self = data;
  GmcpServerConnection *connection = gmcp_server_exchange_get_connection (self->exchange);
  gsize length;
  const char *id = gmcp_json_value_peek_raw (gmcp_server_exchange_get_id (self->exchange), &length);

  return !gmcp_server_exchange_is_closed (self->exchange)
         && gmcp_transport_suspend_request (gmcp_server_connection_get_transport (connection), id,
                                            length, retry_ms);
}

static gboolean
is_called_again (gpointer data)
{
  GmcpServerCaller *self = data;

  return self->round != NULL && gmcp_server_round_has_asked (self->round);
}

static guint64
get_connection_number (gpointer data)
{
  return gmcp_server_connection_get_number (
    gmcp_server_exchange_get_connection (((GmcpServerCaller *) data)->exchange));
}

static char *
dup_client_name (gpointer data)
{
  GmcpServerConnection *connection
    = gmcp_server_exchange_get_connection (((GmcpServerCaller *) data)->exchange);
  const char *user = gmcp_server_connection_get_user (connection);

  if (gmcp_server_connection_is_passing (connection))
    return g_strconcat ("user ", user != NULL ? user : "", NULL);
  return g_strdup_printf ("connection %" G_GUINT64_FORMAT,
                          gmcp_server_connection_get_number (connection));
}

static const GmcpCallerFuncs funcs = {
  .get_client_info = get_client_info,
  .get_client_capabilities = get_client_capabilities,
  .get_protocol_version = get_protocol_version,
  .get_user = get_user,
  .get_program = get_program,
  .wants_log = wants_log,
  .log = tell_log,
  .ask = ask_question,
  .list_roots = list_roots,
  .is_called_again = is_called_again,
  .get_connection_number = get_connection_number,
  .dup_client_name = dup_client_name,
  .keep_state = keep_state,
  .get_state = get_state,
  .hold_task = hold_task,
  .begin_task = begin_task,
  .end_stream = end_stream,
};

static void
on_log_message (GmcpCallOptions *options, GmcpLogMessage *message, gpointer data)
{
  g_autofree char *json = gmcp_log_message_dup_json (message);
  g_autoptr (GmcpJsonDoc) params = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  GmcpLogLevel level = gmcp_log_message_get_level (message);

  if (params != NULL && wants_log (data, level))
    tell_log (data, level, params);
}

guint
gmcp_server_caller_get_timeout_ms (GmcpServerCaller *self)
{
  GmcpServer *server = gmcp_server_exchange_get_server (self->exchange);

  if (server == NULL)
    return 0;
  /* A task has as long as it is kept. */
  return self->task_call != NULL ? gmcp_server_tasks_get_ttl_ms (gmcp_server_get_tasks (server))
                                 : gmcp_server_get_call_timeout_ms (server);
}

GmcpCallOptions *
gmcp_server_caller_make_options (GmcpServerCaller *self)
{
  GmcpCallOptions *options = gmcp_call_options_new ();
  g_autoptr (GmcpCaller) caller = gmcp_caller_new (&funcs, gmcp_server_caller_ref (self),
                                                   (GDestroyNotify) gmcp_server_caller_unref);
  guint timeout_ms = gmcp_server_caller_get_timeout_ms (self);

  gmcp_call_options_set_caller (options, caller);
  /* Nobody listens to them yet. */
  options->timeout_ms = timeout_ms;
  options->max_timeout_ms = timeout_ms;
  gmcp_call_options_take_meta (options, gmcp_server_exchange_get_meta (self->exchange));
  /* The options keep the caller, and that what the signals need. */
  if (self->task_call != NULL
      || gmcp_json_value_is_present (gmcp_server_progress_get_token (self->exchange)))
    g_signal_connect (options, "progress", G_CALLBACK (on_progress), self);
  if (self->log_level != GMCP_LOG_LEVEL_UNSET)
    {
      if (self->log_level_is_default)
        gmcp_call_options_set_default_log_level (options, self->log_level);
      else
        gmcp_call_options_set_log_level (options, self->log_level);
      g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), self);
    }
  return options;
}
