/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-watch-private.h"
#include "gmcp-soup-server-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* What is answered to one HTTP request: a status alone, one JSON text, or a stream of events that goes on
 * until it is ended. */
typedef struct _GmcpHttpResponse GmcpHttpResponse;

/* Data of a message that are cleared when its answer is written. */
#define GMCP_HTTP_CHARGE_KEY "gmcp-http-charge"

typedef struct
{
  /* The client went away before the answer was complete. Once; nothing can be sent any more. */
  void (*gone) (GmcpHttpResponse *response, gpointer data);
  /* Nothing was sent for a while, and the way there may be cut for that. */
  void (*quiet) (GmcpHttpResponse *response, gpointer data);
} GmcpHttpResponseFuncs;

GmcpHttpResponse *gmcp_http_response_new (const GmcpSoupServer *soup,
                                          SoupServerMessage *message,
                                          GmcpHttpWatch *watch);
GmcpHttpResponse *gmcp_http_response_ref (GmcpHttpResponse *self);
/* An answer that is not complete by then is cut off. */
void gmcp_http_response_unref (GmcpHttpResponse *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpResponse, gmcp_http_response_unref)

/* The answer comes later, or goes on: from now on funcs are called, in the thread-default context of this
 * call, until the answer is complete. */
void gmcp_http_response_hold (GmcpHttpResponse *self,
                              const GmcpHttpResponseFuncs *funcs,
                              gpointer data,
                              guint quiet_ms);
/* What was held is answered now, or held by somebody else. funcs are not called any more. */
void gmcp_http_response_resume (GmcpHttpResponse *self);
/* funcs are not called any more; what is open is ended. */
void gmcp_http_response_let_go (GmcpHttpResponse *self);

/* Of the request; NULL where there is none, and once the answer is complete. */
const char *gmcp_http_response_get_request_header (GmcpHttpResponse *self, const char *name);
/* The revision that the request's header names, and what is assumed of one that says nothing; NULL for one that is not
 * known. */
const char *gmcp_http_response_get_version (GmcpHttpResponse *self);
void gmcp_http_response_set_header (GmcpHttpResponse *self, const char *name, const char *value);

/* Complete the answer. */
void gmcp_http_response_send_status (GmcpHttpResponse *self, guint status);
void
gmcp_http_response_send_json (GmcpHttpResponse *self, guint status, const char *text, gsize length);
/* May take the buffer of the message. */
void
gmcp_http_response_send_message (GmcpHttpResponse *self, guint status, const GmcpOutgoing *message);
/* An error of JSON-RPC that has no id. */
void
gmcp_http_response_refuse (GmcpHttpResponse *self, guint status, int code, const char *message);
/* The revision is not known. */
void gmcp_http_response_refuse_version (GmcpHttpResponse *self);
void gmcp_http_response_end (GmcpHttpResponse *self);
/* With a stream in which nothing more comes: the request has been cancelled. */
void gmcp_http_response_end_unanswered (GmcpHttpResponse *self);

/* The answer is a stream of events. */
void gmcp_http_response_begin_events (GmcpHttpResponse *self);
gboolean gmcp_http_response_has_events (GmcpHttpResponse *self);
gboolean gmcp_http_response_is_open (GmcpHttpResponse *self);
/* id is NULL for none. FALSE: the client does not read, and too much waits already. */
gboolean gmcp_http_response_send_event (GmcpHttpResponse *self,
                                        const char *id,
                                        const char *text,
                                        gsize length);
/* The error, in place of an answer to the request of that id, that is too large while others have all the room for what
 * is not read. */
char *gmcp_http_response_dup_refusal (const char *id, gsize id_length);
/* And then the stream ends. Short, since it is sent whatever the client has not read yet. */
void gmcp_http_response_send_last_event (GmcpHttpResponse *self, const char *text, gsize length);
void gmcp_http_response_send_comment (GmcpHttpResponse *self);
/* When the client is to come back, should the stream end. */
void gmcp_http_response_send_retry (GmcpHttpResponse *self, guint retry_ms);

G_END_DECLS
