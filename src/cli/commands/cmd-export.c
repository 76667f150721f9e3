/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-server.h"
#include "cli-suggest.h"
#include "cli-text.h"

#include <gmcp/config/import/gmcp-config-export.h>
#include <gmcp/config/import/gmcp-config-import.h>

/* gmcp export: servers as another program has them. */

#define DEFAULT_FORMAT "claude-code"

typedef struct
{
  char *format;
  gboolean with_secrets;
} Options;

/* Short names that people use. */
static const char *
find_program (const char *name)
{
  static const struct
  {
    const char *alias;
    const char *program;
  } aliases[] = { { "claude", "claude-code" }, { "code", "vscode" }, { "roo", "roo-code" } };

  for (gsize i = 0; i < G_N_ELEMENTS (aliases); i++)
    {
      if (g_str_equal (aliases[i].alias, name))
        return aliases[i].program;
    }
  return name;
}

static CliExit
report_format (const char *name)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autofree char *names = g_strjoinv (", ", programs);
  g_autofree char *suggestion = cli_suggest_near (name, (const char *const *) programs);

  /* Translators: a word, names of programs, and “. Near to it: cursor.” or nothing */
  return cli_usage_error (_ ("export: “%s” is none of these formats: %s%s"), name, names,
                          suggestion);
}

static CliExit
add_servers (CliHost *host, GmcpConfigExport *export, int argc, char *argv[])
{
  GmcpManager *manager = cli_host_get_manager (host);
  CliExit status = cli_server_load_config (host, manager);
  guint n;

  for (int i = 1; i < argc && status == CLI_EXIT_OK; i++)
    {
      GmcpManagedServer *server = NULL;

      status = cli_server_find (host, argv[i], &server);
      if (status == CLI_EXIT_OK)
        gmcp_config_export_add_server (export, gmcp_managed_server_get_config (server));
    }
  if (argc > 1 || status != CLI_EXIT_OK)
    return status;

  n = g_list_model_get_n_items (G_LIST_MODEL (manager));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      if (gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
        gmcp_config_export_add_server (export, gmcp_managed_server_get_config (server));
    }
  if (n == 0)
    cli_host_explain_no_servers (host);
  return CLI_EXIT_OK;
}

static CliExit
write_export (CliHost *host, GmcpConfigExport *export)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) notes = NULL;
  g_autofree char *text = NULL;

  gmcp_config_export_write_async (export, host->cancellable, cli_store_result, &result);
  text = gmcp_config_export_write_finish (export, cli_wait (&result), &notes, &error);
  if (text == NULL)
    return cli_host_report (host, error);

  cli_text_print (g_strchomp (text));
  for (gsize i = 0; notes[i] != NULL; i++)
    cli_host_tell (host, notes[i]);
  return CLI_EXIT_OK;
}

static CliExit
run_export (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  const char *format = options->format != NULL ? options->format : DEFAULT_FORMAT;
  g_autoptr (GmcpConfigExport) export = gmcp_config_export_new (find_program (format), NULL);
  CliExit status;

  if (export == NULL)
    return report_format (format);
  gmcp_config_export_set_with_secrets (export, options->with_secrets);

  status = cli_host_open (host);
  if (status == CLI_EXIT_OK && cli_host_get_manager (host) == NULL)
    status = cli_usage_error (_ ("there is no manager of servers"));
  if (status == CLI_EXIT_OK)
    status = add_servers (host, export, argc, argv);
  return status == CLI_EXIT_OK ? write_export (host, export) : status;
}

static char *
dup_description (void)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autofree char *names = g_strjoinv (", ", programs);

  return g_strdup_printf (
    _ (
      "Without a SERVER it writes all that are enabled. Variables become those of the program, and "
      "secrets names,\nunless --with-secrets is there; what is to be filled in is told on standard "
      "error.\n\nFORMAT is one of %s (claude-code)."),
    names);
}

static const GOptionEntry export_entries[] = {
  { "format", 'f', 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, format),
    N_ ("The program whose format is written"), N_ ("FORMAT") },
  { "with-secrets", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, with_secrets),
    N_ ("Write secrets as they are, those of the keyring too"), NULL },
  { NULL },
};

const CliCommand cli_export_command = {
  .name = "export",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Print servers in the format of another program"),
  .synopsis = N_ ("[SERVER…]"),
  .dup_description = dup_description,
  .takes = CLI_TAKES_CONFIG,
  .entries = export_entries,
  .options_size = sizeof (Options),
  .run = run_export,
};
