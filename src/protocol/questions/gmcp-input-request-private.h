/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-input-request.h>

#include "gmcp-byte-budget-private.h"
#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Takes the answer: a text that each class of question has a meaning for (the JSON text of a result,
 * where a server asks), or NULL where the question is refused. Called once at most, and never after
 * gmcp_input_request_close(); it may be called while the object is disposed of. */
typedef void (*GmcpInputAnswerFunc) (GmcpInputRequest *self, const char *answer, gpointer data);

/* The question is for that, once; a question without it is one that nobody waits for. */
void gmcp_input_request_listen (GmcpInputRequest *self, GmcpInputAnswerFunc func, gpointer data);
/* Closes a question whose answer nobody waits for. No error where it was answered. */
void gmcp_input_request_close (GmcpInputRequest *self);
/* The answer came. FALSE where nobody waits for one any more. */
gboolean gmcp_input_request_answer (GmcpInputRequest *self, const char *answer);

/* What a class may have for its give_up(): the listener gets NULL as the answer, and no question, in a later
 * turn of the main loop of the question's context. */
void gmcp_input_request_give_up_later (GmcpInputRequest *self);

/* The maker of a question calls both once. params may be GMCP_JSON_NONE. */
void gmcp_input_request_set_asker (GmcpInputRequest *self, const char *server, const char *subject);
/* Whoever manages the server knows its id. */
void gmcp_input_request_set_server_id (GmcpInputRequest *self, const char *server_id);
/* Of a client of this program's, which cannot be asked itself; NULL for none. */
void gmcp_input_request_set_client (GmcpInputRequest *self, const char *client);
/* Of the call that led to the question; NULL for none. */
void gmcp_input_request_set_options (GmcpInputRequest *self, GmcpCallOptions *options);
/* Of all calls that may have led to the question, where they are of one client; 0 for none. */
void gmcp_input_request_set_origin (GmcpInputRequest *self, guint64 origin);
guint64 gmcp_input_request_get_origin (GmcpInputRequest *self);
void gmcp_input_request_set_params (GmcpInputRequest *self, GmcpJsonValue params);
/* Once: the bytes charged for the question are released when its last reference goes. */
void gmcp_input_request_take_charge (GmcpInputRequest *self, GmcpByteBudget *budget, gsize n_bytes);
GmcpJsonValue gmcp_input_request_get_params_value (GmcpInputRequest *self);

G_END_DECLS
