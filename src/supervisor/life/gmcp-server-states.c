/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-states-private.h"

/* The life of a managed server: what it is, and where each event takes it. data/docs/states.md has the
 * same table, and a test compares the two. */

#define NONE          (-1)

#define STOPPED       GMCP_SERVER_STATE_STOPPED
#define STARTING      GMCP_SERVER_STATE_STARTING
#define READY         GMCP_SERVER_STATE_READY
#define DEGRADED      GMCP_SERVER_STATE_DEGRADED
#define UNHEALTHY     GMCP_SERVER_STATE_UNHEALTHY
#define BACKING_OFF   GMCP_SERVER_STATE_BACKING_OFF
#define NEEDS_SIGN_IN GMCP_SERVER_STATE_NEEDS_SIGN_IN
#define FAILED        GMCP_SERVER_STATE_FAILED
#define STOPPING      GMCP_SERVER_STATE_STOPPING
#define DISABLED      GMCP_SERVER_STATE_DISABLED
#define INSTALLING    GMCP_SERVER_STATE_INSTALLING

typedef struct
{
  gboolean is_up;
  gboolean lists_tools;
  GmcpServerOnCall on_call;
  const char *health;
  const char *connection;
  gint8 next[GMCP_SERVER_N_EVENTS];
} State;

static const char *const event_nicks[GMCP_SERVER_N_EVENTS] = {
  "start",        "install",      "installed", "ready", "sign-in", "retry",  "fail",    "end",
  "check-passed", "check-failed", "unhealthy", "stop",  "gone",    "change", "disable",
};

/* clang-format off */
static const State states[] = {
  /* In the order of the events:
   *   start, install, installed, ready, sign-in, retry, fail, end,
   *   check-passed, check-failed, unhealthy, stop, gone, change, disable */
  [STOPPED] = {
    FALSE, TRUE, GMCP_SERVER_ON_CALL_START,
    "not-applicable", "disconnected",
    { STARTING, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE, NONE, NONE, STOPPED, NONE, STOPPED, DISABLED },
  },
  [STARTING] = {
    FALSE, TRUE, GMCP_SERVER_ON_CALL_WAIT,
    "starting", "connecting",
    { NONE, INSTALLING, NONE, READY, NEEDS_SIGN_IN, BACKING_OFF, FAILED, NONE,
      NONE, NONE, NONE, STOPPING, NONE, STOPPING, DISABLED },
  },
  [INSTALLING] = {
    FALSE, TRUE, GMCP_SERVER_ON_CALL_WAIT,
    "starting", "connecting",
    { NONE, NONE, STARTING, NONE, NEEDS_SIGN_IN, BACKING_OFF, FAILED, NONE,
      NONE, NONE, NONE, STOPPING, NONE, STOPPING, DISABLED },
  },
  [READY] = {
    TRUE, TRUE, GMCP_SERVER_ON_CALL_SEND,
    "healthy", "connected",
    { NONE, NONE, NONE, NONE, NEEDS_SIGN_IN, BACKING_OFF, FAILED, STOPPED,
      READY, DEGRADED, UNHEALTHY, STOPPING, NONE, STOPPING, DISABLED },
  },
  [DEGRADED] = {
    TRUE, TRUE, GMCP_SERVER_ON_CALL_SEND,
    "unknown", "connected",
    { NONE, NONE, NONE, NONE, NEEDS_SIGN_IN, BACKING_OFF, FAILED, STOPPED,
      READY, DEGRADED, UNHEALTHY, STOPPING, NONE, STOPPING, DISABLED },
  },
  [UNHEALTHY] = {
    TRUE, FALSE, GMCP_SERVER_ON_CALL_FAIL,
    "unhealthy", "error",
    { NONE, NONE, NONE, NONE, NEEDS_SIGN_IN, BACKING_OFF, FAILED, STOPPED,
      READY, UNHEALTHY, UNHEALTHY, STOPPING, NONE, STOPPING, DISABLED },
  },
  [BACKING_OFF] = {
    FALSE, TRUE, GMCP_SERVER_ON_CALL_WAIT,
    "not-applicable", "connecting",
    { STARTING, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE, NONE, NONE, STOPPING, BACKING_OFF, STOPPING, DISABLED },
  },
  [NEEDS_SIGN_IN] = {
    FALSE, TRUE, GMCP_SERVER_ON_CALL_FAIL,
    "not-applicable", "error",
    { STARTING, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE, NONE, NONE, STOPPING, NEEDS_SIGN_IN, STOPPING, DISABLED },
  },
  [FAILED] = {
    FALSE, FALSE, GMCP_SERVER_ON_CALL_FAIL,
    "not-applicable", "error",
    { STARTING, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE, NONE, NONE, STOPPING, FAILED, STOPPING, DISABLED },
  },
  [STOPPING] = {
    FALSE, TRUE, GMCP_SERVER_ON_CALL_WAIT,
    "not-applicable", "disconnected",
    { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE, NONE, NONE, STOPPING, STOPPED, STOPPING, DISABLED },
  },
  [DISABLED] = {
    FALSE, FALSE, GMCP_SERVER_ON_CALL_FAIL,
    "not-applicable", "disconnected",
    { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE, NONE, NONE, DISABLED, DISABLED, STOPPING, DISABLED },
  },
};
/* clang-format on */

gboolean
gmcp_server_state_next (GmcpServerState state, GmcpServerEvent event, GmcpServerState *next)
{
  int found = states[state].next[event];

  if (found == NONE)
    return FALSE;

  *next = (GmcpServerState) found;
  return TRUE;
}

gboolean
gmcp_server_state_lists_tools (GmcpServerState state)
{
  return states[state].lists_tools;
}

GmcpServerOnCall
gmcp_server_state_on_call (GmcpServerState state)
{
  return states[state].on_call;
}

/**
 * gmcp_server_state_get_health:
 * @state: a state
 *
 * Says in a word what is known of the health of a server that is in the state: `healthy` where the last health
 * check passed; `unknown` where it failed, and not enough of them did to be sure; `unhealthy` where too many in a
 * row failed; `starting` where the server has not been checked yet; `not-applicable` where it does not run.
 *
 * Returns: one of these words
 *
 * Since: 0.1
 */
const char *
gmcp_server_state_get_health (GmcpServerState state)
{
  g_return_val_if_fail ((guint) state < G_N_ELEMENTS (states), NULL);

  return states[state].health;
}

/**
 * gmcp_server_state_get_connection:
 * @state: a state
 *
 * Says in a word what a server that is in the state is doing, for hosts that do not want to know more:
 * `disconnected` where there is no connection, and none is wanted; `connecting` where there will be one;
 * `connected` where the server can be used; `error` where something has to be done before there can be a
 * connection.
 *
 * Returns: one of these words
 *
 * Since: 0.1
 */
const char *
gmcp_server_state_get_connection (GmcpServerState state)
{
  g_return_val_if_fail ((guint) state < G_N_ELEMENTS (states), NULL);

  return states[state].connection;
}

gboolean
gmcp_server_state_is_connecting (GmcpServerState state)
{
  return g_str_equal (states[state].connection, "connecting");
}

gboolean
gmcp_server_state_is_up (GmcpServerState state)
{
  return states[state].is_up;
}

const char *
gmcp_server_state_get_nick (GmcpServerState state)
{
  GEnumClass *values = g_type_class_peek_static (GMCP_TYPE_SERVER_STATE);

  /* Enumerations are never unloaded. */
  if (values == NULL)
    values = g_type_class_ref (GMCP_TYPE_SERVER_STATE);
  return g_enum_get_value (values, (int) state)->value_nick;
}

const char *
gmcp_server_event_get_nick (GmcpServerEvent event)
{
  return event_nicks[event];
}
