/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-server.h"
#include "cli-source.h"
#include "cli-table.h"

/* gmcp show: all that is configured for one server, and where. Secrets are shown as what refers to them. */

/* A value of a variable or a header, which may be a secret, unless it is a reference to one. */
static const char *
hide_value (const char *value)
{
  return strstr (value, "${") != NULL ? value : "…";
}

static void
add_line (CliTable *table, const char *label, const char *value)
{
  if (value != NULL && *value != '\0')
    cli_table_add (table, label, value);
}

static void
add_pairs (CliTable *table, GmcpServerConfig *config)
{
  const char *const *environment = gmcp_server_config_get_environment (config);
  const char *const *headers = gmcp_server_config_get_headers (config);

  for (gsize i = 0; environment != NULL && environment[i] != NULL; i++)
    {
      gsize length = strcspn (environment[i], "=");
      g_autofree char *line = g_strdup_printf (
        "%.*s=%s", (int) length, environment[i],
        environment[i][length] != '\0' ? hide_value (environment[i] + length + 1) : "");

      add_line (table, i == 0 ? _ ("Variables") : "", line);
    }
  for (gsize i = 0; headers != NULL && headers[i] != NULL && headers[i + 1] != NULL; i += 2)
    {
      g_autofree char *line = g_strdup_printf ("%s: %s", headers[i], hide_value (headers[i + 1]));

      add_line (table, i == 0 ? _ ("Headers") : "", line);
    }
}

/* Places whose word on the server does not count, since another stands above them. */
static void
add_overridden (CliTable *table, GmcpManager *manager, const char *id)
{
  g_autoptr (GPtrArray) sources = gmcp_manager_list_sources (manager);
  GmcpConfigSource *counting = cli_source_find (manager, id);

  for (guint i = 0; i < sources->len; i++)
    {
      GmcpConfigSource *source = g_ptr_array_index (sources, i);
      g_autofree char *place = cli_source_describe (source);

      if (source != counting && cli_source_has_server (source, id))
        add_line (table, _ ("Also in"), place);
    }
}

/* What else is set. */
static void
add_settings (CliTable *table, GmcpServerConfig *config)
{
  static const char *const shown[]
    = { "command", "args", "url", "env", "headers", "cwd", "disabled", "title", NULL };
  g_autofree char *text = gmcp_server_config_dup_json (config);
  g_autoptr (JsonNode) node = gmcp_json_parse (text, -1, NULL);
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;
  gboolean any = FALSE;

  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &key, &value))
    {
      g_autofree char *shown_value = gmcp_json_print (value, NULL);
      g_autofree char *line = g_strdup_printf ("%s: %s", key, shown_value);

      if (g_strv_contains (shown, key))
        continue;
      add_line (table, any ? "" : _ ("Settings"), line);
      any = TRUE;
    }
}

static void
print_server (GmcpManager *manager, GmcpManagedServer *server)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);
  const char *id = gmcp_managed_server_get_id (server);
  const char *url = gmcp_server_config_get_url (config);
  g_autofree char *command = url == NULL ? gmcp_server_config_dup_command_text (config) : NULL;
  GmcpConfigSource *source = cli_source_find (manager, id);
  g_autofree char *place = source != NULL ? cli_source_describe (source) : NULL;
  g_autoptr (CliTable) table = cli_table_new ();

  add_line (table, _ ("Server"), id);
  if (g_strcmp0 (gmcp_server_config_get_title (config), id) != 0)
    add_line (table, _ ("Title"), gmcp_server_config_get_title (config));
  add_line (table, _ ("Configured in"), place);
  add_overridden (table, manager, id);
  add_line (table, _ ("Enabled"), gmcp_server_config_is_enabled (config) ? _ ("yes") : _ ("no"));
  add_line (table, _ ("Runs"), command);
  add_line (table, _ ("Address"), url);
  add_line (table, _ ("Folder"), gmcp_server_config_get_cwd (config));
  add_pairs (table, config);
  add_settings (table, config);
  cli_table_print_whole (table);
}

static void
hide_values (JsonObject *server, const char *key)
{
  JsonNode *node = json_object_get_member (server, key);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  json_object_iter_init (&iter, json_node_get_object (node));
  while (json_object_iter_next (&iter, &name, &value))
    json_node_set_string (value, hide_value (json_node_get_string (value)));
}

static void
print_json (GmcpManager *manager, GmcpManagedServer *server)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);
  const char *id = gmcp_managed_server_get_id (server);
  GmcpConfigSource *source = cli_source_find (manager, id);
  g_autofree char *place = source != NULL ? cli_source_describe (source) : NULL;
  g_autofree char *text = gmcp_server_config_dup_json (config);
  g_autoptr (JsonNode) node = cli_json_describe (text, "id", id, "source", place, NULL);

  hide_values (json_node_get_object (node), "env");
  hide_values (json_node_get_object (node), "headers");
  cli_json_print_node (node);
}

static CliExit
run_show (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  GmcpManagedServer *server = NULL;
  CliExit status;

  if (argc != 2)
    return cli_server_report_missing (host, argv[0]);

  status = cli_host_open (host);
  if (status == CLI_EXIT_OK)
    status = cli_server_find (host, argv[1], &server);
  if (status != CLI_EXIT_OK)
    return status;

  if (host->json)
    print_json (cli_host_get_manager (host), server);
  else
    print_server (cli_host_get_manager (host), server);
  return CLI_EXIT_OK;
}

const CliCommand cli_show_command = {
  .name = "show",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Show what is configured for a server, and where"),
  .synopsis = N_ ("SERVER"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_CONFIG,
  .run = run_show,
};
