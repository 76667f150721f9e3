/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-finding-private.h"
#include "gmcp-config-lint-private.h"
#include "gmcp-config-unset-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-gateway-command-private.h"
#include "gmcp-health-check-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-lockdown-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-relative-words-private.h"
#include "gmcp-server-config-private.h"

/* Takes the place; NULL for a configuration that comes from nowhere in particular. */
static void
add_finding (GPtrArray *findings,
             GmcpServerConfig *config,
             GmcpConfigPlace *place,
             const char *property,
             const char *message)
{
  const char *id = gmcp_server_config_get_id (config);
  g_autoptr (GFile) file
    = place != NULL && place->file != NULL ? g_file_parse_name (place->file) : NULL;
  g_autofree char *key = property != NULL ? gmcp_config_key_to_camel (property) : g_strdup ("");
  g_autofree char *path
    = place != NULL ? g_strdup (place->key_path) : gmcp_config_path_join (id, key);

  g_ptr_array_add (findings,
                   g_object_new (GMCP_TYPE_CONFIG_FINDING, "severity", GMCP_NOTICE_LEVEL_WARNING,
                                 "file", file, "line", place != NULL ? place->line : 0, "key-path",
                                 path, "message", message, "server-id", id, NULL));
  g_clear_pointer (&place, gmcp_config_place_free);
}

/* property is NULL for the server as a whole. */
static void
add_about (GPtrArray *findings, GmcpServerConfig *config, const char *property, const char *message)
{
  GmcpConfigPlace *place = gmcp_server_config_find_place (config, property);

  add_finding (findings, config, place, property, message);
}

static char *
explain_shadow (GmcpConfigSource *source, const char *id)
{
  GmcpFileConfigSource *file = gmcp_config_source_peek_file (source);
  g_autofree char *name = NULL;
  gboolean project = FALSE;

  if (file != NULL)
    g_object_get (file, "project", &project, NULL);
  if (!project)
    return g_strdup (_ ("this server does not count: one of that id stands in a place that comes "
                        "first"));

  name = gmcp_file_config_source_dup_name (file);
  return g_strdup_printf (_ ("this server does not count: one of that id stands elsewhere; to have "
                             "this one in its place: gmcp config trust %s %s"),
                          name, id);
}

/* One round for those that stand in for others, then one for the rest. */
static void
check_shadowed_of (GmcpConfigLint *search,
                   GmcpConfigSource *source,
                   gboolean stands_in,
                   GHashTable *seen)
{
  GmcpSettingsConfigSource *locks = gmcp_config_stack_peek_settings (search->subject->stack);
  GListModel *servers = gmcp_config_source_get_servers (source);
  guint n_servers = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);
      const char *id = gmcp_server_config_get_id (config);
      g_autofree char *message = NULL;

      if (gmcp_server_config_stands_in (config) != stands_in)
        continue;
      if (!gmcp_lockdown_permits_id (locks, id))
        message = g_strdup (_ ("this server does not count: the administrator of this computer has "
                               "locked the list of servers"));
      else if (!g_hash_table_add (seen, g_strdup (id)))
        message = explain_shadow (source, id);
      if (message != NULL)
        add_about (search->findings, config, NULL, message);
    }
}

static void
check_shadowed (GmcpConfigLint *search)
{
  g_autoptr (GPtrArray) active = gmcp_config_stack_list_active (search->subject->stack);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean is_file_alone
    = gmcp_config_stack_peek_file (search->subject->stack) != NULL && active->len == 1;

  /* In a file there is each id but once. */
  for (guint i = 0; !is_file_alone && i < 2 * active->len; i++)
    check_shadowed_of (search, g_ptr_array_index (active, i % active->len), i < active->len, seen);
}

/* The place that the server of that id comes from; NULL for none, as for one that the host added. */
static GmcpConfigSource *
find_source (GmcpConfigLint *search, const char *id)
{
  g_autoptr (GPtrArray) active = gmcp_config_stack_list_active (search->subject->stack);

  for (guint i = 0; i < 2 * active->len; i++)
    {
      GmcpConfigSource *source = g_ptr_array_index (active, i % active->len);
      GListModel *servers = gmcp_config_source_get_servers (source);
      guint n_servers = g_list_model_get_n_items (servers);

      for (guint j = 0; j < n_servers; j++)
        {
          g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, j);

          /* First those that stand in for others. */
          if (gmcp_server_config_stands_in (config) == (i < active->len)
              && g_str_equal (gmcp_server_config_get_id (config), id))
            return source;
        }
    }
  return gmcp_config_stack_peek_file (search->subject->stack);
}

static void
add_about_word (GPtrArray *findings,
                GmcpServerConfig *config,
                const char *property,
                guint i,
                const char *message)
{
  GmcpConfigPlace *place = gmcp_server_config_find_place_of_word (config, property, i);

  add_finding (findings, config, place, property, message);
}

static void
check_confinement (GmcpConfigLint *search, GmcpServerConfig *config)
{
  GmcpConfigSource *source = find_source (search, gmcp_server_config_get_id (config));
  g_autoptr (GError) error = NULL;

  if (source != NULL && gmcp_server_config_is_enabled (config)
      && !gmcp_server_config_check_confinement (config, &error))
    add_about (search->findings, config, NULL, error->message);
}

/* Arguments that go by a folder that the server does not run in. */
static void
check_words (GmcpConfigLint *search, GmcpServerConfig *config)
{
  if (!gmcp_server_config_is_enabled (config))
    return;

  for (guint i = gmcp_relative_words_find (config, 0); i != GMCP_NO_RELATIVE_WORD;
       i = gmcp_relative_words_find (config, i + 1))
    {
      g_autofree char *message = gmcp_relative_words_describe (config, i);

      add_about_word (search->findings, config, "argv", i, message);
    }
}

GPtrArray *
gmcp_config_lint_find_tools (GmcpConfigLint *search, const char *id)
{
  GmcpManagedServer *server = gmcp_server_table_find (search->subject->servers, id);
  GPtrArray *tools = server != NULL ? gmcp_managed_server_peek_tools (server) : NULL;

  if (tools == NULL || tools->len == 0)
    tools = search->kept != NULL ? g_hash_table_lookup (search->kept, id) : NULL;
  return tools != NULL && tools->len > 0 ? tools : NULL;
}

/* What a tool's name says of its server, where that is another one than the checked, as far as can be
 * known: a name may hold dots. */
static char *
dup_other_server (GmcpConfigLint *search, const char *id, const char *tool)
{
  const char *dot = strchr (tool, '.');

  if (dot == NULL || dot == tool || gmcp_health_check_skip_server (tool, id) != tool
      || gmcp_config_lint_find_tools (search, id) != NULL)
    return NULL;
  return g_strndup (tool, dot - tool);
}

/* NULL where nothing is wrong with the tool that a server is checked with. */
static char *
explain_health_tool (GmcpConfigLint *search, const char *id, const char *tool)
{
  g_autofree char *other = NULL;

  if (gmcp_config_lint_lacks_tool (search, id, gmcp_health_check_skip_server (tool, id)))
    return g_strdup_printf (_ ("References unknown tool: %s"), tool);

  other = dup_other_server (search, id, tool);
  if (other == NULL)
    return NULL;
  if (!gmcp_config_lint_is_configured (search, other))
    return g_strdup_printf (
      _ ("References unknown MCP server: %s; a server is checked by a tool of "
         "its own, here %s.TOOL"),
      other, id);
  return g_strdup_printf (_ ("A server is checked by a tool of its own: %s"), tool);
}

/* The tool that a server is checked with. */
static void
check_health_tool (GmcpConfigLint *search, GmcpServerConfig *config)
{
  const char *tool = gmcp_server_config_get_health_tool (config);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
  g_autofree char *message = NULL;
  g_autofree char *filled = NULL;

  if (tool == NULL || gmcp_server_config_get_health_method (config) != GMCP_HEALTH_METHOD_TOOL_CALL)
    return;

  /* What cannot be filled in is told of elsewhere. */
  filled = gmcp_config_variables_fill_plain (
    tool,
    origin != NULL && origin->workspace != NULL ? origin->workspace : search->subject->workspace,
    NULL);
  if (filled != NULL)
    message = explain_health_tool (search, gmcp_server_config_get_id (config), filled);
  if (message != NULL)
    add_about (search->findings, config, "health-tool", message);
}

static void
check_each (GmcpConfigLint *search, void (*check) (GmcpConfigLint *, GmcpServerConfig *))
{
  GmcpServerTable *table = search->subject->servers;

  for (guint i = 0; i < gmcp_server_table_get_length (table); i++)
    check (search, gmcp_managed_server_get_config (gmcp_server_table_get_server (table, i)));
}

/* What the start of the server would fail of. */
static void
check_variables (GmcpConfigLint *search, GmcpServerConfig *config)
{
  gmcp_config_add_unset (config, search->findings);
}

/* The gateway of the same servers among them; one of a file of its own is a server as any other. */
static void
check_gateway (GmcpConfigLint *search, GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);

  if (gmcp_server_config_is_enabled (config) && gmcp_is_gateway_command (argv)
      && !gmcp_gateway_command_has_file (argv))
    add_about (
      search->findings, config, "argv",
      _ ("this is the gateway of all servers that are configured here: they would be there "
         "twice"));
}

void
gmcp_config_lint_check_servers (GmcpConfigLint *search)
{
  check_each (search, check_health_tool);
  check_each (search, check_variables);
  check_shadowed (search);
  check_each (search, check_confinement);
  check_each (search, check_words);
  check_each (search, check_gateway);
}
