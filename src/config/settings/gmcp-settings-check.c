/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-report-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-doc-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"
#include "gmcp-settings-check-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-server-private.h"
#include "gmcp-settings-value-private.h"
#include "gmcp-tool-pattern-private.h"

/* The settings of one server that are looked through. */
typedef struct
{
  GSettings *settings;
  GmcpServerConfig *config;
  GPtrArray *findings; /* of GmcpConfigFinding */
  gboolean keeps;      /* whether what counted before does so on if there is an error */
  guint n_errors;      /* but for those in whose place a default holds */
} Check;

static void
add_finding (Check *check, GmcpNoticeLevel severity, const char *key, const char *message)
{
  g_autofree char *place = gmcp_settings_dup_place (check->settings, key);

  g_ptr_array_add (check->findings, gmcp_config_finding_new (severity, NULL, 0, place, message));
}

static void
add_error (Check *check, const char *key, const char *message)
{
  add_finding (check, GMCP_NOTICE_LEVEL_ERROR, key, message);
  check->n_errors++;
}

static void
check_text (Check *check, const char *key, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (text != NULL && !gmcp_config_variables_check (text, &error))
    add_finding (check, GMCP_NOTICE_LEVEL_WARNING, key, error->message);
}

static void
check_field (Check *check, const GmcpConfigField *field)
{
  const char *key = gmcp_settings_get_key (field);
  GStrv words;

  /* What is shown is looked at where it is filled in. */
  if (key == NULL || field->shown)
    return;

  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      check_text (check, key, G_STRUCT_MEMBER (char *, check->config, field->offset));
      break;
    case GMCP_CONFIG_FIELD_WORDS:
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
    case GMCP_CONFIG_FIELD_HEADERS:
      words = G_STRUCT_MEMBER (GStrv, check->config, field->offset);
      for (gsize i = 0; words != NULL && words[i] != NULL; i++)
        check_text (check, key, words[i]);
      break;
    case GMCP_CONFIG_FIELD_FLAG:
    case GMCP_CONFIG_FIELD_NUMBER:
    case GMCP_CONFIG_FIELD_ENUM:
    default:
      break;
    }
}

static void
check_health (Check *check)
{
  const char *arguments = gmcp_server_config_get_health_arguments (check->config);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *message = NULL;

  if (gmcp_server_config_get_health_method (check->config) != GMCP_HEALTH_METHOD_TOOL_CALL)
    return;

  if (gmcp_server_config_get_health_tool (check->config) == NULL)
    {
      message
        = g_strdup_printf (_ ("expected %s"), _ ("the tool to call, as the method is “tool_call”"));
      add_error (check, "health-tool", message);
      return;
    }
  if (arguments == NULL)
    return;

  doc = gmcp_json_doc_parse (arguments, strlen (arguments), NULL, 0, NULL);
  if (doc != NULL && gmcp_json_value_is_object (gmcp_json_doc_get_root (doc)))
    return;
  message = g_strdup_printf (_ ("expected %s"), _ ("a JSON object"));
  add_error (check, "health-arguments", message);
}

/* Nothing says which of the two counts. */
static gboolean
is_ambiguous (Check *check)
{
  return g_settings_get_enum (check->settings, "transport") == GMCP_SERVER_TRANSPORT_AUTO
         && gmcp_server_config_get_argv (check->config) != NULL
         && gmcp_server_config_get_argv (check->config)[0] != NULL
         && gmcp_server_config_get_url (check->config) != NULL;
}

/* What is not enabled may be half done. */
static void
check_whole (Check *check)
{
  g_autoptr (GError) error = NULL;
  const char *property;

  if (!gmcp_server_config_is_enabled (check->config))
    return;

  check_health (check);
  if (is_ambiguous (check))
    add_error (check, "transport",
               _ ("expected “stdio”, “http” or “sse”, as there are both a command and an address"));
  if (!gmcp_server_config_check (check->config, &property, &error))
    add_error (check, g_str_equal (property, "argv") ? "command" : property, error->message);
}

static GmcpServerConfig *
dup_disabled (GmcpServerConfig *config)
{
  GmcpServerConfig *disabled = gmcp_server_config_copy (config);

  gmcp_server_config_set_enabled (disabled, FALSE);
  return disabled;
}

static gboolean
is_enabled_before (GObject *good)
{
  return good != NULL && gmcp_server_config_is_enabled (GMCP_SERVER_CONFIG (good));
}

static GObject *
judge_server (GSettings *settings, const char *id, GObject **good, GPtrArray *findings)
{
  g_autoptr (GmcpServerConfig) config = gmcp_settings_read_server (settings, id);
  Check check = { .settings = settings, .config = config, .findings = findings };
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  GmcpSettingsValue worst;

  check.keeps
    = is_enabled_before (*good)
      && (gmcp_server_config_is_enabled (config)
          || gmcp_settings_check_value (settings, "enabled", NULL) != GMCP_SETTINGS_VALUE_FINE);
  worst = gmcp_settings_check_values (settings, !check.keeps, findings);
  for (gsize i = 0; i < n_fields; i++)
    check_field (&check, &fields[i]);
  if (worst != GMCP_SETTINGS_VALUE_UNREADABLE)
    check_whole (&check);

  if (check.keeps && (worst != GMCP_SETTINGS_VALUE_FINE || check.n_errors > 0))
    {
      add_finding (&check, GMCP_NOTICE_LEVEL_WARNING, "",
                   _ ("the settings that the server had before hold on until this is mended"));
      return g_object_ref (*good);
    }
  if (worst == GMCP_SETTINGS_VALUE_UNREADABLE)
    {
      add_finding (&check, GMCP_NOTICE_LEVEL_WARNING, "",
                   _ ("the server is off until this is mended"));
      return G_OBJECT (dup_disabled (config));
    }

  if (check.n_errors == 0)
    g_set_object (good, G_OBJECT (config));
  return G_OBJECT (g_steal_pointer (&config));
}

static char *
check_id (const char *id, guint n_taken)
{
  if (!gmcp_server_config_is_valid_id (id))
    return g_strdup_printf (_ ("“%s” cannot be the id of a server"), id);
  if (n_taken == GMCP_LIMIT_SERVERS)
    return g_strdup_printf (_ ("“%s” is over the limit of %u servers"), id, GMCP_LIMIT_SERVERS);

  return NULL;
}

const GmcpSettingsListKind gmcp_settings_servers
  = { "servers", check_id, judge_server, gmcp_settings_lookup_server_schema };

void
gmcp_settings_find_problems (GSettings *manager, GPtrArray *findings)
{
  g_auto (GStrv) rules = g_settings_get_strv (manager, "ask-first");
  g_autofree char *place = gmcp_settings_dup_place (manager, "ask-first");

  gmcp_settings_check_values (manager, FALSE, findings);
  for (gsize i = 0; rules[i] != NULL; i++)
    {
      g_autoptr (GmcpToolPattern) pattern = gmcp_tool_pattern_new (rules[i]);
      g_autofree char *message = NULL;

      /* What is filled in is looked at then. */
      if (pattern != NULL || strstr (rules[i], "${") != NULL)
        continue;
      message = g_strdup_printf (
        _ (
          "“%s” is no rule; write SERVER.TOOL, or TOOL for a tool of the host's own. Until then every call is asked about"),
        rules[i]);
      g_ptr_array_add (findings,
                       gmcp_config_finding_new (GMCP_NOTICE_LEVEL_ERROR, NULL, 0, place, message));
    }
}
