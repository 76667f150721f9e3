/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

#include "gmcp-json-private.h"
#include "gmcp-request-guard-private.h"

G_BEGIN_DECLS

/* What goes along with a call on behalf of its provider. */
typedef struct _GmcpToolCallWatch GmcpToolCallWatch;

struct _GmcpToolCallWatch
{
  /* Told once how the call ended, with the one or the other, before the caller is; frees the watch.
   * Where it gives TRUE it answers the call itself, now or later, by gmcp_tool_call_complete(). */
  gboolean (*ended) (GmcpToolCallWatch *watch,
                     GmcpToolCall *call,
                     GmcpToolResult *result,
                     const GError *error);
};

/* The carrier of a call, which has one of these for itself. */
typedef struct
{
  gpointer carrier;
  guint64 serial;
  gint64 answered_us; /* by the monotonic clock; 0 where that is not known */
} GmcpToolCallCarriage;

GmcpToolCallCarriage *gmcp_tool_call_get_carriage (GmcpToolCall *self);

/* Who waits for a call in place of a GTask: what a call seldom needs is made when it is asked for, and an answer
 * comes at once, also from within the handler. */
typedef struct
{
  /* The call has ended, with the one or the other. */
  void (*ended) (gpointer waiter, GmcpToolResult *result, const GError *error);
  /* Who has the call from now on; it is valid until ended(). */
  void (*handed_to) (gpointer waiter, GmcpToolCall *call);
  /* Made anew; options with who calls. */
  GmcpCallOptions *(*make_options) (gpointer waiter);
  /* Borrowed. One that is made only now is told to the call, too, by gmcp_tool_call_set_cancellable(). */
  GCancellable *(*get_cancellable) (gpointer waiter);
  void (*release) (gpointer waiter);
} GmcpToolCallWaiterFuncs;

typedef struct
{
  const GmcpToolCallWaiterFuncs *funcs; /* NULL for none */
  gpointer data;
  guint timeout_ms; /* 0 for the default */
} GmcpToolCallWaiter;

/* Takes the waiter's data. The arguments are a view of a document, which is referred to; the schema of the tool,
 * which may be NULL, has been looked at. */
GmcpToolCall *gmcp_tool_call_new_waited (const GmcpToolCallWaiter *waiter,
                                         const char *name,
                                         GmcpJsonValue arguments,
                                         GmcpTool *checked_for,
                                         gpointer provider);
void gmcp_tool_call_set_cancellable (GmcpToolCall *self, GCancellable *cancellable);
/* Whether the arguments are known to match the tool's input schema. */
gboolean gmcp_tool_call_is_checked_for (GmcpToolCall *self, GmcpTool *tool);
/* As for arguments that are read. */
gboolean gmcp_tool_call_check_arguments (GmcpJsonValue arguments, GError **error);

/* Takes what the call completes, and the document, whose root is an object; NULL stands for no
 * arguments. */
GmcpToolCall *gmcp_tool_call_new_take (GTask *end,
                                       const char *name,
                                       GmcpJsonDoc *arguments,
                                       GmcpCallOptions *options);

/* The call under another name, with arguments that it takes over, for a provider or NULL. The call
 * itself counts as completed. */
GmcpToolCall *gmcp_tool_call_redirect (GmcpToolCall *self,
                                       const char *name,
                                       GmcpJsonDoc *arguments,
                                       gpointer provider);

/* Checks and reads arguments; TRUE with NULL in *out for none. */
gboolean gmcp_tool_call_read_arguments_json (const char *json, GmcpJsonDoc **out, GError **error);
gboolean gmcp_tool_call_read_arguments_node (JsonNode *node, GmcpJsonDoc **out, GError **error);

/* From now on the call ends when its time is over or it is cancelled, whatever who is to answer it
 * does. To be called again does nothing. */
void gmcp_tool_call_guard (GmcpToolCall *self);

/* For a watch that answers the call itself. */
void gmcp_tool_call_complete (GmcpToolCall *self, GmcpToolResult *result);

/* Takes the watch; a call has one at most. */
void gmcp_tool_call_take_watch (GmcpToolCall *self, GmcpToolCallWatch *watch);
/* NULL where there is none, and once the call has ended. */
GmcpToolCallWatch *gmcp_tool_call_get_watch (GmcpToolCall *self);

/* NULL where the caller gave none. Borrowed. */
GmcpJsonDoc *gmcp_tool_call_peek_arguments (GmcpToolCall *self);
/* GMCP_JSON_NONE where the caller gave none. */
GmcpJsonValue gmcp_tool_call_get_arguments_value (GmcpToolCall *self);

G_END_DECLS
