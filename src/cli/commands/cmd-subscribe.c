/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <gmcp/client/gmcp-subscription.h>
#include <gmcp/json/gmcp-json.h>
#include <json-glib/json-glib.h>
#include <stdio.h>

#include "cli-commands.h"
#include "cli-server.h"
#include "cli-text.h"

typedef struct
{
  gboolean tools;
  gboolean prompts;
  gboolean resources;
} Options;

typedef struct
{
  CliHost *host;
  const char *server;
  gboolean json;
  gboolean over;
  CliExit status; /* once it is over */
} Watch;

static const struct
{
  GmcpSubscriptionFlags list;
  const char *name;
} lists[] = {
  { GMCP_SUBSCRIPTION_TOOLS, "tools" },
  { GMCP_SUBSCRIPTION_PROMPTS, "prompts" },
  { GMCP_SUBSCRIPTION_RESOURCES, "resources" },
};

static void
end_watch (Watch *watch, CliExit status)
{
  watch->over = TRUE;
  watch->status = status;
}

/* Each line is passed on at once. */
static void
flush_output (Watch *watch)
{
  if (fflush (stdout) != 0)
    end_watch (watch, CLI_EXIT_OUTPUT);
}

static void
print_json (const char *change, const char *uri)
{
  JsonObject *object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = NULL;

  json_object_unref (object);
  json_object_set_string_member (object, "change", change);
  if (uri != NULL)
    json_object_set_string_member (object, "uri", uri);
  text = gmcp_json_print (node, NULL);
  cli_text_print_json (text);
}

static void
on_list_changed (GmcpSubscription *subscription, Watch *watch, const char *name)
{
  if (watch->json)
    print_json (name, NULL);
  else
    g_print ("%s\n", name);
  flush_output (watch);
}

static void
on_tools_changed (GmcpSubscription *subscription, gpointer watch)
{
  on_list_changed (subscription, watch, "tools");
}

static void
on_prompts_changed (GmcpSubscription *subscription, gpointer watch)
{
  on_list_changed (subscription, watch, "prompts");
}

static void
on_resources_changed (GmcpSubscription *subscription, gpointer watch)
{
  on_list_changed (subscription, watch, "resources");
}

static void
on_updated (GmcpSubscription *subscription, const char *uri, gpointer data)
{
  Watch *watch = data;

  if (watch->json)
    print_json ("resource", uri);
  else
    {
      g_autofree char *plain = cli_text_plain (uri, G_MAXUINT / 2);

      g_print ("resource %s\n", plain);
    }
  flush_output (watch);
}

static void
on_interrupted (GmcpSubscription *subscription, const GError *error, gpointer data)
{
  Watch *watch = data;

  /* The end of the connection is told by itself. */
  if (gmcp_client_is_open (gmcp_subscription_get_client (subscription)))
    g_printerr (_ ("gmcp: %s no longer tells of changes, and is asked again: %s\n"), watch->server,
                error != NULL ? error->message : _ ("it has ended the subscription"));
}

static void
on_ended (GmcpSubscription *subscription, const GError *error, gpointer data)
{
  Watch *watch = data;

  end_watch (watch, cli_host_report (watch->host, error));
}

static void
on_closed (GmcpClient *client, const GError *error, gpointer data)
{
  Watch *watch = data;

  end_watch (watch, cli_host_report (watch->host, error));
}

static void
connect_signals (GmcpSubscription *subscription, Watch *watch)
{
  g_signal_connect (subscription, "tools-list-changed", G_CALLBACK (on_tools_changed), watch);
  g_signal_connect (subscription, "prompts-list-changed", G_CALLBACK (on_prompts_changed), watch);
  g_signal_connect (subscription, "resources-list-changed", G_CALLBACK (on_resources_changed),
                    watch);
  g_signal_connect (subscription, "resource-updated", G_CALLBACK (on_updated), watch);
  g_signal_connect (subscription, "interrupted", G_CALLBACK (on_interrupted), watch);
  g_signal_connect (subscription, "ended", G_CALLBACK (on_ended), watch);
}

/* FALSE where nothing is left that the server tells of. */
static gboolean
report_missing (GmcpSubscription *subscription, const char *server)
{
  GmcpSubscriptionFlags given = gmcp_subscription_get_acknowledged_lists (subscription);
  GmcpSubscriptionFlags missing = gmcp_subscription_get_lists (subscription) & ~given;
  const char *const *wanted = gmcp_subscription_get_resource_uris (subscription);
  const char *const *uris = gmcp_subscription_get_acknowledged_resource_uris (subscription);

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if ((missing & lists[i].list) != 0)
      /* Translators: a server's name; “tools”, “prompts” or “resources” */
      g_printerr (_ ("gmcp: %s does not tell when its list of %s changes\n"), server,
                  lists[i].name);
  for (guint i = 0; wanted[i] != NULL; i++)
    if (!g_strv_contains (uris, wanted[i]))
      {
        g_autofree char *plain = cli_text_plain (wanted[i], G_MAXUINT / 2);

        g_printerr (_ ("gmcp: %s does not tell when %s changes\n"), server, plain);
      }
  return given != GMCP_SUBSCRIPTION_NONE || uris[0] != NULL;
}

static CliExit
watch_changes (Watch *watch, GmcpSubscriptionFlags wanted, const char *const *uris)
{
  g_autoptr (GmcpSubscription) subscription = NULL;
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GError) error = NULL;
  GmcpClient *client = NULL;
  gulong closed;
  CliExit status = cli_server_connect (watch->host, watch->server, &client);

  if (status != CLI_EXIT_OK)
    return status;

  subscription = gmcp_subscription_new (client, wanted, uris, NULL);
  connect_signals (subscription, watch);
  gmcp_subscription_open_async (subscription, watch->host->cancellable, cli_store_result, &opened);
  if (!gmcp_subscription_open_finish (subscription, cli_wait (&opened), &error))
    return cli_host_report (watch->host, error);
  if (!report_missing (subscription, watch->server))
    return CLI_EXIT_PROTOCOL;

  closed = g_signal_connect (gmcp_subscription_get_client (subscription), "closed",
                             G_CALLBACK (on_closed), watch);
  /* From here on the user, the time that was given, or the reader's end ends the watch. */
  cli_host_end_with_reader (watch->host);
  while (!watch->over && !g_cancellable_is_cancelled (watch->host->cancellable))
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (gmcp_subscription_get_client (subscription), closed);
  gmcp_subscription_close (subscription);
  return watch->status;
}

static gboolean
check_uris (char *const *uris)
{
  for (guint i = 0; uris[i] != NULL; i++)
    if (*uris[i] == '\0' || !g_utf8_validate (uris[i], -1, NULL))
      return FALSE;
  return TRUE;
}

static CliExit
run_subscribe (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  Watch watch = { .host = host, .json = host->json };
  GmcpSubscriptionFlags wanted;
  CliExit status;

  if (argc < 2)
    return cli_server_report_missing (host, argv[0]);
  if (!check_uris (argv + 2))
    return cli_usage_error (_ ("subscribe: a URI is empty or not UTF-8"));

  wanted = (options->tools ? GMCP_SUBSCRIPTION_TOOLS : 0)
           | (options->prompts ? GMCP_SUBSCRIPTION_PROMPTS : 0)
           | (options->resources ? GMCP_SUBSCRIPTION_RESOURCES : 0);
  if (wanted == GMCP_SUBSCRIPTION_NONE && argc == 2)
    wanted = GMCP_SUBSCRIPTION_TOOLS | GMCP_SUBSCRIPTION_PROMPTS | GMCP_SUBSCRIPTION_RESOURCES;

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  watch.server = argv[1];
  return watch_changes (&watch, wanted, (const char *const *) argv + 2);
}

static const GOptionEntry subscribe_entries[] = {
  { "tools", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, tools),
    N_ ("Changes of the list of tools"), NULL },
  { "prompts", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, prompts),
    N_ ("Changes of the list of prompts"), NULL },
  { "resources", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, resources),
    N_ ("Changes of the list of resources"), NULL },
  { NULL },
};

const CliCommand cli_subscribe_command = {
  .name = "subscribe",
  .group = CLI_COMMAND_GROUP_USE,
  .summary = N_ ("Print changes as they come, until Ctrl-C"),
  .synopsis = N_ ("SERVER [URI…]"),
  .description = N_ ("Without URIs and lists, changes of all lists are printed. Ctrl-C ends it."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = subscribe_entries,
  .options_size = sizeof (Options),
  .run = run_subscribe,
};
