/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>
#include <gmcp/protocol/gmcp-completion-result.h>
#include <gmcp/protocol/gmcp-prompt-result.h>
#include <gmcp/protocol/gmcp-resource-result.h>
#include <gmcp/provider/gmcp-completion-request.h>
#include <gmcp/provider/gmcp-prompt-request.h>

#include "gmcp-gathered-lists-private.h"

G_BEGIN_DECLS

/* One server of a manager with what it has under its own names, for a gateway to that server alone. The server
 * need not be configured yet, may leave and may come again. */
typedef struct _GmcpSingleServer GmcpSingleServer;

typedef struct
{
  /* Whether the role of the gateway may see anything of the server. */
  gboolean (*permits) (GmcpManagedServer *server, gpointer owner);
  void (*resource_updated) (const char *uri, gpointer owner);
} GmcpSingleServerHooks;

GmcpSingleServer *gmcp_single_server_new (GmcpManager *manager,
                                          const char *server_id,
                                          const GmcpSingleServerHooks *hooks,
                                          gpointer owner);
void gmcp_single_server_free (GmcpSingleServer *self);

/* Borrowed. */
GmcpManager *gmcp_single_server_get_manager (GmcpSingleServer *self);
const char *gmcp_single_server_get_id (GmcpSingleServer *self);
/* Borrowed; NULL with an error where it is not configured. */
GmcpManagedServer *gmcp_single_server_find (GmcpSingleServer *self, GError **error);
/* The name by which the manager knows what the server calls so: SERVER.NAME. */
char *gmcp_single_server_qualify (GmcpSingleServer *self, const char *name);

/* Borrowed. What of it is gathered is asked for once somebody wants it. */
GListModel *gmcp_single_server_get_list (GmcpSingleServer *self, GmcpGatheredKind kind);
/* Something else may be permitted now. */
void gmcp_single_server_refresh (GmcpSingleServer *self);

void gmcp_single_server_subscribe (GmcpSingleServer *self, const char *uri);
void gmcp_single_server_unsubscribe (GmcpSingleServer *self, const char *uri);

/* Starts the server, where that is not left to the user, so that all its lists are known. */
void gmcp_single_server_load_async (GmcpSingleServer *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
gmcp_single_server_load_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

/* gmcp-single-server-requests.c: what is asked of it. The role is that of the options. The manager is the source
 * object of all. */
void gmcp_single_server_read_async (GmcpSingleServer *self,
                                    const char *uri,
                                    GmcpCallOptions *options,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
GmcpResourceResult *
gmcp_single_server_read_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

void gmcp_single_server_get_prompt_async (GmcpSingleServer *self,
                                          GmcpPromptRequest *request,
                                          GmcpCallOptions *options,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
GmcpPromptResult *
gmcp_single_server_get_prompt_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

void gmcp_single_server_complete_async (GmcpSingleServer *self,
                                        GmcpCompletionRequest *request,
                                        GmcpCompletionKind kind,
                                        GmcpCallOptions *options,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
GmcpCompletionResult *
gmcp_single_server_complete_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

G_END_DECLS
