/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-doc-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-settings-check-private.h"
#include "gmcp-settings-schema-private.h"

/* The settings of one server that are looked through. */
typedef struct
{
  GSettings *settings;
  GmcpServerConfig *config;
  GPtrArray *findings; /* of GmcpConfigFinding */
} Check;

static void
add (Check *check, GmcpNoticeLevel severity, const char *key, const char *message)
{
  g_autofree char *path = NULL;
  g_autofree char *place = NULL;

  g_object_get (check->settings, "path", &path, NULL);
  place = g_strconcat (path, key, NULL);
  g_ptr_array_add (check->findings, gmcp_config_finding_new (severity, NULL, 0, place, message));
}

gboolean
gmcp_settings_check_number (GSettings *settings, const char *key, guint *low, guint *high)
{
  guint number = g_settings_get_uint (settings, key);
  guint from = 0;
  guint to = G_MAXUINT;

  gmcp_config_entry_get_range (key, &from, &to);
  if (low != NULL)
    *low = from;
  if (high != NULL)
    *high = to;
  return number == 0 || (number >= from && number <= to);
}

static void
check_number (Check *check, const char *key)
{
  gboolean is_time = g_str_has_suffix (key, "-ms");
  guint low;
  guint high;
  g_autofree char *expected = NULL;
  g_autofree char *message = NULL;

  if (gmcp_settings_check_number (check->settings, key, &low, &high))
    return;

  expected = g_strdup_printf (is_time ? _ ("a whole number of milliseconds from %u to %u")
                                      : _ ("a whole number from %u to %u"),
                              low, high);
  message = g_strdup_printf (_ ("expected %s; the default holds instead"), expected);
  add (check, GMCP_NOTICE_LEVEL_ERROR, key, message);
}

static void
check_text (Check *check, const char *key, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (text != NULL && !gmcp_config_variables_check (text, &error))
    add (check, GMCP_NOTICE_LEVEL_WARNING, key, error->message);
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
    case GMCP_CONFIG_FIELD_NUMBER:
      check_number (check, key);
      break;
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
      add (check, GMCP_NOTICE_LEVEL_ERROR, "health-tool", message);
      return;
    }
  if (arguments == NULL)
    return;

  doc = gmcp_json_doc_parse (arguments, strlen (arguments), NULL, 0, NULL);
  if (doc != NULL && gmcp_json_value_is_object (gmcp_json_doc_get_root (doc)))
    return;
  message = g_strdup_printf (_ ("expected %s"), _ ("a JSON object"));
  add (check, GMCP_NOTICE_LEVEL_ERROR, "health-arguments", message);
}

void
gmcp_settings_find_problems (GSettings *settings, GmcpServerConfig *config, GPtrArray *findings)
{
  Check check = { settings, config, findings };
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  g_autoptr (GError) error = NULL;
  const char *property;

  for (gsize i = 0; i < n_fields; i++)
    check_field (&check, &fields[i]);

  /* What is not enabled may be half done. */
  if (!gmcp_server_config_is_enabled (config))
    return;
  check_health (&check);
  if (!gmcp_server_config_check (config, &property, &error))
    add (&check, GMCP_NOTICE_LEVEL_ERROR, g_str_equal (property, "argv") ? "command" : property,
         error->message);
}
