/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-writer-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-map-edit-private.h"
#include "gmcp-text-lines-private.h"
#include "gmcp-yaml-place-private.h"

#include <gmcp/core/gmcp-error.h>

#define INDENT 2u

static char *
render_entry (const GmcpMapPlace *place, JsonObject *entry, guint indent)
{
  g_autofree char *key = gmcp_config_dup_yaml_key (place->name);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%*s%s:\n", (int) indent, "", key);
  gmcp_config_append_yaml (out, entry, indent + INDENT);
  return g_string_free (out, FALSE);
}

/* FALSE without an error where the path leads nowhere. */
static gboolean
find_place (const GString *text, const char *const *path, GmcpYamlPlace *found, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (gmcp_yaml_find_place (text->str, text->len, path, found, &problem))
    return TRUE;
  if (!g_error_matches (problem, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED))
    g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* The map is a key of the root that is not there yet. */
static void
append_map (GString *text, const GmcpMapPlace *place, JsonObject *entry)
{
  g_autofree char *key = gmcp_config_dup_yaml_key (place->map_key);
  g_autofree char *rendered = render_entry (place, entry, INDENT);

  if (gmcp_text_trim_end (text, 0, text->len) > 0)
    gmcp_text_find_line_end (text, text->len);
  g_string_append_printf (text, "%s:\n%s", key, rendered);
}

static gboolean
add_entry (GString *text, const GmcpMapPlace *place, JsonObject *entry, GError **error)
{
  const char *path[] = { place->map_key, NULL };
  g_autoptr (GError) problem = NULL;
  g_autofree char *rendered = NULL;
  GmcpYamlPlace map;
  gsize behind;

  if (!find_place (text, path, &map, &problem))
    {
      if (problem != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      append_map (text, place, entry);
      return TRUE;
    }
  if (!map.is_empty && !map.is_block)
    return gmcp_map_edit_refuse (place, error);

  rendered = render_entry (place, entry, map.is_empty ? INDENT : map.child_indent);
  /* “{}” or “null” go. */
  if (map.is_empty && map.value_end > map.value_start)
    gmcp_text_replace (text, map.value_start, map.value_end, "");
  behind = map.is_empty ? map.key_end : gmcp_text_trim_end (text, map.value_start, map.value_end);
  g_string_insert (text, (gssize) gmcp_text_find_line_end (text, behind), rendered);
  return TRUE;
}

static gboolean
change_entry (GString *text,
              const GmcpMapPlace *place,
              const GmcpYamlPlace *present,
              JsonObject *entry,
              GError **error)
{
  gsize start = gmcp_text_find_line_start (text, present->key_start);
  gsize end;
  g_autofree char *rendered = NULL;

  if (!gmcp_text_is_alone_before (text, present->key_start))
    return gmcp_map_edit_refuse (place, error);
  end = gmcp_text_find_line_end (
    text, gmcp_text_trim_end (text, present->value_start, present->value_end));
  if (entry != NULL && gmcp_text_has_comment (text, start, end))
    return gmcp_map_edit_refuse_comments (place, error);
  if (entry != NULL)
    rendered = render_entry (place, entry, (guint) (present->key_start - start));
  gmcp_text_replace (text, start, end, entry != NULL ? rendered : "");
  return TRUE;
}

/* A map that has lost its last entry is empty, and not null. */
static gboolean
keep_empty_map (GString *text, const GmcpMapPlace *place, GError **error)
{
  const char *path[] = { place->map_key, NULL };
  GmcpYamlPlace map;
  gsize position;

  if (!gmcp_yaml_find_place (text->str, text->len, path, &map, error))
    return FALSE;
  if (!map.is_empty || map.value_end > map.value_start)
    return TRUE;
  position = map.key_end + strspn (text->str + map.key_end, " ");
  if (text->str[position] == ':')
    g_string_insert (text, (gssize) position + 1, " {}");
  return TRUE;
}

static gboolean
edit_text (GString *text, const GmcpMapPlace *place, JsonObject *entry, GError **error)
{
  const char *path[] = { place->map_key, place->name, NULL };
  g_autoptr (GError) problem = NULL;
  GmcpYamlPlace present;

  if (find_place (text, path, &present, &problem))
    return change_entry (text, place, &present, entry, error)
           && (entry != NULL || keep_empty_map (text, place, error));
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  return entry == NULL || add_entry (text, place, entry, error);
}

char *
gmcp_map_edit_yaml (const GmcpMapPlace *place,
                    const char *text,
                    gsize length,
                    JsonObject *entry,
                    GError **error)
{
  g_autoptr (GString) edited = g_string_new_len (text, (gssize) length);

  if (!edit_text (edited, place, entry, error))
    return NULL;
  return g_string_free (g_steal_pointer (&edited), FALSE);
}
