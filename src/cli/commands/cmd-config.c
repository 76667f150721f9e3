/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-config.h"

typedef struct
{
  gboolean yes;
  gboolean requirements;
  gboolean yaml;
  gboolean force;
} Options;

static CliExit
show_config (CliHost *host, char *paths[], int n_paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpManager) manager = cli_config_read (host, paths, n_paths, &error);

  if (error != NULL)
    return cli_host_report (host, error);
  cli_config_show (manager, host->json);
  if (g_list_model_get_n_items (G_LIST_MODEL (manager)) == 0 && n_paths == 0
      && cli_host_open (host) == CLI_EXIT_OK)
    cli_host_explain_no_servers (host);
  return CLI_EXIT_OK;
}

static CliExit
run_validate (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;

  return cli_config_check (host, argv + 1, argc - 1, options->requirements);
}

static CliExit
run_init (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  const CliTemplateOptions template = { options->yaml, host->json, options->force };

  if (argc > 2)
    return cli_usage_error (_ ("config init: one file at a time"));
  return cli_config_write_template (host, argv[1], &template);
}

static CliExit
run_show (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  return show_config (host, argv + 1, argc - 1);
}

static CliExit
change_trust (CliHost *host, const Options *options, int argc, char *argv[], gboolean trusted)
{
  if (argc < 2)
    return cli_usage_error (_ ("config: %s takes a file or a folder"), argv[0]);
  if (!cli_config_is_folder (argv[1]))
    return cli_config_set_trusted (host, argv[1], argv + 2, trusted, options->yes);
  if (argc > 2)
    return cli_usage_error (_ ("config: a folder is trusted as a whole"));
  return cli_config_set_folder_trusted (host, argv[1], trusted, options->yes);
}

static CliExit
run_trust (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  return change_trust (host, options, argc, argv, TRUE);
}

static CliExit
run_distrust (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  return change_trust (host, options, argc, argv, FALSE);
}

static const GOptionEntry config_entries[] = {
  { "yes", 'y', 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, yes),
    N_ ("Trust what is shown without asking"), NULL },
  { "show-requirements", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, requirements),
    N_ ("With “validate”: say which servers hosts and tools require, and how to get them"), NULL },
  { "show-mcp-requirements", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE,
    CLI_OFFSET (Options, requirements), N_ ("Another word for --show-requirements"), NULL },
  { "yaml", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, yaml),
    N_ ("With “init”: write YAML; --json writes JSON"), NULL },
  { "force", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, force),
    N_ ("With “init”: replace a file that is there"), NULL },
  { NULL },
};

static const CliVerb config_verbs[] = {
  { "validate", N_ ("[FILE…]"),
    N_ ("Say what is wrong in the files, or in all places that servers are configured in"),
    run_validate },
  { "check", N_ ("[FILE…]"), N_ ("Another word for “validate”"), run_validate },
  { "init", N_ ("[FILE]"),
    N_ ("Write a file with every key, its default and its range, or print it for “-”"), run_init },
  { "show", N_ ("[FILE…]"), N_ ("Show what holds for all servers, and what hosts and tools need"),
    run_show },
  { "trust", N_ ("FILE [NAME…] | FOLDER"),
    N_ ("Let the servers of a project's file run, or servers of your own run in a folder"),
    run_trust },
  { "distrust", N_ ("FILE [NAME…] | FOLDER"), N_ ("Take that back"), run_distrust },
  { NULL },
};

const CliCommand cli_config_command = {
  .name = "config",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary
  = N_ ("Say what is wrong in the configuration and what it comes to, or trust a file or a folder"),
  .description = N_ (
    "“trust” shows all of a project's file, asks, and lets its servers run until the file "
    "changes. A server of\nit whose id stands elsewhere, too, is taken in the place of that one "
    "only where it is named by its NAME.\n“trust FOLDER” lets servers of your own run in that "
    "folder, where it is the one worked in."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_CONFIG,
  .entries = config_entries,
  .options_size = sizeof (Options),
  .verbs = config_verbs,
};
