/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-affirm.h"
#include "cli-commands.h"
#include "cli-import-preview.h"
#include "cli-import.h"
#include "cli-json.h"
#include "cli-source.h"
#include "cli-suggest.h"
#include "cli-table.h"
#include "cli-text.h"
#include "cli-wrap.h"

typedef struct
{
  char *target;   /* a file, or “settings”; NULL for the default */
  char **servers; /* names or ids; NULL for all */
  gboolean all;   /* of all programs that are found */
  gboolean yes;
  gboolean json;
  gboolean plain_secrets;
} Options;

static const char *const *
get_servers (const Options *options)
{
  return (const char *const *) options->servers;
}

static GPtrArray *
find_imports (CliHost *host, const char *program, GError **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path (".");
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_config_import_find_async (program, folder, host->cancellable, cli_store_result, &result);
  return gmcp_config_import_find_finish (cli_wait (&result), error);
}

static void
set_target (GmcpConfigImport *import, const Options *options)
{
  g_autoptr (GFile) file = NULL;

  gmcp_config_import_set_store_secrets (import, !options->plain_secrets);
  if (options->target == NULL)
    return;
  if (!g_str_equal (options->target, "settings"))
    file = g_file_new_for_commandline_arg (options->target);
  gmcp_config_import_set_target_file (import, file);
}

static guint
count_items (GmcpConfigImport *import, GmcpImportChange change)
{
  GListModel *items = gmcp_config_import_get_items (import);
  guint n_items = g_list_model_get_n_items (items);
  guint n = 0;

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);

      n += gmcp_config_import_item_get_change (item) == change;
    }
  return n;
}

static CliExit
report_none_found (void)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autofree char *names = g_strjoinv (", ", programs);

  g_printerr (_ ("No configuration of these programs was found: %s\n"), names);
  return CLI_EXIT_OK;
}

static void
append_count (GString *text, guint n, char *words)
{
  if (n > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", words);
  g_free (words);
}

/* How many there are of each kind that there is. */
static char *
describe_counts (GmcpConfigImport *import)
{
  GString *text = g_string_new (NULL);
  guint n_new = count_items (import, GMCP_IMPORT_CHANGE_ADDED);
  guint n_changed = count_items (import, GMCP_IMPORT_CHANGE_CHANGED);
  guint n_same = count_items (import, GMCP_IMPORT_CHANGE_SAME);
  guint n_refused = count_items (import, GMCP_IMPORT_CHANGE_REFUSED);

  append_count (text, n_new, g_strdup_printf (_ ("%u new"), n_new));
  append_count (text, n_changed, g_strdup_printf (_ ("%u changed"), n_changed));
  append_count (text, n_same, g_strdup_printf (_ ("%u the same"), n_same));
  append_count (text, n_refused, g_strdup_printf (_ ("%u impossible"), n_refused));
  return g_string_free (text, FALSE);
}

static void
print_next_step (void)
{
  g_autofree char *text
    = cli_wrap (_ ("“gmcp import PROGRAM” shows the servers of one and takes them over, “gmcp "
                   "import --all” those of all."),
                cli_text_width (STDOUT_FILENO));

  fputc ('\n', stdout);
  cli_style_print (CLI_STYLE_DIM, text);
  fputc ('\n', stdout);
}

static JsonNode *
describe_item (GmcpConfigImport *import, GmcpConfigImportItem *item)
{
  g_autoptr (GEnumClass) changes = g_type_class_ref (GMCP_TYPE_IMPORT_CHANGE);
  g_autofree char *file = g_file_get_parse_name (gmcp_config_import_get_file (import));
  GFile *target = gmcp_config_import_get_target_file (import);
  g_autofree char *to = target != NULL ? g_file_get_parse_name (target) : NULL;
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_object_set_string_member (object, "name", gmcp_config_import_item_get_name (item));
  json_object_set_string_member (object, "id", gmcp_config_import_item_get_id (item));
  json_object_set_string_member (
    object, "change",
    g_enum_get_value (changes, gmcp_config_import_item_get_change (item))->value_nick);
  json_object_set_member (object, "fields",
                          cli_json_new_strings (gmcp_config_import_item_get_fields (item)));
  if (gmcp_config_import_item_get_problem (item) != NULL)
    json_object_set_string_member (object, "problem", gmcp_config_import_item_get_problem (item));
  json_object_set_member (object, "secrets",
                          cli_json_new_strings (gmcp_config_import_item_get_secrets (item)));
  json_object_set_member (object, "notes",
                          cli_json_new_strings (gmcp_config_import_item_get_notes (item)));
  json_object_set_string_member (object, "from", file);
  json_object_set_string_member (object, "to", to != NULL ? to : "settings");
  json_node_take_object (node, object);
  return node;
}

static void
print_json (GPtrArray *imports)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < imports->len; i++)
    {
      GmcpConfigImport *import = g_ptr_array_index (imports, i);
      GListModel *items = gmcp_config_import_get_items (import);
      guint n_items = g_list_model_get_n_items (items);

      for (guint k = 0; k < n_items; k++)
        {
          g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, k);

          json_array_add_element (array, describe_item (import, item));
        }
    }
  cli_json_print_array (array);
}

/* Whether it could be read; otherwise the file is told and left out. */
static gboolean
load_or_warn (CliHost *host, GmcpConfigImport *import)
{
  g_autofree char *file = g_file_get_parse_name (gmcp_config_import_get_file (import));
  g_autoptr (GError) error = NULL;

  if (cli_import_load (host, import, &error))
    return TRUE;
  g_printerr ("gmcp: %s%s%s\n", strstr (error->message, file) != NULL ? "" : file,
              strstr (error->message, file) != NULL ? "" : ": ", error->message);
  return FALSE;
}

static void
print_found (GPtrArray *imports)
{
  g_autoptr (CliTable) table
    = cli_table_new_with_titles (_ ("Program"), _ ("Servers"), _ ("File"), NULL);

  for (guint i = 0; i < imports->len; i++)
    {
      GmcpConfigImport *import = g_ptr_array_index (imports, i);
      g_autofree char *file = g_file_get_parse_name (gmcp_config_import_get_file (import));
      g_autofree char *shown = cli_source_shorten_place (file);
      g_autofree char *counts = describe_counts (import);

      cli_table_add_cells (
        table, (const char *[]){ gmcp_config_import_get_program (import), counts, shown });
    }
  cli_table_print (table);
  if (isatty (STDOUT_FILENO))
    print_next_step ();
}

static CliExit
list_found (CliHost *host, const Options *options)
{
  g_autoptr (GPtrArray) readable = g_ptr_array_new ();
  g_autoptr (GPtrArray) imports = NULL;
  g_autoptr (GError) error = NULL;

  imports = find_imports (host, NULL, &error);
  if (imports == NULL)
    return cli_host_report (host, error);

  for (guint i = 0; i < imports->len; i++)
    {
      set_target (g_ptr_array_index (imports, i), options);
      if (load_or_warn (host, g_ptr_array_index (imports, i)))
        g_ptr_array_add (readable, g_ptr_array_index (imports, i));
    }
  if (options->json)
    print_json (readable);
  else if (imports->len == 0)
    return report_none_found ();
  else if (readable->len > 0)
    print_found (readable);
  return CLI_EXIT_OK;
}

/* The ids of those that were asked for; NULL for all. */
static GStrv
choose_ids (GmcpConfigImport *import, const Options *options)
{
  GListModel *items = gmcp_config_import_get_items (import);
  guint n_items = g_list_model_get_n_items (items);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  if (options->servers == NULL)
    return NULL;

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);

      if (cli_import_is_chosen (item, get_servers (options)))
        g_ptr_array_add (ids, g_strdup (gmcp_config_import_item_get_id (item)));
    }
  g_ptr_array_add (ids, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}

static CliExit
apply_import (CliHost *host, GmcpConfigImport *import, const Options *options)
{
  g_auto (GStrv) ids = choose_ids (import, options);
  g_autofree char *to = cli_import_describe_target (import);
  CliExit status = cli_import_apply (host, import, (const char *const *) ids);

  if (status != CLI_EXIT_OK)
    return status;
  if (!options->json)
    g_print (_ ("Written to %s.\n"), to);
  return CLI_EXIT_OK;
}

static void
collect_names (GmcpConfigImport *import, GPtrArray *names, GHashTable *known)
{
  GListModel *items = gmcp_config_import_get_items (import);
  guint n_items = g_list_model_get_n_items (items);

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);
      const char *name = gmcp_config_import_item_get_name (item);

      g_ptr_array_add (names, g_strdup (name));
      g_hash_table_add (known, g_strdup (name));
      g_hash_table_add (known, g_strdup (gmcp_config_import_item_get_id (item)));
    }
}

/* A server that is named and is in none of the files is a mistake, before anything is written. */
static CliExit
check_names (CliHost *host, GPtrArray *imports, const Options *options)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *listed = NULL;

  if (options->servers == NULL)
    return CLI_EXIT_OK;

  for (guint i = 0; i < imports->len; i++)
    {
      GmcpConfigImport *import = g_ptr_array_index (imports, i);
      g_autoptr (GError) error = NULL;

      set_target (import, options);
      if (!cli_import_load (host, import, &error))
        return cli_host_report (host, error);
      collect_names (import, names, known);
    }

  g_ptr_array_add (names, NULL);
  listed = g_strjoinv (", ", (char **) names->pdata);
  for (gsize i = 0; options->servers[i] != NULL; i++)
    {
      if (!g_hash_table_contains (known, options->servers[i]))
        return cli_usage_error (_ ("import: there is no server “%s”; there are: %s"),
                                options->servers[i], listed);
    }
  return CLI_EXIT_OK;
}

static gboolean
is_agreed (CliHost *host, GmcpConfigImport *import, const Options *options, guint n_written)
{
  g_autofree char *preview
    = options->json ? NULL : cli_import_dup_preview (import, get_servers (options));

  if (preview != NULL && n_written > 0 && !options->yes && cli_may_ask ())
    return cli_affirm (host, preview, _ ("Import this? [y/N]"));
  if (preview != NULL)
    cli_text_show (preview);
  return options->yes;
}

/* One file after the other: what the first adds is there for the second. */
static CliExit
import_all (CliHost *host, GPtrArray *imports, const Options *options)
{
  CliExit status = check_names (host, imports, options);

  for (guint i = 0; i < imports->len && status == CLI_EXIT_OK; i++)
    {
      GmcpConfigImport *import = g_ptr_array_index (imports, i);
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) ids = NULL;
      gboolean agreed;
      guint n_written;

      set_target (import, options);
      if (!cli_import_load (host, import, &error))
        return cli_host_report (host, error);

      ids = choose_ids (import, options);
      n_written = count_items (import, GMCP_IMPORT_CHANGE_ADDED)
                  + count_items (import, GMCP_IMPORT_CHANGE_CHANGED);
      agreed = is_agreed (host, import, options, n_written);
      if (ids != NULL ? ids[0] == NULL : n_written == 0)
        continue;
      if (agreed)
        status = apply_import (host, import, options);
      else if (!options->json)
        g_print ("%s\n", _ ("Nothing was written; “--yes” does it."));
    }
  if (options->json && status == CLI_EXIT_OK)
    print_json (imports);
  return status;
}

static CliExit
import_found (CliHost *host, const Options *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) imports = find_imports (host, NULL, &error);

  if (imports == NULL)
    return cli_host_report (host, error);
  return imports->len > 0 ? import_all (host, imports, options) : report_none_found ();
}

static gboolean
is_program (const char *word)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();

  return g_strv_contains ((const char *const *) programs, word);
}

static CliExit
import_from (CliHost *host, int argc, char *argv[], Options *options)
{
  const char *program = is_program (argv[1]) ? argv[1] : NULL;
  const char *path = program == NULL ? argv[1] : NULL;
  g_autoptr (GPtrArray) imports = NULL;
  g_autoptr (GError) error = NULL;
  int n_used = 2;

  /* A name of a server has no slash and no such file. */
  if (program != NULL && argc > 2
      && (strchr (argv[2], '/') != NULL || g_file_test (argv[2], G_FILE_TEST_EXISTS)))
    path = argv[n_used++];
  if (argc > n_used)
    options->servers = argv + n_used;

  /* A word that is not a path was meant to be a program. */
  if (program == NULL && strpbrk (path, "/.") == NULL && !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_auto (GStrv) programs = gmcp_config_import_list_programs ();
      g_autofree char *names = g_strjoinv (", ", programs);
      g_autofree char *suggestion = cli_suggest_near (path, (const char *const *) programs);

      /* Translators: a word, names of programs, and “. Near to it: claude.” or nothing */
      return cli_usage_error (_ ("import: “%s” is no file, and none of these programs: %s%s"), path,
                              names, suggestion);
    }

  if (path != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);

      imports = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (imports, gmcp_config_import_new (program, file));
    }
  else
    {
      imports = find_imports (host, program, &error);
    }

  if (imports == NULL)
    return cli_host_report (host, error);
  if (imports->len == 0)
    return cli_usage_error (_ ("import: no configuration of %s was found at its usual places"),
                            program);
  return import_all (host, imports, options);
}

static char *
describe_programs (void)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  g_autofree char *names = g_strjoinv (", ", programs);

  return g_strdup_printf (_ ("Without a PROGRAM or FILE it says what is found at the usual places. "
                             "Otherwise it shows what would change, and\nwrites it once that was "
                             "affirmed: into the settings of the session, or where there are none "
                             "into\n$XDG_CONFIG_HOME/mcp/mcp.json. With NAMEs only these servers "
                             "are taken.\n\nPROGRAM is one of %s."),
                          names);
}

static CliExit
run_import (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  Options options = *(const Options *) data;

  options.json = host->json;
  if (argc > 1 && options.all)
    return cli_usage_error (_ ("import: --all takes no program and no file"));
  if (options.all)
    return import_found (host, &options);
  if (argc < 2)
    return list_found (host, &options);
  return import_from (host, argc, argv, &options);
}

static const GOptionEntry import_entries[] = {
  { "to", 0, 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (Options, target),
    N_ ("Write to this file, JSON or YAML, or to the “settings”"), N_ ("FILE") },
  { "plain-secrets", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, plain_secrets),
    N_ ("Write what looks like a secret as it is, and not into the keyring"), NULL },
  { "all", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, all),
    N_ ("Take over the servers of all programs that are found"), NULL },
  { "yes", 'y', 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, yes), N_ ("Write without asking"),
    NULL },
  { NULL },
};

const CliCommand cli_import_command = {
  .name = "import",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Take over the servers of another program"),
  .synopsis = N_ ("[PROGRAM] [FILE] [NAME…]"),
  .takes = CLI_TAKES_JSON,
  .entries = import_entries,
  .options_size = sizeof (Options),
  .dup_description = describe_programs,
  .run = run_import,
};
