/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"

#include <gmcp/config/gmcp-server-config.h>

/* Several names for one key. */
static const struct
{
  const char *alias;
  const char *key;
} aliases[] = {
  { "availableTools", "allowedTools" },
  { "cmd", "command" },
  { "connectionTimeout", "startupTimeoutMs" },
  { "disabledTools", "deniedTools" },
  { "enabledTools", "allowedTools" },
  { "environment", "env" },
  { "envs", "env" },
  { "excludeTools", "deniedTools" },
  { "httpHeaders", "headers" },
  { "httpUrl", "url" },
  { "includeTools", "allowedTools" },
  { "requestTimeout", "callTimeoutMs" },
  { "serverUrl", "url" },
  { "toolTimeoutMs", "callTimeoutMs" },
  { "tools", "allowedTools" },
  { "transport", "type" },
  { "transportType", "type" },
  { "uri", "url" },
  { "workingDirectory", "cwd" },
};

/* Keys of Claude, Cline, Codex, Cursor, Gemini, goose, mcp-hub, the Inspector, VS Code and Zed. */
static const char *const foreign_keys[] = {
  "advertisedExtensions",
  "alwaysAllow",
  "alwaysLoad",
  "auth",
  "author",
  "authProviderType",
  "autoApprove",
  "autoRefreshOnListChanged",
  "bundled",
  "category",
  "comment",
  "comments",
  "defaultToolsApprovalMode",
  "description",
  "dev",
  "displayName",
  "experimentalEnvironment",
  "gallery",
  "headersHelper",
  "homepage",
  "icon",
  "icons",
  "iconUrl",
  "license",
  "metadata",
  "modernLogLevel",
  "networkTimeout",
  "note",
  "notes",
  "oauth",
  "oauthResource",
  "remote",
  "remoteConfigured",
  "repository",
  "required",
  "roots",
  "sandboxEnabled",
  "scopes",
  "settings",
  "source",
  "supportsParallelToolCalls",
  "tags",
  "targetAudience",
  "targetServiceAccount",
  "trust",
  "version",
  "watchPaths",
  NULL,
};

/* Numbers that places other than a program are held to. */
static const struct
{
  const char *property;
  guint low;
  guint high;
} ranges[] = {
  { "health-interval-ms", 10000, 300000 },  { "health-timeout-ms", 1000, 30000 },
  { "install-timeout-ms", 10000, 3600000 }, { "max-restart-attempts", 1, 10 },
  { "shutdown-timeout-ms", 1000, 30000 },   { "startup-timeout-ms", 1000, 60000 },
};

gboolean
gmcp_config_entry_get_range (const char *property, guint *low, guint *high)
{
  for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      if (!g_str_equal (property, ranges[i].property))
        continue;
      *low = ranges[i].low;
      *high = ranges[i].high;
      return TRUE;
    }
  return FALSE;
}

char *
gmcp_config_key_to_camel (const char *key)
{
  g_autoptr (GString) camel = g_string_new (NULL);

  for (const char *p = key; *p != '\0'; p++)
    {
      gboolean joins = (*p == '_' || *p == '-') && camel->len > 0 && g_ascii_isalpha (p[1]);

      if (joins)
        p++;
      g_string_append_c (camel, joins ? g_ascii_toupper (*p) : *p);
    }
  return g_string_free (g_steal_pointer (&camel), FALSE);
}

char *
gmcp_config_key_from_camel (const char *key, char mark)
{
  GString *spelt = g_string_new (NULL);

  for (const char *c = key; *c != '\0'; c++)
    {
      if (g_ascii_isupper (*c) && spelt->len > 0)
        g_string_append_c (spelt, mark);
      g_string_append_c (spelt, g_ascii_tolower (*c));
    }
  return g_string_free (spelt, FALSE);
}

static const char *
look_up_alias (const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS (aliases); i++)
    {
      if (g_str_equal (key, aliases[i].alias))
        return aliases[i].key;
    }
  return key;
}

/* Our times are in milliseconds; others' in seconds say so. */
static char *
to_milliseconds (char *key, guint *scale)
{
  static const char *const suffixes[] = { "Seconds", "Sec" };

  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      gsize length = strlen (key) - MIN (strlen (key), strlen (suffixes[i]));
      char *other;

      if (length == 0 || !g_str_has_suffix (key, suffixes[i]))
        continue;
      other = g_strdup_printf ("%.*sMs", (int) length, key);
      g_free (key);
      *scale = 1000;
      return other;
    }
  return key;
}

GmcpConfigKeyKind
gmcp_config_key_resolve (const char *key, char **canonical, guint *scale)
{
  g_autofree char *camel = gmcp_config_key_to_camel (key);

  *scale = 1;
  /* Keys that stand for comments in formats without any. */
  if (g_strv_contains (foreign_keys, camel) || strchr ("_$/#", *key) != NULL)
    return GMCP_CONFIG_KEY_FOREIGN;

  camel = to_milliseconds (g_steal_pointer (&camel), scale);
  *canonical = g_strdup (look_up_alias (camel));
  return GMCP_CONFIG_KEY_KNOWN;
}

char *
gmcp_config_make_id (const char *name)
{
  return gmcp_server_config_is_valid_id (name) || gmcp_config_is_pattern (name)
           ? g_strdup (name)
           : gmcp_server_config_make_id (name);
}

gboolean
gmcp_config_is_pattern (const char *text)
{
  return text != NULL && (strstr (text, "${") != NULL || strstr (text, "{workspace}") != NULL);
}
