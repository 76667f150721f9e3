/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-finding-private.h"
#include "gmcp-config-source-policy-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-config-lint-private.h"
#include "gmcp-requirements-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-tool-pattern-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>
#include <gmcp/config/source/gmcp-project.h>

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
gmcp_config_lint_add (GmcpConfigLint *search,
                      GmcpNoticeLevel severity,
                      const GmcpConfigLintPlace *place,
                      char *message)
{
  g_ptr_array_add (search->findings,
                   gmcp_config_finding_new_for_name (severity, place->file, place->line,
                                                     place->key_path, message));
  g_free (message);
}

void
gmcp_config_lint_add_unknown (GmcpConfigLint *search,
                              GmcpNoticeLevel severity,
                              const GmcpConfigLintPlace *place,
                              const char *name)
{
  gmcp_config_lint_add (search, severity, place,
                        g_strdup_printf (_ ("References unknown MCP server: %s"), name));
}

char *
gmcp_config_lint_dup_filled (GmcpConfigLint *search,
                             const GmcpConfigLintPlace *place,
                             const char *text)
{
  g_autoptr (GError) error = NULL;
  char *filled = gmcp_config_variables_fill_plain (text, search->workspace, &error);

  if (filled == NULL)
    gmcp_config_lint_add (search, GMCP_NOTICE_LEVEL_ERROR, place, g_strdup (error->message));
  return filled;
}

gboolean
gmcp_config_lint_is_configured (GmcpConfigLint *search, const char *name)
{
  g_autofree char *id = gmcp_config_make_id (name);

  return gmcp_server_table_find (search->subject->servers, id) != NULL
         || g_hash_table_contains (search->mentioned, id);
}

gboolean
gmcp_config_lint_lacks_tool (GmcpConfigLint *search, const char *name, const char *tool)
{
  g_autofree char *id = gmcp_config_make_id (name);
  GPtrArray *tools = gmcp_config_lint_find_tools (search, id);

  for (guint i = 0; tools != NULL && i < tools->len; i++)
    {
      if (g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (g_ptr_array_index (tools, i))),
                       tool))
        return FALSE;
    }
  return tools != NULL;
}

static void
check_servers (GmcpConfigLint *search, const char *const *names, const GmcpConfigLintPlace *place)
{
  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *name = gmcp_config_lint_dup_filled (search, place, names[i]);

      if (name != NULL && !gmcp_config_lint_is_configured (search, name))
        gmcp_config_lint_add_unknown (search, GMCP_NOTICE_LEVEL_WARNING, place, name);
    }
}

/* `SERVER URI`, or a URI. */
static void
check_resource (GmcpConfigLint *search, const char *resource, const GmcpConfigLintPlace *place)
{
  const char *space = strchr (resource, ' ');
  const char *uri = space != NULL ? space + 1 : resource;
  g_autofree char *scheme = g_uri_parse_scheme (uri);
  g_autofree char *server = space != NULL ? g_strndup (resource, space - resource) : NULL;

  if (scheme == NULL)
    gmcp_config_lint_add (
      search, GMCP_NOTICE_LEVEL_ERROR, place,
      g_strdup_printf (_ ("“%s” is no resource; write its URI, or SERVER URI"), resource));
  else if (server != NULL && !gmcp_config_lint_is_configured (search, server))
    gmcp_config_lint_add_unknown (search, GMCP_NOTICE_LEVEL_WARNING, place, server);
}

static void
check_resources (GmcpConfigLint *search,
                 const char *const *resources,
                 const GmcpConfigLintPlace *place)
{
  for (gsize i = 0; resources != NULL && resources[i] != NULL; i++)
    {
      g_autofree char *resource = gmcp_config_lint_dup_filled (search, place, resources[i]);

      if (resource != NULL)
        check_resource (search, resource, place);
    }
}

/* folder: where the settings have what these are; NULL for those of a program. */
static void
check_requirement_objects (GmcpConfigLint *search, GPtrArray *requirements, const char *folder)
{
  for (guint i = 0; requirements != NULL && i < requirements->len; i++)
    {
      GmcpRequirements *needs = g_ptr_array_index (requirements, i);
      const char *name = gmcp_requirements_get_name (needs);
      g_autofree char *path
        = folder != NULL
            ? g_strconcat (folder, name, "/required", NULL)
            : g_strconcat ("requirements.", name != NULL ? name : "*", ".required", NULL);
      const GmcpConfigLintPlace place = { NULL, 0, path };

      check_servers (search, gmcp_requirements_get_required (needs), &place);
    }
}

static void
check_text (GmcpConfigLint *search, const char *folder, GmcpProject *project, const char *key)
{
  g_autofree char *path = g_strconcat (folder, gmcp_project_get_id (project), "/", key, NULL);
  const GmcpConfigLintPlace place = { NULL, 0, path };
  g_autofree char *text = NULL;

  g_object_get (project, key, &text, NULL);
  g_free (text != NULL ? gmcp_config_lint_dup_filled (search, &place, text) : NULL);
}

static void
check_project_objects (GmcpConfigLint *search, GPtrArray *projects, const char *folder)
{
  for (guint i = 0; projects != NULL && i < projects->len; i++)
    {
      GmcpProject *project = g_ptr_array_index (projects, i);
      const char *id = gmcp_project_get_id (project);
      g_autofree char *servers = g_strconcat (folder, id, "/servers", NULL);
      g_autofree char *resources = g_strconcat (folder, id, "/resources", NULL);
      const GmcpConfigLintPlace of_servers = { NULL, 0, servers };
      const GmcpConfigLintPlace of_resources = { NULL, 0, resources };

      check_servers (search, gmcp_project_get_server_ids (project), &of_servers);
      check_resources (search, gmcp_project_get_resources (project), &of_resources);
      check_text (search, folder, project, "title");
      check_text (search, folder, project, "instructions");
    }
}

static void
check_filled (GmcpConfigLint *search, const GmcpConfigLintPlace *place, const char *text)
{
  g_free (text != NULL ? gmcp_config_lint_dup_filled (search, place, text) : NULL);
}

static void
check_data (GmcpConfigLint *search, GmcpConfigPolicy *policy)
{
  gmcp_config_lint_check_config_roles (search, policy->roles, FALSE);
  for (guint i = 0; i < policy->tools->len; i++)
    {
      GmcpConfigTool *tool = g_ptr_array_index (policy->tools, i);
      const GmcpConfigLintPlace place
        = { tool->required_place.file, tool->required_place.line, tool->required_place.key_path };

      gmcp_config_lint_check_config_roles (search, tool->roles, TRUE);
      check_servers (search, (const char *const *) tool->required, &place);
    }
  for (guint i = 0; i < policy->projects->len; i++)
    {
      GmcpConfigProject *project = g_ptr_array_index (policy->projects, i);
      const GmcpConfigLintPlace place
        = { project->place.file, project->place.line, project->place.key_path };

      check_servers (search, (const char *const *) project->servers, &place);
      check_resources (search, (const char *const *) project->resources, &place);
      check_filled (search, &place, project->title);
      check_filled (search, &place, project->instructions);
    }
}

static void
declare_servers (GmcpConfigLint *search, const char *const *names)
{
  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *name = gmcp_config_variables_fill_plain (names[i], search->workspace, NULL);

      g_hash_table_add (search->declared, gmcp_config_make_id (name != NULL ? name : names[i]));
    }
}

static void
add_declared (GmcpConfigLint *search, GPtrArray *requirements)
{
  for (guint i = 0; i < requirements->len; i++)
    for (int tier = GMCP_TIER_REQUIRED; tier <= GMCP_TIER_OPTIONAL; tier++)
      declare_servers (search,
                       gmcp_requirements_get_tier (g_ptr_array_index (requirements, i), tier));
}

/* What was read last, whether it counts or not; NULL where it was no file. */
static GmcpConfigContents *
peek_newest (GmcpConfigSource *source)
{
  GmcpFileConfigSource *file = gmcp_config_source_peek_file (source);
  GmcpConfigContents *refused = file != NULL ? gmcp_file_config_source_peek_refused (file) : NULL;

  if (refused != NULL || file == NULL)
    return refused;
  return gmcp_file_config_source_peek_contents (file);
}

static void
set_workspace (GmcpConfigLint *search, GmcpConfigSource *source)
{
  g_free (search->workspace);
  search->workspace = gmcp_config_source_dup_workspace (source, search->subject->workspace);
}

/* A server whose entry is wrong is no unknown one. */
static void
add_mentioned (GmcpConfigLint *search, GmcpConfigSource *source)
{
  GmcpConfigContents *contents = peek_newest (source);

  if (contents == NULL || contents->n_errors == 0)
    return;

  set_workspace (search, source);
  for (guint i = 0; i < contents->outcomes->len; i++)
    {
      GmcpConfigOutcome *outcome = g_ptr_array_index (contents->outcomes, i);

      g_hash_table_add (search->mentioned, g_strdup (outcome->id));
    }
  for (guint i = 0; i < contents->policy->tools->len; i++)
    {
      GmcpConfigTool *tool = g_ptr_array_index (contents->policy->tools, i);

      declare_servers (search, (const char *const *) tool->required);
      declare_servers (search, (const char *const *) tool->recommended);
      declare_servers (search, (const char *const *) tool->optional);
    }
}

/* The source itself has found what is no rule as it stands there. */
static GStrv
take_understood (GStrv rules)
{
  gsize n_taken = 0;

  for (gsize i = 0; rules[i] != NULL; i++)
    {
      g_autoptr (GmcpToolPattern) pattern = gmcp_tool_pattern_new (rules[i]);

      if (pattern != NULL || strstr (rules[i], "${") != NULL)
        rules[n_taken++] = rules[i];
      else
        g_free (rules[i]);
    }
  rules[n_taken] = NULL;
  return rules;
}

/* What the settings say of all servers. */
static void
check_settings (GmcpConfigLint *search, GmcpSettingsConfigSource *source)
{
  const GmcpConfigLintPlace of_rules = { NULL, 0, GMCP_SETTINGS_PATH "ask-first" };
  const GmcpConfigLintPlace of_logs = { NULL, 0, GMCP_SETTINGS_PATH "log-directory" };
  GSettings *settings = gmcp_settings_config_source_get_settings (source);
  g_autoptr (GHashTable) seen = new_set ();
  g_auto (GStrv) rules = NULL;
  g_autofree char *directory = NULL;

  if (settings == NULL)
    return;

  rules = take_understood (g_settings_get_strv (settings, "ask-first"));
  directory = g_settings_get_string (settings, "log-directory");
  search->lenient = TRUE;
  gmcp_config_lint_check_rules (search, (const char *const *) rules, TRUE, FALSE, seen, &of_rules);
  search->lenient = FALSE;
  g_free (gmcp_config_lint_dup_filled (search, &of_logs, directory));
}

static void
check_source (GmcpConfigLint *search, GmcpConfigSource *source)
{
  GListModel *findings = gmcp_config_source_get_findings (source);
  GmcpConfigContents *contents = peek_newest (source);
  GmcpConfigPolicy *policy = contents != NULL && contents->n_errors > 0
                               ? contents->policy
                               : gmcp_config_source_peek_policy_data (source);
  gboolean settings = GMCP_IS_SETTINGS_CONFIG_SOURCE (source);

  set_workspace (search, source);
  for (guint i = 0; i < g_list_model_get_n_items (findings); i++)
    g_ptr_array_add (search->findings, g_list_model_get_item (findings, i));

  if (policy != NULL)
    {
      check_data (search, policy);
      return;
    }
  gmcp_config_lint_check_role_objects (search, gmcp_config_source_peek_roles (source),
                                       settings ? GMCP_SETTINGS_PATH "roles/" : NULL);
  check_requirement_objects (search, gmcp_config_source_peek_requirements (source),
                             settings ? GMCP_SETTINGS_PATH "requirements/" : NULL);
  check_project_objects (search, gmcp_config_source_peek_projects (source),
                         settings ? GMCP_SETTINGS_PATH "projects/" : "projects/");
  if (settings)
    check_settings (search, GMCP_SETTINGS_CONFIG_SOURCE (source));
}

GPtrArray *
gmcp_config_lint_find_problems (const GmcpConfigLintSubject *subject, GHashTable *kept)
{
  g_autoptr (GHashTable) declared = new_set ();
  g_autoptr (GHashTable) mentioned = new_set ();
  g_autoptr (GPtrArray) active = gmcp_config_stack_list_active (subject->stack);
  GmcpConfigLint search = { .subject = subject,
                            .declared = declared,
                            .mentioned = mentioned,
                            .findings = g_ptr_array_new_with_free_func (g_object_unref),
                            .kept = kept };
  add_declared (&search, gmcp_requirement_set_peek_own (subject->requirements));
  add_declared (&search, gmcp_requirement_set_peek_configured (subject->requirements));
  for (guint i = 0; i < active->len; i++)
    add_mentioned (&search, g_ptr_array_index (active, i));
  gmcp_config_lint_check_role_objects (&search, gmcp_policy_get_own_roles (subject->rules), NULL);
  check_requirement_objects (&search, gmcp_requirement_set_peek_own (subject->requirements), NULL);
  for (guint i = 0; i < active->len; i++)
    check_source (&search, g_ptr_array_index (active, i));
  gmcp_config_lint_check_servers (&search);
  gmcp_display_context_add_findings (subject->display, search.findings);
  g_free (search.workspace);
  return search.findings;
}
