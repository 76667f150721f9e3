/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/gmcp-capabilities.h>
#include <gmcp/protocol/gmcp-implementation.h>

#include "gmcp-pending-calls-private.h"
#include "gmcp-rpc-message-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* The engine of a client: one connection to one server, its era, the requests that are under way in
 * it, and what the server said of itself. A session belongs to an object, its owner, and lives as long
 * as that does; a reference on the session is one on the owner. */
typedef struct _GmcpSession GmcpSession;

typedef struct _GmcpEraFuncs GmcpEraFuncs;
typedef struct _GmcpExchange GmcpExchange;

/* What is built on the session, of which the session knows only this pointer. */
typedef struct _GmcpFeatures GmcpFeatures;

typedef enum
{
  GMCP_SESSION_CLOSED,
  GMCP_SESSION_OPENING,
  GMCP_SESSION_OPEN,
} GmcpSessionState;

/* When the last opening came how far, by the monotonic clock; 0 where it did not. */
typedef struct
{
  gint64 begun_us;      /* the transport is being opened */
  gint64 talk_us;       /* the transport is open, and the server is asked for its era */
  gint64 initialize_us; /* a session is asked for in the legacy way */
  gint64 open_us;
  gint64 restarted_us; /* the server was started once more, as one that is modern */
} GmcpOpeningTimes;

/* What the features hear of the session. */
typedef struct
{
  /* The server has said who it is; a session may be renewed with another answer. */
  void (*introduced) (GmcpSession *session);
  void (*opened) (GmcpSession *session);
  /* The connection has ended, and no exchange can be found any more. What is returned goes to
   * after_lost(), which is called when all exchanges have ended, and may run user code. */
  gpointer (*lost) (GmcpSession *session, const GError *error);
  void (*after_lost) (GmcpSession *session, gpointer data, const GError *error);
  /* A new session stands in place of one that the server has forgotten. */
  void (*renewed) (GmcpSession *session);
  /* What the server tells unasked does not arrive any more; or, with no error, does again. */
  void (*listening) (GmcpSession *session, const GError *error);
  /* TRUE where the notification is one of a feature's. */
  gboolean (*notification) (GmcpSession *session, const GmcpRpcMessage *notification);
  /* A notification that neither a feature nor the era knows: TRUE where somebody wants it. */
  gboolean (*unknown_notification) (GmcpSession *session, const GmcpRpcMessage *notification);
  /* The params of a request are written but for _meta. TRUE where the answer is there already. */
  gboolean (*before_send) (GmcpSession *session, GmcpExchange *exchange);
  /* Members of a request's _meta. */
  void (*write_meta) (GmcpSession *session, GmcpExchange *exchange, GmcpJsonWriter *meta);
  /* The exchange that goes on under a progress token that is no request's any more. */
  GmcpExchange *(*find_call) (GmcpSession *session, gint64 progress_token);
  /* Whether the server may get the request twice. */
  gboolean (*is_harmless) (GmcpSession *session, const GmcpExchange *exchange);
} GmcpSessionHooks;

/* What the owner hears of it, and tells the application. */
typedef struct
{
  /* Whether the session is open has changed. */
  void (*open_changed) (gpointer owner);
  /* What is known of the server has changed. */
  void (*server_changed) (gpointer owner);
  /* The connection ended by itself. */
  void (*closed) (gpointer owner, const GError *error);
  void (*warning) (gpointer owner, const char *text);
} GmcpSessionEvents;

/* Gives what is to be told in place of a text, or NULL where it may be told as it is. */
typedef char *(*GmcpTextFilter) (const char *text, gpointer data);

/* The session serves the thread-default main context of this call. */
GmcpSession *gmcp_session_new (gpointer owner,
                               const GmcpEraFuncs *modern,
                               const GmcpEraFuncs *legacy,
                               const GmcpSessionHooks *hooks,
                               const GmcpSessionEvents *events);
/* Closed sessions only. */
void gmcp_session_free (GmcpSession *self);
GmcpSession *gmcp_session_ref (GmcpSession *self);
void gmcp_session_unref (GmcpSession *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSession, gmcp_session_unref)

gpointer gmcp_session_get_owner (GmcpSession *self);
GmcpFeatures *gmcp_session_get_features (GmcpSession *self);
void gmcp_session_set_features (GmcpSession *self, GmcpFeatures *features);

/* Settings. */
GmcpTransport *gmcp_session_get_transport (GmcpSession *self);
/* Takes the reference; once, before it is opened. */
void gmcp_session_take_transport (GmcpSession *self, GmcpTransport *transport);
/* Of a session that is not open. */
void gmcp_session_replace_transport (GmcpSession *self, GmcpTransport *transport);
/* The name of the connection for messages. */
const char *gmcp_session_describe (GmcpSession *self);
/* Each returns whether the value has changed. */
gboolean gmcp_session_set_name (GmcpSession *self, const char *name);
gboolean gmcp_session_set_cache_key (GmcpSession *self, const char *cache_key);
const char *gmcp_session_get_cache_key (GmcpSession *self);
gboolean gmcp_session_set_client_info (GmcpSession *self, GmcpImplementation *client_info);
GmcpImplementation *gmcp_session_get_client_info (GmcpSession *self);
gboolean gmcp_session_set_wanted_era (GmcpSession *self, GmcpEra era);
GmcpEra gmcp_session_get_wanted_era (GmcpSession *self);

/* Time limits. */
typedef enum
{
  GMCP_SESSION_CALL_TIMEOUT,
  GMCP_SESSION_MAX_CALL_TIMEOUT,
  GMCP_SESSION_STARTUP_TIMEOUT,
  GMCP_SESSION_PROBE_TIMEOUT,
  GMCP_SESSION_N_TIMEOUTS,
} GmcpSessionTimeout;

guint gmcp_session_get_timeout_ms (GmcpSession *self, GmcpSessionTimeout timeout);
gboolean
gmcp_session_set_timeout_ms (GmcpSession *self, GmcpSessionTimeout timeout, guint timeout_ms);
guint gmcp_session_get_call_timeout_ms (GmcpSession *self);

/* The connection. */
GMainContext *gmcp_session_get_context (GmcpSession *self);
GmcpSessionState gmcp_session_get_state (GmcpSession *self);
gboolean gmcp_session_is_open (GmcpSession *self);
/* FALSE, and the task has ended, where the session is not open. */
gboolean gmcp_session_check_open (GmcpSession *self, GTask *task, const char *what);
GError *gmcp_session_new_not_connected_error (GmcpSession *self, const char *what);
/* The era; while the session is opened, the one that is tried; NULL before the first opening. */
const GmcpEraFuncs *gmcp_session_get_era (GmcpSession *self);
const GmcpOpeningTimes *gmcp_session_get_opening_times (GmcpSession *self);
/* Tells one opening from another. */
guint gmcp_session_get_serial (GmcpSession *self);
GmcpPendingCalls *gmcp_session_get_calls (GmcpSession *self);
/* How many messages have come, whatever they were. */
guint64 gmcp_session_get_n_heard (GmcpSession *self);

void gmcp_session_open_async (GmcpSession *self,
                              gpointer tag,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
/* The opening that is under way, if any, has its start-up limit from now on, and that much more. */
void gmcp_session_extend_opening (GmcpSession *self, guint more_ms);
void gmcp_session_close_async (GmcpSession *self,
                               gpointer tag,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
/* The owner is going. */
void gmcp_session_abandon (GmcpSession *self);
/* The connection has ended by itself. */
void gmcp_session_went_down (GmcpSession *self, const GError *error);

/* What the server said of itself. */
const char *gmcp_session_get_protocol_version (GmcpSession *self);
GmcpImplementation *gmcp_session_get_server_info (GmcpSession *self);
GmcpCapabilities *gmcp_session_get_capabilities (GmcpSession *self);
const char *gmcp_session_get_instructions (GmcpSession *self);

/* Messages out. */

/* An empty text for a message that is not a request: gmcp_session_send_out() sends it. */
GString *gmcp_session_begin_message (GmcpSession *self);
gboolean
gmcp_session_send_out (GmcpSession *self, gint64 request_id, const char *method, GError **error);
void gmcp_session_tell (GmcpSession *self, const char *method, const char *params_json);
/* Answers a request of the server's: the text of a result, or an error. The connection to a server that
 * does not read such answers ends soon after. */
void gmcp_session_send_result (GmcpSession *self, GmcpJsonValue id, const char *answer);
void gmcp_session_send_error (GmcpSession *self, GmcpJsonValue id, int code, const char *message);
/* A result that may be large, and that a server may be slow to read. */
void gmcp_session_send_given_result (GmcpSession *self, GmcpJsonValue id, const char *answer);
/* For an era: the value is encoded where a header cannot hold it. */
void gmcp_session_add_header (GPtrArray *headers, const char *name, const char *value);
/* Whether messages go out with headers. */
gboolean gmcp_session_has_headers (GmcpSession *self);
/* What the era adds to each request's _meta, as text; NULL for nothing. */
const char *gmcp_session_get_meta_members (GmcpSession *self);

/* What came was of no use to anybody. */
void gmcp_session_drop_message (GmcpSession *self, const char *what);

/* What people and logs are told of the peer. The filter removes secrets that the peer knows from
 * errors and log lines. */
void gmcp_session_set_text_filter (GmcpSession *self,
                                   GmcpTextFilter filter,
                                   gpointer data,
                                   GDestroyNotify destroy);
/* Takes the text or error, and gives what is to be told. */
char *gmcp_session_filter_text (GmcpSession *self, char *text);
GError *gmcp_session_filter_error (GmcpSession *self, GError *error);
/* Warns of something wrong in what the server sends, which fails nothing. Takes the text. A
 * listener may do anything. */
void gmcp_session_warn (GmcpSession *self, char *text);

G_END_DECLS
