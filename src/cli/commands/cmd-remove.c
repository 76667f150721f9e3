/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-affirm.h"
#include "cli-commands.h"
#include "cli-json.h"
#include "cli-server.h"
#include "cli-source.h"
#include "cli-text.h"

#include <gmcp/config/filling/gmcp-keyring-secret.h>

typedef struct
{
  char *file;
  gboolean yes;
} Options;

/* Servers that are configured go, or are switched on and off: gmcp remove, enable, disable. */

typedef enum
{
  CHANGE_REMOVE,
  CHANGE_ENABLE,
  CHANGE_DISABLE,
} Change;

/* Reads the configuration, and sees to it that each of the names is a server's. */
static CliExit
open_servers (CliHost *host, const char *command, char *names[], GmcpManager **manager)
{
  CliExit status = cli_host_open (host);

  if (status != CLI_EXIT_OK)
    return status;
  *manager = cli_host_get_manager (host);
  if (*manager == NULL)
    return cli_usage_error (_ ("%s: the manager of another maker is in use"), command);

  status = cli_server_load_config (host, *manager);
  for (gsize i = 0; status == CLI_EXIT_OK && names[i] != NULL; i++)
    {
      if (cli_source_find (*manager, names[i]) == NULL)
        status = cli_server_report_unknown (host, names[i]);
    }
  return status;
}

static gboolean
is_agreed (CliHost *host, GmcpManager *manager, char *names[])
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autofree char *place = cli_source_describe (cli_source_find (manager, names[i]));

      /* Translators: the id of a server, and a file or “the settings” */
      g_string_append_printf (text, _ ("%s goes from %s.\n"), names[i], place);
    }
  return cli_affirm (host, text->str, _ ("Remove this? [y/N]"));
}

/* A server that runs for this program is disconnected first. */
static void
stop_server (CliHost *host, GmcpManager *manager, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (manager, id);
  g_autoptr (GAsyncResult) result = NULL;

  if (server == NULL || gmcp_managed_server_get_client (server) == NULL)
    return;
  gmcp_managed_server_stop_async (server, host->cancellable, cli_store_result, &result);
  gmcp_managed_server_stop_finish (server, cli_wait (&result), NULL);
}

static char *
describe_change (Change change, const char *id, const char *place)
{
  switch (change)
    {
    case CHANGE_ENABLE:
      /* Translators: the id of a server, and a file or “the settings” */
      return g_strdup_printf (_ ("Enabled %s in %s."), id, place);
    case CHANGE_DISABLE:
      return g_strdup_printf (_ ("Disabled %s in %s."), id, place);
    case CHANGE_REMOVE:
    default:
      return g_strdup_printf (_ ("Removed %s from %s."), id, place);
    }
}

/* What has become of a server, for a program. */
static void
add_json (JsonArray *array, const char *id, const char *change, const char *place)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "server", id);
  json_object_set_string_member (object, "change", change);
  json_object_set_string_member (object, "source", place);
  json_array_add_object_element (array, object);
}

static gboolean
is_switched (GmcpManager *manager, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (manager, id);

  return gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server));
}

static CliExit
change_server (CliHost *host, GmcpManager *manager, const char *id, Change change, JsonArray *array)
{
  static const char *const words[] = {
    [CHANGE_REMOVE] = "removed",
    [CHANGE_ENABLE] = "enabled",
    [CHANGE_DISABLE] = "disabled",
  };
  g_autoptr (GmcpConfigSource) source = g_object_ref (cli_source_find (manager, id));
  g_autofree char *place = cli_source_describe (source);
  g_autofree char *line = describe_change (change, id, place);
  CliExit status;

  if (change != CHANGE_REMOVE && is_switched (manager, id) == (change == CHANGE_ENABLE))
    {
      add_json (array, id, "same", place);
      if (!host->json)
        g_print (change == CHANGE_ENABLE ? _ ("%s is enabled already.\n")
                                         : _ ("%s is disabled already.\n"),
                 id);
      return CLI_EXIT_OK;
    }
  if (change != CHANGE_ENABLE)
    stop_server (host, manager, id);
  status = change == CHANGE_REMOVE
             ? cli_source_remove (host, source, id)
             : cli_source_set_enabled (host, source, id, change == CHANGE_ENABLE);
  if (status != CLI_EXIT_OK)
    return status;

  add_json (array, id, words[change], place);
  if (!host->json)
    cli_text_show (line);
  if (cli_source_is_project (source))
    g_printerr (
      _ ("The file belongs to a project; it counts again after “gmcp config trust %s”.\n"), place);
  return CLI_EXIT_OK;
}

/* Secrets of a server that is gone stay in the keyring, where another file may name them. */
static void
tell_of_secrets (char *names[])
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) secrets = NULL;

  gmcp_keyring_secret_list_async (NULL, cli_store_result, &result);
  secrets = gmcp_keyring_secret_list_finish (cli_wait (&result), NULL);
  for (guint i = 0; secrets != NULL && i < secrets->len; i++)
    {
      GmcpKeyringSecret *secret = g_ptr_array_index (secrets, i);
      const char *id = gmcp_keyring_secret_get_server_id (secret);

      for (gsize k = 0; names[k] != NULL; k++)
        {
          const char *name = gmcp_keyring_secret_get_name (secret);
          g_autofree char *own = g_strconcat (names[k], "-", NULL);

          if (g_strcmp0 (id, names[k]) == 0 || g_str_has_prefix (name, own))
            /* Translators: twice the name of a secret */
            g_printerr (
              _ ("The secret %s is still in the keyring; “gmcp secret remove %s” takes it "
                 "away.\n"),
              name, name);
        }
    }
}

static CliExit
change_servers (CliHost *host, const char *command, char *names[], Change change, gboolean yes)
{
  JsonArray *array = NULL;
  GmcpManager *manager = NULL;
  CliExit status = open_servers (host, command, names, &manager);

  if (status != CLI_EXIT_OK)
    return status;
  if (change == CHANGE_REMOVE && !yes && cli_may_ask () && !is_agreed (host, manager, names))
    {
      g_printerr ("%s\n", _ ("Nothing was removed."));
      return CLI_EXIT_OK;
    }

  array = json_array_new ();
  for (gsize i = 0; status == CLI_EXIT_OK && names[i] != NULL; i++)
    status = change_server (host, manager, names[i], change, array);
  if (change == CHANGE_REMOVE)
    tell_of_secrets (names);
  /* Of several that could not all be changed those that were are told, too. */
  if (host->json && (status == CLI_EXIT_OK || json_array_get_length (array) > 0))
    cli_json_print_array (array);
  else
    json_array_unref (array);
  return status;
}

static CliExit
run_change (CliHost *host, const Options *options, int argc, char *argv[], Change change)
{
  if (argc < 2)
    return cli_server_report_missing (host, argv[0]);
  if (options->file != NULL)
    cli_host_set_config_file (host, options->file);
  return change_servers (host, argv[0], argv + 1, change, options->yes);
}

static CliExit
run_remove (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  return run_change (host, options, argc, argv, CHANGE_REMOVE);
}

static CliExit
run_enable (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  return run_change (host, options, argc, argv, CHANGE_ENABLE);
}

static CliExit
run_disable (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  return run_change (host, options, argc, argv, CHANGE_DISABLE);
}

#define FILE_ENTRY                                                                                 \
  {                                                                                                \
    "file", 'f', 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (Options, file),                             \
      N_ ("Look for the server in FILE only"), N_ ("FILE")                                         \
  }

static const GOptionEntry remove_entries[] = {
  { "yes", 'y', 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, yes), N_ ("Remove without asking"),
    NULL },
  FILE_ENTRY,
  { NULL },
};

static const GOptionEntry switch_entries[] = {
  FILE_ENTRY,
  { NULL },
};

const CliCommand cli_remove_command = {
  .name = "remove",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Take servers out of the configuration"),
  .synopsis = N_ ("SERVER…"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = remove_entries,
  .options_size = sizeof (Options),
  .run = run_remove,
};

const CliCommand cli_enable_command = {
  .name = "enable",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Switch servers on"),
  .synopsis = N_ ("SERVER…"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = switch_entries,
  .options_size = sizeof (Options),
  .run = run_enable,
};

const CliCommand cli_disable_command = {
  .name = "disable",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Switch servers off, and keep what is configured"),
  .synopsis = N_ ("SERVER…"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = switch_entries,
  .options_size = sizeof (Options),
  .run = run_disable,
};
