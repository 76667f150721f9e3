/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/life/gmcp-server-state.h>

G_BEGIN_DECLS

/* What happens to a managed server. */
typedef enum
{
  GMCP_SERVER_EVENT_START,        /* a start begins */
  GMCP_SERVER_EVENT_INSTALL,      /* its command fetches the program first, or waits for its turn */
  GMCP_SERVER_EVENT_INSTALLED,    /* the program is there, and has been started */
  GMCP_SERVER_EVENT_READY,        /* the handshake, the list and a health check have passed */
  GMCP_SERVER_EVENT_SIGN_IN,      /* it wants somebody to sign in first */
  GMCP_SERVER_EVENT_RETRY,        /* it failed, and is started again after a while */
  GMCP_SERVER_EVENT_FAIL,         /* it failed, and is not started again by itself */
  GMCP_SERVER_EVENT_END,          /* it ended, and is not to be restarted */
  GMCP_SERVER_EVENT_CHECK_PASSED, /* a health check */
  GMCP_SERVER_EVENT_CHECK_FAILED, /* one, and not too many in a row */
  GMCP_SERVER_EVENT_UNHEALTHY,    /* too many health checks failed in a row */
  GMCP_SERVER_EVENT_STOP,         /* somebody, or its idle time, stops it */
  GMCP_SERVER_EVENT_GONE,         /* nothing is left of its process */
  GMCP_SERVER_EVENT_CHANGE,       /* what is configured is another process now */
  GMCP_SERVER_EVENT_DISABLE,      /* by the configuration */
} GmcpServerEvent;

#define GMCP_SERVER_N_EVENTS (GMCP_SERVER_EVENT_DISABLE + 1)

/* What a call of one of its tools does. */
typedef enum
{
  GMCP_SERVER_ON_CALL_SEND,
  GMCP_SERVER_ON_CALL_START, /* the server, unless only the user may, and waits */
  GMCP_SERVER_ON_CALL_WAIT,
  GMCP_SERVER_ON_CALL_FAIL,
} GmcpServerOnCall;

/* FALSE where the event means nothing in that state. */
gboolean
gmcp_server_state_next (GmcpServerState state, GmcpServerEvent event, GmcpServerState *next);
gboolean gmcp_server_state_lists_tools (GmcpServerState state);
GmcpServerOnCall gmcp_server_state_on_call (GmcpServerState state);
/* Whether there will be a connection. */
gboolean gmcp_server_state_is_connecting (GmcpServerState state);
/* Whether there is a connection that can be used. */
gboolean gmcp_server_state_is_up (GmcpServerState state);

const char *gmcp_server_state_get_nick (GmcpServerState state);
const char *gmcp_server_event_get_nick (GmcpServerEvent event);

G_END_DECLS
