/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-change-stream-private.h"
#include "gmcp-era-private.h"
#include "gmcp-task-wait-private.h"

G_BEGIN_DECLS

/* What differs between the eras for the features. */
struct _GmcpEraFeatures
{
  /* An empty cursor is the end of a list, not one more page. */
  gboolean empty_cursor_ends;
  /* A method of this era only whose answers may be kept for a while; NULL for none. */
  const char *cacheable_method;
  /* A tool says which of its arguments stand in headers. */
  gboolean has_tool_headers;

  /* Asks for changes to be told. Ends in gmcp_change_stream_acknowledge() or _end(), at once where
   * there is nothing to wait for. */
  void (*open_stream) (GmcpSession *session, GmcpChangeStream *stream);
  /* The session is open. */
  void (*close_stream) (GmcpSession *session, GmcpChangeStream *stream);
  /* The peer knows nothing of any of them any more. */
  void (*forget_streams) (GmcpSession *session);
  /* Which stream a change came with: FALSE where it is over; NULL where the change does not say. */
  gboolean (*find_stream) (GmcpSession *session, GmcpJsonValue params, GmcpChangeStream **stream);

  /* What the client can do, or which roots it has, is something else now. May be NULL. */
  void (*capabilities_changed) (GmcpSession *session);
  void (*roots_changed) (GmcpSession *session);

  /* Each request says which log messages are wanted. */
  gboolean logs_by_request;
  /* Sends which are wanted from now on; NULL where there is nothing to send. */
  GmcpExchange *(*begin_set_log_level) (GmcpSession *session,
                                        const char *level,
                                        GmcpExchangeFunc done,
                                        guint timeout_ms,
                                        GmcpJsonWriter *params);

  /* Whether this side decides which calls become tasks. */
  gboolean (*offers_tasks) (GmcpSession *session);
  gboolean (*can_cancel_tasks) (GmcpSession *session);
  const char *task_list_method; /* NULL for none */
  /* What to do about a task, whose handle says already what is in the state. */
  void (*task_needs_input) (GmcpTaskWait *wait, GmcpJsonValue state);
  void (*task_ended) (GmcpTaskWait *wait, GmcpJsonValue state);
};

/* NULL before the session was first opened. */
const GmcpEraFeatures *gmcp_session_get_era_features (GmcpSession *session);

G_END_DECLS
