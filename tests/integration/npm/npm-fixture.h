/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gmcp.h>

G_BEGIN_DECLS

/* What the tests with servers of other makers, and other child processes, have in common. */

#define EVERYTHING "@modelcontextprotocol/server-everything/dist/index.js"

/* For the _async functions: a callback that stores its result, and the wait for it. */
void store_result (GObject *source, GAsyncResult *result, gpointer slot);
GAsyncResult *wait_for (GAsyncResult **slot);

/* TRUE, and the test is skipped, where there are no npm packages. */
gboolean skip_without_npm (void);
/* “@…” is a script below node_modules, another one of tests/servers. */
char *find_script (const char *script);
/* Such a script as a child process, with one argument or none. */
GmcpTransport *new_script_transport (const char *script, const char *argument);

/* A script of either kind that serves HTTP, with arguments that may be NULL. It runs until it is
 * stopped. */
typedef struct _WebServer WebServer;

WebServer *web_server_start (const char *script, const char *const *arguments);
void web_server_stop (WebServer *server);
const char *web_server_get_uri (WebServer *server);
/* Runs the loop until the server has printed that; gives what follows it. */
const char *web_server_wait_for_line (WebServer *server, const char *text);
/* What it has printed so far. */
const char *web_server_get_log (WebServer *server);

void open_client (GmcpClient *client);
void close_client (GmcpClient *client);
/* Closes it, and drops the two references, which must be the last; no process may be left. */
void drop_client (GmcpClient *client, GmcpTransport *transport);

GmcpToolResult *try_call (GmcpClient *client,
                          const char *tool,
                          const char *arguments,
                          GmcpCallOptions *options,
                          GCancellable *cancellable,
                          GError **error);
/* The call must get a result, which may tell of an error of the tool. */
GmcpToolResult *call_tool (GmcpClient *client, const char *tool, const char *arguments);
/* The tool must not fail. */
void
assert_call (GmcpClient *client, const char *tool, const char *arguments, GmcpCallOptions *options);
void
assert_text (GmcpClient *client, const char *tool, const char *arguments, const char *expected);

GListModel *list_tools (GmcpClient *client);
gboolean has_tool (GListModel *tools, const char *name);

/* Counts the steps of a call, of which there are three. */
void on_step_of_three (GmcpCallOptions *options,
                       double progress,
                       double total,
                       const char *message,
                       gpointer n_steps);
gboolean on_time_to_cancel (gpointer cancellable);

/* A call of “wait” is cancelled once the server has begun with it: a server that hears of both at once may not begin. */
typedef struct
{
  GmcpTransport *transport; /* of a process, or */
  WebServer *server;
  GCancellable *cancellable;
} CancelWhenItWaits;

gboolean cancel_when_it_waits (gpointer cancel);

G_END_DECLS
