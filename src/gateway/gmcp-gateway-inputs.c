/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-inputs-private.h"

#include "gmcp-gateway-call-struct-private.h"
#include "gmcp-managed-server-private.h"

struct _GmcpGatewayInputs
{
  GmcpGatewayCalls *calls; /* not owned */
  GPtrArray *open;         /* of Input */
};

typedef struct
{
  GmcpGatewayInputs *inputs;
  GmcpInputRequest *request; /* not owned: who drops the last reference gives it up */
  GHashTable *asked;         /* of GmcpGatewayCall */
} Input;

static void
forget_input (gpointer data, GObject *request)
{
  Input *input = data;

  g_ptr_array_remove_fast (input->inputs->open, input);
}

static void
input_free (gpointer data)
{
  Input *input = data;

  g_hash_table_unref (input->asked);
  g_free (input);
}

GmcpGatewayInputs *
gmcp_gateway_inputs_new (GmcpGatewayCalls *calls)
{
  GmcpGatewayInputs *self = g_new0 (GmcpGatewayInputs, 1);

  self->calls = calls;
  self->open = g_ptr_array_new_with_free_func (input_free);
  return self;
}

void
gmcp_gateway_inputs_free (GmcpGatewayInputs *self)
{
  for (guint i = 0; i < self->open->len; i++)
    {
      Input *input = g_ptr_array_index (self->open, i);

      g_object_weak_unref (G_OBJECT (input->request), forget_input, input);
    }
  g_ptr_array_unref (self->open);
  g_free (self);
}

static Input *
find_input (GmcpGatewayInputs *self, GmcpInputRequest *request)
{
  for (guint i = 0; i < self->open->len; i++)
    if (((Input *) g_ptr_array_index (self->open, i))->request == request)
      return g_ptr_array_index (self->open, i);
  return NULL;
}

/* The waiting of a call is known by what cancels it. */
static GPtrArray *
list_waiting (GmcpGatewayInputs *self, Input *input)
{
  const char *id = gmcp_input_request_get_server_id (input->request);
  GmcpManagedServer *server
    = id != NULL ? gmcp_manager_get_server (self->calls->manager, id) : NULL;
  GPtrArray *waiting = g_ptr_array_new_with_free_func (gmcp_gateway_call_unref);
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->calls->by_options);
  while (server != NULL && g_hash_table_iter_next (&iter, NULL, &data))
    {
      GmcpGatewayCall *call = data;

      if (!call->ended && !g_hash_table_contains (input->asked, call)
          && gmcp_managed_server_is_awaited_by (server, call->cancellable))
        g_ptr_array_add (waiting, gmcp_gateway_call_ref (call));
    }
  return waiting;
}

gboolean
gmcp_gateway_inputs_ask (GmcpGatewayInputs *self, GmcpInputRequest *request)
{
  g_autoptr (GmcpInputRequest) alive = g_object_ref (request);
  Input *input = find_input (self, request);
  g_autoptr (GPtrArray) waiting = input != NULL ? list_waiting (self, input) : NULL;

  if (waiting == NULL || !gmcp_input_request_is_open (alive))
    return FALSE;

  for (guint i = 0; i < waiting->len; i++)
    g_hash_table_add (input->asked, gmcp_gateway_call_ref (g_ptr_array_index (waiting, i)));
  /* All are there before one ends. */
  for (guint i = 0; i < waiting->len; i++)
    gmcp_gateway_call_ask (g_ptr_array_index (waiting, i), request);
  return waiting->len > 0;
}

void
gmcp_gateway_inputs_add (GmcpGatewayInputs *self, GmcpConfigInput *config_input)
{
  Input *input = g_new0 (Input, 1);

  input->inputs = self;
  input->request = GMCP_INPUT_REQUEST (config_input);
  input->asked = g_hash_table_new_full (NULL, NULL, gmcp_gateway_call_unref, NULL);
  g_object_weak_ref (G_OBJECT (config_input), forget_input, input);
  g_ptr_array_add (self->open, input);
  gmcp_gateway_inputs_ask (self, input->request);
}

void
gmcp_gateway_inputs_ask_all (GmcpGatewayInputs *self)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->open->len; i++)
    g_ptr_array_add (requests,
                     g_object_ref (((Input *) g_ptr_array_index (self->open, i))->request));
  for (guint i = 0; i < requests->len; i++)
    gmcp_gateway_inputs_ask (self, g_ptr_array_index (requests, i));
}
