/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gateway/gmcp-gateway.h>
#include <gmcp/provider/gmcp-caller.h>

G_BEGIN_DECLS

/* What clients ask of a gateway goes on behind it, whatever becomes of the client's request: a client of revision
 * 2026-07-28 that is asked something ends its request and makes another with the answer, and finds the call again.
 * Tools are called so, resources read and prompts got. */

/* The calls of all gateways of one manager. Questions that come up in them are put to their clients. */
typedef struct _GmcpGatewayCalls GmcpGatewayCalls;

/* How one kind of request is made. front is the client's request. */
typedef struct
{
  /* The options may be NULL. All three are borrowed. */
  GmcpCallOptions *(*get_options) (gpointer front);
  GmcpCaller *(*get_caller) (gpointer front);
  GCancellable *(*get_cancellable) (gpointer front);
  /* By which the client knows what it wants. Borrowed. */
  const char *(*get_name) (gpointer front);
  /* The id of the server whose it is, as far as the manager knows. */
  char *(*dup_server_id) (GmcpManager *manager, const char *name);

  void (*send) (GmcpGateway *gateway,
                gpointer front,
                GmcpCallOptions *options,
                GCancellable *cancellable,
                GAsyncReadyCallback callback,
                gpointer user_data);
  gpointer (*finish) (GObject *source, GAsyncResult *async_result, GError **error);
  void (*report_progress) (gpointer front, double progress, double total, const char *message);
  void (*return_result) (gpointer front, gpointer result);
  void (*return_error) (gpointer front, const GError *error);
  GDestroyNotify free_result;
  /* The error of a name that nobody has, where the role of the gateway keeps its clients from what has that name, so that
   * they do not learn of it; NULL otherwise. Nullable. */
  GError *(*new_hidden_error) (GmcpGateway *gateway, const char *name);
} GmcpGatewayKind;

/* The manager's, made for the first of its gateways. */
GmcpGatewayCalls *gmcp_gateway_calls_ref_for (GmcpManager *manager);
/* What goes on is cancelled with the last reference. */
void gmcp_gateway_calls_unref (GmcpGatewayCalls *self);

/* Makes the client's call anew, or goes on with the one that the client was asked about. */
void gmcp_gateway_calls_take (GmcpGatewayCalls *self,
                              GmcpGateway *gateway,
                              const GmcpGatewayKind *kind,
                              gpointer front);

/* Asks who else answers what the gateway's client cannot be asked. FALSE where nobody does. */
gboolean gmcp_gateway_pass_on (GmcpGateway *gateway, GmcpInputRequest *request);

/* The address of a page where a person answers it, and which keeps it. NULL where there is none. */
char *gmcp_gateway_find_page (GmcpGateway *gateway, GmcpInputRequest *request);

/* Whether questions can be answered somewhere else than at the gateway's client. */
gboolean gmcp_gateway_has_pages (GmcpGateway *gateway);

/* Options for what is asked of the manager on behalf of a request with those options, which may be NULL. */
GmcpCallOptions *gmcp_gateway_make_options (GmcpCallOptions *given, const char *role);

G_END_DECLS
