/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-result-private.h"

#include "gmcp-client-private.h"

/* Of those that have ended, a client keeps so many for the calls to come. */
#define KEPT_RESULTS 64u

struct _GmcpCallResult
{
  GObject parent_instance;

  GmcpClient *client;         /* NULL while it is kept for a call to come */
  GmcpCallResult *next_spare; /* then */
  GMainContext *context;      /* NULL for the client's */
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

/* Back to what it was when it was made. */
static void
clear (GmcpCallResult *self)
{
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->result, gmcp_tool_result_unref);
  g_clear_error (&self->error);
  self->started = FALSE;
  self->ended = FALSE;
  g_clear_object (&self->client);
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
  return g_object_ref (G_OBJECT (GMCP_CALL_RESULT (result)->client));
}

static gboolean
is_tagged (GAsyncResult *result, gpointer tag)
{
  return tag == gmcp_client_call_tool_async;
}

static void
gmcp_call_result_async_result_init (GAsyncResultIface *iface)
{
  iface->get_user_data = get_user_data;
  iface->get_source_object = get_source_object;
  iface->is_tagged = is_tagged;
}

static GmcpCallResult *
take_spare (GmcpClient *client)
{
  GmcpCallResult *self = client->spare_results;

  if (self == NULL)
    return g_object_new (GMCP_TYPE_CALL_RESULT, NULL);

  client->spare_results = g_steal_pointer (&self->next_spare);
  client->n_spare_results--;
  return self;
}

void
gmcp_call_result_free_spares (GmcpClient *client)
{
  while (client->spare_results != NULL)
    g_object_unref (take_spare (client));
}

/* Making and finalizing an object costs more than the rest of what is done for a short call here. One
 * that nobody else has a reference on, or has tied anything to, is as good as new. */
static void
release (GmcpCallResult *self)
{
  GObject *object = G_OBJECT (self);
  GmcpClient *client = self->client;

  if (g_atomic_int_get ((int *) &object->ref_count) != 1 || object->qdata != NULL
      || client->n_spare_results >= KEPT_RESULTS)
    {
      g_object_unref (self);
      return;
    }

  self->next_spare = client->spare_results;
  client->spare_results = self;
  client->n_spare_results++;
  clear (self);
}

GmcpCallResult *
gmcp_call_result_new (GmcpClient *client,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GmcpCallResult *self = take_spare (client);
  GMainContext *context = g_main_context_get_thread_default ();

  if (context == NULL)
    context = g_main_context_default ();

  self->client = g_object_ref (client);
  self->context = context != client->context ? g_main_context_ref (context) : NULL;
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  self->callback = callback;
  self->user_data = user_data;
  return self;
}

static GMainContext *
get_context (GmcpCallResult *self)
{
  return self->context != NULL ? self->context : self->client->context;
}

static void
call_back (GmcpCallResult *self)
{
  if (self->callback != NULL)
    self->callback (G_OBJECT (self->client), G_ASYNC_RESULT (self), self->user_data);
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
  g_source_attach (source, get_context (self));
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
  if (source != NULL && g_source_get_context (source) == get_context (self))
    call_back (self);
  else
    call_back_later (self);
}

gboolean
gmcp_call_result_is_valid (gpointer result, GmcpClient *client)
{
  return GMCP_IS_CALL_RESULT (result) && GMCP_CALL_RESULT (result)->client == client;
}

GmcpToolResult *
gmcp_call_result_propagate (GmcpCallResult *self, GError **error)
{
  /* Who has cancelled is told so, whatever has come meanwhile. */
  if (self->error == NULL && g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return NULL;

  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return NULL;
    }
  return g_steal_pointer (&self->result);
}
