/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-new-server.h"

#include <glib/gi18n.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>
#include <json-glib/json-glib.h>
#include <string.h>

static gboolean
split_pair (const char *pair, char mark, char **name, char **value, GError **error)
{
  const char *at = strchr (pair, mark);

  if (at == NULL || at == pair)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   mark == '=' ? _ ("“%s” is not of the form NAME=VALUE")
                               : _ ("“%s” is not of the form NAME: VALUE"),
                   pair);
      return FALSE;
    }
  *name = g_strstrip (g_strndup (pair, (gsize) (at - pair)));
  *value = mark == ':' ? g_strstrip (g_strdup (at + 1)) : g_strdup (at + 1);
  return TRUE;
}

static gboolean
add_pairs (JsonBuilder *builder, const char *key, char **pairs, char mark, GError **error)
{
  if (pairs == NULL)
    return TRUE;

  json_builder_set_member_name (builder, key);
  json_builder_begin_object (builder);
  for (gsize i = 0; pairs[i] != NULL; i++)
    {
      g_autofree char *name = NULL;
      g_autofree char *value = NULL;

      if (!split_pair (pairs[i], mark, &name, &value, error))
        return FALSE;
      json_builder_set_member_name (builder, name);
      json_builder_add_string_value (builder, value);
    }
  json_builder_end_object (builder);
  return TRUE;
}

static void
add_text (JsonBuilder *builder, const char *key, const char *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_add_string_value (builder, text);
}

static gboolean
add_connection (JsonBuilder *builder, const char *const *words, GError **error)
{
  if (strstr (words[0], "://") != NULL)
    {
      if (words[1] != NULL)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("nothing can follow the address, but “%s” does"), words[1]);
          return FALSE;
        }
      add_text (builder, "url", words[0]);
      return TRUE;
    }

  add_text (builder, "command", words[0]);
  json_builder_set_member_name (builder, "args");
  json_builder_begin_array (builder);
  for (gsize i = 1; words[i] != NULL; i++)
    json_builder_add_string_value (builder, words[i]);
  json_builder_end_array (builder);
  return TRUE;
}

/* What would be stored and count for nothing is a mistake. */
static gboolean
check_options (const CliNewServer *self, const char *word, GError **error)
{
  gboolean is_address = strstr (word, "://") != NULL;

  if (is_address && (self->environment != NULL || self->folder != NULL))
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                         _ ("--env and --cwd are for a command; an address has --header"));
  else if (!is_address && self->headers != NULL)
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                         _ ("--header is for an address; a command has --env"));
  else
    return TRUE;
  return FALSE;
}

char *
cli_new_server_dup_json (const CliNewServer *self,
                         const char *name,
                         const char *const *words,
                         GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *folder
    = self->folder != NULL ? g_canonicalize_filename (self->folder, NULL) : NULL;

  for (gsize i = 0; words[i] != NULL; i++)
    {
      if (g_utf8_validate (words[i], -1, NULL))
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, _ ("“%s” is not UTF-8"),
                   words[i]);
      return NULL;
    }

  if (!check_options (self, words[0], error))
    return NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "mcpServers");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  if (!add_connection (builder, words, error)
      || !add_pairs (builder, "env", self->environment, '=', error)
      || !add_pairs (builder, "headers", self->headers, ':', error))
    return NULL;
  add_text (builder, "cwd", folder);
  add_text (builder, "type", self->transport);
  add_text (builder, "start", self->start);
  if (self->disabled)
    {
      json_builder_set_member_name (builder, "disabled");
      json_builder_add_boolean_value (builder, TRUE);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return gmcp_json_print (root, NULL);
}

char *
cli_new_server_dup_named (const char *name, const char *json)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), name);
  g_autofree char *quoted = gmcp_json_print (node, NULL);

  return g_strdup_printf ("{\"mcpServers\": {%s: %s}}", quoted, json);
}

gboolean
cli_new_server_is_set (const CliNewServer *self)
{
  return self->environment != NULL || self->headers != NULL || self->folder != NULL
         || self->transport != NULL || self->start != NULL || self->disabled;
}
