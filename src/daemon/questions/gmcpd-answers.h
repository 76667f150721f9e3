/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-input-request.h>

G_BEGIN_DECLS

/* How a question is told of in JSON, and answered by a word and JSON, whatever door it is asked at. */

/* elicitation, permission, withheld or config-input; NULL for what cannot be asked at a door, as the use of a model. */
const char *gmcpd_answers_get_kind (GmcpInputRequest *request);

/* What is asked: an elicitation's own parameters; of a permission the server, the tool, its arguments, the rule and what has changed; a
 * value of the configuration as a form with the one field “value”. What others sent comes as the library reads it. */
JsonNode *gmcpd_answers_dup_params (GmcpInputRequest *request);
char *gmcpd_answers_dup_params_json (GmcpInputRequest *request);

/* An address to visit. */
gboolean gmcpd_answers_is_address (GmcpInputRequest *request);
/* An address that a person has agreed to visit, and that a call waits for until all is done there. */
gboolean gmcpd_answers_is_visit_under_way (GmcpInputRequest *request);

/* An answer that does not fit leaves the question as it is. content_json may be NULL or empty. */
gboolean gmcpd_answers_apply (GmcpInputRequest *request,
                              const char *action,
                              const char *content_json,
                              GError **error);

G_END_DECLS
