/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-gateway-call-private.h"
#include "gmcp-gateway-inputs-private.h"
#include "gmcp-gateway-question-private.h"

G_BEGIN_DECLS

typedef struct _GmcpGatewayCall GmcpGatewayCall;

/* Known to gmcp-gateway-call.c and gmcp-gateway-calls.c. */
struct _GmcpGatewayCalls
{
  grefcount ref_count;
  GmcpManager *manager; /* not owned: it is kept by the gateways */
  GHashTable
    *by_options; /* GmcpCallOptions -> GmcpGatewayCall, which it owns: all that have not ended */
  GmcpGatewayInputs *inputs;
  GHashTable *by_id; /* text -> GmcpGatewayCall: those whose client comes back with an answer */
};

struct _GmcpGatewayCall
{
  grefcount ref_count;
  GmcpGatewayCalls *calls; /* NULL once nothing is expected of the call any more */
  GmcpGateway *gateway;    /* a weak pointer */
  char *server_id;         /* of a gateway of one server; nullable */
  const GmcpGatewayKind *kind;
  GObject *front;     /* the client's request; NULL while the client makes up its mind */
  GSource *cancelled; /* of the client's request */
  GmcpCallOptions *options;
  GCancellable *cancellable;
  char *name;
  char *client;                   /* who the client is, beyond one request */
  GPtrArray *questions;           /* of GmcpGatewayQuestion: those that are open */
  GHashTable *keys;               /* texts: what questions of the call were called */
  GmcpGatewayQuestionEnd refused; /* why one of them was not put to the client; SETTLED for none */
  char *id;                       /* nullable: by which the client's next request finds the call */
  GSource *expiry;                /* while there is no request of the client's */
  gboolean ended;                 /* with one of these, while there is no request */
  gpointer result;
  GError *error;
};

/* gmcp-gateway-call.c */
GmcpGatewayCall *gmcp_gateway_call_ref (GmcpGatewayCall *self);
void gmcp_gateway_call_unref (gpointer self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpGatewayCall, gmcp_gateway_call_unref)

/* Makes the call; the table of calls keeps it until it has ended. */
void gmcp_gateway_call_begin (GmcpGatewayCalls *calls,
                              GmcpGateway *gateway,
                              const GmcpGatewayKind *kind,
                              gpointer front);
/* The client, which was asked, has come back. */
void gmcp_gateway_call_resume (GmcpGatewayCall *self, gpointer front);
/* A question that came up in the call. */
void gmcp_gateway_call_ask (GmcpGatewayCall *self, GmcpInputRequest *request);
/* Nobody waits for the call any more. */
void gmcp_gateway_call_abandon (GmcpGatewayCall *self);
/* Borrowed; NULL while the client makes up its mind. */
GmcpCaller *gmcp_gateway_call_get_caller (GmcpGatewayCall *self);

/* gmcp-gateway-calls.c */
/* Whether one more call of the client's may wait for it to come back. */
gboolean gmcp_gateway_calls_have_room (GmcpGatewayCalls *self, const char *client);
/* What a client brings back, by which its call is found. */
char *gmcp_gateway_calls_make_state (const char *id);

G_END_DECLS
