/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-server.h"
#include "cli-text.h"

typedef struct
{
  gboolean all;
  char *digest;
} Options;

/* What tools were when they were first seen, and what has become of them. Starts no server. */

static GmcpManager *
open_manager (CliHost *host, CliExit *status)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManager *manager;

  *status = cli_host_open (host);
  if (*status != CLI_EXIT_OK)
    return NULL;

  manager = cli_host_get_manager (host);
  if (manager == NULL)
    {
      cli_host_explain_no_servers (host);
      *status = CLI_EXIT_UNREACHABLE;
      return NULL;
    }

  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &result);
  if (!gmcp_manager_load_config_finish (manager, cli_wait (&result), &error))
    {
      *status = cli_host_report (host, error);
      return NULL;
    }
  return manager;
}

static const char *
describe_status (GmcpPinStatus status)
{
  switch (status)
    {
    case GMCP_PIN_STATUS_NEW:
      return _ ("new");
    case GMCP_PIN_STATUS_CHANGED:
      return _ ("changed");
    case GMCP_PIN_STATUS_APPROVED:
    default:
      return _ ("approved");
    }
}

/* In JSON, whatever the language. */
static const char *
get_code (GmcpPinStatus status)
{
  g_autoptr (GEnumClass) values = g_type_class_ref (GMCP_TYPE_PIN_STATUS);

  return g_enum_get_value (values, (int) status)->value_nick;
}

static void
print_json (GPtrArray *pins, gboolean all)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < pins->len; i++)
    {
      GmcpToolPin *pin = g_ptr_array_index (pins, i);
      GmcpPinStatus status = gmcp_tool_pin_get_status (pin);
      g_autofree char *diff = gmcp_tool_pin_dup_diff (pin);
      JsonObject *object;

      if (status == GMCP_PIN_STATUS_APPROVED && !all)
        continue;
      object = json_object_new ();
      json_object_set_string_member (object, "server", gmcp_tool_pin_get_server_id (pin));
      json_object_set_string_member (object, "tool", gmcp_tool_pin_get_tool (pin));
      json_object_set_string_member (object, "status", get_code (status));
      json_object_set_string_member (object, "digest", gmcp_tool_pin_get_present_digest (pin));
      if (diff != NULL && *diff != '\0')
        json_object_set_string_member (object, "diff", diff);
      json_array_add_object_element (array, object);
    }
  cli_json_print_array (array);
}

/* Whether it is one of those that are shown. */
static gboolean
print_pin (GmcpToolPin *pin, gboolean all)
{
  GmcpPinStatus status = gmcp_tool_pin_get_status (pin);
  g_autofree char *diff = NULL;
  g_autofree char *line = NULL;

  if (status == GMCP_PIN_STATUS_APPROVED && !all)
    return FALSE;

  line = g_strdup_printf ("%s.%s: %s\n", gmcp_tool_pin_get_server_id (pin),
                          gmcp_tool_pin_get_tool (pin), describe_status (status));
  cli_text_show (line);
  if (status == GMCP_PIN_STATUS_APPROVED)
    return TRUE;
  diff = gmcp_tool_pin_dup_diff (pin);
  cli_text_show (diff);
  g_print ("--digest=%s\n", gmcp_tool_pin_get_present_digest (pin));
  return TRUE;
}

static CliExit
run_pins (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (GPtrArray) pins = NULL;
  GmcpManager *manager;
  guint n_shown = 0;
  CliExit status;

  if (argc > 1)
    return cli_usage_error (_ ("pins: takes no arguments"));

  manager = open_manager (host, &status);
  if (manager == NULL)
    return status;

  pins = gmcp_manager_list_pins (manager);
  if (host->json)
    print_json (pins, options->all);
  for (guint i = 0; i < pins->len && !host->json; i++)
    n_shown += print_pin (g_ptr_array_index (pins, i), options->all);
  if (n_shown == 0 && !host->json)
    {
      g_printerr ("%s\n", options->all ? _ ("gmcp: no tool has been seen yet")
                                       : _ ("gmcp: no tool is new or has changed"));
      cli_host_explain_no_servers (host);
    }
  return CLI_EXIT_OK;
}

static const GOptionEntry pins_entries[] = {
  { "all", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, all),
    N_ ("Print those that are approved, too"), NULL },
  { NULL },
};

const CliCommand cli_pins_command = {
  .name = "pins",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Show the tools that are new or have changed"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = pins_entries,
  .options_size = sizeof (Options),
  .run = run_pins,
};

static gboolean
approve_shown (CliHost *host,
               const char *server,
               const char *tool,
               const char *digest,
               guint *n_all,
               CliExit *status)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManager *manager = cli_host_get_manager (host);
  int n_approved;

  gmcp_manager_approve_tool_async (manager, server, tool, digest, host->cancellable,
                                   cli_store_result, &result);
  n_approved = gmcp_manager_approve_tool_finish (manager, cli_wait (&result), &error);
  if (n_approved < 0)
    {
      *status = cli_host_report (host, error);
      return FALSE;
    }
  *n_all += (guint) n_approved;
  return TRUE;
}

/* What is approved is printed before it is, and is nothing else. */
static gboolean
approve_pin (CliHost *host, GmcpToolPin *pin, guint *n_all, CliExit *status)
{
  if (!host->json)
    print_pin (pin, FALSE);
  return approve_shown (host, gmcp_tool_pin_get_server_id (pin), gmcp_tool_pin_get_tool (pin),
                        gmcp_tool_pin_get_present_digest (pin), n_all, status);
}

static gboolean
is_named (GmcpToolPin *pin, const char *server, const char *tool)
{
  return gmcp_tool_pin_get_status (pin) != GMCP_PIN_STATUS_APPROVED
         && (server == NULL || g_str_equal (gmcp_tool_pin_get_server_id (pin), server))
         && (tool == NULL || g_str_equal (gmcp_tool_pin_get_tool (pin), tool));
}

/* SERVER, or SERVER.TOOL; NULL for all. digest: of the tool as it was shown before; NULL where it was not. */
static gboolean
approve_tools (CliHost *host,
               GmcpManager *manager,
               const char *name,
               const char *digest,
               guint *n_all,
               CliExit *status)
{
  guint n_before = *n_all;
  gsize length = 0;
  const char *end = name != NULL ? cli_server_find_separator (name, &length) : NULL;
  g_autofree char *server = end != NULL ? g_strndup (name, end - name) : g_strdup (name);
  const char *tool = end != NULL ? end + length : NULL;
  g_autoptr (GPtrArray) pins = gmcp_manager_list_pins (manager);

  if (server != NULL && gmcp_manager_get_server (manager, server) == NULL)
    {
      *status = cli_server_report_unknown (host, server);
      return FALSE;
    }
  if (digest != NULL && tool != NULL && !approve_shown (host, server, tool, digest, n_all, status))
    return FALSE;
  for (guint i = 0; i < pins->len && digest == NULL; i++)
    if (is_named (pins->pdata[i], server, tool)
        && !approve_pin (host, pins->pdata[i], n_all, status))
      return FALSE;
  if (*n_all == n_before && name != NULL)
    {
      *status = cli_usage_error (_ ("approve: nothing of %s waits to be approved; “gmcp pins” "
                                    "shows what does"),
                                 name);
      return FALSE;
    }
  return TRUE;
}

static void
print_approved (CliHost *host, guint n)
{
  JsonObject *object;
  g_autoptr (JsonNode) node = NULL;

  if (!host->json)
    {
      if (n == 0)
        g_printerr ("%s\n", _ ("gmcp: no tool is new or has changed"));
      else
        g_print (g_dngettext (NULL, "Approved %u tool.\n", "Approved %u tools.\n", n), n);
      return;
    }
  object = json_object_new ();
  json_object_set_int_member (object, "approved", n);
  node = json_node_init_object (json_node_alloc (), object);
  json_object_unref (object);
  cli_json_print_node (node);
}

static CliExit
run_approve (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  GmcpManager *manager;
  guint n_approved = 0;
  CliExit status;

  if (options->all == (argc > 1))
    return cli_usage_error (_ ("approve: which tools? SERVER.TOOL, SERVER, or --all"));
  if (options->digest != NULL
      && (argc != 2 || cli_server_find_separator (argv[1], &(gsize){ 0 }) == NULL))
    return cli_usage_error (_ ("approve: --digest is for one SERVER.TOOL"));

  manager = open_manager (host, &status);
  if (manager == NULL)
    return status;

  if (options->all && !approve_tools (host, manager, NULL, NULL, &n_approved, &status))
    return status;
  for (int i = 1; i < argc; i++)
    if (!approve_tools (host, manager, argv[i], options->digest, &n_approved, &status))
      return status;
  print_approved (host, n_approved);
  return CLI_EXIT_OK;
}

static const GOptionEntry approve_entries[] = {
  { "all", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, all), N_ ("Approve all that waits"),
    NULL },
  { "digest", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, digest),
    N_ ("Only if the tool is still as “gmcp pins” showed it with this digest"), N_ ("DIGEST") },
  { NULL },
};

const CliCommand cli_approve_command = {
  .name = "approve",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Approve tools as they are now"),
  .synopsis = N_ ("[SERVER.TOOL…]"),
  .description = N_ ("SERVER stands for all tools of a server."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = approve_entries,
  .options_size = sizeof (Options),
  .run = run_approve,
};
