/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-arguments.h"
#include "cli-commands.h"
#include "cli-import.h"
#include "cli-json.h"
#include "cli-new-server.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-text.h"
#include "cmd-add-words.h"

/* gmcp add: a server that a person has found is stored, and tried. */

#define SHOWN_TOOLS 5

typedef struct
{
  CliNewServer server;
  char *file;
  gboolean no_test;
  gboolean force;
  gboolean plain_secrets;
} Options;

static char *
read_text (const char *word, GFile **folder, GError **error)
{
  const char *path = cli_add_words_find_file (word);

  if (path != NULL && !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("the file “%s” is not there"), path);
      return NULL;
    }
  if (path != NULL)
    {
      g_autofree char *parent = g_path_get_dirname (path);

      *folder = g_file_new_for_path (parent);
      return cli_arguments_read_file (path, error);
    }
  *folder = g_file_new_for_path (".");
  return g_str_equal (word, "-") ? cli_arguments_read_input (error) : g_strdup (word);
}

/* What is stored, as an import of one text or of one server. */
static GmcpConfigImport *
make_import (const Options *options, int argc, char *argv[], GError **error)
{
  g_autoptr (GFile) folder = argc == 2 ? NULL : g_file_new_for_path (".");
  g_autofree char *text = NULL;

  if (argc == 2)
    text = read_text (argv[1], &folder, error);
  else if (cli_add_words_are_named_json (argc, argv))
    text = cli_new_server_dup_named (argv[1], argv[2]);
  else
    text
      = cli_new_server_dup_json (&options->server, argv[1], (const char *const *) argv + 2, error);
  return text != NULL ? gmcp_config_import_new_for_text (text, folder) : NULL;
}

/* Pages on the web have them in place of those that JSON wants. */
static gboolean
has_typographic_quotes (int argc, char *argv[])
{
  const char *text = argv[argc - 1];

  return (argc == 2 || cli_add_words_are_named_json (argc, argv))
         && (strstr (text, "“") != NULL || strstr (text, "”") != NULL);
}

static CliExit
load_import (CliHost *host, GmcpConfigImport *import, const char *path, const Options *options)
{
  g_autoptr (GError) error = NULL;

  if (host->config_file != NULL)
    {
      g_autoptr (GFile) file = cli_host_make_config_file (host);

      gmcp_config_import_set_target_file (import, file);
    }
  gmcp_config_import_set_store_secrets (import, !options->plain_secrets);
  if (cli_import_load (host, import, &error))
    return CLI_EXIT_OK;

  if (path != NULL)
    g_prefix_error (&error, "%s: ", path);
  return cli_host_report (host, error);
}

/* Whether each can be stored; what cannot is told. */
static CliExit
check_items (GmcpConfigImport *import, const Options *options)
{
  GListModel *items = gmcp_config_import_get_items (import);
  guint n = g_list_model_get_n_items (items);

  if (n == 0)
    return cli_usage_error (_ ("add: there is no server in the text"));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);
      GmcpImportChange change = gmcp_config_import_item_get_change (item);

      if (change == GMCP_IMPORT_CHANGE_REFUSED)
        return cli_usage_error ("add: %s: %s", gmcp_config_import_item_get_name (item),
                                gmcp_config_import_item_get_problem (item));
      if (change != GMCP_IMPORT_CHANGE_ADDED && !options->force)
        return cli_usage_error (
          /* Translators: twice the id of a server */
          _ ("add: there is a server “%s” already; “gmcp show %s” shows it, --force replaces it"),
          gmcp_config_import_item_get_id (item), gmcp_config_import_item_get_id (item));
    }
  return CLI_EXIT_OK;
}

/* What would run or be reached, and what became of secrets. */
static void
describe_item (GmcpConfigImportItem *item)
{
  GmcpServerConfig *config = gmcp_config_import_item_get_config (item);
  const char *const *notes = gmcp_config_import_item_get_notes (item);
  const char *const *secrets = gmcp_config_import_item_get_secrets (item);
  const char *url = gmcp_server_config_get_url (config);
  const char *name = gmcp_config_import_item_get_name (item);
  const char *id = gmcp_config_import_item_get_id (item);
  g_autofree char *command = url == NULL ? gmcp_server_config_dup_command_text (config) : NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  if (g_strcmp0 (name, id) != 0)
    {
      g_string_append (out, "  ");
      /* Translators: a name as somebody wrote it, and the id that it became */
      g_string_append_printf (out, _ ("“%s” is called %s here."), name, id);
      g_string_append_c (out, '\n');
    }
  g_string_append_printf (out, "  %s\n", url != NULL ? url : command);
  for (gsize i = 0; notes[i] != NULL; i++)
    g_string_append_printf (out, "  %s\n", notes[i]);
  for (gsize i = 0; secrets[i] != NULL; i++)
    {
      g_string_append (out, "  ");
      g_string_append_printf (
        out, _ ("%s looks like a secret, and is stored as it is: whoever reads the file sees it"),
        secrets[i]);
      g_string_append_c (out, '\n');
    }
  cli_text_show (out->str);
}

static void
describe_items (GmcpConfigImport *import, const Options *options)
{
  GListModel *items = gmcp_config_import_get_items (import);
  guint n = g_list_model_get_n_items (items);
  g_autofree char *target = cli_import_describe_target (import);
  gboolean runs = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);

      /* Translators: the id of a server, and a file or “the settings” */
      g_print (_ ("Added %s to %s.\n"), gmcp_config_import_item_get_id (item), target);
      describe_item (item);
      runs |= gmcp_server_config_get_url (gmcp_config_import_item_get_config (item)) == NULL;
    }
  /* A start says so, too. */
  if (runs && options->no_test)
    g_print ("%s\n", _ ("It runs as you, and may do what you may."));
}

static void
print_tools (const char *id, GListModel *tools)
{
  guint n = g_list_model_get_n_items (tools);
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_append_printf (line, g_dngettext (NULL, "%s works: %u tool", "%s works: %u tools", n),
                          id, n);
  for (guint i = 0; i < MIN (n, SHOWN_TOOLS); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_string_append_printf (line, "%s%s", i == 0 ? " (" : ", ",
                              gmcp_tool_get_server_tool_name (tool));
    }
  if (n > 0)
    g_string_append (line, n > SHOWN_TOOLS ? ", …)" : ")");
  g_string_append_printf (line, _ (". “gmcp tools %s” shows them."), id);
  cli_text_show (line->str);
}

/* Gives how many tools it has, where it works. */
static CliExit
try_server (CliHost *host, const char *id, guint *n_tools)
{
  GmcpManagedServer *server = NULL;
  g_autoptr (GPtrArray) started = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status;

  started = cli_server_start (host, id, &status);
  if (status == CLI_EXIT_OK)
    {
      server = g_ptr_array_index (started, 0);
      gmcp_managed_server_discover_tools_async (server, host->cancellable, cli_store_result,
                                                &result);
      tools = gmcp_managed_server_discover_tools_finish (server, cli_wait (&result), &error);
      if (tools == NULL)
        status = cli_host_report (host, error);
    }
  if (status == CLI_EXIT_OK)
    {
      *n_tools = g_list_model_get_n_items (tools);
      if (!host->json)
        print_tools (id, tools);
    }
  else
    g_printerr (
      /* Translators: three times the id of a server */
      _ (
        "%s is stored all the same. “gmcp add --force %s …” replaces it, “gmcp remove %s” takes it "
        "away again.\n"),
      id, id, id);
  return status;
}

/* What has become of a server, for a program. */
static JsonObject *
describe_added (GmcpConfigImport *import, GmcpConfigImportItem *item)
{
  g_autofree char *target = cli_import_describe_target (import);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "server", gmcp_config_import_item_get_id (item));
  json_object_set_string_member (object, "change", "added");
  json_object_set_string_member (object, "source", target);
  return object;
}

/* Each, whatever became of those before it; the status is that of the first that does not work. */
static CliExit
try_servers (CliHost *host, GmcpConfigImport *import, gboolean no_test)
{
  GListModel *items = gmcp_config_import_get_items (import);
  guint n = g_list_model_get_n_items (items);
  CliExit status = no_test ? CLI_EXIT_OK : cli_host_open (host);
  gboolean tries = !no_test && status == CLI_EXIT_OK;
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);
      GmcpServerConfig *config = gmcp_config_import_item_get_config (item);
      JsonObject *object = describe_added (import, item);
      guint n_tools = 0;
      CliExit tried;

      json_array_add_object_element (array, object);
      if (!tries || !gmcp_server_config_is_enabled (config)
          || g_cancellable_is_cancelled (host->cancellable))
        continue;
      tried = try_server (host, gmcp_config_import_item_get_id (item), &n_tools);
      json_object_set_boolean_member (object, "works", tried == CLI_EXIT_OK);
      if (tried == CLI_EXIT_OK)
        json_object_set_int_member (object, "tools", n_tools);
      else if (status == CLI_EXIT_OK)
        status = tried;
    }
  if (host->json)
    cli_json_print_array (array);
  else
    json_array_unref (array);
  return status;
}

static CliExit
add_server (CliHost *host, const Options *options, int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpConfigImport) import = make_import (options, argc, argv, &error);
  CliExit status;

  if (import == NULL)
    return cli_usage_error ("add: %s", error->message);

  status
    = load_import (host, import, argc == 2 ? cli_add_words_find_file (argv[1]) : NULL, options);
  if (status == CLI_EXIT_USAGE && has_typographic_quotes (argc, argv))
    g_printerr ("%s\n", _ ("The text has typographic quotation marks (“ ”); JSON wants straight "
                           "ones (\")."));
  if (status == CLI_EXIT_OK)
    status = check_items (import, options);
  if (status == CLI_EXIT_OK)
    status = cli_import_apply (host, import, NULL);
  if (status != CLI_EXIT_OK)
    return status;
  if (!host->json)
    describe_items (import, options);
  return try_servers (host, import, options->no_test);
}

static CliExit
run_add (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  CliExit status = cli_add_words_check (host, argc, argv);

  if (status != CLI_EXIT_OK)
    return status;
  if ((argc == 2 || cli_add_words_are_named_json (argc, argv))
      && cli_new_server_is_set (&options->server))
    return cli_usage_error (
      _ ("add: --env, --header, --cwd, --transport, --start and --disabled go "
         "with a command or an address; in a text they are written there"));
  if (options->server.folder == NULL)
    cli_add_words_warn (host, argc, argv);
  if (options->file != NULL)
    cli_host_set_config_file (host, options->file);
  return add_server (host, options, argc, argv);
}

static const GOptionEntry add_entries[] = {
  { "env", 'e', 0, G_OPTION_ARG_STRING_ARRAY, CLI_OFFSET (Options, server.environment),
    N_ ("Set a variable of the server; several times for several"), N_ ("NAME=VALUE") },
  { "header", 'H', 0, G_OPTION_ARG_STRING_ARRAY, CLI_OFFSET (Options, server.headers),
    N_ ("Send a header; several times for several"), N_ ("NAME: VALUE") },
  { "cwd", 0, 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (Options, server.folder),
    N_ ("Run the command in FOLDER"), N_ ("FOLDER") },
  { "transport", 't', 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, server.transport),
    N_ ("stdio, http or sse; found out by default"), N_ ("TRANSPORT") },
  { "start", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, server.start),
    N_ ("When it is started: on-demand, at-load or manual"), N_ ("WHEN") },
  { "disabled", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, server.disabled),
    N_ ("Store it, but switched off"), NULL },
  { "file", 'f', 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (Options, file),
    N_ ("Store it in this file, JSON or YAML, instead of the settings"), N_ ("FILE") },
  { "force", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, force),
    N_ ("Replace a server of that name"), NULL },
  { "no-test", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, no_test),
    N_ ("Do not start it to see whether it works"), NULL },
  { "plain-secrets", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, plain_secrets),
    N_ ("Write what looks like a secret as it is, and not into the keyring"), NULL },
  { NULL },
};

const CliCommand cli_add_command = {
  .name = "add",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Add a server, and see whether it works"),
  .synopsis = N_ ("NAME -- COMMAND… | NAME URL | [NAME] JSON | FILE"),
  .description = N_ (
    "The server is stored, then started once to see whether it works. Variables and headers that "
    "look like secrets\ngo into the keyring. JSON is what the page of a server says for any "
    "program, and may be YAML or TOML as well;\n“-” reads it from standard input.\n\nExamples:\n"
    "  gmcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents\n"
    "  gmcp add github https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer …'\n"
    "  gmcp add '{\"mcpServers\": {\"time\": {\"command\": \"uvx\", \"args\": "
    "[\"mcp-server-time\"]}}}'"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = add_entries,
  .options_size = sizeof (Options),
  .ends_options = cli_add_words_end_options,
  .run = run_add,
};
