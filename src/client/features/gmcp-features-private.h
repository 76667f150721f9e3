/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/features/gmcp-subscription-enums.h>
#include <gmcp/protocol/questions/gmcp-input-request.h>
#include <gmcp/protocol/calls/gmcp-log-message.h>

#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* What a session is used for. Each feature keeps its own state in a struct that its own file knows. */

typedef struct _GmcpCaching GmcpCaching;
typedef struct _GmcpChanges GmcpChanges;
typedef struct _GmcpChangeStreams GmcpChangeStreams;
typedef struct _GmcpInput GmcpInput;
typedef struct _GmcpKept GmcpKept;
typedef struct _GmcpLists GmcpLists;
typedef struct _GmcpLogging GmcpLogging;
typedef struct _GmcpOutputs GmcpOutputs;
typedef struct _GmcpServedTasks GmcpServedTasks;
typedef struct _GmcpServerRequests GmcpServerRequests;
typedef struct _GmcpTasks GmcpTasks;

/* What the session's owner hears of the features, and tells the application. */
typedef struct
{
  void (*lists_changed) (gpointer owner, GmcpSubscriptionFlags lists);
  void (*resource_updated) (gpointer owner, const char *uri);
  /* A notification that is not known here. FALSE where nobody listens. */
  gboolean (*notification) (gpointer owner, const GmcpRpcMessage *notification);
  void (*log_message) (gpointer owner, GmcpLogMessage *message);
  gboolean (*has_input_handler) (gpointer owner);
  /* A listener may answer at once. */
  void (*input_requested) (gpointer owner, GmcpInputRequest *request);
} GmcpFeatureEvents;

struct _GmcpFeatures
{
  const GmcpFeatureEvents *events;
  GmcpKept *kept;
  GmcpCaching *caching;
  GmcpChanges *changes;
  GmcpChangeStreams *streams;
  GmcpInput *input;
  GmcpLists *lists;
  GmcpLogging *logging;
  GmcpOutputs *outputs;
  GmcpServedTasks *served_tasks;
  GmcpServerRequests *server_requests;
  GmcpTasks *tasks;
  GPtrArray *visits;
};

/* What the session calls. */
extern const GmcpSessionHooks gmcp_features_hooks;

/* The session must be made with the hooks. */
GmcpFeatures *gmcp_features_new (GmcpSession *session, const GmcpFeatureEvents *events);
/* The session must be closed. */
void gmcp_features_free (GmcpFeatures *self, GmcpSession *session);

G_END_DECLS
