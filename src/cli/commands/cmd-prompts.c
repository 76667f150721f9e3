/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-listing.h"

/* “code, [style]: what the prompt does” */
static char *
describe_prompt (GmcpPrompt *prompt)
{
  GString *text = g_string_new (NULL);
  const char *shown = gmcp_definition_get_description (GMCP_DEFINITION (prompt));
  guint n = gmcp_prompt_get_n_arguments (prompt);

  for (guint i = 0; i < n; i++)
    {
      GmcpPromptArgument *argument = gmcp_prompt_get_argument (prompt, i);
      gboolean required = gmcp_prompt_argument_is_required (argument);

      g_string_append_printf (text, "%s%s%s%s", i > 0 ? ", " : "", required ? "" : "[",
                              gmcp_prompt_argument_get_name (argument), required ? "" : "]");
    }
  if (shown == NULL)
    shown = gmcp_definition_get_title (GMCP_DEFINITION (prompt));
  if (shown != NULL)
    g_string_append_printf (text, "%s%s", n > 0 ? ": " : "", shown);
  return g_string_free (text, FALSE);
}

static void
add_prompt (CliTable *table, JsonArray *array, const char *server, gpointer prompt)
{
  g_autofree char *json = gmcp_definition_dup_json (GMCP_DEFINITION (prompt));
  g_autofree char *name
    = g_strdup_printf ("%s.%s", server, gmcp_definition_get_name (GMCP_DEFINITION (prompt)));
  g_autofree char *text = describe_prompt (prompt);

  cli_table_add (table, name, text);
  json_array_add_element (
    array, cli_json_describe (json, "name", name, "server", server, "prompt",
                              gmcp_definition_get_name (GMCP_DEFINITION (prompt)), NULL));
}

static const CliListing prompts = {
  gmcp_client_list_prompts_async,
  gmcp_client_list_prompts_finish,
  add_prompt,
  N_ ("there are no prompts"),
};

static CliExit
run_prompts (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  CliExit status;

  if (argc > 2)
    return cli_usage_error (_ ("prompts: too many arguments; one server, or none for all"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  return cli_listing_print (&prompts, host, argc == 2 ? argv[1] : NULL, host->json);
}

const CliCommand cli_prompts_command = {
  .name = "prompts",
  .group = CLI_COMMAND_GROUP_USE,
  .summary = N_ ("List the prompts of all servers, or of one"),
  .synopsis = N_ ("[SERVER]"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .run = run_prompts,
};
