/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-elicitation.h>

G_BEGIN_DECLS

/* Questions that MCP has no word for, as the elicitations that a gateway's client is asked in their place: whether a tool
 * may be called, and a value of the configuration. */

#define GMCP_GATEWAY_FORM_MAX_BYTES (64u * 1024) /* of what is to be allowed, as it is shown */

gboolean gmcp_gateway_form_is_needed (GmcpInputRequest *request);
/* A question of a server's with the name of the server, as it is configured, before what it says, so that it cannot be
 * taken for one of another server's or of the gateway's own. Not for gmcp_gateway_form_take_answer(). */
GmcpInputRequest *gmcp_gateway_form_new_named (GmcpElicitation *asked);
/* NULL for what must not be asked in a form: a secret, since a client may show and keep what is filled in there, and
 * a call with more to see than a form can show. */
GmcpInputRequest *gmcp_gateway_form_new (GmcpInputRequest *request);
/* What the client has a person open to give a secret. */
GmcpInputRequest *gmcp_gateway_form_new_page (GmcpInputRequest *request, const char *address);
/* Whether the client says that a person goes there. */
gboolean gmcp_gateway_form_is_visited (const char *answer_json);
/* Passes on what the client has answered. FALSE where it has not agreed, or not so that it can be understood. */
gboolean gmcp_gateway_form_take_answer (GmcpInputRequest *request, const char *answer_json);

G_END_DECLS
