/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-tool-call-arguments-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-call-thread-private.h"

/**
 * GmcpToolCall:
 *
 * One call of a tool, as the provider that has the tool gets it. The provider completes it once, now
 * or later, with [method@Gmcp.ToolCall.return_result] or [method@Gmcp.ToolCall.return_error]; the
 * caller's callback then comes in the caller's own main context. A call that is let go of without
 * either fails with [error@Gmcp.Error] `FAILED`.
 *
 * The caller need not rely on the provider: where no answer comes within the time limits of the call's
 * options, the call ends with [error@Gmcp.Error] `TIMED_OUT`, and when it is cancelled, it ends at
 * once. [property@Gmcp.CallOptions:timeout-ms] begins anew with each
 * [method@Gmcp.ToolCall.report_progress], and stands still between
 * [method@Gmcp.ToolCall.pause_timeout] and [method@Gmcp.ToolCall.resume_timeout];
 * [property@Gmcp.CallOptions:max-timeout-ms] ends the call in any case. An answer that comes after the
 * end, or after another answer, is ignored.
 *
 * A provider that can stop its work watches [method@Gmcp.ToolCall.get_cancellable].
 *
 * Work that blocks belongs in a thread, and may report and answer from there:
 * [method@Gmcp.ToolCall.report_progress], [method@Gmcp.ToolCall.return_result],
 * [method@Gmcp.ToolCall.return_error] and [method@Gmcp.ToolCall.return_rpc_error] may be called in any
 * thread, and so may [method@Gmcp.Caller.log] of the caller that the function of the tool has got; they take
 * effect in the main context that the call came in. Everything else is for the thread that runs that context.
 *
 * Since: 0.1
 */
struct _GmcpToolCall
{
  GObject parent_instance;

  GTask *end; /* NULL once completed, and where there is a waiter */
  GmcpToolCallWaiter waiter;
  gboolean is_waited_for; /* by the waiter, until completed */
  GObject *called;        /* what the waiter called, until completed */
  GmcpToolCallHome home;
  GCancellable *cancellable;
  GObject *provider; /* kept while the call is with it; NULL where the caller's result does so */
  char *name;
  GmcpToolCallArguments arguments;
  GmcpTool *checked_for; /* nullable */
  GmcpCallOptions *options;
  GmcpToolCallWatch *watch; /* NULL once it has been told */
  GmcpRequestGuard guard;
  double progress;   /* as last reported */
  gboolean answered; /* what watches the call may still complete it */
  GmcpToolCallCarriage carriage;
  GmcpCaller *caller; /* made when asked for */
};

G_DEFINE_FINAL_TYPE (GmcpToolCall, gmcp_tool_call, G_TYPE_OBJECT)

/* Whether the watch of the call answers it in place of the provider. */
static gboolean
tell_watch (GmcpToolCall *self, GmcpToolResult *result, const GError *error)
{
  GmcpToolCallWatch *watch = g_steal_pointer (&self->watch);

  return watch != NULL && watch->ended (watch, self, result, error);
}

static gboolean
on_failed (gpointer task)
{
  g_task_return_error (task, g_error_copy (g_task_get_task_data (task)));
  return G_SOURCE_REMOVE;
}

/* An error may come out of anything that the application calls, which does not expect its callback there. */
static void
fail_later (GTask *end, GError *error)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_task_set_task_data (end, error, (GDestroyNotify) g_error_free);
  g_source_set_static_name (source, "[gmcp] failed call");
  g_task_attach_source (end, source, on_failed);
}

static gboolean
has_ended (GmcpToolCall *self)
{
  return self->end == NULL && !self->is_waited_for;
}

/* Borrows both. */
static void
tell_waiter (GmcpToolCall *self, GmcpToolResult *result, const GError *error)
{
  g_autoptr (GObject) called G_GNUC_UNUSED = g_steal_pointer (&self->called);

  self->is_waited_for = FALSE;
  self->waiter.funcs->ended (self->waiter.data, result, error);
}

/* Takes the error. */
static void
complete_call (GmcpToolCall *self, GmcpToolResult *result, GError *error)
{
  g_autoptr (GTask) end = g_steal_pointer (&self->end);

  if (self->options != NULL)
    gmcp_call_options_take_outcome (self->options, error);
  if (self->is_waited_for)
    {
      tell_waiter (self, result, error);
      g_clear_error (&error);
    }
  else if (error != NULL)
    fail_later (end, error);
  else
    g_task_return_pointer (end, gmcp_tool_result_ref (result),
                           (GDestroyNotify) gmcp_tool_result_unref);
}

/* FALSE for an answer that is late, or not the first. */
static gboolean
take_answer (GmcpToolCall *self)
{
  if (has_ended (self) || self->answered)
    {
      g_debug ("An answer to a call of the tool %s is ignored: the call has ended", self->name);
      return FALSE;
    }

  self->answered = TRUE;
  gmcp_request_guard_stop (&self->guard);
  return TRUE;
}

/* Takes the error. */
static void
fail_call (GmcpRequestGuard *guard, GError *error)
{
  g_autoptr (GmcpToolCall) self
    = g_object_ref ((gpointer) ((char *) guard - G_STRUCT_OFFSET (GmcpToolCall, guard)));

  if (error->domain == GMCP_ERROR)
    g_prefix_error (&error, _ ("The tool “%s”: "), self->name);
  gmcp_tool_call_return_error (self, error);
  g_error_free (error);
  /* A provider that keeps the call for good does not keep itself by that. */
  g_clear_object (&self->provider);
}

static gboolean
is_asking (GmcpRequestGuard *guard)
{
  GmcpToolCall *self = (gpointer) ((char *) guard - G_STRUCT_OFFSET (GmcpToolCall, guard));

  return self->caller != NULL && gmcp_caller_is_asking (self->caller);
}

void
gmcp_tool_call_guard (GmcpToolCall *self)
{
  guint timeout_ms = GMCP_DEFAULT_CALL_TIMEOUT_MS;
  guint max_timeout_ms = GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS;

  if (has_ended (self) || self->answered)
    return;

  if (self->options != NULL)
    {
      if (self->options->timeout_ms != 0)
        timeout_ms = self->options->timeout_ms;
      if (self->options->max_timeout_ms != 0)
        {
          max_timeout_ms = self->options->max_timeout_ms;
          timeout_ms = MIN (timeout_ms, max_timeout_ms);
        }
    }
  else if (self->waiter.timeout_ms != 0)
    {
      timeout_ms = max_timeout_ms = self->waiter.timeout_ms;
    }
  self->guard.is_asking = is_asking;
  gmcp_request_guard_start (&self->guard, self->home.context, self->cancellable, timeout_ms,
                            MAX (timeout_ms, max_timeout_ms), fail_call);
}

void
gmcp_tool_call_complete (GmcpToolCall *self, GmcpToolResult *result)
{
  complete_call (self, result, NULL);
}

/* Back to what it was when it was made. */
static void
clear_call (GmcpToolCall *self)
{
  gmcp_request_guard_clear (&self->guard, self->cancellable);
  g_clear_object (&self->caller);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->options);
  g_clear_object (&self->provider);
  g_clear_object (&self->checked_for);
  gmcp_tool_call_arguments_clear (&self->arguments);
  g_clear_pointer (&self->name, g_free);
  gmcp_tool_call_home_clear (&self->home);
  if (self->waiter.funcs != NULL)
    self->waiter.funcs->release (self->waiter.data);
  self->waiter.funcs = NULL;
}

/* The client of a server is told that the server failed, not that the tool did. */
static GError *
new_dropped_error (GmcpToolCall *self)
{
  if (self->waiter.funcs != NULL
      || (self->options != NULL && gmcp_call_options_get_caller (self->options) != NULL))
    return g_error_new (GMCP_RPC_ERROR, GMCP_RPC_ERROR_INTERNAL,
                        "Internal error: %s ended without an answer", self->name);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_FAILED,
                      _ ("The provider dropped the call of the tool %s"), self->name);
}

static void
gmcp_tool_call_dispose (GObject *object)
{
  GmcpToolCall *self = GMCP_TOOL_CALL (object);

  if (!has_ended (self))
    {
      g_autoptr (GError) error = new_dropped_error (self);

      if (self->answered)
        complete_call (self, NULL, g_steal_pointer (&error));
      else
        gmcp_tool_call_return_error (self, error);
    }
  clear_call (self);

  G_OBJECT_CLASS (gmcp_tool_call_parent_class)->dispose (object);
}

static void
gmcp_tool_call_class_init (GmcpToolCallClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_tool_call_dispose;
}

static void
gmcp_tool_call_init (GmcpToolCall *self)
{
  self->progress = -G_MAXDOUBLE;
}

GmcpToolCall *
gmcp_tool_call_new_take (GTask *end,
                         const char *name,
                         GmcpJsonDoc *arguments,
                         GmcpCallOptions *options)
{
  GmcpToolCall *self = g_object_new (GMCP_TYPE_TOOL_CALL, NULL);
  GCancellable *cancellable = g_task_get_cancellable (end);

  self->end = end;
  gmcp_tool_call_home_init (&self->home, g_task_get_context (end));
  if (cancellable != NULL)
    self->cancellable = g_object_ref (cancellable);
  self->name = g_strdup (name);
  self->arguments.doc = arguments;
  if (options != NULL)
    self->options = g_object_ref (options);
  return self;
}

static void
set_waiter (GmcpToolCall *self, const GmcpToolCallWaiter *waiter)
{
  self->waiter = *waiter;
  self->is_waited_for = TRUE;
  waiter->funcs->handed_to (waiter->data, self);
}

GmcpToolCall *
gmcp_tool_call_new_waited (const GmcpToolCallWaiter *waiter,
                           const char *name,
                           GmcpJsonValue arguments,
                           GmcpTool *checked_for,
                           gpointer provider)
{
  GmcpToolCall *self = g_object_new (GMCP_TYPE_TOOL_CALL, NULL);

  gmcp_tool_call_home_init (&self->home, g_main_context_get_thread_default ());
  self->name = g_strdup (name);
  gmcp_tool_call_arguments_set_view (&self->arguments, arguments);
  if (checked_for != NULL)
    self->checked_for = g_object_ref (checked_for);
  self->called = g_object_ref (provider);
  set_waiter (self, waiter);
  return self;
}

void
gmcp_tool_call_set_cancellable (GmcpToolCall *self, GCancellable *cancellable)
{
  if (g_set_object (&self->cancellable, cancellable))
    gmcp_request_guard_add_cancellable (&self->guard, self->home.context, cancellable);
}

gboolean
gmcp_tool_call_is_checked_for (GmcpToolCall *self, GmcpTool *tool)
{
  return self->checked_for == tool;
}

/* The call of a task comes to a new one with the task, that of a waiter with the waiter. */
static GmcpToolCall *
move_call (GmcpToolCall *self, const char *name, GmcpJsonDoc *arguments)
{
  GmcpToolCall *call;

  if (!self->is_waited_for)
    return gmcp_tool_call_new_take (g_steal_pointer (&self->end), name, arguments, self->options);

  call = g_object_new (GMCP_TYPE_TOOL_CALL, NULL);
  gmcp_tool_call_home_init (&call->home, self->home.context);
  g_set_object (&call->cancellable, self->cancellable);
  g_set_object (&call->options, self->options);
  call->name = g_strdup (name);
  call->arguments.doc = arguments;
  call->called = g_steal_pointer (&self->called);
  set_waiter (call, &self->waiter);
  self->waiter.funcs = NULL;
  self->is_waited_for = FALSE;
  return call;
}

GmcpToolCall *
gmcp_tool_call_redirect (GmcpToolCall *self,
                         const char *name,
                         GmcpJsonDoc *arguments,
                         gpointer provider)
{
  GmcpToolCall *call = move_call (self, name, arguments);

  gmcp_request_guard_stop (&self->guard);
  call->progress = self->progress;
  if (provider != NULL)
    call->provider = g_object_ref (provider);
  return call;
}

void
gmcp_tool_call_take_watch (GmcpToolCall *self, GmcpToolCallWatch *watch)
{
  self->watch = watch;
}

GmcpToolCallWatch *
gmcp_tool_call_get_watch (GmcpToolCall *self)
{
  return self->watch;
}

GmcpToolCallCarriage *
gmcp_tool_call_get_carriage (GmcpToolCall *self)
{
  return &self->carriage;
}

GmcpJsonDoc *
gmcp_tool_call_peek_arguments (GmcpToolCall *self)
{
  return gmcp_tool_call_arguments_get_doc (&self->arguments);
}

GmcpJsonValue
gmcp_tool_call_get_arguments_value (GmcpToolCall *self)
{
  return gmcp_tool_call_arguments_get_value (&self->arguments);
}

/**
 * gmcp_tool_call_get_name:
 * @self: a call
 *
 * Gives the name that the caller called the tool by. It may be any of those that
 * [method@Gmcp.ToolProvider.find_tool] understands.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
gmcp_tool_call_get_name (GmcpToolCall *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), NULL);

  return self->name;
}

/**
 * gmcp_tool_call_get_arguments:
 * @self: a call
 *
 * Gives the arguments; an empty object where the caller gave none. Whether they have been checked,
 * [method@Gmcp.ToolCall.get_arguments_json] says.
 *
 * Returns: (transfer none): a sealed object node
 *
 * Since: 0.1
 */
JsonNode *
gmcp_tool_call_get_arguments (GmcpToolCall *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), NULL);

  return gmcp_tool_call_arguments_get_node (&self->arguments);
}

/**
 * gmcp_tool_call_get_arguments_json:
 * @self: a call
 *
 * Gives the arguments as JSON text; `{}` where the caller gave none. They are a JSON object.
 *
 * They match the tool's input schema, where its dialect is known, if the call comes from the client
 * of a [class@Gmcp.Server] or goes to a [callback@Gmcp.ToolFunc]. A provider that a host calls gets
 * what the host was given, which nobody has checked.
 *
 * Returns: (transfer none): a JSON object as text
 *
 * Since: 0.1
 */
const char *
gmcp_tool_call_get_arguments_json (GmcpToolCall *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), NULL);

  return gmcp_tool_call_arguments_get_json (&self->arguments);
}

/**
 * gmcp_tool_call_get_options:
 * @self: a call
 *
 * Gives the options that a host gave, or those that a [class@Gmcp.Server] makes of its client's request:
 * [property@Gmcp.CallOptions:meta-json] has the request's `_meta` without what the protocol itself puts
 * there, 64 KiB at most; [property@Gmcp.CallOptions:traceparent], [property@Gmcp.CallOptions:tracestate] and
 * [property@Gmcp.CallOptions:baggage] have its trace context. A client may say there what it likes, and what
 * is malformed or longer is left out.
 *
 * Returns: (transfer none) (nullable): the options, or %NULL for the defaults
 *
 * Since: 0.1
 */
GmcpCallOptions *
gmcp_tool_call_get_options (GmcpToolCall *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), NULL);

  if (self->options == NULL && self->waiter.funcs != NULL)
    self->options = self->waiter.funcs->make_options (self->waiter.data);
  return self->options;
}

/* The provider that the host called, whatever the call passed since. */
static GmcpToolProvider *
get_called_provider (GmcpToolCall *self)
{
  gpointer source = self->end != NULL ? g_task_get_source_object (self->end) : NULL;

  return GMCP_IS_TOOL_PROVIDER (source) ? source : NULL;
}

/**
 * gmcp_tool_call_get_caller:
 * @self: a call
 *
 * Gives who calls: the client of a [class@Gmcp.Server], or the host. Log lines and questions of the
 * tool go through it, to nobody else.
 *
 * Returns: (transfer none): the caller
 *
 * Since: 0.1
 */
GmcpCaller *
gmcp_tool_call_get_caller (GmcpToolCall *self)
{
  GmcpCallOptions *options;
  gpointer caller;

  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), NULL);

  if (self->caller != NULL)
    return self->caller;

  options = gmcp_tool_call_get_options (self);
  caller = options != NULL ? gmcp_call_options_get_caller (options) : NULL;
  self->caller = caller != NULL ? g_object_ref (caller)
                                : gmcp_caller_new_for_host (get_called_provider (self), options);
  return self->caller;
}

/**
 * gmcp_tool_call_get_cancellable:
 * @self: a call
 *
 * Gives what is cancelled when the caller wants no answer any more, and when the call's time is over. The
 * call has ended then for the caller; what the provider still answers is ignored.
 *
 * A provider of the program's own and a [callback@Gmcp.ToolFunc] always get one.
 *
 * Returns: (transfer none) (nullable): the cancellable, or %NULL where the caller gave none and nobody
 *   looks after the time of the call
 *
 * Since: 0.1
 */
GCancellable *
gmcp_tool_call_get_cancellable (GmcpToolCall *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), NULL);

  /* Where a guard looks after the call, that has one of its own. */
  if (self->cancellable == NULL && self->guard.give_up == NULL && self->waiter.funcs != NULL)
    return self->waiter.funcs->get_cancellable (self->waiter.data);
  return gmcp_request_guard_get_cancellable (&self->guard, self->cancellable);
}

/**
 * gmcp_tool_call_report_progress:
 * @self: a call
 * @progress: how far the work is; grows with each report
 * @total: what @progress is to reach, or -1 where that is not known
 * @message: (nullable): what is being done, for people
 *
 * Tells the caller how far the call is, where the caller listens to
 * [signal@Gmcp.CallOptions::progress]. A report that is not beyond the one before, or is no finite
 * number, is dropped; the time of the call begins anew all the same. May be called in any thread.
 *
 * Since: 0.1
 */
void
gmcp_tool_call_report_progress (GmcpToolCall *self,
                                double progress,
                                double total,
                                const char *message)
{
  GmcpCallOptions *options;

  g_return_if_fail (GMCP_IS_TOOL_CALL (self));

  if (gmcp_tool_call_home_send_progress (&self->home, self, progress, total, message)
      || has_ended (self) || self->answered)
    return;

  gmcp_request_guard_renew (&self->guard);
  if (!(progress > self->progress) || progress > G_MAXDOUBLE)
    return;

  self->progress = progress;
  options = gmcp_tool_call_get_options (self);
  if (options != NULL)
    gmcp_call_options_emit_progress (options, progress, total, message);
}

/**
 * gmcp_tool_call_pause_timeout:
 * @self: a call
 *
 * Says that a person is asked something now, so that the call's time limits stand still. Each call of
 * this function is followed by one of [method@Gmcp.ToolCall.resume_timeout]. A pause has a limit of its
 * own, 600,000 milliseconds.
 *
 * Since: 0.1
 */
void
gmcp_tool_call_pause_timeout (GmcpToolCall *self)
{
  g_return_if_fail (GMCP_IS_TOOL_CALL (self));

  gmcp_request_guard_pause (&self->guard);
}

/**
 * gmcp_tool_call_resume_timeout:
 * @self: a call
 *
 * Says that the person has answered: [property@Gmcp.CallOptions:timeout-ms] begins anew. Does nothing
 * where the time does not stand still, or the call has ended.
 *
 * Since: 0.1
 */
void
gmcp_tool_call_resume_timeout (GmcpToolCall *self)
{
  g_return_if_fail (GMCP_IS_TOOL_CALL (self));

  gmcp_request_guard_resume (&self->guard);
}

/**
 * gmcp_tool_call_return_result:
 * @self: a call
 * @result: what the tool gives back
 *
 * Completes the call with a result, which may be one that says that the tool failed. Does nothing where
 * the call has ended. May be called in any thread.
 *
 * Since: 0.1
 */
void
gmcp_tool_call_return_result (GmcpToolCall *self, GmcpToolResult *result)
{
  g_return_if_fail (GMCP_IS_TOOL_CALL (self));
  g_return_if_fail (result != NULL);

  if (gmcp_tool_call_home_send_result (&self->home, self, result) || !take_answer (self)
      || (self->watch != NULL && tell_watch (self, result, NULL)))
    return;

  complete_call (self, result, NULL);
}

/**
 * gmcp_tool_call_return_error:
 * @self: a call
 * @error: why there is no result
 *
 * Completes the call with an error. What a model should read and can mend, such as wrong arguments,
 * is better said with [ctor@Gmcp.ToolResult.new_error]. Does nothing where the call has ended. May be
 * called in any thread.
 *
 * Since: 0.1
 */
void
gmcp_tool_call_return_error (GmcpToolCall *self, const GError *error)
{
  g_return_if_fail (GMCP_IS_TOOL_CALL (self));
  g_return_if_fail (error != NULL);

  if (gmcp_tool_call_home_send_error (&self->home, self, error) || !take_answer (self)
      || (self->watch != NULL && tell_watch (self, NULL, error)))
    return;

  complete_call (self, NULL, g_error_copy (error));
}

/**
 * gmcp_tool_call_return_rpc_error:
 * @self: a call
 * @code: the code, as it stands on the wire; [error@Gmcp.RpcError] has those of the protocol
 * @message: what went wrong
 * @data_json: (nullable): what a program can read of it, as JSON text, or %NULL for nothing
 *
 * Completes the call with the error that [func@Gmcp.RpcError.new] makes of all three.
 *
 * Since: 0.1
 */
void
gmcp_tool_call_return_rpc_error (GmcpToolCall *self,
                                 int code,
                                 const char *message,
                                 const char *data_json)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (GMCP_IS_TOOL_CALL (self));
  g_return_if_fail (message != NULL);

  error = gmcp_rpc_error_new (code, message, data_json);
  gmcp_tool_call_return_error (self, error);
}
