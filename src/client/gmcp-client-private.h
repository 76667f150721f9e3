/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>
#include <gmcp/client/gmcp-subscription.h>

#include "gmcp-byte-budget-private.h"
#include "gmcp-client-call-private.h"
#include "gmcp-client-input-private.h"
#include "gmcp-client-list-private.h"
#include "gmcp-pending-calls-private.h"
#include "gmcp-response-cache-private.h"
#include "gmcp-rpc-message-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

typedef struct _GmcpChangeStream GmcpChangeStream;
typedef struct _GmcpClientEra GmcpClientEra;
typedef struct _GmcpClientOpening GmcpClientOpening;
typedef struct _GmcpExchange GmcpExchange;
typedef struct _GmcpProgressGate GmcpProgressGate;
typedef struct _GmcpTaskWait GmcpTaskWait;

typedef enum
{
  GMCP_CLIENT_CLOSED,
  GMCP_CLIENT_OPENING,
  GMCP_CLIENT_OPEN,
} GmcpClientState;

/* Gives what is to be told in place of a text, or NULL where it may be told as it is. */
typedef char *(*GmcpClientTextFilter) (const char *text, gpointer data);

struct _GmcpClient
{
  GObject parent_instance;

  /* Settings. */
  GmcpTransport *transport;
  char *name;
  char *cache_key;
  GmcpImplementation *client_info;
  GmcpEra wanted_era;
  guint call_timeout_ms;
  guint max_call_timeout_ms;
  guint max_task_timeout_ms;
  guint startup_timeout_ms;
  guint probe_timeout_ms;
  GmcpResponseCache *response_cache;
  char *cache_server; /* who the server is in the cache */
  char *sign_in;
  gboolean strict_output;
  GmcpClientTextFilter text_filter; /* NULL for none */
  gpointer text_filter_data;
  GDestroyNotify text_filter_destroy;

  /* The connection. */
  GMainContext *context;
  GmcpClientState state;
  GmcpPendingCalls *pending;
  GmcpClientOpening *opening; /* while the state is OPENING */
  GmcpExchange *probe;        /* under way, as the next */
  GmcpExchange *initialize;
  const GmcpClientEra *era;  /* while opening the one that is tried; NULL before */
  const char *asked_version; /* in the last probe */
  guint open_serial;         /* tells the steps of one opening from those of another */
  char *meta_members;        /* what the era adds to each request's _meta, ready to be written */
  gboolean keeps_requests;   /* requests may have to be sent again */
  gboolean has_headers;      /* messages go out with headers */
  gboolean asked_again;      /* the probe, in a revision that the peer named */
  GString *out;              /* the message being written */
  guint unread_serial;       /* the opening whose server does not read the answers it is given */
  GString *last_problem;     /* what the peer last did wrong, for the error of a call that waits */
  guint64 n_heard;           /* messages, of any kind */
  guint64 n_dropped;         /* messages that nobody waited for */
  GmcpExchange *renewal;     /* while a session is made in place of one that is gone */
  GQueue held_for_session;   /* of GmcpExchange */
  guint session;             /* which one it is since the client was made */

  /* What the server said of itself. */
  char *protocol_version;
  GmcpImplementation *server_info;
  GmcpCapabilities *server_capabilities;
  char *instructions;

  /* What it asks, and what it makes this side keep. */
  GmcpClientInput input;
  GmcpByteBudget *kept;

  /* What the server logs. */
  GmcpLogLevel log_level;
  GArray *logging_requests; /* of gint64: those that asked for messages, and may have ended since */
  guint logging_requests_kept;
  gint64 log_window_us;
  guint n_logged; /* in the second that began then */

  /* What the server lists, by GmcpClientListId. */
  GmcpClientList lists[GMCP_CLIENT_N_LISTS];
  GHashTable *outputs; /* of the tools that have an output schema; NULL where none has */

  /* Tasks. */
  GPtrArray *tasks;      /* of GmcpTaskWait, not owned; NULL before the first */
  gboolean offers_tasks; /* this side decides which calls are tasks */
  gboolean serves_tasks; /* it has declared that questions may be tasks */
  GPtrArray *own_tasks;  /* of GmcpOwnTask; NULL before the first */
  guint own_task_serial;

  /* What the server is asked to tell of: gmcp-change-stream.c */
  GPtrArray *streams;      /* of GmcpChangeStream, borrowed */
  GmcpChangeStream *watch; /* the client's own, for its lists; NULL until one is read */
  GHashTable *subscribed;  /* the legacy era's: resources by their URI; NULL until there is one */
};

/* Exchanges: gmcp-exchange.c */

/* Ends an exchange: with the reply, or with an error, which is the callee's to keep. */
typedef void (*GmcpExchangeFunc) (GmcpClient *self,
                                  GmcpExchange *exchange,
                                  const GmcpRpcMessage *reply,
                                  GError *error);

/* What an exchange waits for between two of its requests. */
typedef struct
{
  /* It waits no more: it is sent again, or has ended. */
  void (*end) (GmcpClient *self, gpointer data);
  /* Why it took too long; NULL where the time is the call's own. */
  GError *(*timed_out) (GmcpClient *self, GmcpExchange *exchange, gpointer data);
  gboolean stops_clock; /* the time is not the call's */
} GmcpExchangeWait;

struct _GmcpExchange
{
  GmcpPendingCall pending;
  GmcpExchangeFunc done;
  const char *method;
  GTask *task;                  /* whose call this is; NULL for the client's own */
  GmcpClientCallFunc call_done; /* whose call this is, in place of a task */
  gpointer call_data;
  GmcpClient *client; /* where there is a cancellable and no task */
  GSource *cancel_source;
  GmcpCallOptions *options;
  char *subject;    /* what is called, for error messages */
  guint timeout_ms; /* 0 for none */
  guint max_timeout_ms;
  gint64 cap_us;    /* the deadline that no progress moves */
  gboolean silent;  /* the peer is not told when this side gives up */
  gboolean lasting; /* it tells of changes; what cannot be read was not its answer */

  gsize params_at;            /* where they begin in the message being written */
  char *params;               /* the members of params but _meta, kept where it may be sent again */
  char *more;                 /* what was added to them when it was last sent again */
  char *own_meta;             /* members of _meta that came with a caller's own params */
  guint resent;               /* why it was sent again: GmcpResent */
  guint http_status;          /* of the response that ended it without an answer, else 0 */
  GmcpCacheQuery *query;      /* where the answer may come from the cache, or go there */
  gboolean cached;            /* the answer came from there */
  gboolean stale;             /* and from a time before; the peer has failed */
  gboolean asks_anew;         /* the peer itself has to answer */
  GmcpProgressGate *progress; /* NULL until the peer reports any */
  guint n_rounds;             /* how often the peer asked for input */
  GmcpByteBudget *budget;     /* where what is kept of its rounds is charged; NULL for nothing */
  gsize n_kept;               /* bytes of that */
  gint64 left_us;             /* of its time, while that stands still; else 0 */
  gint64 stopped_us;          /* since when it does */
  guint session;              /* in which it was sent */
  const GmcpExchangeWait *wait; /* while it is held between two requests */
  gpointer wait_data;
  gint64 wait_since_us;
};

/* method is a static or interned string. */
GmcpExchange *gmcp_client_begin_request (GmcpClient *self,
                                         const char *method,
                                         GmcpExchangeFunc done,
                                         guint timeout_ms,
                                         GmcpJsonWriter *params);
/* Task and options are optional; with a task its cancellable is watched. */
void gmcp_exchange_bind (GmcpExchange *exchange,
                         GTask *task,
                         GmcpCallOptions *options,
                         const char *subject);
/* The same for a call without a task. */
void gmcp_exchange_bind_direct (GmcpExchange *exchange,
                                GmcpClient *client,
                                GmcpClientCallFunc func,
                                gpointer data,
                                GCancellable *cancellable,
                                GmcpCallOptions *options,
                                const char *subject);
void gmcp_client_end_request (GmcpClient *self, GmcpExchange *exchange, GmcpJsonWriter *params);
void gmcp_client_tell (GmcpClient *self, const char *method, const char *params_json);
gboolean
gmcp_client_send_out (GmcpClient *self, gint64 request_id, const char *method, GError **error);
/* Sends what is written as the message that is given without its text. */
gboolean gmcp_client_send_message (GmcpClient *self, GmcpOutgoing *outgoing, GError **error);
/* Sends what is written, which answers a request of the server's. The connection to a server that does
 * not read such answers ends soon after. */
void gmcp_client_reply (GmcpClient *self);
/* Ends it without telling anybody; where it is taken already, leaves it to who took it. */
void gmcp_client_drop_exchange (GmcpClient *self, GmcpExchange *exchange);
/* The peer has answered. Ends the exchange, unless it has to go on. */
void gmcp_client_answer_exchange (GmcpClient *self,
                                  GmcpExchange *exchange,
                                  const GmcpRpcMessage *reply,
                                  GError *error);
void gmcp_client_finish_exchange (GmcpClient *self,
                                  GmcpExchange *exchange,
                                  const GmcpRpcMessage *reply,
                                  GError *error);
/* Takes the exchange that the peer's answer is for; NULL where no such request is under way. */
GmcpExchange *gmcp_client_take_answered (GmcpClient *self, gint64 id);
/* Takes all, so that nothing else ends or finds them any more. */
GPtrArray *gmcp_client_take_exchanges (GmcpClient *self);
/* Ends those that were taken, which frees the array. Callers get their error in this call, and may
 * do anything in it: close, open again, run the main loop, drop their reference. */
void gmcp_client_fail_exchanges (GmcpClient *self, GPtrArray *exchanges, const GError *error);
/* Ends all that wait for the peer but those that tell of changes, and tells it. */
void gmcp_client_give_up_all (GmcpClient *self, const GError *error);
void gmcp_client_exchange_timed_out (GmcpPendingCall *call, gpointer client);
/* Writes the end of a request, and sends it; also of one that is sent again. */
void gmcp_client_send_request (GmcpClient *self, GmcpExchange *exchange, GmcpJsonWriter *params);

/* More than one request: gmcp-exchange-resend.c. For an era's check_result and check_error, which get
 * the exchange out of the table; where it can be sent again, its params are not NULL. */

/* Holds it, in the table, where its caller's cancelling, the deadline and the end of the connection
 * find it. The peer knows nothing of it meanwhile. */
void gmcp_exchange_hold (GmcpClient *self,
                         GmcpExchange *exchange,
                         const GmcpExchangeWait *wait,
                         gpointer data,
                         gint64 deadline_us);
/* Sends it again, under a new id and progress token. It may be held, or out of the table. more is
 * the text of members that come to its params this time, or NULL. Where it cannot be sent, the
 * exchange has ended when this returns. Nothing is done to one that was taken while it was held,
 * with all others, and is about to end. */
void gmcp_exchange_resend (GmcpClient *self, GmcpExchange *exchange, const char *more);
/* The same after a while, which counts against the call's time. */
void gmcp_exchange_resend_after (GmcpClient *self,
                                 GmcpExchange *exchange,
                                 const char *more,
                                 guint delay_ms);
/* Ends one that is held; the same goes for it. Takes the error. */
void gmcp_exchange_fail (GmcpClient *self, GmcpExchange *exchange, GError *error);
/* Its time stands still while the server waits for an answer, until all its questions are closed. */
void gmcp_client_stop_clock (GmcpClient *self, GmcpExchange *exchange);
/* The deadline that it has from now on. */
gint64 gmcp_exchange_end_standstill (GmcpExchange *exchange);
/* Waits no more. */
void gmcp_exchange_end_wait (GmcpClient *self, GmcpExchange *exchange);
const char *gmcp_client_describe (GmcpClient *self);

/* The cache: gmcp-client-cache.c */

/* Once the params are written but for _meta. TRUE where the answer is there, and comes in a moment
 * without a message to the peer. */
gboolean gmcp_client_ask_cache (GmcpClient *self, GmcpExchange *exchange);
/* A client that is closed may still answer what it kept from the last connection: whether the request
 * may be begun all the same. */
gboolean gmcp_client_may_answer_stale (GmcpClient *self, GmcpCallOptions *options);
/* Ends an exchange that has a query. */
void gmcp_client_finish_query (GmcpClient *self,
                               GmcpExchange *exchange,
                               const GmcpRpcMessage *reply,
                               GError *error);
/* What is kept may no longer be true. */
void gmcp_client_expire_cached (GmcpClient *self, const GmcpRpcMessage *notification);
/* Drops what nobody else can use. */
void gmcp_client_leave_cache (GmcpClient *self);
/* Who its server is there. */
const char *gmcp_client_get_cache_server (GmcpClient *self);
/* The same where it is not known from a notification. */
void gmcp_client_expire_cached_lists (GmcpClient *self, GmcpSubscriptionFlags lists);
void gmcp_client_expire_cached_resource (GmcpClient *self, const char *uri);

/* Output schemas: gmcp-client-output.c */
void gmcp_client_index_outputs (GmcpClient *self);
/* To be called only where there are outputs. A mismatch is noted in the result; it is an error, and
 * FALSE, where the client or the call is strict. */
gboolean gmcp_client_check_output (GmcpClient *self,
                                   const char *name,
                                   GmcpCallOptions *options,
                                   GmcpToolResult *result,
                                   GError **error);

/* What people and logs are told of the peer: gmcp-session-text-filter.c. Whoever knows secrets of the user's
 * that the peer knows too sees to it here that they are in no error and no log line. */
void gmcp_client_set_text_filter (GmcpClient *self,
                                  GmcpClientTextFilter filter,
                                  gpointer data,
                                  GDestroyNotify destroy);
/* Takes the text or error, and gives what is to be told. */
char *gmcp_client_filter_text (GmcpClient *self, char *text);
GError *gmcp_client_filter_error (GmcpClient *self, GError *error);
/* Something is wrong with what the server sends, and fails nothing. Takes the text. Whoever is told may
 * do anything. */
void gmcp_client_warn (GmcpClient *self, char *text);
void gmcp_client_emit_warning (GmcpClient *self, const char *text);

/* FALSE, and the task has ended, where the client is not open: gmcp-client-call.c */
gboolean gmcp_client_check_open (GmcpClient *self, GTask *task, const char *what);

/* What comes in: gmcp-session-dispatch.c */
extern const GmcpTransportTaker gmcp_client_taker;

/* Opening: gmcp-session-open.c. The eras call these when they know more. */
void gmcp_client_open_modern (GmcpClient *self);
/* An answer to the probe that only a modern server gives; the probe goes on. */
void gmcp_client_open_is_modern (GmcpClient *self);
void gmcp_client_open_not_modern (GmcpClient *self, const char *newest_shared, GError *why);
/* The peer could not be asked, so nothing is known of its era. */
gboolean gmcp_client_is_no_verdict (const GError *error, guint http_status);
void gmcp_client_open_initialized (GmcpClient *self);
/* http_status is that of a response without an answer, else 0. */
void gmcp_client_open_not_initialized (GmcpClient *self, GError *why, guint http_status);
void gmcp_client_open_failed (GmcpClient *self, GError *error);
/* The properties that tell what the server is. */
void gmcp_client_notify_server (GmcpClient *self);
gboolean gmcp_client_open_transport_closed (GmcpClient *self, const GError *error);
void gmcp_client_set_server (GmcpClient *self,
                             const GmcpClientEra *era,
                             const char *version,
                             GmcpJsonValue info,
                             GmcpJsonValue capabilities,
                             GmcpJsonValue instructions);
void gmcp_client_went_down (GmcpClient *self, const GError *error);
gboolean gmcp_client_has_input_handler (GmcpClient *self);
/* The properties that depend on whether the client is open. */
void gmcp_client_install_properties (GObjectClass *object_class);
void gmcp_client_notify_open (GmcpClient *self);

/* Lists: gmcp-client-list.c */
/* When changes are told, or will not be: the lists can be read. */
void gmcp_client_lists_watched (GmcpClient *self);
/* What changed may not have been told. */
void gmcp_client_lists_changed (GmcpClient *self);

G_END_DECLS
