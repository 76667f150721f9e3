/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-listing.h"

typedef struct
{
  gboolean templates;
} Options;

static void
add_resource (CliTable *table, JsonArray *array, const char *server, gpointer item)
{
  g_autofree char *text = gmcp_definition_dup_json (GMCP_DEFINITION (item));
  g_autofree char *name = g_strdup_printf ("%s %s", server, gmcp_resource_get_uri (item));
  const char *shown = gmcp_definition_get_description (GMCP_DEFINITION (item));

  if (shown == NULL)
    shown = gmcp_definition_get_title (GMCP_DEFINITION (item));
  if (shown == NULL)
    shown = gmcp_definition_get_name (GMCP_DEFINITION (item));
  cli_table_add (table, name, shown);
  json_array_add_element (array, cli_json_describe (text, "server", server, NULL));
}

static void
add_template (CliTable *table, JsonArray *array, const char *server, gpointer item)
{
  g_autofree char *text = gmcp_definition_dup_json (GMCP_DEFINITION (item));
  g_autofree char *name
    = g_strdup_printf ("%s %s", server, gmcp_resource_template_get_uri_template (item));
  const char *shown = gmcp_definition_get_description (GMCP_DEFINITION (item));

  if (shown == NULL)
    shown = gmcp_definition_get_title (GMCP_DEFINITION (item));
  if (shown == NULL)
    shown = gmcp_definition_get_name (GMCP_DEFINITION (item));
  cli_table_add (table, name, shown);
  json_array_add_element (array, cli_json_describe (text, "server", server, NULL));
}

static const CliListing resources = {
  gmcp_client_list_resources_async,
  gmcp_client_list_resources_finish,
  add_resource,
  N_ ("there are no resources"),
};

static const CliListing resource_templates = {
  gmcp_client_list_resource_templates_async,
  gmcp_client_list_resource_templates_finish,
  add_template,
  N_ ("there are no templates of resources"),
};

static CliExit
run_resources (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  CliExit status;

  if (argc > 2)
    return cli_usage_error (_ ("resources: too many arguments; one server, or none for all"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  return cli_listing_print (options->templates ? &resource_templates : &resources, host,
                            argc == 2 ? argv[1] : NULL, host->json);
}

static const GOptionEntry resources_entries[] = {
  { "templates", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, templates),
    N_ ("List the templates of resources in place of the resources"), NULL },
  { NULL },
};

const CliCommand cli_resources_command = {
  .name = "resources",
  .group = CLI_COMMAND_GROUP_USE,
  .summary = N_ ("List the resources of all servers, or of one"),
  .synopsis = N_ ("[SERVER]"),
  .description = N_ ("Each line begins with the server and the URI, as “gmcp read” takes them."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = resources_entries,
  .options_size = sizeof (Options),
  .run = run_resources,
};
