/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-config-edit-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-patcher-private.h"

#include <gmcp/core/gmcp-error.h>

/* Changes to one entry of `mcpServers` that is there: it goes, or it is switched on and off. */

#define KEY "mcpServers"

/* FALSE with an error where the server does not stand where it can be changed. */
static gboolean
find_entry (GmcpJsonPatcher *patcher,
            const char *id,
            GmcpJsonValue *map,
            GmcpJsonValue *key,
            GmcpJsonValue *entry,
            GError **error)
{
  GmcpJsonIter iter;

  *map = gmcp_json_value_get_member (gmcp_json_doc_get_root (patcher->document->json), KEY);
  if (gmcp_json_value_is_object (*map))
    {
      gmcp_json_iter_init (&iter, *map);
      while (gmcp_json_iter_next (&iter, key, entry))
        {
          g_autofree char *name = gmcp_json_value_dup_string (*key);
          g_autofree char *made = gmcp_server_config_make_id (name);

          if (g_str_equal (made, id) && gmcp_json_value_is_object (*entry))
            return TRUE;
        }
    }

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("“%s” does not stand below “%s” there; change it by hand"), id, KEY);
  return FALSE;
}

static GmcpServerConfig *
find_config (GmcpConfigContents *contents, const char *id)
{
  for (guint i = 0; i < contents->servers->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (contents->servers, i);

      if (g_str_equal (gmcp_server_config_get_id (config), id))
        return config;
    }
  return NULL;
}

/* Whether all servers but one read as before. */
static gboolean
check_others (GmcpConfigContents *before, GmcpConfigContents *after, const char *id, GError **error)
{
  for (guint i = 0; i < before->servers->len; i++)
    {
      GmcpServerConfig *present = g_ptr_array_index (before->servers, i);
      const char *other = gmcp_server_config_get_id (present);
      GmcpServerConfig *now = find_config (after, other);

      if (g_str_equal (other, id) || (now != NULL && gmcp_server_config_equal (present, now)))
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” would not read the same any more; write by hand"), other);
      return FALSE;
    }
  return TRUE;
}

/* What the text is read as before and after; FALSE with an error where one cannot be read. */
static gboolean
read_both (const char *text,
           gsize length,
           const char *edited,
           const char *base_dir,
           GmcpConfigContents **before,
           GmcpConfigContents **after,
           GError **error)
{
  *before = gmcp_config_contents_read_all (text, length, GMCP_CONFIG_FORMAT_JSON, NULL, base_dir,
                                           NULL, error);
  *after = *before != NULL ? gmcp_config_contents_read_all (
             edited, strlen (edited), GMCP_CONFIG_FORMAT_JSON, NULL, base_dir, NULL, error)
                           : NULL;
  return *after != NULL;
}

char *
gmcp_config_edit_remove (const char *text,
                         gsize length,
                         const char *base_dir,
                         const char *id,
                         GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  g_autoptr (GmcpConfigContents) before = NULL;
  g_autoptr (GmcpConfigContents) after = NULL;
  g_autofree char *edited = NULL;
  GmcpJsonValue map, key, entry;

  if (!gmcp_json_patcher_open (&patcher, text, length, error)
      || !find_entry (&patcher, id, &map, &key, &entry, error))
    return NULL;

  gmcp_json_patcher_remove_member (&patcher, map, key);
  edited = gmcp_json_patcher_apply (&patcher);
  if (!read_both (text, length, edited, base_dir, &before, &after, error)
      || !check_others (before, after, id, error))
    return NULL;
  if (find_config (after, id) != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” stands there more than once; change it by hand"), id);
      return NULL;
    }
  return g_steal_pointer (&edited);
}

static void
render_disabled (GString *out, const char *indent, gpointer data)
{
  g_string_append_printf (out, "\n%s\"disabled\": true", indent);
}

/* Sets each of the two keys that is there; where none is, only what is off has to be said. */
static void
switch_entry (GmcpJsonPatcher *patcher, GmcpJsonValue entry, gboolean enabled)
{
  static const struct
  {
    const char *key;
    gboolean when_enabled;
  } switches[] = { { "enabled", TRUE }, { "disabled", FALSE } };
  gboolean any = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      GmcpJsonValue value = gmcp_json_value_get_member (entry, switches[i].key);

      if (!gmcp_json_value_is_present (value))
        continue;
      any = TRUE;
      gmcp_json_patcher_add (patcher, gmcp_json_patcher_find_start (patcher, value),
                             gmcp_json_patcher_find_end (patcher, value),
                             g_strdup (switches[i].when_enabled == enabled ? "true" : "false"));
    }
  if (!any && !enabled)
    gmcp_json_patcher_append_members (patcher, entry, render_disabled, NULL);
}

char *
gmcp_config_edit_set_enabled (const char *text,
                              gsize length,
                              const char *base_dir,
                              const char *id,
                              gboolean enabled,
                              GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  g_autoptr (GmcpConfigContents) before = NULL;
  g_autoptr (GmcpConfigContents) after = NULL;
  g_autofree char *edited = NULL;
  GmcpJsonValue map, key, entry;
  GmcpServerConfig *config;

  if (!gmcp_json_patcher_open (&patcher, text, length, error)
      || !find_entry (&patcher, id, &map, &key, &entry, error))
    return NULL;

  switch_entry (&patcher, entry, enabled);
  edited = gmcp_json_patcher_apply (&patcher);
  if (!read_both (text, length, edited, base_dir, &before, &after, error)
      || !check_others (before, after, id, error))
    return NULL;
  config = find_config (after, id);
  if (config == NULL || gmcp_server_config_is_enabled (config) != enabled)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” would not read as it should; change it by hand"), id);
      return NULL;
    }
  return g_steal_pointer (&edited);
}
