/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

struct _GmcpCallOptions
{
  GObject parent_instance;

  guint timeout_ms;
  guint max_timeout_ms;
  GmcpTool *expected_tool;
  GmcpJsonDoc *meta;
  char *meta_json;
  gboolean as_task;
  guint task_ttl_ms;
  GmcpCacheMode cache_mode;
  gboolean stale_on_error;
  gboolean strict_output;
  char *traceparent;
  char *tracestate;
  char *baggage;
  GmcpLogLevel log_level;
  gboolean log_level_is_default;
  char *role;
  char *client;    /* nullable */
  GObject *caller; /* nullable */
  guint64 origin;
  gboolean is_agreed;
  char *error_data_json;
};

/* Who called, where that is not this program: a GmcpCaller, which no file down here knows. */
void gmcp_call_options_set_caller (GmcpCallOptions *self, gpointer caller);
/* Borrowed; NULL for this program. */
gpointer gmcp_call_options_get_caller (GmcpCallOptions *self);

/* The number of the client that called, by which calls of one client are told from those of others; 0 for this program, or
 * where it is not known. The options may be NULL. */
void gmcp_call_options_set_origin (GmcpCallOptions *self, guint64 origin);
guint64 gmcp_call_options_get_origin (GmcpCallOptions *self);

/* Nobody has asked for that level: it is told what the server logs of itself, which is asked for nothing. */
void gmcp_call_options_set_default_log_level (GmcpCallOptions *self, GmcpLogLevel level);
gboolean gmcp_call_options_has_default_log_level (GmcpCallOptions *self);

/* Whoever called has asked already whoever is to be asked before such a call, so that nobody is asked twice. */
void gmcp_call_options_set_agreed (GmcpCallOptions *self, gboolean is_agreed);
/* The options may be NULL. */
gboolean gmcp_call_options_is_agreed (GmcpCallOptions *self);

/* Where several calls come from. */
typedef struct
{
  gboolean any;
  guint64 only; /* the origin that all of them have; 0 where they have several */
} GmcpCallOrigins;

/* One call more. */
void gmcp_call_origins_add (GmcpCallOrigins *self, guint64 origin);

/* The role of a call, whose options may be NULL. */
const char *gmcp_call_options_peek_role (GmcpCallOptions *self);

/* The call has ended: keeps the data of the peer's error, for bindings whose errors have no room for
 * them. error is NULL where there was a result. */
void gmcp_call_options_take_outcome (GmcpCallOptions *self, const GError *error);

/* Costs next to nothing where nobody listens. total is -1 where it is not known; message may be
 * NULL. */
void gmcp_call_options_emit_progress (GmcpCallOptions *self,
                                      double progress,
                                      double total,
                                      const char *message);

void gmcp_call_options_emit_log_message (GmcpCallOptions *self, GmcpLogMessage *message);

/* The call goes on as a task. */
void gmcp_call_options_emit_task_created (GmcpCallOptions *self, GmcpTaskHandle *handle);

/* Writes the members that the caller adds to _meta: the trace context and those of meta-json, without
 * what the protocol itself puts there. */
void gmcp_call_options_write_meta (GmcpCallOptions *self, GmcpJsonWriter *writer);
/* What a request that came in says in its _meta (or no value), without what the protocol itself puts there.
 * What is malformed or too large is dropped. */
void gmcp_call_options_take_meta (GmcpCallOptions *self, GmcpJsonValue meta);
/* The metadata and the trace context of other options. */
void gmcp_call_options_copy_meta (GmcpCallOptions *self, GmcpCallOptions *from);
/* Whether that member of _meta is written by it, or is the protocol's. */
gboolean gmcp_call_options_writes_meta (GmcpCallOptions *self, const char *name);

G_END_DECLS
