/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-pin-store-private.h"

G_BEGIN_DECLS

/* Calls that somebody has to allow: the questions that are open, and what was allowed for good, which is
 * kept in a file of the folder of state. */
typedef struct _GmcpApprovals GmcpApprovals;

/* What the provider does about answers. */
typedef struct
{
  /* Something was allowed for good. */
  void (*remembered) (gpointer provider);
  /* A tool that is not as it was approved is to be so as it is now; gmcp_approvals_end_held() tells when it is. */
  void (*approve) (gpointer provider, GmcpPinApproval *pin);
  /* Whether somebody knows what it means to be asked about such a tool, and has that question put to him. Whoever just
   * listens to call-requested has not seen that the tool is another one. Both NULL where nobody ever is asked that. */
  gboolean (*can_ask_held) (gpointer provider);
  void (*ask_held) (gpointer provider, GmcpCallPermission *request);
} GmcpApprovalsFuncs;

/* The provider is asked by its signal call-requested, or by ask_held, and frees this when it is finalized. The functions
 * are static. */
GmcpApprovals *gmcp_approvals_new (GmcpToolProvider *provider,
                                   GMainContext *context,
                                   GmcpStateStore *state,
                                   const GmcpApprovalsFuncs *funcs);
void gmcp_approvals_free (GmcpApprovals *self);

/* What the file holds. */
gboolean gmcp_approvals_take (GmcpApprovals *self, GBytes *bytes, GError **error);
/* What does not hold while the file cannot be read, and what helps. */
const char *gmcp_approvals_describe_loss (GmcpApprovals *self);

/* What is allowed, and to whom. Borrowed. */
typedef struct
{
  const char *host; /* NULL for none, as role */
  const char *role;
  GmcpTool *tool;
  GmcpServerConfig *config; /* of the tool's server; NULL for a tool of the host's own */
} GmcpApprovalSubject;

/* Whether the tool was allowed for good. A tool that is not known never was. */
gboolean gmcp_approvals_is_remembered (GmcpApprovals *self, const GmcpApprovalSubject *subject);

typedef struct
{
  GmcpApprovalSubject subject;
  const char *server_name; /* NULL for a tool of the host's own */
  const char *rule;        /* that wants the question */
  GmcpPinApproval *pin;    /* of a tool that is not as it was approved; nullable */
  const char *change;      /* what is different about such a tool */
  const char *arguments_json;
  GmcpCallOptions *options; /* of the call; nullable */
  guint timeout_ms;
} GmcpApprovalQuestion;

typedef enum
{
  GMCP_APPROVAL_ALLOWED,
  GMCP_APPROVAL_REFUSED,
  GMCP_APPROVAL_OUTDATED, /* somebody allowed for good what was asked: the rules may say another thing now */
} GmcpApprovalOutcome;

/* Called once, perhaps at once; error is NULL unless the call may not be made. */
typedef void (*GmcpApprovalsFunc) (GmcpApprovalOutcome outcome, const GError *error, gpointer data);

/* Whether somebody may be asked about a tool that is not as it was approved. */
gboolean gmcp_approvals_can_ask_held (GmcpApprovals *self);
/* The caller holds the provider until the function is called. */
void gmcp_approvals_ask (GmcpApprovals *self,
                         const GmcpApprovalQuestion *asked,
                         GCancellable *cancellable,
                         GmcpApprovalsFunc func,
                         gpointer data);
/* Questions about the tool need no answer any more: it is approved as it is. */
void gmcp_approvals_end_held (GmcpApprovals *self, GmcpPinApproval *pin);
/* The texts of what was allowed for good, for tests. Borrowed. */
GHashTable *gmcp_approvals_peek_remembered (GmcpApprovals *self);
/* Drops all questions, which fail with the reason. */
void gmcp_approvals_drop_questions (GmcpApprovals *self, const GError *reason);

G_END_DECLS
