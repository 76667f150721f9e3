/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-limiter-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpCallLimiter
{
  grefcount ref_count;
  GMainContext *context;
  char *id;

  GmcpServerConfig *config; /* that the limits are of */
  guint default_max_calls;  /* where it has none */
  guint default_max_waiting;
  guint max_calls;
  guint max_waiting;
  guint n_calls;
  GQueue waiting; /* of Waiter */
  gboolean giving;
};

typedef struct
{
  GmcpCallLimiter *limiter;
  GSource *limit;
  GSource *cancel; /* NULL where it cannot be cancelled */
  guint timeout_ms;
  GmcpPlaceFunc func;
  gpointer data;
} Waiter;

GmcpCallLimiter *
gmcp_call_limiter_new (const char *id, GMainContext *context)
{
  GmcpCallLimiter *self = g_new0 (GmcpCallLimiter, 1);

  g_ref_count_init (&self->ref_count);
  self->context = g_main_context_ref (context);
  self->id = g_strdup (id);
  self->default_max_calls = self->max_calls = GMCP_DEFAULT_SERVER_CALLS;
  self->default_max_waiting = self->max_waiting = GMCP_DEFAULT_SERVER_QUEUED_CALLS;
  g_queue_init (&self->waiting);
  return self;
}

GmcpCallLimiter *
gmcp_call_limiter_ref (GmcpCallLimiter *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_call_limiter_unref (GmcpCallLimiter *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_clear_object (&self->config);
  g_main_context_unref (self->context);
  g_free (self->id);
  g_free (self);
}

guint
gmcp_call_limiter_get_n_running (GmcpCallLimiter *self)
{
  return self->n_calls;
}

guint
gmcp_call_limiter_get_n_waiting (GmcpCallLimiter *self)
{
  return self->waiting.length;
}

static void
forget_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* Takes the waiter out of the queue. */
static void
answer_waiter (Waiter *waiter, GError *error)
{
  g_autoptr (GmcpCallLimiter) limiter = waiter->limiter;
  GmcpPlaceFunc func = waiter->func;
  gpointer data = waiter->data;

  g_queue_remove (&limiter->waiting, waiter);
  forget_source (&waiter->limit);
  forget_source (&waiter->cancel);
  g_free (waiter);
  func (error, data);
}

/* Places are given one by one: a waiter may give its place back at once. */
static void
give_places (GmcpCallLimiter *limiter)
{
  g_autoptr (GmcpCallLimiter) self = NULL;
  Waiter *waiter;

  if (limiter->giving)
    return;

  self = gmcp_call_limiter_ref (limiter);
  self->giving = TRUE;
  while (self->n_calls < self->max_calls && (waiter = g_queue_peek_head (&self->waiting)) != NULL)
    {
      self->n_calls++;
      answer_waiter (waiter, NULL);
    }
  self->giving = FALSE;
}

static void
use_limits (GmcpCallLimiter *self)
{
  guint max_calls = self->config != NULL ? gmcp_server_config_get_max_calls (self->config) : 0;
  guint max_waiting
    = self->config != NULL ? gmcp_server_config_get_max_queued_calls (self->config) : 0;

  self->max_calls = max_calls > 0 ? max_calls : self->default_max_calls;
  self->max_waiting = max_waiting > 0 ? max_waiting : self->default_max_waiting;
  give_places (self);
}

void
gmcp_call_limiter_use_config (GmcpCallLimiter *self, GmcpServerConfig *config)
{
  if (G_LIKELY (self->config == config))
    return;

  g_set_object (&self->config, config);
  use_limits (self);
}

void
gmcp_call_limiter_set_defaults (GmcpCallLimiter *self, guint max_calls, guint max_waiting)
{
  if (self->default_max_calls == max_calls && self->default_max_waiting == max_waiting)
    return;

  self->default_max_calls = max_calls;
  self->default_max_waiting = max_waiting;
  use_limits (self);
}

gboolean
gmcp_call_limiter_take_place (GmcpCallLimiter *self)
{
  if (self->n_calls >= self->max_calls || self->waiting.length > 0)
    return FALSE;

  self->n_calls++;
  return TRUE;
}

void
gmcp_call_limiter_give_place (GmcpCallLimiter *self)
{
  self->n_calls--;
  if (G_UNLIKELY (self->waiting.length > 0))
    give_places (self);
}

static gboolean
on_limit (gpointer data)
{
  Waiter *waiter = data;

  answer_waiter (
    waiter,
    g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                 _ ("Server “%s” was busy with %u other calls for %u ms; nothing was sent. Try "
                    "again later, or raise its limit “max-calls”"),
                 waiter->limiter->id, waiter->limiter->n_calls, waiter->timeout_ms));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  answer_waiter (
    data, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled")));
  return G_SOURCE_REMOVE;
}

static GSource *
attach_source (GmcpCallLimiter *self, GSource *source, GSourceFunc func, Waiter *waiter)
{
  g_source_set_static_name (source, "[gmcp] call that waits for its turn");
  g_source_set_callback (source, func, waiter, NULL);
  g_source_attach (source, self->context);
  return source;
}

gboolean
gmcp_call_limiter_await_place (GmcpCallLimiter *self,
                               guint timeout_ms,
                               GCancellable *cancellable,
                               GmcpPlaceFunc func,
                               gpointer data,
                               GError **error)
{
  Waiter *waiter;

  if (self->waiting.length >= self->max_waiting)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   /* TRANSLATORS: a server’s name, two numbers */
                   g_dngettext (GETTEXT_PACKAGE,
                                "Server “%s” is busy with %u call, and %u more wait already; "
                                "nothing was sent. Try again later, or raise its limits "
                                "“max-calls” and “max-queued-calls”",
                                "Server “%s” is busy with %u calls, and %u more wait already; "
                                "nothing was sent. Try again later, or raise its limits "
                                "“max-calls” and “max-queued-calls”",
                                self->n_calls),
                   self->id, self->n_calls, self->waiting.length);
      return FALSE;
    }

  waiter = g_new0 (Waiter, 1);
  waiter->limiter = gmcp_call_limiter_ref (self);
  waiter->timeout_ms = timeout_ms;
  waiter->func = func;
  waiter->data = data;
  waiter->limit = attach_source (self, g_timeout_source_new (timeout_ms), on_limit, waiter);
  if (cancellable != NULL)
    waiter->cancel = attach_source (self, g_cancellable_source_new (cancellable),
                                    G_SOURCE_FUNC (on_cancelled), waiter);
  g_queue_push_tail (&self->waiting, waiter);
  return TRUE;
}
