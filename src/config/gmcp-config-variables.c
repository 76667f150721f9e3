/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>

#define WORKSPACE "{workspace}"

static const struct
{
  const char *prefix;
  GmcpConfigVariableKind kind;
} kinds[] = {
  { "env:", GMCP_CONFIG_VARIABLE_ENVIRONMENT },
  { "secret:", GMCP_CONFIG_VARIABLE_SECRET },
  { "input:", GMCP_CONFIG_VARIABLE_INPUT },
};

static const struct
{
  const char *name;
  GmcpConfigVariableKind kind;
} words[] = {
  { "workspaceFolder", GMCP_CONFIG_VARIABLE_WORKSPACE },
  { "workspaceFolderBasename", GMCP_CONFIG_VARIABLE_WORKSPACE_NAME },
  { "userHome", GMCP_CONFIG_VARIABLE_HOME },
  { "pathSeparator", GMCP_CONFIG_VARIABLE_SEPARATOR },
  { "/", GMCP_CONFIG_VARIABLE_SEPARATOR },
};

static gboolean
is_name (const char *text)
{
  if (!g_ascii_isalpha (*text) && *text != '_')
    return FALSE;

  while (g_ascii_isalnum (*text) || *text == '_')
    text++;
  return *text == '\0';
}

/* What stands between the braces; it is cut into its parts. */
static GmcpConfigVariable
parse_variable (char *content)
{
  GmcpConfigVariable variable = { .kind = GMCP_CONFIG_VARIABLE_ENVIRONMENT, .name = content };
  char *fallback;

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (!g_str_equal (content, words[i].name))
        continue;
      variable.kind = words[i].kind;
      return variable;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (!g_str_has_prefix (content, kinds[i].prefix))
        continue;
      variable.kind = kinds[i].kind;
      variable.name = content + strlen (kinds[i].prefix);
    }

  fallback = strstr (variable.name, ":-");
  if (fallback != NULL)
    {
      *fallback = '\0';
      variable.fallback = fallback + 2;
    }
  if (*variable.name == '\0'
      || (variable.kind == GMCP_CONFIG_VARIABLE_ENVIRONMENT && !is_name (variable.name)))
    {
      variable.kind = GMCP_CONFIG_VARIABLE_UNKNOWN;
      variable.name = content;
    }
  return variable;
}

/* A reference that starts at text; gives where it ends, NULL with an error. */
static const char *
fill_one (const char *text, GString *out, GmcpConfigResolve resolve, gpointer data, GError **error)
{
  const char *end = strchr (text, '}');
  g_autofree char *content = NULL;
  g_autofree char *value = NULL;
  GmcpConfigVariable variable;

  if (end == NULL)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("a “${” has no “}”; write “$${” for one that stands for itself"));
      return NULL;
    }

  content = g_strndup (text + 2, end - text - 2);
  variable = parse_variable (content);
  value = resolve (&variable, data, error);
  if (value == NULL)
    return NULL;

  g_string_append (out, value);
  return end + 1;
}

char *
gmcp_config_variables_fill (const char *text,
                            GmcpConfigResolve resolve,
                            gpointer data,
                            GError **error)
{
  static const GmcpConfigVariable workspace
    = { .kind = GMCP_CONFIG_VARIABLE_WORKSPACE, .name = "workspace" };
  g_autoptr (GString) out = g_string_new (NULL);

  while (*text != '\0')
    {
      if (out->len > GMCP_LIMIT_CONFIG_JSON_BYTES)
        {
          g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                               _ ("it is longer than any value may be"));
          return NULL;
        }
      if (g_str_has_prefix (text, "$${"))
        {
          g_string_append (out, "${");
          text += 3;
        }
      else if (g_str_has_prefix (text, "${"))
        {
          text = fill_one (text, out, resolve, data, error);
          if (text == NULL)
            return NULL;
        }
      else if (g_str_has_prefix (text, WORKSPACE))
        {
          g_autofree char *value = resolve (&workspace, data, error);

          if (value == NULL)
            return NULL;
          g_string_append (out, value);
          text += strlen (WORKSPACE);
        }
      else
        {
          g_string_append_c (out, *text++);
        }
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
resolve_environment (const GmcpConfigVariable *variable, GError **error)
{
  const char *value = g_getenv (variable->name);

  /* As in a shell: the fallback also stands for an empty value. */
  if (variable->fallback != NULL && (value == NULL || *value == '\0'))
    return g_strdup (variable->fallback);
  if (value == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 _ ("the variable %s is not set; set it in the environment, or give a value for "
                    "that case with “:-”"),
                 variable->name);
  return g_strdup (value);
}

static char *
resolve_workspace (const GmcpConfigVariable *variable, const char *workspace, GError **error)
{
  if (workspace == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 _ ("there is no workspace to put in for %s"), variable->name);
  else if (variable->kind == GMCP_CONFIG_VARIABLE_WORKSPACE_NAME)
    return g_path_get_basename (workspace);
  return g_strdup (workspace);
}

char *
gmcp_config_variable_resolve (const GmcpConfigVariable *variable,
                              const char *workspace,
                              GError **error)
{
  switch (variable->kind)
    {
    case GMCP_CONFIG_VARIABLE_ENVIRONMENT:
      return resolve_environment (variable, error);
    case GMCP_CONFIG_VARIABLE_WORKSPACE:
    case GMCP_CONFIG_VARIABLE_WORKSPACE_NAME:
      return resolve_workspace (variable, workspace, error);
    case GMCP_CONFIG_VARIABLE_HOME:
      return g_strdup (g_get_home_dir ());
    case GMCP_CONFIG_VARIABLE_SEPARATOR:
      return g_strdup (G_DIR_SEPARATOR_S);
    case GMCP_CONFIG_VARIABLE_SECRET:
    case GMCP_CONFIG_VARIABLE_INPUT:
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“${%s:%s}” cannot stand here, where it would be shown"),
                   variable->kind == GMCP_CONFIG_VARIABLE_SECRET ? "secret" : "input",
                   variable->name);
      return NULL;
    case GMCP_CONFIG_VARIABLE_UNKNOWN:
    default:
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("“${%s}” is not known"),
                   variable->name);
      return NULL;
    }
}

static char *
resolve_plain (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  g_autofree char *value = gmcp_config_variable_resolve (variable, data, error);

  if (value == NULL || g_utf8_validate (value, -1, NULL))
    return g_steal_pointer (&value);

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("the value of %s is no UTF-8"),
               variable->name);
  return NULL;
}

char *
gmcp_config_variables_fill_plain (const char *text, const char *workspace, GError **error)
{
  return gmcp_config_variables_fill (text, resolve_plain, (gpointer) workspace, error);
}

static char *
resolve_known (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  if (variable->kind != GMCP_CONFIG_VARIABLE_UNKNOWN)
    return g_strdup ("");

  return gmcp_config_variable_resolve (variable, NULL, error);
}

gboolean
gmcp_config_variables_check (const char *text, GError **error)
{
  g_autofree char *filled = strstr (text, "${") != NULL
                              ? gmcp_config_variables_fill (text, resolve_known, NULL, error)
                              : g_strdup ("");

  return filled != NULL;
}
