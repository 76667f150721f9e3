/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/provider/gmcp-caller.h>

G_BEGIN_DECLS

/* A question that came up behind a gateway, and is put to the gateway's client: what a server asks as it is, or with
 * the server's name, other things as a form (gmcp-gateway-form-private.h). */
typedef struct _GmcpGatewayQuestion GmcpGatewayQuestion;

typedef enum
{
  GMCP_GATEWAY_QUESTION_SETTLED,   /* answered, or nobody waits for its answer any more */
  GMCP_GATEWAY_QUESTION_UNASKED,   /* refused in the name of a client that cannot be asked */
  GMCP_GATEWAY_QUESTION_TOO_LARGE, /* refused since a form for the client cannot show all of it */
  GMCP_GATEWAY_QUESTION_CROWDED,   /* refused since too much waits for clients already */
} GmcpGatewayQuestionEnd;

typedef struct
{
  /* The end of the question. Frees it. */
  void (*over) (GmcpGatewayQuestion *self, GmcpGatewayQuestionEnd end, gpointer data);
  /* Puts what the client has not answered to other clients that need the answer. FALSE where there are none. */
  gboolean (*ask_others) (GmcpInputRequest *request, gpointer data);
  /* Hands a question that no client can be asked to somebody else. FALSE where nobody takes it. */
  gboolean (*pass_on) (GmcpInputRequest *request, gpointer data);
  /* The client has agreed to a visit that the call waits for. */
  void (*visited) (GmcpElicitation *visit, gpointer data);
  /* The address of a page where a person answers it; NULL for none. */
  char *(*find_page) (GmcpInputRequest *request, gpointer data);
} GmcpGatewayQuestionFuncs;

/* key is what the question is called where a client answers it with another request. names_server: a server's question is
 * put with the server's name before it. */
GmcpGatewayQuestion *gmcp_gateway_question_new (GmcpInputRequest *request,
                                                const char *key,
                                                gboolean names_server,
                                                const GmcpGatewayQuestionFuncs *funcs,
                                                gpointer data);
/* Takes back what the client was asked. */
void gmcp_gateway_question_free (GmcpGatewayQuestion *self);

/* Puts the question to a client. One that answers with another request is to be asked again then. */
void gmcp_gateway_question_put (GmcpGatewayQuestion *self, GmcpCaller *caller);
/* Declines it in the name of a client that is not asked, since too much waits for it. */
void gmcp_gateway_question_refuse (GmcpGatewayQuestion *self);

G_END_DECLS
