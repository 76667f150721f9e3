/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-goodbye-private.h"

struct _GmcpHttpGoodbye
{
  GmcpHttpVariant *variant;
  GmcpHttpRequest *request; /* NULL while what is left is sent */
  GSource *limit;
  void (*over) (gpointer data);
  gpointer data;
};

GmcpHttpGoodbye *
gmcp_http_goodbye_new (GmcpHttpVariant *variant, void (*over) (gpointer data), gpointer data)
{
  GmcpHttpGoodbye *self = g_new0 (GmcpHttpGoodbye, 1);

  self->variant = variant;
  self->over = over;
  self->data = data;
  return self;
}

void
gmcp_http_goodbye_free (GmcpHttpGoodbye *self)
{
  g_clear_pointer (&self->request, gmcp_http_request_free);
  if (self->limit != NULL)
    g_source_destroy (self->limit);
  g_clear_pointer (&self->limit, g_source_unref);
  g_free (self);
}

static void
end_goodbye (GmcpHttpGoodbye *self)
{
  self->over (self->data);
}

static void
on_response (GmcpHttpRequest *request, gpointer data)
{
  end_goodbye (data);
}

static void
on_ended (GmcpHttpRequest *request, const GError *error, gpointer data)
{
  end_goodbye (data);
}

static const GmcpHttpRequestFuncs request_funcs = {
  .response = on_response,
  .ended = on_ended,
};

static void
say_goodbye (GmcpHttpGoodbye *self)
{
  self->request = self->variant->klass->say_goodbye (self->variant);
  if (self->request != NULL)
    gmcp_http_request_start (self->request, &request_funcs, self);
  else
    end_goodbye (self);
}

/* First of what was to be sent, then of the goodbye. */
static gboolean
on_limit (gpointer data)
{
  GmcpHttpGoodbye *self = data;

  if (self->request == NULL)
    say_goodbye (self);
  else
    end_goodbye (self);
  return G_SOURCE_CONTINUE;
}

void
gmcp_http_goodbye_begin (GmcpHttpGoodbye *self, GMainContext *context, guint limit_ms)
{
  self->limit = g_timeout_source_new (limit_ms);
  g_source_set_static_name (self->limit, "[gmcp] http goodbye");
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, context);
  if (!self->variant->klass->drain (self->variant))
    say_goodbye (self);
}

void
gmcp_http_goodbye_drained (GmcpHttpGoodbye *self)
{
  /* Later, since it is said from within what the goodbye frees. */
  g_source_set_ready_time (self->limit, 0);
}
