/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-call-struct-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/gmcp-call-permission.h>

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-json-private.h"
#include "gmcp-limits.h"

/* The calls of a manager's gateways: which one a question belongs to, and which one a client comes back to. */

#define STATE_CALL "gatewayCall"

/* Whose question it is */

/* A call whose server is not known may be of any. */
static gboolean
may_be_of_server (GmcpGatewayCall *call, const char *server_id)
{
  g_autofree char *found = call->server_id != NULL
                             ? g_strdup (call->server_id)
                             : call->kind->dup_server_id (call->calls->manager, call->name);

  return found == NULL || g_str_equal (found, server_id);
}

/* A client that waits for an answer can be asked at once; one that is asked already, or is away, when it comes
 * back. */
static gboolean
is_better (GmcpGatewayCall *call, GmcpGatewayCall *found)
{
  return found == NULL || (call->front != NULL && found->front == NULL)
         || ((call->front != NULL) == (found->front != NULL)
             && call->questions->len < found->questions->len);
}

/* A server of a revision before 2026-07-28 does not say which call its question belongs to. Its client is known where all
 * calls that the server can be working on are of one client. */
static GmcpGatewayCall *
find_client_call (GmcpGatewayCalls *self, GmcpInputRequest *question)
{
  const char *server_id = gmcp_input_request_get_server_id (question);
  guint64 origin = gmcp_input_request_get_origin (question);
  GmcpGatewayCall *found = NULL;
  GHashTableIter iter;
  gpointer data;

  if (server_id == NULL || origin == 0)
    return NULL;

  g_hash_table_iter_init (&iter, self->by_options);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      GmcpGatewayCall *call = data;

      if (!call->ended && gmcp_call_options_get_origin (call->options) == origin
          && may_be_of_server (call, server_id) && is_better (call, found))
        found = call;
    }
  return found;
}

static GmcpGatewayCall *
find_asked (GmcpGatewayCalls *self, GmcpInputRequest *question)
{
  GmcpCallOptions *options = gmcp_input_request_get_options (question);

  if (options != NULL)
    return g_hash_table_lookup (self->by_options, options);
  return find_client_call (self, question);
}

/* One that is of no call of a gateway's is left to others, and counts as cancelled where there are none. */
static void
ask_client (GmcpGatewayCalls *self, GmcpInputRequest *request)
{
  GmcpGatewayCall *call = find_asked (self, request);

  if (call != NULL)
    gmcp_gateway_call_ask (call, request);
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
  ask_client (data, request);
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  ask_client (data, GMCP_INPUT_REQUEST (request));
}

static void
on_config_input_requested (GmcpManager *manager, GmcpConfigInput *input, gpointer data)
{
  gmcp_gateway_inputs_add (((GmcpGatewayCalls *) data)->inputs, input);
}

/* What waits for clients */

gboolean
gmcp_gateway_calls_have_room (GmcpGatewayCalls *self, const char *client)
{
  GHashTableIter iter;
  gpointer call;
  guint n_own = 0;

  if (g_hash_table_size (self->by_id) >= GMCP_LIMIT_GATEWAY_ASKED)
    return FALSE;

  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &call))
    if (g_strcmp0 (((GmcpGatewayCall *) call)->client, client) == 0)
      n_own++;
  return n_own < GMCP_LIMIT_GATEWAY_CLIENT_ASKED;
}

char *
gmcp_gateway_calls_make_state (const char *id)
{
  return g_strdup_printf ("{\"" STATE_CALL "\":\"%s\"}", id);
}

/* NULL: the call is a new one. */
static char *
dup_id (GmcpCaller *caller, gboolean *is_resumed)
{
  g_autofree char *state = gmcp_caller_dup_state_json (caller);
  g_autoptr (GmcpJsonDoc) doc = NULL;

  *is_resumed = state != NULL;
  if (state != NULL)
    doc = gmcp_json_doc_parse (state, strlen (state), NULL, 0, NULL);
  return doc != NULL ? gmcp_json_value_dup_string (
           gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), STATE_CALL))
                     : NULL;
}

static void
refuse_late (const GmcpGatewayKind *kind, gpointer front)
{
  g_autoptr (GError) error = g_error_new (
    GMCP_ERROR, GMCP_ERROR_CLOSED,
    /* Translators: the name of a tool or of a prompt, or the address of a resource */
    _ ("The call of %s that was to go on has ended: the answer came too late, or the "
       "gateway was started anew; call it again"),
    kind->get_name (front));

  kind->return_error (front, error);
}

void
gmcp_gateway_calls_take (GmcpGatewayCalls *self,
                         GmcpGateway *gateway,
                         const GmcpGatewayKind *kind,
                         gpointer front)
{
  gboolean is_resumed = FALSE;
  g_autofree char *id = dup_id (kind->get_caller (front), &is_resumed);
  GmcpGatewayCall *call = id != NULL ? g_hash_table_lookup (self->by_id, id) : NULL;

  if (!is_resumed)
    {
      gmcp_gateway_call_begin (self, gateway, kind, front);
      gmcp_gateway_inputs_ask_all (self->inputs);
    }
  else if (call != NULL && call->front == NULL && call->kind == kind && call->gateway == gateway
           && g_str_equal (call->name, kind->get_name (front)))
    gmcp_gateway_call_resume (call, front);
  else
    refuse_late (kind, front);
}

/* The calls of a manager's gateways */

static GQuark
get_calls_quark (void)
{
  return g_quark_from_static_string ("gmcp-gateway-calls");
}

GmcpGatewayCalls *
gmcp_gateway_calls_ref_for (GmcpManager *manager)
{
  GmcpGatewayCalls *self = g_object_get_qdata (G_OBJECT (manager), get_calls_quark ());

  if (self != NULL)
    {
      g_ref_count_inc (&self->ref_count);
      return self;
    }

  self = g_new0 (GmcpGatewayCalls, 1);
  g_ref_count_init (&self->ref_count);
  self->manager = manager;
  g_object_set_qdata (G_OBJECT (manager), get_calls_quark (), self);
  g_signal_connect (manager, "input-requested", G_CALLBACK (on_input_requested), self);
  g_signal_connect (manager, "call-requested", G_CALLBACK (on_call_requested), self);
  g_signal_connect (manager, "withheld-call-requested", G_CALLBACK (on_call_requested), self);
  g_signal_connect (manager, "config-input-requested", G_CALLBACK (on_config_input_requested),
                    self);
  self->inputs = gmcp_gateway_inputs_new (self);
  self->by_options = g_hash_table_new_full (NULL, NULL, NULL, gmcp_gateway_call_unref);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
gmcp_gateway_calls_unref (GmcpGatewayCalls *self)
{
  g_autoptr (GList) left = NULL;

  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_object_set_qdata (G_OBJECT (self->manager), get_calls_quark (), NULL);
  g_signal_handlers_disconnect_by_data (self->manager, self);
  left = g_hash_table_get_values (self->by_options);
  for (GList *link = left; link != NULL; link = link->next)
    gmcp_gateway_call_abandon (link->data);
  gmcp_gateway_inputs_free (self->inputs);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->by_options);
  g_free (self);
}
