/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-config-edit-private.h"
#include "gmcp-config-edit-yaml-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-patcher-private.h"

#include <gmcp/core/gmcp-error.h>

/* Changes to one server of a file that is there: it goes, it is switched on and off, or its text is another. */

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

/* Whether all servers but one read as before. */
static gboolean
check_others (GmcpConfigContents *before, GmcpConfigContents *after, const char *id, GError **error)
{
  for (guint i = 0; i < before->servers->len; i++)
    {
      GmcpServerConfig *present = g_ptr_array_index (before->servers, i);
      const char *other = gmcp_server_config_get_id (present);
      GmcpServerConfig *now = gmcp_config_contents_find_server (after, other);

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
read_both (GmcpConfigFormat format,
           const char *text,
           gsize length,
           const char *edited,
           const char *base_dir,
           GmcpConfigContents **before,
           GmcpConfigContents **after,
           GError **error)
{
  *before = gmcp_config_contents_read_all (text, length, format, NULL, base_dir, NULL, error);
  *after = *before != NULL ? gmcp_config_contents_read_all (edited, strlen (edited), format, NULL,
                                                            base_dir, NULL, error)
                           : NULL;
  return *after != NULL;
}

static char *
remove_from_json (const char *text, gsize length, const char *id, GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  GmcpJsonValue map, key, entry;

  if (!gmcp_json_patcher_open (&patcher, text, length, error)
      || !find_entry (&patcher, id, &map, &key, &entry, error))
    return NULL;

  gmcp_json_patcher_remove_member (&patcher, map, key);
  return gmcp_json_patcher_apply (&patcher);
}

char *
gmcp_config_edit_remove (GmcpConfigFormat format,
                         const char *text,
                         gsize length,
                         const char *base_dir,
                         const char *id,
                         GError **error)
{
  g_autoptr (GmcpConfigContents) before = NULL;
  g_autoptr (GmcpConfigContents) after = NULL;
  g_autofree char *edited = NULL;

  if (!gmcp_config_edit_check_format (format, error))
    return NULL;
  edited = format == GMCP_CONFIG_FORMAT_YAML ? gmcp_config_yaml_remove (text, length, id, error)
                                             : remove_from_json (text, length, id, error);
  if (edited == NULL || !read_both (format, text, length, edited, base_dir, &before, &after, error)
      || !check_others (before, after, id, error))
    return NULL;
  if (gmcp_config_contents_find_server (after, id) != NULL)
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

static char *
switch_in_json (const char *text, gsize length, const char *id, gboolean enabled, GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  GmcpJsonValue map, key, entry;

  if (!gmcp_json_patcher_open (&patcher, text, length, error)
      || !find_entry (&patcher, id, &map, &key, &entry, error))
    return NULL;

  switch_entry (&patcher, entry, enabled);
  return gmcp_json_patcher_apply (&patcher);
}

char *
gmcp_config_edit_set_enabled (GmcpConfigFormat format,
                              const char *text,
                              gsize length,
                              const char *base_dir,
                              const char *id,
                              gboolean enabled,
                              GError **error)
{
  g_autoptr (GmcpConfigContents) before = NULL;
  g_autoptr (GmcpConfigContents) after = NULL;
  g_autofree char *edited = NULL;
  GmcpServerConfig *config;

  if (!gmcp_config_edit_check_format (format, error))
    return NULL;
  edited = format == GMCP_CONFIG_FORMAT_YAML
             ? gmcp_config_yaml_set_enabled (text, length, id, enabled, error)
             : switch_in_json (text, length, id, enabled, error);
  if (edited == NULL || !read_both (format, text, length, edited, base_dir, &before, &after, error)
      || !check_others (before, after, id, error))
    return NULL;
  config = gmcp_config_contents_find_server (after, id);
  if (config == NULL || gmcp_server_config_is_enabled (config) != enabled)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” would not read as it should; change it by hand"), id);
      return NULL;
    }
  return g_steal_pointer (&edited);
}

/* The lines behind the first begin with an indent less, or one more. */
static char *
indent_lines (const char *text, const char *less, const char *more)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (gsize i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    {
      const char *rest = g_str_has_prefix (lines[i], less) ? lines[i] + strlen (less) : lines[i];
      char *line = g_strconcat (*rest != '\0' ? more : "", rest, NULL);

      g_free (lines[i]);
      lines[i] = line;
    }
  return g_strjoinv ("\n", lines);
}

static char *
dup_json_entry (const char *text, gsize length, const char *id, GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  g_autofree char *indent = NULL;
  g_autofree char *entry_text = NULL;
  g_autofree char *dedented = NULL;
  GmcpJsonValue map, key, entry;
  gsize start;

  if (!gmcp_json_patcher_open (&patcher, text, length, error)
      || !find_entry (&patcher, id, &map, &key, &entry, error))
    return NULL;

  start = gmcp_json_patcher_find_start (&patcher, entry);
  indent = gmcp_json_patcher_dup_indent (&patcher, start);
  entry_text
    = g_strndup (patcher.text + start, gmcp_json_patcher_find_end (&patcher, entry) - start);
  dedented = indent_lines (entry_text, indent, "");
  return g_strconcat (dedented, "\n", NULL);
}

static char *
set_json_entry (const char *text,
                gsize length,
                const char *id,
                const char *entry_text,
                GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  g_autofree char *stripped = g_strstrip (g_strdup (entry_text));
  g_autofree char *indent = NULL;
  GmcpJsonValue map, key, entry;
  gsize start;

  if (!gmcp_json_patcher_open (&patcher, text, length, error)
      || !find_entry (&patcher, id, &map, &key, &entry, error))
    return NULL;

  start = gmcp_json_patcher_find_start (&patcher, entry);
  indent = gmcp_json_patcher_dup_indent (&patcher, start);
  gmcp_json_patcher_add (&patcher, start, gmcp_json_patcher_find_end (&patcher, entry),
                         indent_lines (stripped, "", indent));
  return gmcp_json_patcher_apply (&patcher);
}

char *
gmcp_config_edit_dup_entry (GmcpConfigFormat format,
                            const char *text,
                            gsize length,
                            const char *id,
                            GError **error)
{
  if (!gmcp_config_edit_check_format (format, error))
    return NULL;
  return format == GMCP_CONFIG_FORMAT_YAML ? gmcp_config_yaml_dup_entry (text, length, id, error)
                                           : dup_json_entry (text, length, id, error);
}

char *
gmcp_config_edit_set_entry (GmcpConfigFormat format,
                            const char *text,
                            gsize length,
                            const char *base_dir,
                            const char *id,
                            const char *entry,
                            GError **error)
{
  g_autoptr (GmcpConfigContents) before = NULL;
  g_autoptr (GmcpConfigContents) after = NULL;
  g_autoptr (GmcpConfigContents) strict = NULL;
  g_autofree char *edited = NULL;

  if (!gmcp_config_edit_check_format (format, error))
    return NULL;
  edited = format == GMCP_CONFIG_FORMAT_YAML
             ? gmcp_config_yaml_set_entry (text, length, id, entry, error)
             : set_json_entry (text, length, id, entry, error);
  if (edited == NULL || !read_both (format, text, length, edited, base_dir, &before, &after, error)
      || !check_others (before, after, id, error))
    return NULL;
  if (gmcp_config_contents_find_server (after, id) != NULL)
    return g_steal_pointer (&edited);

  /* What is wrong with it. */
  strict = gmcp_config_contents_read (edited, strlen (edited), format, NULL, base_dir, NULL, error);
  if (strict == NULL)
    return NULL;
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("“%s” would not read as it should; change it by hand"), id);
  return NULL;
}
