/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-caller-struct-private.h"
#include "gmcp-i18n-private.h"

/* What a caller is asked. */

static void
on_completed (GTask *task, GParamSpec *pspec, GmcpCaller *self)
{
  self->n_asking--;
}

/* Until the task is completed, time is the user's. */
static void
count_question (GmcpCaller *self, GTask *task)
{
  self->n_asking++;
  g_signal_connect_object (task, "notify::completed", G_CALLBACK (on_completed), self, 0);
}

/* What is asked is not thread-safe. */
static gboolean
refuse_thread (GmcpCaller *self, GTask *task)
{
  if (gmcp_caller_is_at_home (self))
    return FALSE;

  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_FAILED, "%s",
                           _ ("Questions are asked in the thread of their call"));
  return TRUE;
}

static void
refuse_empty (GTask *task)
{
  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
                           _ ("There is nobody who could be asked"));
}

/**
 * gmcp_caller_ask_async:
 * @self: a caller
 * @question: what to ask: [ctor@Gmcp.Elicitation.new], [ctor@Gmcp.Elicitation.new_for_url] or
 *   [ctor@Gmcp.Sampling.new_from_json]
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks the user, or the model, of whoever called: the client of a server, or the host itself, which
 * gets a copy of @question by [signal@Gmcp.ToolProvider::input-requested]. The time until the answer
 * does not count as time of the call.
 *
 * With a client of revision 2026-07-28 the function that asks is **called anew** for the answers: a question that is
 * not answered yet ends the call for now, fails with `CALLED_ANEW`, and the call's cancellable is cancelled; what the
 * function returns then is dropped. When the client has answered, the function is called from its beginning, asks again,
 * and gets the answers so far at once. So it asks before it changes anything, asks in the same order each time (or names
 * its questions by [property@Gmcp.InputRequest:key]), and does not take `CALLED_ANEW` for a refusal: it passes
 * the error on. What it has found out before it asked, [method@Gmcp.Caller.set_state_json] keeps.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where the client does not take such questions, with
 * `CALLED_ANEW` as above, with `CLOSED` where the call has ended or the client is gone, with `INPUT_REFUSED` where the model is not lent, with
 * `PROTOCOL` where the answer is none, and with a [error@Gmcp.RpcError] that the client sent.
 *
 * Spec: MCP 2025-11-25, client/elicitation and client/sampling; MCP 2026-07-28, basic/patterns/mrtr.
 *
 * Since: 0.1
 */
void
gmcp_caller_ask_async (GmcpCaller *self,
                       GmcpInputRequest *question,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CALLER (self));
  g_return_if_fail (GMCP_IS_INPUT_REQUEST (question));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_caller_ask_async);
  if (g_task_return_error_if_cancelled (task) || refuse_thread (self, task))
    return;

  count_question (self, task);
  if (self->funcs != NULL)
    self->funcs->ask (self->data, question, g_steal_pointer (&task));
  else
    refuse_empty (task);
}

/**
 * gmcp_caller_ask_finish:
 * @self: a caller
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Caller.ask_async]. The answer to an elicitation has a member `action`, which is
 * `accept`, `decline` or `cancel`, and in the first case `content` with the fields, which match the
 * form: members that the form does not have are dropped. The answer to a sampling has `role`, `content`
 * and `model`.
 *
 * Fails as [method@Gmcp.Caller.ask_async] says. With [error@Gmcp.Error] `PROTOCOL`, and a message that
 * says what is wrong, it fails in every revision where what the client sent does not fit the question; a
 * client of 2026-07-28 is asked once more only where it sent no answer, or no object. Where a call is a task of that
 * revision the client gets this error itself, and the question stays open.
 *
 * Returns: (transfer full): the answer, a JSON object as text
 *
 * Since: 0.1
 */
char *
gmcp_caller_ask_finish (GmcpCaller *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_caller_ask_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_caller_list_roots_async:
 * @self: a caller
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks the client for the folders that it works with.
 *
 * It is a question as those of [method@Gmcp.Caller.ask_async]: with a client of revision 2026-07-28 the function is
 * called anew for the answer, and it fails as they do; with `NOT_SUPPORTED` also where the caller is the
 * host, which has none.
 *
 * Spec: MCP 2025-11-25, client/roots; MCP 2026-07-28, basic/patterns/mrtr.
 *
 * Since: 0.1
 */
void
gmcp_caller_list_roots_async (GmcpCaller *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CALLER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_caller_list_roots_async);
  if (g_task_return_error_if_cancelled (task) || refuse_thread (self, task))
    return;

  count_question (self, task);
  if (self->funcs != NULL)
    self->funcs->list_roots (self->data, g_steal_pointer (&task));
  else
    refuse_empty (task);
}

/**
 * gmcp_caller_list_roots_finish:
 * @self: a caller
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Caller.list_roots_async].
 *
 * Returns: (transfer container) (element-type Gmcp.Root): the roots, which say where to look and keep
 *   nobody from anything
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_caller_list_roots_finish (GmcpCaller *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_caller_list_roots_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
