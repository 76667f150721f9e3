/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-requirements-private.h"
#include "gmcp-settings-policy-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-value-private.h"

#include <gmcp/config/gmcp-config-finding.h>
#include <gmcp/config/source/gmcp-project.h>
#include <gmcp/config/source/gmcp-role.h>

static GObject *
read_role (GSettings *settings, const char *name)
{
  g_autofree char *host = g_settings_get_string (settings, "host");
  g_auto (GStrv) allowed = g_settings_get_strv (settings, "allowed-tools");
  g_auto (GStrv) denied = g_settings_get_strv (settings, "denied-tools");
  g_auto (GStrv) ask_first = g_settings_get_strv (settings, "ask-first");

  return g_object_new (GMCP_TYPE_ROLE, "name", name, "host", host, "allowed-tools", allowed,
                       "denied-tools", denied, "ask-first", ask_first, "read-only",
                       g_settings_get_boolean (settings, "read-only"), NULL);
}

/* A role that cannot be read might deny anything, and so allows nothing. */
static GObject *
make_closed_role (GSettings *settings, const char *name)
{
  static const char *const all[] = { "*", NULL };

  return g_object_new (GMCP_TYPE_ROLE, "name", name, "denied-tools", all, NULL);
}

static GObject *
read_requirements (GSettings *settings, const char *name)
{
  g_auto (GStrv) required = g_settings_get_strv (settings, "required");
  g_auto (GStrv) recommended = g_settings_get_strv (settings, "recommended");
  g_auto (GStrv) optional = g_settings_get_strv (settings, "optional");
  g_autofree char *binary = g_settings_get_string (settings, "binary");
  g_autofree char *command_template = g_settings_get_string (settings, "command-template");
  g_auto (GStrv) models = g_settings_get_strv (settings, "models");
  g_auto (GStrv) metadata
    = gmcp_requirements_make_metadata (binary, command_template, (const char *const *) models);

  return g_object_new (GMCP_TYPE_REQUIREMENTS, "name", name, "required", required, "recommended",
                       recommended, "optional", optional, "metadata", metadata, NULL);
}

static GObject *
read_project (GSettings *settings, const char *name)
{
  g_autofree char *title = g_settings_get_string (settings, "title");
  g_autofree char *instructions = g_settings_get_string (settings, "instructions");
  g_auto (GStrv) servers = g_settings_get_strv (settings, "servers");
  g_auto (GStrv) resources = g_settings_get_strv (settings, "resources");

  return g_object_new (GMCP_TYPE_PROJECT, "id", name, "title", title, "server-ids", servers,
                       "resources", resources, "instructions", instructions, NULL);
}

/* A name is a part of a path, in which GSettings takes anything but a slash. */
static char *
check_name (const char *name, guint n_taken)
{
  if (*name != '\0' && strchr (name, '/') == NULL && strlen (name) <= GMCP_LIMIT_POLICY_NAME_BYTES
      && n_taken < GMCP_LIMIT_POLICY_NAMES)
    return NULL;

  return g_strdup_printf (_ ("“%s” is left out: a name has at most %u bytes and no slash, "
                             "and there are at most %u"),
                          name, GMCP_LIMIT_POLICY_NAME_BYTES, GMCP_LIMIT_POLICY_NAMES);
}

typedef GObject *(*Read) (GSettings *settings, const char *name);

/* Settings that cannot be read keep their last good object; without one, make_closed makes a
 * stricter one, or NULL leaves them out. */
static GObject *
read_or_keep (GSettings *settings,
              const char *name,
              Read read,
              Read make_closed,
              GObject **good,
              GPtrArray *findings)
{
  g_autofree char *place = gmcp_settings_dup_place (settings, "");
  const char *message;

  if (gmcp_settings_check_values (settings, FALSE, findings) == GMCP_SETTINGS_VALUE_FINE)
    {
      g_clear_object (good);
      *good = read (settings, name);
      return g_object_ref (*good);
    }

  if (*good != NULL)
    message = _ ("what was set before holds on until this is mended");
  else if (make_closed != NULL)
    message = _ ("the role allows nothing until this is mended");
  else
    message = _ ("it is left out until this is mended");
  g_ptr_array_add (findings,
                   gmcp_config_finding_new (GMCP_NOTICE_LEVEL_WARNING, NULL, 0, place, message));
  if (*good != NULL)
    return g_object_ref (*good);
  return make_closed != NULL ? make_closed (settings, name) : NULL;
}

static GObject *
judge_role (GSettings *settings, const char *name, GObject **good, GPtrArray *findings)
{
  return read_or_keep (settings, name, read_role, make_closed_role, good, findings);
}

static GObject *
judge_requirements (GSettings *settings, const char *name, GObject **good, GPtrArray *findings)
{
  return read_or_keep (settings, name, read_requirements, NULL, good, findings);
}

static GObject *
judge_project (GSettings *settings, const char *name, GObject **good, GPtrArray *findings)
{
  return read_or_keep (settings, name, read_project, NULL, good, findings);
}

const GmcpSettingsListKind gmcp_settings_roles
  = { "roles", check_name, judge_role, gmcp_settings_lookup_role_schema };
const GmcpSettingsListKind gmcp_settings_requirements
  = { "requirements", check_name, judge_requirements, gmcp_settings_lookup_requirements_schema };
const GmcpSettingsListKind gmcp_settings_projects
  = { "projects", check_name, judge_project, gmcp_settings_lookup_project_schema };
