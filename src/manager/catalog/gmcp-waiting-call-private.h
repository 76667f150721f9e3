/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-call-router-private.h"
#include "gmcp-name-scope-private.h"

G_BEGIN_DECLS

/* What the router and the calls that wait share: gmcp-call-router.c and gmcp-waiting-call.c. */

struct _GmcpCallRouter
{
  GmcpCallRouterParts parts;
  GmcpNameScope scope;
  const GmcpCallRouterHooks *hooks;
  gpointer owner;
  GError *closed; /* NULL while calls are taken */
};

/* What a call waited for last, in the order in which that is tried. */
typedef enum
{
  GMCP_CALL_STEP_BEGIN,
  GMCP_CALL_STEP_READ_CONFIG,
  GMCP_CALL_STEP_ASK_NAMED,    /* the server that the name speaks of: for its tools */
  GMCP_CALL_STEP_RECALL_KEPT,  /* the lists of tools of all servers, as far as they are kept */
  GMCP_CALL_STEP_ASK_ALL,      /* all servers that may have the tool: for their tools */
  GMCP_CALL_STEP_ASK_PERSON,   /* whether the call may be made */
  GMCP_CALL_STEP_START_SERVER, /* whose tool it is */
  GMCP_CALL_STEP_CHECK_SERVER,
  GMCP_CALL_STEP_AWAIT_PLACE,
} GmcpCallStep;

/* How far a call has come. */
typedef struct
{
  GmcpCallStep step;     /* the last one */
  GmcpCallStep searched; /* the furthest one up to GMCP_CALL_STEP_ASK_ALL */
  GmcpTool *own;         /* of the host's; NULL for a tool of a server */
  GmcpTool
    *allowed; /* what somebody is asked about, or has allowed this call of; NULL before that */
  gboolean allowed_held; /* having been told that it is not as it was approved */
} GmcpCallProgress;

/* What stands against a call as things are. */
typedef enum
{
  GMCP_CALL_VERDICT_UNREAD,  /* the configuration is not read */
  GMCP_CALL_VERDICT_UNKNOWN, /* no tool that is known has the name */
  GMCP_CALL_VERDICT_UNCLEAR, /* a server whose tools are not known may have such a tool besides */
  GMCP_CALL_VERDICT_REFUSED,
  GMCP_CALL_VERDICT_ASKS, /* somebody has to allow it */
  GMCP_CALL_VERDICT_FREE,
} GmcpCallVerdict;

typedef struct
{
  GmcpCallVerdict verdict;
  GmcpToolName found; /* from GMCP_CALL_VERDICT_UNCLEAR on; not for a tool of the host's own */
  char *rule;         /* of GMCP_CALL_VERDICT_ASKS */
  gboolean held;      /* of GMCP_CALL_VERDICT_ASKS: since the tool is not as it was approved */
  GError *error;      /* of GMCP_CALL_VERDICT_UNKNOWN and GMCP_CALL_VERDICT_REFUSED */
} GmcpCallRoute;

void gmcp_call_route_clear (GmcpCallRoute *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpCallRoute, gmcp_call_route_clear)

/* Where the call goes as things are; what a cleared route holds is overwritten. */
void gmcp_call_router_find_route (GmcpCallRouter *self,
                                  GmcpToolCall *call,
                                  const GmcpCallProgress *progress,
                                  GmcpCallRoute *route);

/* Whether nothing has to be done for the server before a call is sent to it; step is the last one of the call. */
gboolean gmcp_call_router_server_takes_calls (GmcpManagedServer *server, GmcpCallStep step);

/* Records whose tool the error of a call is about that ends before it was resolved: a tool that was listed
 * once, or what the name says; is_servers_error where a server has given the error. */
void
gmcp_call_router_record_meant (GmcpCallRouter *self, GmcpToolCall *call, gboolean is_servers_error);

/* That of the call alone; NULL for none. */
const char *gmcp_call_router_get_role (GmcpToolCall *call);

/* A call that cannot be sent at once. It frees itself when it ends. */
typedef struct _GmcpWaitingCall GmcpWaitingCall;

GmcpWaitingCall *gmcp_waiting_call_new (GmcpCallRouter *router, GmcpToolCall *call);
/* For a tool of the host's own, and before the first step. */
void gmcp_waiting_call_set_own (GmcpWaitingCall *self,
                                GmcpTool *tool,
                                GmcpToolGateFunc func,
                                gpointer data);
/* Takes the call one step further; ends in sending it, in an error, or in waiting for something. */
void gmcp_waiting_call_follow (GmcpWaitingCall *self, const GmcpCallRoute *route);
/* Looks where the call goes by now, and takes it a step further there. */
void gmcp_waiting_call_advance (GmcpWaitingCall *self);

G_END_DECLS
