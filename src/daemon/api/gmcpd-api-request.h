/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>
#include <json-glib/json-glib.h>

#include "gmcpd-api-gate.h"
#include "gmcpd-open-questions.h"

G_BEGIN_DECLS

/* The requests to the API that are under way. */
typedef struct _GmcpdApiRequests GmcpdApiRequests;
typedef struct _GmcpdApiRequest GmcpdApiRequest;

/* What the gate refers to outlives the requests. */
GmcpdApiRequests *gmcpd_api_requests_new (const GmcpdSoup *soup,
                                          GmcpManager *manager,
                                          GmcpdOpenQuestions *questions,
                                          const GmcpdApiGate *gate);
void gmcpd_api_requests_free (GmcpdApiRequests *self);
/* Calls the function once when all have been answered and the answers are written. */
void gmcpd_api_requests_drain (GmcpdApiRequests *self, GSourceOnceFunc func, gpointer data);
void gmcpd_api_requests_cancel (GmcpdApiRequests *self);

/* Answers the message where that is none to be looked at; NULL then. One of the functions below answers the request,
 * in this turn or a later one. words: the names in its path, as the route has them. */
GmcpdApiRequest *gmcpd_api_requests_begin (GmcpdApiRequests *self,
                                           SoupServerMessage *message,
                                           const char *const *words,
                                           GHashTable *query);

GmcpManager *gmcpd_api_request_get_manager (GmcpdApiRequest *self);
GmcpdOpenQuestions *gmcpd_api_request_get_questions (GmcpdApiRequest *self);
GmcpdApiSignIn *gmcpd_api_request_get_sign_in (GmcpdApiRequest *self);
/* Who sent it, as the audit names it. */
char *gmcpd_api_request_dup_client (GmcpdApiRequest *self);
/* Of the path; NULL where it has fewer. */
const char *gmcpd_api_request_get_word (GmcpdApiRequest *self, guint index);
/* Of the query; NULL where it is not there. */
const char *gmcpd_api_request_get_query (GmcpdApiRequest *self, const char *name);
/* Of the query, true or false, as it is where it is left out; FALSE, with the request answered, where it is neither. */
gboolean gmcpd_api_request_read_flag (GmcpdApiRequest *self, const char *name, gboolean *flag);
const char *gmcpd_api_request_get_header (GmcpdApiRequest *self, const char *name);
/* Cancelled when the client has gone, and when the daemon ends. */
GCancellable *gmcpd_api_request_get_cancellable (GmcpdApiRequest *self);
/* Of the body; NULL where it has none, and, with the request answered, where it is not an object. */
gboolean gmcpd_api_request_read_body (GmcpdApiRequest *self, JsonObject **body);
/* A text member of a body; NULL, with the request answered, where there is none. */
const char *gmcpd_api_request_read_text (GmcpdApiRequest *self, JsonObject *body, const char *name);
/* The server that the path names; NULL, with the request answered, where there is none. */
GmcpManagedServer *gmcpd_api_request_find_server (GmcpdApiRequest *self);

/* A header of the answer, before that is given. */
void gmcpd_api_request_set_header (GmcpdApiRequest *self, const char *name, const char *value);
/* Takes the JSON. */
void gmcpd_api_request_return_text (GmcpdApiRequest *self, guint status, char *json);
void gmcpd_api_request_return_object (GmcpdApiRequest *self, guint status, JsonObject *object);
void gmcpd_api_request_return_nothing (GmcpdApiRequest *self);

/* An answer of events, which goes on until it is ended. Its cancellable is cancelled when it has to be, also where the
 * daemon takes no more requests. FALSE, with the request answered, where there are too many. */
gboolean gmcpd_api_request_begin_stream (GmcpdApiRequest *self);
/* FALSE where the client does not read, so that the stream has to be ended. An event of any length is taken where none
 * before it waits to be read. */
gboolean gmcpd_api_request_write (GmcpdApiRequest *self, const char *text);
/* Whether the client still reads what came before, and whether an event of that length would be taken now. */
gboolean gmcpd_api_request_is_writing (GmcpdApiRequest *self);
gboolean gmcpd_api_request_has_room (GmcpdApiRequest *self, gsize length);
void gmcpd_api_request_end_stream (GmcpdApiRequest *self);

/* Takes the error. */
void gmcpd_api_request_fail (GmcpdApiRequest *self, GError *error);
void gmcpd_api_request_refuse (GmcpdApiRequest *self,
                               guint status,
                               const char *code,
                               const char *detail);

G_END_DECLS
