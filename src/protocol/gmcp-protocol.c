/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

static const char *const versions_spoken[] = {
  GMCP_PROTOCOL_VERSION_2024_11_05, GMCP_PROTOCOL_VERSION_2025_03_26,
  GMCP_PROTOCOL_VERSION_2025_06_18, GMCP_PROTOCOL_VERSION_2025_11_25,
  GMCP_PROTOCOL_VERSION_2026_07_28, NULL,
};

const char *const *
gmcp_protocol_get_versions (void)
{
  return versions_spoken;
}

const char *
gmcp_protocol_lookup_version (const char *version)
{
  if (version == NULL)
    return NULL;

  for (guint i = 0; versions_spoken[i] != NULL; i++)
    if (strcmp (versions_spoken[i], version) == 0)
      return versions_spoken[i];

  return NULL;
}

gboolean
gmcp_protocol_is_known_version (const char *version)
{
  return gmcp_protocol_lookup_version (version) != NULL;
}

static gboolean
is_date (const char *text)
{
  static const char pattern[] = "dddd-dd-dd";

  for (guint i = 0; i < sizeof pattern - 1; i++)
    if (pattern[i] == 'd' ? !g_ascii_isdigit (text[i]) : text[i] != pattern[i])
      return FALSE;

  return text[sizeof pattern - 1] == '\0';
}

GmcpEra
gmcp_protocol_get_era (const char *version)
{
  if (version == NULL || !is_date (version))
    return GMCP_ERA_AUTO;

  return strcmp (version, GMCP_PROTOCOL_VERSION_2026_07_28) >= 0 ? GMCP_ERA_MODERN
                                                                 : GMCP_ERA_LEGACY;
}

const char *
gmcp_protocol_get_newest_common (GmcpJsonValue versions, GmcpEra era)
{
  GmcpJsonIter iter;
  GmcpJsonValue version;
  const char *newest = NULL;

  if (!gmcp_json_value_is_array (versions))
    return NULL;

  gmcp_json_iter_init (&iter, versions);
  while (gmcp_json_iter_next (&iter, NULL, &version))
    {
      for (guint i = 0; versions_spoken[i] != NULL; i++)
        {
          const char *spoken = versions_spoken[i];

          if ((era == GMCP_ERA_AUTO || gmcp_protocol_get_era (spoken) == era)
              && (newest == NULL || strcmp (spoken, newest) > 0)
              && gmcp_json_value_equals_string (version, spoken))
            newest = spoken;
        }
    }

  return newest;
}

const char *
gmcp_protocol_cache_string (char **cache, GmcpJsonValue value)
{
  char *string = g_atomic_pointer_get (cache);

  if (string != NULL)
    return string;

  string = gmcp_json_value_dup_string (value);
  if (string != NULL && !g_atomic_pointer_compare_and_exchange (cache, NULL, string))
    {
      g_free (string);
      string = g_atomic_pointer_get (cache);
    }

  return string;
}

JsonNode *
gmcp_protocol_cache_node (JsonNode **cache, GmcpJsonValue value)
{
  JsonNode *node = g_atomic_pointer_get (cache);

  if (node != NULL || !gmcp_json_value_is_present (value))
    return node;

  node = gmcp_json_value_to_node (value);
  if (!g_atomic_pointer_compare_and_exchange (cache, NULL, node))
    {
      json_node_unref (node);
      node = g_atomic_pointer_get (cache);
    }

  return node;
}

char *
gmcp_protocol_shorten (const char *name)
{
  const gsize longest = 200;
  gsize length = strlen (name);

  if (length <= longest)
    return g_strdup (name);

  for (length = longest; length > 0 && ((guchar) name[length] & 0xc0) == 0x80;)
    length--;
  return g_strdup_printf ("%.*s\u2026", (int) length, name);
}

char *
gmcp_protocol_cut_text (char *text, gsize max_bytes)
{
  static const char mark[] = "\u2026";
  gsize length = max_bytes - strlen (mark);
  char *cut;

  if (text == NULL || strlen (text) <= max_bytes)
    return text;

  while (length > 0 && ((guchar) text[length] & 0xc0) == 0x80)
    length--;
  cut = g_strdup_printf ("%.*s%s", (int) length, text, mark);
  g_free (text);
  return cut;
}

GmcpJsonDoc *
gmcp_protocol_take_written (GString *written)
{
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (written);

  return gmcp_json_doc_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), bytes, 0,
                              NULL);
}

GmcpJsonDoc *
gmcp_protocol_parse_object (const char *json, const char *what, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);

  if (doc == NULL)
    {
      g_prefix_error (error, "%s: ", what);
      return NULL;
    }

  if (!gmcp_json_value_is_object (gmcp_json_doc_get_root (doc)))
    {
      /* TRANSLATORS: %s is what the text was given for, such as "Tool" */
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("%s: the text has to be a JSON object"), what);
      return NULL;
    }

  return g_steal_pointer (&doc);
}

GmcpMessageRole
gmcp_protocol_read_role (GmcpJsonValue role)
{
  return gmcp_json_value_equals_string (role, "assistant") ? GMCP_MESSAGE_ROLE_ASSISTANT
                                                           : GMCP_MESSAGE_ROLE_USER;
}
