/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-role-private.h"
#include "gmcp-state-store-private.h"
#include "gmcp-tool-pins-private.h"

G_BEGIN_DECLS

/* What tools of servers were before, in a file of the folder of state, and what is done about those that are
 * new or have changed. */
typedef struct _GmcpPinStore GmcpPinStore;

GmcpPinStore *gmcp_pin_store_new (GmcpStateStore *state);
void gmcp_pin_store_free (GmcpPinStore *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpPinStore, gmcp_pin_store_free)

/* FALSE where it is so already; else servers are to be seen again. */
gboolean gmcp_pin_store_set_policy (GmcpPinStore *self, GmcpPinPolicy policy);
GmcpPinPolicy gmcp_pin_store_get_policy (GmcpPinStore *self);

/* What the file holds; servers are to be seen again after it. */
gboolean gmcp_pin_store_take (GmcpPinStore *self, GBytes *bytes, GError **error);
/* What does not hold while the file cannot be read, and what helps. */
const char *gmcp_pin_store_describe_loss (GmcpPinStore *self);

/* A server as it is now. Borrowed. */
typedef struct
{
  const char *id;
  GmcpServerConfig *config; /* that the tools were listed with */
  const char *abilities;    /* of the host then: gmcp_client_abilities_to_string() */
  GmcpRedactor *redactor;   /* of what is never kept; NULL for none */
  GmcpTool *const *tools;
  guint n_tools;
} GmcpPinnedServer;

/* Compares the server's tools with what they were: one status each. What is new is kept. Gives the texts
 * that are to be told of it, which may be none. */
GPtrArray *
gmcp_pin_store_see (GmcpPinStore *self, const GmcpPinnedServer *server, GmcpPinStatus *statuses);
/* None before the file is read. */
void gmcp_pin_store_foreach (GmcpPinStore *self, GmcpToolPinsFunc func, gpointer data);
/* Makes the decision stricter where tools that are not approved are withheld. One that nothing else stands against is
 * held: somebody may be asked about it. */
void gmcp_pin_store_judge (GmcpPinStore *self,
                           const GmcpPolicySubject *subject,
                           GmcpPolicyDecision *decision);

/* What is approved: tools of a server, or of all where that is NULL. */
typedef struct _GmcpPinApproval GmcpPinApproval;

GmcpPinApproval *gmcp_pin_approval_new (const char *server, const char *tool);
/* Of a tool as somebody was shown it. */
GmcpPinApproval *
gmcp_pin_approval_new_shown (const char *server, const char *tool, const char *digest);
GmcpPinApproval *gmcp_pin_approval_ref (GmcpPinApproval *approval);
void gmcp_pin_approval_release (gpointer data);
/* Whether all that the other one approves is so after this one. */
gboolean gmcp_pin_approval_covers (GmcpPinApproval *approval, GmcpPinApproval *other);

/* For a tool that is held: approves what it is now, and no other that it may be by then. Gives lines for people that
 * say what that is, as gmcp_tool_pin_dup_diff() does. */
GmcpPinApproval *gmcp_pin_store_dup_approval (GmcpPinStore *self,
                                              const char *server,
                                              const char *tool,
                                              char **change);

/* Gives how many tools were approved that were not before, or -1; servers are to be seen again after it. */
void gmcp_pin_store_approve_async (GmcpPinStore *self,
                                   GmcpPinApproval *approval,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
int gmcp_pin_store_approve_finish (GmcpPinStore *self,
                                   GmcpPinApproval *approval,
                                   GAsyncResult *result,
                                   GError **error);

/* NULL for all. */
const char *gmcp_pin_approval_get_server (GmcpPinApproval *approval);
/* What the approval names that there is not, once it has ended; NULL for none. configured says whether its
 * server is. */
GError *gmcp_pin_approval_make_error (GmcpPinApproval *approval, gboolean configured);

G_END_DECLS
