/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-input-request.h>
#include <gmcp/provider/gmcp-caller.h>

G_BEGIN_DECLS

/* A question that came up behind a gateway, and is put to the gateway's client: what a server asks as it is,
 * whether a tool may be called as a form. */
typedef struct _GmcpGatewayQuestion GmcpGatewayQuestion;

typedef enum
{
  GMCP_GATEWAY_QUESTION_SETTLED, /* answered, or nobody waits for its answer any more */
  GMCP_GATEWAY_QUESTION_UNASKED, /* refused in the name of a client that cannot be asked */
  GMCP_GATEWAY_QUESTION_CROWDED, /* refused since too much waits for clients already */
} GmcpGatewayQuestionEnd;

/* The end of the question. Frees it. */
typedef void (*GmcpGatewayQuestionFunc) (GmcpGatewayQuestion *self,
                                         GmcpGatewayQuestionEnd end,
                                         gpointer data);

/* Hands a question that the client cannot be asked to somebody else. FALSE where nobody takes it. */
typedef gboolean (*GmcpGatewayQuestionPassFunc) (GmcpInputRequest *request, gpointer data);

/* key is what the question is called where a client answers it with another request. */
GmcpGatewayQuestion *gmcp_gateway_question_new (GmcpInputRequest *request,
                                                const char *key,
                                                GmcpGatewayQuestionPassFunc pass_on,
                                                GmcpGatewayQuestionFunc over,
                                                gpointer data);
/* Takes back what the client was asked. */
void gmcp_gateway_question_free (GmcpGatewayQuestion *self);

/* Puts the question to a client. One that answers with another request is to be asked again then. */
void gmcp_gateway_question_put (GmcpGatewayQuestion *self, GmcpCaller *caller);
/* Declines it in the name of a client that is not asked, since too much waits for it. */
void gmcp_gateway_question_refuse (GmcpGatewayQuestion *self);

G_END_DECLS
