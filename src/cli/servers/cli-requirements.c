/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-requirements.h"

#include "cli-server.h"
#include "cli-text.h"

#include <glib/gi18n.h>

static const struct
{
  GmcpTier tier;
  const char *label;
} tiers[] = {
  { GMCP_TIER_REQUIRED, N_ ("Required") },
  { GMCP_TIER_RECOMMENDED, N_ ("Recommended") },
  { GMCP_TIER_OPTIONAL, N_ ("Optional") },
};

static GmcpRequirementsReport *
look_up (CliHost *host, GmcpManager *manager, GmcpRequirements *requirements, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_manager_look_up_requirements_async (manager, requirements, host->cancellable,
                                           cli_store_result, &result);
  return gmcp_manager_look_up_requirements_finish (manager, cli_wait (&result), error);
}

static void
append_requirement (GString *line, GmcpRequirement *requirement)
{
  const char *reason = gmcp_requirement_get_reason (requirement);
  const char *hint = gmcp_requirement_get_hint (requirement);

  g_string_append_printf (line, "%s%s", line->len > 0 ? ", " : "",
                          gmcp_requirement_get_server_id (requirement));
  if (!gmcp_requirement_is_met (requirement))
    g_string_append_printf (line, " (%s)", hint != NULL ? hint : reason);
}

static void
print_report (const char *name, GmcpRequirementsReport *report)
{
  g_autoptr (GPtrArray) requirements = gmcp_requirements_report_list_requirements (report);
  g_autoptr (GString) out = g_string_new (NULL);

  /* Translators: a host or tool */
  g_string_append_printf (out, _ ("%s requires MCP servers:"), name);
  for (gsize i = 0; i < G_N_ELEMENTS (tiers); i++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      for (guint k = 0; k < requirements->len; k++)
        {
          if (gmcp_requirement_get_tier (requirements->pdata[k]) == tiers[i].tier)
            append_requirement (line, requirements->pdata[k]);
        }
      if (line->len > 0)
        g_string_append_printf (out, "\n  %s: %s", _ (tiers[i].label), line->str);
    }
  cli_text_show (out->str);
}

static gboolean
is_empty (GmcpRequirements *requirements)
{
  return gmcp_requirements_get_required (requirements)[0] == NULL
         && gmcp_requirements_get_recommended (requirements)[0] == NULL
         && gmcp_requirements_get_optional (requirements)[0] == NULL;
}

CliExit
cli_requirements_print (CliHost *host, GmcpManager *manager)
{
  g_autoptr (GPtrArray) all = gmcp_manager_list_requirements (manager);
  gboolean any = FALSE;

  for (guint i = 0; i < all->len; i++)
    {
      GmcpRequirements *requirements = g_ptr_array_index (all, i);
      g_autoptr (GmcpRequirementsReport) report = NULL;
      g_autoptr (GError) error = NULL;

      if (is_empty (requirements))
        continue;
      report = look_up (host, manager, requirements, &error);
      if (report == NULL)
        return cli_host_report (host, error);
      print_report (gmcp_requirements_get_name (requirements), report);
      any = TRUE;
    }
  if (!any)
    g_print ("%s\n", _ ("No host or tool is configured to require servers."));
  return CLI_EXIT_OK;
}

void
cli_requirements_warn (CliHost *host)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (GmcpRequirements) requirements = NULL;
  g_autoptr (GmcpRequirementsReport) report = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (manager == NULL || cli_server_load_config (host, manager) != CLI_EXIT_OK)
    return;
  requirements = gmcp_manager_dup_requirements (manager, NULL);
  if (is_empty (requirements))
    return;
  report = look_up (host, manager, requirements, NULL);
  text = report != NULL ? gmcp_requirements_report_dup_text (report) : g_strdup ("");
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    /* In a session that is once for all its commands. */
    cli_host_tell (host->session != NULL ? host->session : host, lines[i]);
}
