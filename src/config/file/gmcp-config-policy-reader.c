/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-policy-reader-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-requirements-private.h"

#define ROLE_RESTRICTIONS "role_restrictions"

typedef struct
{
  GmcpConfigReport *report;
  gboolean strict;
} Context;

static void
set_place (Context *context, GmcpConfigPlace *place, GmcpJsonValue value, const char *path)
{
  GmcpConfigReport *report = context->report;

  place->file = g_strdup (report->file);
  place->key_path = g_strdup (path);
  if (report->document != NULL)
    place->line = gmcp_config_document_get_line (report->document, value);
}

/* Keys are written as in the settings (ask-first), with underscores, or in camel case. */
static char *
make_canonical (const char *key)
{
  char *camel = gmcp_config_key_to_camel (key);

  if (!g_str_equal (camel, "askTools"))
    return camel;
  g_free (camel);
  return g_strdup ("askFirst");
}

static gboolean
is_spelling (const char *key, const char *name)
{
  g_autofree char *a = make_canonical (key);
  g_autofree char *b = make_canonical (name);

  return g_str_equal (a, b);
}

/* In any spelling; *path is that of the key as it is written, or would be. */
static GmcpJsonValue
find_key (GmcpJsonValue object, const char *parent, const char *name, char **path)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (gmcp_json_value_is_object (object))
    {
      gmcp_json_iter_init (&iter, object);
      while (gmcp_json_iter_next (&iter, &key, &value))
        {
          g_autofree char *written = gmcp_json_value_dup_string (key);

          if (!is_spelling (written, name))
            continue;
          *path = gmcp_config_path_join (parent, written);
          return value;
        }
    }

  *path = gmcp_config_path_join (parent, name);
  return gmcp_json_value_get_member (object, name);
}

/* Words of a list; an empty list where the key is not there, or is no such list. */
static GStrv
read_words (Context *context, GmcpJsonValue object, const char *path, const char *name)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list_path = NULL;
  GmcpJsonValue list = find_key (object, path, name, &list_path);
  GmcpJsonIter iter;
  GmcpJsonValue element;

  if (gmcp_json_value_is_array (list))
    {
      gmcp_json_iter_init (&iter, list);
      while (gmcp_json_iter_next (&iter, NULL, &element))
        {
          g_autofree char *place = g_strdup_printf ("%s[%u]", list_path, words->len);

          if (gmcp_json_value_is_string (element))
            g_ptr_array_add (words, gmcp_json_value_dup_string (element));
          else
            gmcp_config_report_expected (context->report, element, place, _ ("a string"));
        }
    }
  else if (gmcp_json_value_is_present (list))
    {
      gmcp_config_report_expected (context->report, list, list_path, _ ("an array of strings"));
    }

  g_ptr_array_add (words, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

static char *
read_text (Context *context, GmcpJsonValue object, const char *path, const char *key)
{
  g_autofree char *place = NULL;
  GmcpJsonValue value = find_key (object, path, key, &place);

  if (gmcp_json_value_is_present (value) && !gmcp_json_value_is_string (value))
    gmcp_config_report_expected (context->report, value, place, _ ("a string"));
  return gmcp_json_value_dup_string (value);
}

static gboolean
read_boolean (Context *context, GmcpJsonValue object, const char *path, const char *key)
{
  g_autofree char *place = NULL;
  GmcpJsonValue value = find_key (object, path, key, &place);
  gboolean read = FALSE;

  if (gmcp_json_value_is_present (value) && !gmcp_json_value_get_boolean (value, &read))
    gmcp_config_report_expected (context->report, value, place, _ ("true or false"));
  return read;
}

static gsize
find_known (const char *const *known, const char *name)
{
  gsize i;

  for (i = 0; known[i] != NULL && !is_spelling (name, known[i]); i++)
    ;
  return i;
}

/* Tells of keys that are not known; that one stands there twice is an error. */
static void
check_keys (Context *context,
            GmcpJsonValue object,
            const char *path,
            const char *const *known,
            GmcpNoticeLevel severity)
{
  g_autofree gboolean *seen = g_new0 (gboolean, g_strv_length ((GStrv) known));
  GmcpJsonIter iter;
  GmcpJsonValue key;

  /* What is no object has been told of. */
  if (!gmcp_json_value_is_object (object))
    return;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = gmcp_config_path_join (path, name);
      gsize position = find_known (known, name);

      /* Keys that stand for comments in formats without any. */
      if (*name != '\0' && strchr ("_$/#", *name) != NULL)
        continue;
      if (known[position] == NULL)
        gmcp_config_report_unknown_key (context->report, severity, key, place, name, known);
      else if (seen[position])
        gmcp_config_report_add (context->report, GMCP_NOTICE_LEVEL_ERROR, key, place,
                                _ ("“%s” stands there twice"), known[position]);
      else
        seen[position] = TRUE;
    }
}

/* For what other programs have keys of their own in. */
static void
warn_of_unknown (Context *context, GmcpJsonValue object, const char *path, const char *const *known)
{
  if (context->strict)
    check_keys (context, object, path, known, GMCP_NOTICE_LEVEL_WARNING);
}

/* A rule that is not understood may have been meant to forbid something: a key that is not known is an
 * error here. */
static GmcpConfigRole *
make_role (Context *context,
           const char *name,
           GmcpJsonValue value,
           const char *path,
           const char *const *known)
{
  g_autoptr (GmcpConfigRole) role = g_new0 (GmcpConfigRole, 1);
  g_autofree char *place = NULL;
  GmcpJsonValue allowed = find_key (value, path, "allowed_tools", &place);

  role->name = g_strdup (name);
  set_place (context, &role->place, value, path);
  role->allowed_tools = read_words (context, value, path, "allowed_tools");
  role->denied_tools = read_words (context, value, path, "denied_tools");
  role->ask_first = read_words (context, value, path, "ask_first");
  role->read_only = read_boolean (context, value, path, "read_only");
  check_keys (context, value, path, known, GMCP_NOTICE_LEVEL_ERROR);
  if (!gmcp_json_value_is_object (value))
    gmcp_config_report_expected (context->report, value, path, _ ("an object"));
  else if (!gmcp_json_value_is_present (allowed))
    gmcp_config_report_add (context->report, GMCP_NOTICE_LEVEL_ERROR, value, place, "%s",
                            _ ("a role needs the list of the tools that it may call"));
  else
    return g_steal_pointer (&role);
  return NULL;
}

#define ROLE_KEYS "allowed_tools", "denied_tools", "ask_first", "read_only", "description"

static void
read_role (Context *context,
           GPtrArray *roles,
           const char *name,
           GmcpJsonValue value,
           const char *path)
{
  static const char *const known[] = { ROLE_KEYS, "host", NULL };
  GmcpConfigRole *role = make_role (context, name, value, path, known);

  if (role == NULL)
    return;
  role->host = read_text (context, value, path, "host");
  g_ptr_array_add (roles, role);
}

/* Reads a role of a host, whose name is the key that the role stands under. */
static void
read_role_of_host (Context *context,
                   GPtrArray *roles,
                   const char *name,
                   GmcpJsonValue value,
                   const char *path)
{
  static const char *const known[] = { ROLE_KEYS, NULL };
  GmcpConfigRole *role = make_role (context, name, value, path, known);

  if (role != NULL)
    g_ptr_array_add (roles, role);
}

typedef void (*ReadMember) (Context *context,
                            GPtrArray *into,
                            const char *name,
                            GmcpJsonValue value,
                            const char *path);

static void
read_members (Context *context,
              GPtrArray *into,
              GmcpJsonValue object,
              const char *path,
              ReadMember read)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (!gmcp_json_value_is_present (object))
    return;
  if (!gmcp_json_value_is_object (object))
    {
      gmcp_config_report_expected (context->report, object, path, _ ("an object"));
      return;
    }

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = gmcp_config_path_join (path, name);

      read (context, into, name, value, place);
    }
}

static GStrv
read_metadata (Context *context, GmcpJsonValue value, const char *path)
{
  g_autofree char *binary = read_text (context, value, path, "binary");
  g_autofree char *command_template = read_text (context, value, path, "command_template");
  g_auto (GStrv) models = read_words (context, value, path, "models");

  return gmcp_requirements_make_metadata (binary, command_template, (const char *const *) models);
}

static void
read_tool (Context *context,
           GPtrArray *tools,
           const char *name,
           GmcpJsonValue value,
           const char *path)
{
  static const char *const known[]
    = { "binary", "command_template", "models", "mcp_tools", "role_restrictions", NULL };
  static const char *const known_tiers[] = { "required", "recommended", "optional", NULL };
  g_autoptr (GmcpConfigTool) tool = NULL;
  GmcpJsonValue tiers = gmcp_json_value_get_member (value, "mcp_tools");
  GmcpJsonValue roles = gmcp_json_value_get_member (value, "role_restrictions");
  GmcpJsonValue required = gmcp_json_value_get_member (tiers, "required");
  g_autofree char *tiers_path = gmcp_config_path_join (path, "mcp_tools");
  g_autofree char *required_path = gmcp_config_path_join (tiers_path, "required");
  g_autofree char *roles_path = gmcp_config_path_join (path, "role_restrictions");

  /* Other programs have a key of that name for something else. */
  if (!context->strict && !gmcp_json_value_is_present (tiers)
      && !gmcp_json_value_is_present (roles))
    return;
  if (!gmcp_json_value_is_object (value))
    {
      gmcp_config_report_expected (context->report, value, path, _ ("an object"));
      return;
    }
  if (gmcp_json_value_is_present (tiers) && !gmcp_json_value_is_object (tiers))
    gmcp_config_report_expected (context->report, tiers, tiers_path, _ ("an object"));

  tool = g_new0 (GmcpConfigTool, 1);
  tool->name = g_strdup (name);
  set_place (context, &tool->place, value, path);
  set_place (context, &tool->required_place, required, required_path);
  tool->metadata = read_metadata (context, value, path);
  tool->required = read_words (context, tiers, tiers_path, "required");
  tool->recommended = read_words (context, tiers, tiers_path, "recommended");
  tool->optional = read_words (context, tiers, tiers_path, "optional");
  tool->roles = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_config_role_free);
  read_members (context, tool->roles, roles, roles_path, read_role_of_host);
  warn_of_unknown (context, value, path, known);
  if (gmcp_json_value_is_object (tiers))
    warn_of_unknown (context, tiers, tiers_path, known_tiers);
  g_ptr_array_add (tools, g_steal_pointer (&tool));
}

static void
read_project (Context *context,
              GPtrArray *projects,
              const char *name,
              GmcpJsonValue value,
              const char *path)
{
  static const char *const known[]
    = { "servers", "resources", "title", "instructions", "description", NULL };
  g_autoptr (GmcpConfigProject) project = NULL;
  g_autofree char *servers = NULL;
  g_autofree char *resources = NULL;

  if (!gmcp_json_value_is_present (find_key (value, path, "servers", &servers))
      && !gmcp_json_value_is_present (find_key (value, path, "resources", &resources)))
    {
      if (context->strict)
        gmcp_config_report_expected (context->report, value, path,
                                     _ ("an object with “servers” or “resources”"));
      return;
    }

  project = g_new0 (GmcpConfigProject, 1);
  project->name = g_strdup (name);
  project->title = read_text (context, value, path, "title");
  project->instructions = read_text (context, value, path, "instructions");
  set_place (context, &project->place, value, path);
  project->servers = read_words (context, value, path, "servers");
  project->resources = read_words (context, value, path, "resources");
  warn_of_unknown (context, value, path, known);
  g_ptr_array_add (projects, g_steal_pointer (&project));
}

/* Two that hold for all hosts would both hold, which nobody means who writes it twice. */
static void
check_role_names (Context *context, GmcpJsonValue roles, GmcpJsonValue restrictions)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  if (!gmcp_json_value_is_object (roles) || !gmcp_json_value_is_object (restrictions))
    return;

  gmcp_json_iter_init (&iter, restrictions);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *path = gmcp_config_path_join (ROLE_RESTRICTIONS, name);

      if (gmcp_json_value_is_present (gmcp_json_value_get_member (roles, name)))
        gmcp_config_report_add (context->report, GMCP_NOTICE_LEVEL_ERROR, key, path,
                                _ ("the role “%s” stands in “roles” too; keep one of them"), name);
    }
}

void
gmcp_config_policy_read (GmcpConfigPolicy *policy,
                         GmcpJsonValue root,
                         gboolean strict,
                         GmcpConfigReport *report)
{
  Context context = { report, strict };
  GmcpJsonValue tools = gmcp_json_value_get_member (root, "tools");
  GmcpJsonValue roles = gmcp_json_value_get_member (root, "roles");
  GmcpJsonValue restrictions = gmcp_json_value_get_member (root, ROLE_RESTRICTIONS);
  GmcpJsonValue projects = gmcp_json_value_get_member (root, "projects");

  if (strict || gmcp_json_value_is_object (tools))
    read_members (&context, policy->tools, tools, "tools", read_tool);
  if (strict || gmcp_json_value_is_object (roles))
    read_members (&context, policy->roles, roles, "roles", read_role);
  if (strict || gmcp_json_value_is_object (restrictions))
    read_members (&context, policy->roles, restrictions, ROLE_RESTRICTIONS, read_role);
  check_role_names (&context, roles, restrictions);
  if (strict || gmcp_json_value_is_object (projects))
    read_members (&context, policy->projects, projects, "projects", read_project);
}
