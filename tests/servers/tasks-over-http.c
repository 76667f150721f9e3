/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What gmcp-tasks serves, over HTTP without sessions: DATABASE USER. Prints its address, and ends with its
 * input. */

#include "config.h"

#include <gmcp/server/http/gmcp-http-endpoint.h>

#include "gmcp-task-limits.h"
#include "gmcp-task-provider.h"
#include "gmcp-task-tools.h"

static gboolean
on_input (GIOChannel *channel, GIOCondition condition, gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GIOChannel) input = g_io_channel_unix_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskStore) store = NULL;
  g_autoptr (GmcpTaskProvider) provider = NULL;
  g_autoptr (GmcpServer) server = NULL;
  g_autoptr (GmcpHttpEndpoint) endpoint = NULL;
  g_autofree char *uri = NULL;

  if (argc != 3)
    return 2;

  store = gmcp_task_store_new (argv[1], GMCP_TASK_DEFAULT_TIMEOUT_MS);
  provider = gmcp_task_provider_new (store, argv[2], &error);
  g_assert_no_error (error);
  server = gmcp_server_new ("gmcp-tasks", GMCP_VERSION, GMCP_TOOL_PROVIDER (provider));
  gmcp_task_tools_answer_refusals (server);
  endpoint = gmcp_http_endpoint_new (server);
  g_object_set (endpoint, "max-sessions", 0, NULL);
  if (!gmcp_http_endpoint_listen (endpoint, 0, &error))
    g_error ("%s", error->message);

  uri = gmcp_http_endpoint_dup_uri (endpoint);
  g_print ("%s\n", uri);
  g_io_add_watch (input, G_IO_IN | G_IO_HUP, on_input, loop);
  g_main_loop_run (loop);
  return 0;
}
