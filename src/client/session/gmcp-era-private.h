/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-change-stream-private.h"
#include "gmcp-client-private.h"

G_BEGIN_DECLS

/* What differs between the eras. Nothing else in this folder asks which era it is, and no other
 * file names a method of one era. */
struct _GmcpClientEra
{
  GmcpEra id;
  /* An empty cursor is the end of a list, not one more page. */
  gboolean empty_cursor_ends;
  /* An answer with neither a result nor an error is an empty result. */
  gboolean lacks_empty_results;

  /* TRUE for the final result. Else FALSE: with an error where it is not one this client
   * understands, without one where the era has taken over the exchange, to hold it, send it again or
   * end it. */
  gboolean (*check_result) (GmcpClient *self,
                            GmcpExchange *exchange,
                            GmcpJsonValue result,
                            GError **error);
  /* A method of this era only whose answers may be kept for a while; NULL for none. */
  const char *cacheable_method;
  /* FALSE where the peer's error is not the end, and the era has taken over the exchange. */
  gboolean (*check_error) (GmcpClient *self, GmcpExchange *exchange, const GError *error);
  /* Whether a request may have to be sent again. */
  gboolean (*keeps_requests) (GmcpClient *self);
  /* Tells the peer that nobody waits any more. */
  void (*cancel) (GmcpClient *self, gint64 id, const char *reason);
  /* Sends what shows that the peer is alive. */
  GmcpExchange *(*begin_ping) (GmcpClient *self,
                               GmcpExchangeFunc done,
                               guint timeout_ms,
                               GmcpJsonWriter *params);
  /* Asks for changes to be told. Ends in gmcp_change_stream_acknowledge() or _end(), at once where
   * there is nothing to wait for. */
  void (*open_stream) (GmcpClient *self, GmcpChangeStream *stream);
  /* The client is open. */
  void (*close_stream) (GmcpClient *self, GmcpChangeStream *stream);
  /* The peer knows nothing of any of them any more. */
  void (*forget_streams) (GmcpClient *self);
  /* Which stream a change came with: FALSE where it is over; NULL where the change does not say. */
  gboolean (*find_stream) (GmcpClient *self, GmcpJsonValue params, GmcpChangeStream **stream);
  /* A request or notification of the peer's that is not common to both eras. */
  void (*handle_request) (GmcpClient *self, const GmcpRpcMessage *request);
  gboolean (*handle_notification) (GmcpClient *self, const GmcpRpcMessage *notification);
  /* What it only reads, beside what both have; NULL-terminated. */
  const char *const *reads;
  /* A tool says which of its arguments stand in headers. */
  gboolean has_tool_headers;
  /* For transports that have headers: adds names and values in turn, and notes what the message
   * means for the session. Also called with a message without text, for the headers alone. */
  void (*dress) (GmcpClient *self, GmcpOutgoing *outgoing, GPtrArray *headers);
  /* Makes a new session where the peer has forgotten the old one, then calls
   * gmcp_client_session_renewed(). NULL where there are no sessions. */
  void (*renew) (GmcpClient *self);
  /* What the client can do, or which roots it has, is something else now. May be NULL. */
  void (*capabilities_changed) (GmcpClient *self);
  void (*roots_changed) (GmcpClient *self);
  /* Each request says which log messages are wanted. */
  gboolean logs_by_request;
  /* Sends which are wanted from now on; NULL where there is nothing to send. */
  GmcpExchange *(*begin_set_log_level) (GmcpClient *self,
                                        const char *level,
                                        GmcpExchangeFunc done,
                                        guint timeout_ms,
                                        GmcpJsonWriter *params);
  /* Whether several messages may come as one array. */
  gboolean (*takes_batches) (GmcpClient *self);

  /* Whether this side decides which calls become tasks. */
  gboolean (*offers_tasks) (GmcpClient *self);
  gboolean (*can_cancel_tasks) (GmcpClient *self);
  const char *task_list_method; /* NULL for none */
  /* What to do about a task, whose handle says already what is in the state. */
  void (*task_needs_input) (GmcpTaskWait *wait, GmcpJsonValue state);
  void (*task_ended) (GmcpTaskWait *wait, GmcpJsonValue state);
};

extern const GmcpClientEra gmcp_client_era_modern;
extern const GmcpClientEra gmcp_client_era_legacy;

/* An era's own tasks: gmcp-era-modern-tasks.c and -legacy-tasks.c. */
gboolean gmcp_client_modern_check_task (GmcpClient *self,
                                        GmcpExchange *exchange,
                                        GmcpJsonValue result,
                                        GError **error);
gboolean gmcp_client_modern_note_task (GmcpClient *self, const GmcpRpcMessage *notification);
gboolean gmcp_client_modern_offers_tasks (GmcpClient *self);
gboolean gmcp_client_modern_can_cancel_tasks (GmcpClient *self);
void gmcp_client_modern_task_needs_input (GmcpTaskWait *wait, GmcpJsonValue state);
void gmcp_client_modern_task_ended (GmcpTaskWait *wait, GmcpJsonValue state);
gboolean gmcp_client_legacy_check_task (GmcpClient *self,
                                        GmcpExchange *exchange,
                                        GmcpJsonValue result,
                                        GError **error);
gboolean gmcp_client_legacy_note_task (GmcpClient *self, const GmcpRpcMessage *notification);
gboolean gmcp_client_legacy_offers_tasks (GmcpClient *self);
gboolean gmcp_client_legacy_can_cancel_tasks (GmcpClient *self);
void gmcp_client_legacy_task_needs_input (GmcpTaskWait *wait, GmcpJsonValue state);
void gmcp_client_legacy_task_ended (GmcpTaskWait *wait, GmcpJsonValue state);

/* How to open; they end in one of the gmcp_client_open_…() functions. */
void gmcp_client_modern_discover (GmcpClient *self);
/* version NULL is the newest. */
void gmcp_client_legacy_initialize (GmcpClient *self, const char *version);

/* gmcp-era-legacy-url.c: whether an error of the peer's says that the user has to visit
 * addresses first; then the exchange is held for it. */
gboolean
gmcp_client_legacy_take_visits (GmcpClient *self, GmcpExchange *exchange, const GError *error);

G_END_DECLS
