/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-server.h"
#include "cli-suggest.h"
#include "cli-table.h"
#include "cli-text.h"

/* gmcp role: the roles there are, and what each may call. */

static char *
join_words (const char *const *words)
{
  return g_strjoinv (", ", (char **) words);
}

static void
print_roles (GPtrArray *roles)
{
  g_autoptr (CliTable) table = cli_table_new_with_titles (_ ("Role"), _ ("Host"), _ ("May call"),
                                                          _ ("May not call"), _ ("Asks"), NULL);

  for (guint i = 0; i < roles->len; i++)
    {
      GmcpRole *role = g_ptr_array_index (roles, i);
      g_autofree char *allowed = join_words (gmcp_role_get_allowed_tools (role));
      g_autofree char *denied = join_words (gmcp_role_get_denied_tools (role));
      g_autofree char *asked = join_words (gmcp_role_get_ask_first (role));
      g_autofree char *reading = gmcp_role_is_read_only (role)
                                   ? g_strdup_printf (_ ("%s, if it only reads"), allowed)
                                   : NULL;
      const char *cells[] = { gmcp_role_get_name (role), gmcp_role_get_host (role),
                              reading != NULL ? reading : allowed, denied, asked };

      cli_table_add_cells (table, cells);
    }
  cli_table_print (table);
}

static JsonObject *
describe_role (GmcpRole *role)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "name", gmcp_role_get_name (role));
  if (gmcp_role_get_host (role) != NULL)
    json_object_set_string_member (object, "host", gmcp_role_get_host (role));
  json_object_set_member (object, "allowedTools",
                          cli_json_new_strings (gmcp_role_get_allowed_tools (role)));
  json_object_set_member (object, "deniedTools",
                          cli_json_new_strings (gmcp_role_get_denied_tools (role)));
  json_object_set_member (object, "askFirst",
                          cli_json_new_strings (gmcp_role_get_ask_first (role)));
  json_object_set_boolean_member (object, "readOnly", gmcp_role_is_read_only (role));
  return object;
}

static void
print_roles_json (GPtrArray *roles)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < roles->len; i++)
    json_array_add_object_element (array, describe_role (g_ptr_array_index (roles, i)));
  cli_json_print_array (array);
}

/* What is printed of a role: each tool that is known, by server. */
typedef struct
{
  GmcpManager *manager;
  const char *role;
  JsonArray *array; /* NULL for text */
} Listing;

static void
add_tool (Listing *self, CliTable *table, GmcpTool *tool)
{
  static const struct
  {
    const char *word;
    CliStyle style;
  } shown[] = {
    [GMCP_PERMISSION_ALLOWED] = { N_ ("allowed"), CLI_STYLE_GOOD },
    [GMCP_PERMISSION_ASKED] = { N_ ("asked first"), CLI_STYLE_WARNING },
    [GMCP_PERMISSION_REFUSED] = { N_ ("not allowed"), CLI_STYLE_BAD },
  };
  g_autoptr (GEnumClass) nicks = g_type_class_ref (GMCP_TYPE_PERMISSION);
  const char *name = gmcp_tool_get_server_tool_name (tool);
  g_autofree char *rule = NULL;
  GmcpPermission permission = gmcp_manager_judge_tool (
    self->manager, gmcp_tool_get_server_id (tool), name, self->role, &rule);
  const char *cells[] = { name, _ (shown[permission].word), rule };

  if (self->array != NULL)
    {
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "server", gmcp_tool_get_server_id (tool));
      json_object_set_string_member (object, "tool", name);
      json_object_set_string_member (object, "permission",
                                     g_enum_get_value (nicks, (int) permission)->value_nick);
      if (rule != NULL)
        json_object_set_string_member (object, "rule", rule);
      json_array_add_object_element (self->array, object);
      return;
    }
  cli_table_add_cells (table, cells);
  cli_table_set_style (table, 1, shown[permission].style);
}

static void
list_server (Listing *self, GListModel *tools, const char *id)
{
  g_autoptr (CliTable) table = cli_table_new_with_titles (_ ("Tool"), "", _ ("Rule"), NULL);
  guint n = g_list_model_get_n_items (tools);
  guint n_own = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      if (g_strcmp0 (gmcp_tool_get_server_id (tool), id) != 0)
        continue;
      add_tool (self, table, tool);
      n_own++;
    }
  if (self->array != NULL)
    return;

  g_print ("%s:\n", id);
  cli_table_set_indent (table, 2);
  if (n_own > 0)
    cli_table_print (table);
  else
    /* Translators: the id of a server */
    g_print (_ ("  Its tools are not known yet; “gmcp sync %s” lists them.\n"), id);
}

static CliExit
print_role (CliHost *host, GmcpManager *manager, const char *role)
{
  Listing listing = { manager, role, host->json ? json_array_new () : NULL };
  GListModel *tools = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (manager));
  guint n_servers = g_list_model_get_n_items (G_LIST_MODEL (manager));
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_manager_recall_tools_async (manager, host->cancellable, cli_store_result, &result);
  if (!gmcp_manager_recall_tools_finish (manager, cli_wait (&result), &error))
    return cli_host_report (host, error);

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      if (gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
        list_server (&listing, tools, gmcp_managed_server_get_id (server));
    }
  if (host->json)
    cli_json_print_array (listing.array);
  return CLI_EXIT_OK;
}

static CliExit
check_role (GmcpManager *manager, GPtrArray *roles, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *suggestion = NULL;
  const char *who = NULL;

  for (guint i = 0; i < roles->len; i++)
    {
      if (g_str_equal (gmcp_role_get_name (g_ptr_array_index (roles, i)), name))
        return CLI_EXIT_OK;
      g_ptr_array_add (names, (gpointer) gmcp_role_get_name (g_ptr_array_index (roles, i)));
    }
  g_ptr_array_add (names, NULL);
  suggestion = cli_suggest_near (name, (const char *const *) names->pdata);
  who = gmcp_manager_get_host (manager);
  /* Translators: a role, a host, and “. Near to it: review.” or nothing */
  return cli_usage_error (_ ("role: there is no role “%s” for the host %s; it may call nothing%s"),
                          name, who, suggestion);
}

static CliExit
run_role (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  GmcpManager *manager;
  g_autoptr (GPtrArray) roles = NULL;
  CliExit status;

  if (argc > 2)
    return cli_usage_error (_ ("role: one role at a time, or none for a list of them"));
  status = cli_host_open (host);
  manager = cli_host_get_manager (host);
  if (status == CLI_EXIT_OK && manager == NULL)
    status = cli_usage_error (_ ("there is no manager of servers"));
  if (status == CLI_EXIT_OK)
    status = cli_server_load_config (host, manager);
  if (status != CLI_EXIT_OK)
    return status;

  roles = gmcp_manager_list_roles (manager);
  if (argc == 2)
    {
      status = check_role (manager, roles, argv[1]);
      return status == CLI_EXIT_OK ? print_role (host, manager, argv[1]) : status;
    }
  if (host->json)
    print_roles_json (roles);
  else if (roles->len > 0)
    print_roles (roles);
  else
    {
      /* Translators: a host */
      g_printerr (_ ("No roles are configured for the host %s; it may call every tool.\n"),
                  gmcp_manager_get_host (manager));
      cli_host_explain_no_servers (host);
    }
  return CLI_EXIT_OK;
}

const CliCommand cli_role_command = {
  .name = "role",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("List the roles, or what one may call and which rule says so"),
  .synopsis = N_ ("[ROLE]"),
  .description = N_ ("The tools are those that servers had the last time; none is started.\n"
                     "“gmcp --host NAME role” lists the roles of another host."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_CONFIG,
  .run = run_role,
};
