/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcpd-caller-watch.h"
#include "gmcpd-calls.h"
#include "gmcpd-names.h"

#include <gmcp/core/gmcp-error.h>

/* Of all programs; of each by itself as many as is said. */
#define MAX_CALLS 1000

struct _GmcpdCalls
{
  GHashTable *calls; /* of GmcpdCall */
  guint max_of_program;
  GList *draining; /* of GTask */
};

struct _GmcpdCall
{
  GmcpdCalls *calls;
  GDBusMethodInvocation *invocation;
  GmcpdCallerWatch *caller;
  char *program; /* nullable: whose calls are counted together */
  GCancellable *cancellable;
};

GmcpdCalls *
gmcpd_calls_new (guint max_of_program)
{
  GmcpdCalls *self = g_new0 (GmcpdCalls, 1);

  self->calls = g_hash_table_new (NULL, NULL);
  self->max_of_program = max_of_program;
  return self;
}

/* Those that are still under way end with an answer to nobody. */
void
gmcpd_calls_free (GmcpdCalls *self)
{
  GHashTableIter iter;
  gpointer call;

  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, &call, NULL))
    ((GmcpdCall *) call)->calls = NULL;
  g_hash_table_unref (self->calls);
  g_free (self);
}

static void
on_caller_gone (gpointer call)
{
  g_cancellable_cancel (((GmcpdCall *) call)->cancellable);
}

static gboolean
has_room (GmcpdCalls *self, const char *program)
{
  guint n_calls = g_hash_table_size (self->calls);
  GHashTableIter iter;
  gpointer call;
  guint n_of_program = 0;

  if (program == NULL || n_calls < self->max_of_program || n_calls >= MAX_CALLS)
    return n_calls < MAX_CALLS;

  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, &call, NULL))
    n_of_program += g_strcmp0 (((GmcpdCall *) call)->program, program) == 0 ? 1 : 0;
  return n_of_program < self->max_of_program;
}

GmcpdCall *
gmcpd_calls_begin (GmcpdCalls *self, GDBusMethodInvocation *invocation)
{
  return gmcpd_calls_begin_of (self, invocation, NULL);
}

GmcpdCall *
gmcpd_calls_begin_of (GmcpdCalls *self, GDBusMethodInvocation *invocation, const char *program)
{
  GmcpdCall *call;

  if (self->draining != NULL)
    {
      g_dbus_method_invocation_return_error_literal (invocation, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                                                     _ ("gmcpd is ending; try again in a moment"));
      return NULL;
    }
  if (!has_room (self, program))
    {
      g_dbus_method_invocation_return_error_literal (
        invocation, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, _ ("Too many calls are under way"));
      return NULL;
    }

  /* It came before its connection was closed, which has been told of. */
  if (g_dbus_connection_is_closed (g_dbus_method_invocation_get_connection (invocation)))
    {
      g_dbus_method_invocation_return_error_literal (invocation, G_IO_ERROR, G_IO_ERROR_CLOSED,
                                                     _ ("The caller has gone"));
      return NULL;
    }

  call = g_new0 (GmcpdCall, 1);
  call->calls = self;
  call->invocation = invocation;
  call->program = g_strdup (program);
  call->cancellable = g_cancellable_new ();
  call->caller = gmcpd_caller_watch_new (invocation, on_caller_gone, call);
  g_hash_table_add (self->calls, call);
  return call;
}

GCancellable *
gmcpd_call_get_cancellable (GmcpdCall *call)
{
  return call->cancellable;
}

void
gmcpd_call_emit (GmcpdCall *call, const char *signal, GVariant *parameters)
{
  g_dbus_connection_emit_signal (
    gmcpd_caller_watch_get_connection (call->caller), gmcpd_caller_watch_get_name (call->caller),
    g_dbus_method_invocation_get_object_path (call->invocation),
    g_dbus_method_invocation_get_interface_name (call->invocation), signal, parameters, NULL);
}

gboolean
gmcpd_call_is_of_caller (GmcpdCall *call, GDBusMethodInvocation *invocation)
{
  return gmcpd_caller_watch_is_of (call->caller, invocation);
}

static void
return_drained (GTask *task)
{
  if (!g_task_get_completed (task))
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
end_call (GmcpdCall *call)
{
  GmcpdCalls *calls = call->calls;

  if (calls != NULL)
    g_hash_table_remove (calls->calls, call);
  gmcpd_caller_watch_free (call->caller);
  g_object_unref (call->cancellable);
  g_free (call->program);
  g_free (call);
  if (calls != NULL && g_hash_table_size (calls->calls) == 0)
    g_list_free_full (g_steal_pointer (&calls->draining), (GDestroyNotify) return_drained);
}

void
gmcpd_call_return (GmcpdCall *call, GVariant *value)
{
  g_dbus_method_invocation_return_value (g_steal_pointer (&call->invocation), value);
  end_call (call);
}

void
gmcpd_call_fail (GmcpdCall *call, GError *error)
{
  GDBusMethodInvocation *invocation = g_steal_pointer (&call->invocation);
  char *message = gmcpd_names_dup_text (error->message);

  g_free (error->message);
  error->message = message;
  if (error->domain == GMCP_RPC_ERROR)
    {
      g_autofree char *name = gmcpd_names_dup_rpc_error (error->code);

      g_dbus_method_invocation_return_dbus_error (invocation, name, message);
      g_error_free (error);
    }
  else
    g_dbus_method_invocation_take_error (invocation, error);
  end_call (call);
}

static gboolean
on_drain_over (GCancellable *cancellable, gpointer user_data)
{
  GmcpdCalls *self = g_task_get_task_data (user_data);
  g_autoptr (GList) calls = g_hash_table_get_keys (self->calls);

  for (GList *l = calls; l != NULL; l = l->next)
    g_cancellable_cancel (((GmcpdCall *) l->data)->cancellable);
  if (g_list_find (self->draining, user_data) != NULL)
    {
      self->draining = g_list_remove (self->draining, user_data);
      return_drained (user_data);
    }
  return G_SOURCE_REMOVE;
}

void
gmcpd_calls_drain_async (GmcpdCalls *self,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GSource) source = NULL;

  g_task_set_source_tag (task, gmcpd_calls_drain_async);
  g_task_set_task_data (task, self, NULL);
  if (g_hash_table_size (self->calls) == 0)
    {
      return_drained (task);
      return;
    }

  self->draining = g_list_prepend (self->draining, task);
  source = g_cancellable_source_new (cancellable);
  g_task_attach_source (task, source, G_SOURCE_FUNC (on_drain_over));
}

void
gmcpd_calls_drain_finish (GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}
