/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <unistd.h>

#include <gmcp/config/import/gmcp-config-import.h>

#include "cli-affirm.h"
#include "cli-commands.h"
#include "cli-connection.h"
#include "cli-json.h"
#include "cli-server.h"
#include "cli-source.h"
#include "cli-suggest.h"
#include "cli-table.h"
#include "cli-text.h"
#include "cli-wrap.h"

/* gmcp connect and gmcp disconnect: the gateway in other programs' configurations. */

typedef struct
{
  char *name; /* of the server in the program; NULL for the default */
  char *role;
  gboolean search;
  gboolean in_project;
  gboolean all;
  gboolean yes;
  gboolean dry_run;
} Options;

/* One run of either command. */
typedef struct
{
  CliHost *host;
  const Options *options;
  gboolean connects;
  GStrv ids; /* of the servers that are configured here */
  JsonArray *described;
} Run;

static void
run_clear (Run *run)
{
  g_strfreev (run->ids);
  g_clear_pointer (&run->described, json_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static const char *
get_command_name (const Run *run)
{
  return run->connects ? "connect" : "disconnect";
}

/* What stands behind “gmcp gateway”. The program starts it wherever it is, so that a path is full. */
static GStrv
make_arguments (const Run *run)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (GFile) file
    = run->host->config_file != NULL ? cli_host_make_config_file (run->host) : NULL;
  g_autofree char *name = file != NULL ? g_file_get_parse_name (file) : NULL;

  if (name != NULL)
    g_strv_builder_add_many (words, "-c", name, NULL);
  if (run->options->role != NULL)
    g_strv_builder_add_many (words, "--role", run->options->role, NULL);
  if (run->options->search)
    g_strv_builder_add (words, "--search");
  return g_strv_builder_end (words);
}

static void
prepare_connection (const Run *run, GmcpProgramConnection *connection)
{
  g_autofree char *executable = cli_connection_dup_executable ();
  g_auto (GStrv) arguments = make_arguments (run);

  gmcp_program_connection_set_executable (connection, executable);
  gmcp_program_connection_set_arguments (connection, (const char *const *) arguments);
  gmcp_program_connection_set_name (connection, run->options->name);
}

/* Without a role what is configured here is worth a word only. */
static CliExit
look_at_servers (Run *run)
{
  GmcpManager *manager;
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  CliExit status = cli_host_open (run->host);
  guint n_servers;

  manager = status == CLI_EXIT_OK ? cli_host_get_manager (run->host) : NULL;
  if (manager != NULL)
    status = cli_server_load_config (run->host, manager);
  if (manager != NULL && status == CLI_EXIT_OK && run->options->role != NULL)
    status = cli_server_check_role (manager, run->options->role);
  n_servers = manager != NULL ? g_list_model_get_n_items (G_LIST_MODEL (manager)) : 0;
  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      g_strv_builder_add (ids, gmcp_managed_server_get_id (server));
    }
  run->ids = g_strv_builder_end (ids);
  return run->options->role != NULL ? status : CLI_EXIT_OK;
}

static CliExit
report_none_found (void)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autofree char *names = g_strjoinv (", ", programs);

  g_printerr (_ ("None of these programs was found: %s\n"), names);
  return CLI_EXIT_OK;
}

static void
print_next_step (void)
{
  g_autofree char *text
    = cli_wrap (_ ("“gmcp connect PROGRAM” writes the gateway there, and “gmcp disconnect PROGRAM” "
                   "takes it out again."),
                cli_text_width (STDOUT_FILENO));

  fputc ('\n', stdout);
  cli_style_print (CLI_STYLE_DIM, text);
  fputc ('\n', stdout);
}

static void
add_row (CliTable *table, GmcpProgramConnection *connection)
{
  g_autofree char *file = g_file_get_parse_name (gmcp_program_connection_get_file (connection));
  g_autofree char *shown = cli_source_shorten_place (file);
  g_autofree char *state = cli_connection_describe_state (connection);

  cli_table_add_cells (
    table, (const char *[]){ gmcp_program_connection_get_program (connection), state, shown });
}

/* A file that cannot be read is told, and left out of the table. */
static CliExit
list_found (Run *run)
{
  g_autoptr (CliTable) table
    = cli_table_new_with_titles (_ ("Program"), _ ("State"), _ ("File"), NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found
    = cli_connection_find (run->host, NULL, run->options->in_project, &error);
  guint n_rows = 0;

  if (found == NULL)
    return cli_host_report (run->host, error);
  for (guint i = 0; i < found->len; i++)
    {
      GmcpProgramConnection *connection = g_ptr_array_index (found, i);
      g_autoptr (GError) problem = NULL;

      prepare_connection (run, connection);
      if (cli_connection_load (run->host, connection, &problem))
        {
          add_row (table, connection);
          n_rows++;
        }
      else if (!run->host->json)
        g_printerr ("gmcp: %s\n", problem->message);
      json_array_add_element (run->described, cli_connection_describe (connection, NULL, problem));
    }

  if (run->host->json)
    cli_json_print_array (g_steal_pointer (&run->described));
  else if (found->len == 0)
    return report_none_found ();
  else if (n_rows > 0)
    cli_table_print (table);
  if (!run->host->json && isatty (STDOUT_FILENO))
    print_next_step ();
  return CLI_EXIT_OK;
}

static void
tell_result (const Run *run, GmcpProgramConnection *connection)
{
  const char *title = gmcp_program_connection_get_title (connection);
  GFile *backup = gmcp_program_connection_get_backup_file (connection);

  if (run->connects)
    g_print (_ ("%s is connected. Start it anew, or have it read its servers anew.\n"), title);
  else
    g_print (_ ("%s is not connected any more. Start it anew, or have it read its servers anew.\n"),
             title);
  if (backup != NULL)
    {
      g_autofree char *kept = g_file_get_parse_name (backup);

      g_print (_ ("What the file held before is in %s.\n"), kept);
    }
}

static void
tell_nothing_to_do (const Run *run, GmcpProgramConnection *connection)
{
  g_autofree char *file = g_file_get_parse_name (gmcp_program_connection_get_file (connection));

  if (run->connects)
    /* Translators: the name of a program, and its file */
    g_print (_ ("%s is connected already (%s).\n"), gmcp_program_connection_get_title (connection),
             file);
  else
    g_print (_ ("%s is not connected (%s).\n"), gmcp_program_connection_get_title (connection),
             file);
}

/* What the preview and the servers that the program has itself say; NULL for JSON. */
static char *
make_text (const Run *run, GmcpProgramConnection *connection, const char *diff)
{
  g_autofree char *preview = cli_connection_make_preview (connection, diff);
  g_autofree char *doubled
    = run->connects ? cli_connection_describe_doubled (connection, (const char *const *) run->ids)
                    : NULL;

  if (run->host->json)
    return NULL;
  return doubled != NULL ? g_strdup_printf ("%s%s\n", preview, doubled)
                         : g_steal_pointer (&preview);
}

static gboolean
is_agreed (const Run *run, const char *text)
{
  if (text != NULL && !run->options->yes && !run->options->dry_run && cli_may_ask ())
    return cli_affirm (run->host, text, _ ("Write this? [y/N]"));
  if (text != NULL)
    cli_text_show (text);
  return run->options->yes && !run->options->dry_run;
}

/* FALSE with the error where the program's file cannot be read or written so. */
static gboolean
change_program (Run *run, GmcpProgramConnection *connection, char **diff, GError **error)
{
  g_autofree char *text = NULL;

  if (!cli_connection_load (run->host, connection, error))
    return FALSE;
  *diff = run->connects ? gmcp_program_connection_preview_connect (connection, error)
                        : gmcp_program_connection_preview_disconnect (connection, error);
  if (*diff == NULL)
    return FALSE;
  if (**diff == '\0')
    {
      if (!run->host->json)
        tell_nothing_to_do (run, connection);
      return TRUE;
    }

  text = make_text (run, connection, *diff);
  if (is_agreed (run, text))
    {
      if (!cli_connection_write (run->host, connection, run->connects, error))
        return FALSE;
      if (!run->host->json)
        tell_result (run, connection);
    }
  else if (!run->host->json)
    {
      g_print ("%s\n", _ ("Nothing was written; “--yes” does it."));
    }
  return TRUE;
}

/* One that fails is no reason to leave out the others. */
static CliExit
change_programs (Run *run, GPtrArray *connections)
{
  CliExit status = CLI_EXIT_OK;

  for (guint i = 0; i < connections->len; i++)
    {
      GmcpProgramConnection *connection = g_ptr_array_index (connections, i);
      g_autofree char *diff = NULL;
      g_autoptr (GError) error = NULL;

      prepare_connection (run, connection);
      if (!change_program (run, connection, &diff, &error))
        status = cli_host_report (run->host, error);
      json_array_add_element (run->described, cli_connection_describe (connection, diff, error));
      if (g_cancellable_is_cancelled (run->host->cancellable))
        break;
    }
  if (run->host->json)
    cli_json_print_array (g_steal_pointer (&run->described));
  return status;
}

static CliExit
report_unknown (const Run *run, const char *word)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autofree char *names = g_strjoinv (", ", programs);
  g_autofree char *suggestion = cli_suggest_near (word, (const char *const *) programs);

  /* Translators: the name of a command, a word, names of programs, and “. Near to it: cursor.” or nothing */
  return cli_usage_error (_ ("%s: “%s” is none of these programs: %s%s"), get_command_name (run),
                          word, names, suggestion);
}

/* Adds the files of one program. */
static CliExit
add_program (const Run *run, const char *word, GPtrArray *connections)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = NULL;

  if (!g_strv_contains ((const char *const *) programs, word))
    return report_unknown (run, word);
  found = cli_connection_find (run->host, word, run->options->in_project, &error);
  if (found == NULL)
    return cli_host_report (run->host, error);
  if (found->len == 0 && run->options->in_project)
    return cli_usage_error (_ ("%s: %s has no file in the folder of a project"),
                            get_command_name (run), word);
  if (found->len == 0)
    return cli_usage_error (
      _ ("%s: %s was not found: neither a file of it nor a folder is at the usual places"),
      get_command_name (run), word);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (connections, g_object_ref (g_ptr_array_index (found, i)));
  return CLI_EXIT_OK;
}

static CliExit
collect_programs (const Run *run, int argc, char *argv[], GPtrArray *connections)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = NULL;
  CliExit status = CLI_EXIT_OK;

  for (int i = 1; i < argc && status == CLI_EXIT_OK; i++)
    status = add_program (run, argv[i], connections);
  if (status != CLI_EXIT_OK || !run->options->all)
    return status;
  found = cli_connection_find (run->host, NULL, run->options->in_project, &error);
  if (found == NULL)
    return cli_host_report (run->host, error);
  if (found->len == 0)
    return report_none_found ();
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (connections, g_object_ref (g_ptr_array_index (found, i)));
  return CLI_EXIT_OK;
}

static CliExit
run_either (Run *run, int argc, char *argv[])
{
  g_autoptr (GPtrArray) connections = g_ptr_array_new_with_free_func (g_object_unref);
  CliExit status;

  run->described = json_array_new ();
  if (run->options->all && argc > 1)
    return cli_usage_error (_ ("%s: --all takes no program"), get_command_name (run));
  if (!run->options->all && argc < 2)
    return list_found (run);

  status = collect_programs (run, argc, argv, connections);
  if (status == CLI_EXIT_OK && run->connects)
    status = look_at_servers (run);
  return status == CLI_EXIT_OK ? change_programs (run, connections) : status;
}

static CliExit
run_connect (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  g_auto (Run) run = { .host = host, .options = data, .connects = TRUE };

  return run_either (&run, argc, argv);
}

static CliExit
run_disconnect (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  g_auto (Run) run = { .host = host, .options = data };

  return run_either (&run, argc, argv);
}

static char *
describe_connect (void)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autofree char *names = g_strjoinv (", ", programs);

  return g_strdup_printf (
    _ (
      "The program then has all servers through one, “gmcp gateway”. Without a PROGRAM it says which "
      "were found, and\nwhich are connected. Otherwise it shows the lines that would change, and writes "
      "them once that was affirmed;\nwhat the file held is kept beside it, and all else in it stays as it "
      "is.\n\nPROGRAM is one of %s."),
    names);
}

#define SHARED_ENTRIES                                                                             \
  { "all", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, all), N_ ("Every program that is found"), \
    NULL },                                                                                        \
    { "project",                                                                                   \
      0,                                                                                           \
      0,                                                                                           \
      G_OPTION_ARG_NONE,                                                                           \
      CLI_OFFSET (Options, in_project),                                                            \
      N_ ("The files that programs have in this folder, and not those of the user"),               \
      NULL },                                                                                      \
    { "name",                                                                                      \
      0,                                                                                           \
      0,                                                                                           \
      G_OPTION_ARG_STRING,                                                                         \
      CLI_OFFSET (Options, name),                                                                  \
      N_ ("The name of the server in the program, where there are several gateways (gmcp)"),       \
      N_ ("NAME") },                                                                               \
    { "dry-run",                                                                                   \
      'n',                                                                                         \
      0,                                                                                           \
      G_OPTION_ARG_NONE,                                                                           \
      CLI_OFFSET (Options, dry_run),                                                               \
      N_ ("Show what would change, and write nothing"),                                            \
      NULL },                                                                                      \
  {                                                                                                \
    "yes", 'y', 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, yes), N_ ("Write without asking"), NULL \
  }

static const GOptionEntry connect_entries[] = {
  { "role", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, role),
    N_ ("List and call only what the role may call"), N_ ("ROLE") },
  { "search", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, search),
    N_ ("Offer three tools that find and call all others, for models that cannot read hundreds"),
    NULL },
  SHARED_ENTRIES,
  { NULL },
};

static const GOptionEntry disconnect_entries[] = {
  SHARED_ENTRIES,
  { NULL },
};

const CliCommand cli_connect_command = {
  .name = "connect",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Give all servers to another program, through one"),
  .synopsis = N_ ("[PROGRAM…]"),
  .takes = CLI_TAKES_CONFIG | CLI_TAKES_JSON,
  .entries = connect_entries,
  .options_size = sizeof (Options),
  .dup_description = describe_connect,
  .run = run_connect,
};

const CliCommand cli_disconnect_command = {
  .name = "disconnect",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Take the servers from another program again"),
  .synopsis = N_ ("[PROGRAM…]"),
  .description = N_ (
    "Takes “gmcp gateway” out of the program’s configuration, and nothing else. It shows the lines "
    "that would change, and\nwrites them once that was affirmed; what the file held is kept beside "
    "it. Without a PROGRAM it says which were found,\nand which are connected."),
  .takes = CLI_TAKES_JSON,
  .entries = disconnect_entries,
  .options_size = sizeof (Options),
  .run = run_disconnect,
};
