/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The calls on D-Bus that have not been answered yet. */
typedef struct _GmcpdCalls GmcpdCalls;
typedef struct _GmcpdCall GmcpdCall;

/* How many of one program may be under way, besides how many of all. */
GmcpdCalls *gmcpd_calls_new (guint max_of_program);
void gmcpd_calls_free (GmcpdCalls *self);

/* Takes the invocation, which one of the two functions below answers; NULL, and answered, where too many are under
 * way. */
GmcpdCall *gmcpd_calls_begin (GmcpdCalls *self, GDBusMethodInvocation *invocation);
/* The same of a program, which may have many connections: its calls are counted by that name. */
GmcpdCall *
gmcpd_calls_begin_of (GmcpdCalls *self, GDBusMethodInvocation *invocation, const char *program);
/* Cancelled when the caller leaves the bus, or closes its connection. */
GCancellable *gmcpd_call_get_cancellable (GmcpdCall *call);
/* Tells the caller, and nobody else, by a signal of the object that it called. Takes a floating variant. */
void gmcpd_call_emit (GmcpdCall *call, const char *signal, GVariant *parameters);
/* Whether it is the same caller. */
gboolean gmcpd_call_is_of_caller (GmcpdCall *call, GDBusMethodInvocation *invocation);
void gmcpd_call_return (GmcpdCall *call, GVariant *value);
/* Takes the error. */
void gmcpd_call_fail (GmcpdCall *call, GError *error);

/* Ends when no call is under way. Once the cancellable is cancelled, all are cancelled, and it waits no more. */
void gmcpd_calls_drain_async (GmcpdCalls *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
void gmcpd_calls_drain_finish (GAsyncResult *result);

G_END_DECLS
