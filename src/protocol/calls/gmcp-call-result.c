/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-result-private.h"

#include "gmcp-spares-private.h"

struct _GmcpCallResult
{
  GObject parent_instance;

  GObject *source_object;
  gpointer tag;
  GMainContext *context;
  GCancellable *cancellable;
  GAsyncReadyCallback callback;
  gpointer user_data;
  GmcpToolResult *result;
  GError *error;
  gboolean started;
  gboolean ended;
};

static void gmcp_call_result_async_result_init (GAsyncResultIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpCallResult,
                               gmcp_call_result,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_ASYNC_RESULT,
                                                      gmcp_call_result_async_result_init))

static GPrivate spares = GMCP_SPARES_INIT;

/* Back to what it was when it was made. */
static void
clear (GmcpCallResult *self)
{
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->result, gmcp_tool_result_unref);
  g_clear_error (&self->error);
  g_clear_object (&self->source_object);
}

static void
gmcp_call_result_finalize (GObject *object)
{
  clear (GMCP_CALL_RESULT (object));

  G_OBJECT_CLASS (gmcp_call_result_parent_class)->finalize (object);
}

static void
gmcp_call_result_class_init (GmcpCallResultClass *class)
{
  G_OBJECT_CLASS (class)->finalize = gmcp_call_result_finalize;
}

static void
gmcp_call_result_init (GmcpCallResult *self)
{
}

static gpointer
get_user_data (GAsyncResult *result)
{
  return GMCP_CALL_RESULT (result)->user_data;
}

static GObject *
get_source_object (GAsyncResult *result)
{
  return g_object_ref (GMCP_CALL_RESULT (result)->source_object);
}

static gboolean
is_tagged (GAsyncResult *result, gpointer tag)
{
  return tag == GMCP_CALL_RESULT (result)->tag;
}

static void
gmcp_call_result_async_result_init (GAsyncResultIface *iface)
{
  iface->get_user_data = get_user_data;
  iface->get_source_object = get_source_object;
  iface->is_tagged = is_tagged;
}

GmcpCallResult *
gmcp_call_result_new (gpointer source_object,
                      gpointer tag,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GmcpCallResult *self = gmcp_spares_take (&spares);

  if (self == NULL)
    self = g_object_new (GMCP_TYPE_CALL_RESULT, NULL);

  self->source_object = g_object_ref (source_object);
  self->tag = tag;
  self->context = g_main_context_ref_thread_default ();
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  self->callback = callback;
  self->user_data = user_data;
  self->started = FALSE;
  self->ended = FALSE;
  return self;
}

/* Making and finalizing an object costs more than the rest of what is done for a short call here. */
static void
release (GmcpCallResult *self)
{
  if (!gmcp_spares_accept (G_OBJECT (self)))
    {
      g_object_unref (self);
      return;
    }

  clear (self);
  if (!gmcp_spares_give (&spares, self))
    g_object_unref (self);
}

static void
call_back (GmcpCallResult *self)
{
  if (self->callback != NULL)
    self->callback (self->source_object, G_ASYNC_RESULT (self), self->user_data);
  release (self);
}

static gboolean
on_deferred (gpointer user_data)
{
  call_back (user_data);
  return G_SOURCE_REMOVE;
}

static void
call_back_later (GmcpCallResult *self)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[gmcp] end of a call");
  g_source_set_callback (source, on_deferred, self, NULL);
  g_source_attach (source, self->context);
}

void
gmcp_call_result_started (GmcpCallResult *self)
{
  self->started = TRUE;
}

void
gmcp_call_result_end (GmcpToolResult *result, GError *error, gpointer data)
{
  GmcpCallResult *self = data;
  GSource *source;

  g_return_if_fail (!self->ended);

  self->ended = TRUE;
  self->result = result;
  self->error = error;
  /* An error may come out of anything that the application calls, which does not expect its callback
   * there; an answer comes in by a dispatch. */
  source = error == NULL && self->started ? g_main_current_source () : NULL;
  if (source != NULL && g_source_get_context (source) == self->context)
    call_back (self);
  else
    call_back_later (self);
}

GMainContext *
gmcp_call_result_get_context (GmcpCallResult *self)
{
  return self->context;
}

GCancellable *
gmcp_call_result_get_cancellable (GmcpCallResult *self)
{
  return self->cancellable;
}

gpointer
gmcp_call_result_get_source (GmcpCallResult *self)
{
  return self->source_object;
}

gboolean
gmcp_call_result_is_valid (gpointer result, gpointer source_object, gpointer tag)
{
  GmcpCallResult *self = result;

  return GMCP_IS_CALL_RESULT (result) && self->source_object == source_object && self->tag == tag;
}

GmcpToolResult *
gmcp_call_result_propagate (GmcpCallResult *self, GError **error)
{
  /* Who has cancelled is told so, whatever has come meanwhile. */
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return NULL;

  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return NULL;
    }
  return g_steal_pointer (&self->result);
}
