/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <unistd.h>

#include "cli-affirm.h"
#include "cli-commands.h"
#include "cli-json.h"
#include "cli-table.h"

#include <gmcp/config/filling/gmcp-keyring-secret.h>
#include <gmcp/config/gmcp-server-config.h>

/* What a line of standard input may hold. */
#define MAX_VALUE_BYTES (64 * 1024)

typedef struct
{
  char *server;
  char *file;
  gboolean input;
} Options;

/* All of standard input, without the end of its last line; NULL where that is no text. */
static char *
read_input (void)
{
  g_autofree char *buffer = g_malloc (MAX_VALUE_BYTES + 1);
  gsize length = fread (buffer, 1, MAX_VALUE_BYTES, stdin);

  if (length == MAX_VALUE_BYTES || !g_utf8_validate (buffer, (gssize) length, NULL))
    return NULL;
  buffer[length] = '\0';
  if (length > 0 && buffer[length - 1] == '\n')
    buffer[length - 1] = '\0';
  return g_steal_pointer (&buffer);
}

/* A file is named in the keyring as its servers know it. */
static char *
make_path (const char *path)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  g_autofree char *name = g_path_get_basename (full);
  char *real = realpath (folder, NULL);
  char *result = g_build_filename (real != NULL ? real : folder, name, NULL);

  free (real);
  return result;
}

static GmcpKeyringSecret *
name_secret (const char *name, const Options *options)
{
  g_autofree char *path = options->file != NULL ? make_path (options->file) : NULL;
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  g_autofree char *id = NULL;

  if (options->input)
    return gmcp_keyring_secret_new_for_input (name, file);
  id = options->server != NULL ? gmcp_server_config_make_id (options->server) : NULL;
  return gmcp_keyring_secret_new (name, id, file);
}

static CliExit
set_secret (CliHost *host, GmcpKeyringSecret *secret)
{
  g_autofree char *value = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (cli_may_ask ())
    value = cli_read_line (host, _ ("Value (it is not shown):"), TRUE);
  else
    value = read_input ();
  if (value == NULL || *value == '\0')
    return cli_usage_error (_ ("secret: no value was given, and nothing is stored"));

  gmcp_keyring_secret_store_async (secret, value, host->cancellable, cli_store_result, &result);
  if (!gmcp_keyring_secret_store_finish (secret, cli_wait (&result), &error))
    return cli_host_report (host, error);
  g_print (_ ("%s is stored in the keyring.\n"), gmcp_keyring_secret_get_name (secret));
  return CLI_EXIT_OK;
}

static CliExit
take_out (CliHost *host, GmcpKeyringSecret *secret)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean removed;

  gmcp_keyring_secret_remove_async (secret, host->cancellable, cli_store_result, &result);
  removed = gmcp_keyring_secret_remove_finish (secret, cli_wait (&result), &error);
  if (error != NULL)
    return cli_host_report (host, error);
  if (!removed)
    return cli_usage_error (_ ("secret: the keyring has no %s of that kind; “gmcp secret list” "
                               "says what it has"),
                            gmcp_keyring_secret_get_name (secret));
  g_print (_ ("%s is not in the keyring any more.\n"), gmcp_keyring_secret_get_name (secret));
  return CLI_EXIT_OK;
}

static void
print_json (GPtrArray *secrets)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < secrets->len; i++)
    {
      GmcpKeyringSecret *secret = g_ptr_array_index (secrets, i);
      const char *server = gmcp_keyring_secret_get_server_id (secret);
      g_autoptr (GFile) owner = gmcp_keyring_secret_dup_file (secret);
      g_autofree char *file = owner != NULL ? g_file_get_parse_name (owner) : NULL;
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "name", gmcp_keyring_secret_get_name (secret));
      json_object_set_boolean_member (object, "input", gmcp_keyring_secret_is_input (secret));
      if (file != NULL)
        json_object_set_string_member (object, "file", file);
      if (server != NULL)
        json_object_set_string_member (object, "server", server);
      json_array_add_object_element (array, object);
    }
  cli_json_print_array (array);
}

/* The names; a value is shown nowhere. */
static CliExit
list_secrets (CliHost *host)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) secrets = NULL;
  g_autoptr (CliTable) table = cli_table_new ();
  g_autoptr (GError) error = NULL;

  gmcp_keyring_secret_list_async (host->cancellable, cli_store_result, &result);
  secrets = gmcp_keyring_secret_list_finish (cli_wait (&result), &error);
  if (secrets == NULL)
    return cli_host_report (host, error);

  if (host->json)
    {
      print_json (secrets);
      return CLI_EXIT_OK;
    }

  for (guint i = 0; i < secrets->len; i++)
    {
      GmcpKeyringSecret *secret = g_ptr_array_index (secrets, i);
      const char *name = gmcp_keyring_secret_get_name (secret);
      g_autoptr (GFile) owner = gmcp_keyring_secret_dup_file (secret);
      const char *server = gmcp_keyring_secret_get_server_id (secret);
      g_autofree char *file
        = owner != NULL ? g_filename_display_name (g_file_peek_path (owner)) : NULL;
      g_autofree char *reference = g_strdup_printf (
        "${%s:%s}", gmcp_keyring_secret_is_input (secret) ? "input" : "secret", name);
      g_autofree char *place
        = g_strdup_printf ("%s%s%s", file != NULL ? file : "", server != NULL ? "  " : "",
                           server != NULL ? server : "");

      cli_table_add (table, reference, place);
    }
  cli_table_print (table);
  return CLI_EXIT_OK;
}

/* The secret that the one argument names. */
static CliExit
find_named (const Options *options, int argc, char *argv[], GmcpKeyringSecret **secret)
{
  if (argc != 2 || *argv[1] == '\0')
    return cli_usage_error (_ ("secret: %s takes the name of one secret"), argv[0]);
  if (!options->input && (options->server == NULL) != (options->file == NULL))
    return cli_usage_error (_ ("secret: a project's secret needs both --server and --file"));

  *secret = name_secret (argv[1], options);
  return CLI_EXIT_OK;
}

static CliExit
run_set (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  g_autoptr (GmcpKeyringSecret) secret = NULL;
  CliExit status = find_named (options, argc, argv, &secret);

  return status == CLI_EXIT_OK ? set_secret (host, secret) : status;
}

static CliExit
run_remove (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  g_autoptr (GmcpKeyringSecret) secret = NULL;
  CliExit status = find_named (options, argc, argv, &secret);

  return status == CLI_EXIT_OK ? take_out (host, secret) : status;
}

static CliExit
run_list (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  if (argc > 1)
    return cli_usage_error (_ ("secret: list takes no arguments"));
  return list_secrets (host);
}

static const GOptionEntry secret_entries[] = {
  { "server", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, server),
    N_ ("The one server of a project's file that may have it"), N_ ("SERVER") },
  { "file", 0, 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (Options, file), N_ ("The file that it is for"),
    N_ ("FILE") },
  { "input", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, input),
    N_ ("What the file asks for as ${input:NAME}"), NULL },
  { NULL },
};

static const CliVerb secret_verbs[] = {
  { "set", N_ ("SECRET"),
    N_ ("Ask for the value of ${secret:SECRET}, or read it from standard input, and store it"),
    run_set },
  { "remove", N_ ("SECRET"), N_ ("Take it out of the keyring"), run_remove },
  { "list", NULL, N_ ("List the names of what is stored, and no values"), run_list },
  { NULL },
};

const CliCommand cli_secret_command = {
  .name = "secret",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Look after the values that configurations take from the keyring"),
  .description = N_ ("That of a project's file is stored for one server of it: --server SERVER "
                     "--file FILE."),
  .takes = CLI_TAKES_JSON,
  .entries = secret_entries,
  .options_size = sizeof (Options),
  .verbs = secret_verbs,
};
