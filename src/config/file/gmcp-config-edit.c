/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-config-edit-private.h"
#include "gmcp-config-edit-yaml-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-patcher-private.h"
#include "gmcp-map-edit-private.h"
#include "gmcp-server-config-write-private.h"

#include <gmcp/core/gmcp-error.h>

#define KEY    "mcpServers"
#define INDENT "  "

typedef struct
{
  const GmcpConfigEdit *edits;
  gsize n_edits;
  const char *base_dir;
  GmcpConfigFormat format;
} Edits;

static void
render_entries (GString *out, const char *indent, gpointer data)
{
  Edits *new = data;
  gboolean any = FALSE;

  for (gsize i = 0; i < new->n_edits; i++)
    {
      const GmcpConfigEdit *edit = &new->edits[i];
      GmcpJsonWriter writer = gmcp_json_writer_init (out);

      if (edit->fields != NULL)
        continue;
      g_string_append_printf (out, "%s\n%s", any ? "," : "", indent);
      gmcp_json_writer_string (&writer, edit->name);
      g_string_append (out, ": ");
      gmcp_server_config_write (edit->config, edit->name, GMCP_JSON_NONE, NULL, indent, out);
      any = TRUE;
    }
}

static void
render_map (GString *out, const char *indent, gpointer data)
{
  g_autofree char *inner = g_strconcat (indent, INDENT, NULL);

  g_string_append_printf (out, "\n%s\"" KEY "\": {", indent);
  render_entries (out, inner, data);
  g_string_append_printf (out, "\n%s}", indent);
}

static gboolean
find_entry (GmcpJsonValue map, const char *id, char **name, GmcpJsonValue *entry)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_iter_init (&iter, map);
  while (gmcp_json_iter_next (&iter, &key, entry))
    {
      g_autofree char *text = gmcp_json_value_dup_string (key);
      g_autofree char *made = gmcp_server_config_make_id (text);

      if (!g_str_equal (made, id))
        continue;
      *name = g_steal_pointer (&text);
      return TRUE;
    }
  return FALSE;
}

static gboolean
change_entry (GmcpJsonPatcher *patcher,
              GmcpJsonValue map,
              const GmcpConfigEdit *edit,
              GError **error)
{
  const char *id = gmcp_server_config_get_id (edit->config);
  g_autofree char *name = NULL;
  g_autofree char *indent = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonValue entry;

  if (!find_entry (map, id, &name, &entry) || !gmcp_json_value_is_object (entry))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” does not stand below “%s” there; change it by hand"), id, KEY);
      return FALSE;
    }
  if (gmcp_json_patcher_has_comment (patcher, gmcp_json_patcher_find_start (patcher, entry),
                                     gmcp_json_patcher_find_end (patcher, entry)))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("there are comments within “%s”, which would get lost; change it by hand"),
                   name);
      return FALSE;
    }

  indent = gmcp_json_patcher_dup_indent (patcher, gmcp_json_patcher_find_start (patcher, entry));
  gmcp_server_config_write (edit->config, name, entry, edit->fields, indent, text);
  gmcp_json_patcher_add (patcher, gmcp_json_patcher_find_start (patcher, entry),
                         gmcp_json_patcher_find_end (patcher, entry),
                         g_string_free (g_steal_pointer (&text), FALSE));
  return TRUE;
}

static gboolean
edit_document (GmcpJsonPatcher *patcher, Edits *edits, GError **error)
{
  GmcpJsonValue root = gmcp_json_doc_get_root (patcher->document->json);
  GmcpJsonValue map = gmcp_json_value_get_member (root, KEY);
  gsize n_new = 0;

  if (!gmcp_json_value_is_object (root)
      || (gmcp_json_value_is_present (map) && !gmcp_json_value_is_object (map)))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("its servers do not stand in an object below “%s”"), KEY);
      return FALSE;
    }

  for (gsize i = 0; i < edits->n_edits; i++)
    {
      if (edits->edits[i].fields == NULL)
        n_new++;
      else if (!change_entry (patcher, map, &edits->edits[i], error))
        return FALSE;
    }
  if (n_new > 0)
    gmcp_json_patcher_append_members (
      patcher, gmcp_json_value_is_present (map) ? map : root,
      gmcp_json_value_is_present (map) ? render_entries : render_map, edits);
  return TRUE;
}

static gboolean
is_edited (Edits *edits, const char *id)
{
  for (gsize i = 0; i < edits->n_edits; i++)
    {
      if (g_str_equal (gmcp_server_config_get_id (edits->edits[i].config), id))
        return TRUE;
    }
  return FALSE;
}

/* Reads the text again that would be written: what was not asked for is not done. */
static gboolean
check_result (const char *before, gsize length, const char *after, Edits *edits, GError **error)
{
  g_autoptr (GmcpConfigContents) old
    = gmcp_config_contents_read (before, length, edits->format, NULL, edits->base_dir, NULL, NULL);
  g_autoptr (GmcpConfigContents) new = gmcp_config_contents_read (
    after, strlen (after), edits->format, NULL, edits->base_dir, NULL, error);

  if (new == NULL)
    return FALSE;

  for (gsize i = 0; i < edits->n_edits; i++)
    {
      GmcpServerConfig *wanted = edits->edits[i].config;
      GmcpServerConfig *got
        = gmcp_config_contents_find_server (new, gmcp_server_config_get_id (wanted));

      if (got != NULL && gmcp_server_config_equal (wanted, got))
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” cannot be written there so that it reads the same; write it by hand"),
                   gmcp_server_config_get_title (wanted));
      return FALSE;
    }
  for (guint i = 0; old != NULL && i < old->servers->len; i++)
    {
      GmcpServerConfig *present = g_ptr_array_index (old->servers, i);
      const char *id = gmcp_server_config_get_id (present);
      GmcpServerConfig *got = gmcp_config_contents_find_server (new, id);

      if (is_edited (edits, id) || (got != NULL && gmcp_server_config_equal (present, got)))
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” would not read the same any more; write by hand"), id);
      return FALSE;
    }
  return TRUE;
}

gboolean
gmcp_config_edit_check_format (GmcpConfigFormat format, GError **error)
{
  if (format != GMCP_CONFIG_FORMAT_TOML)
    return TRUE;
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                       _ ("files in TOML are not changed from here; change it by hand"));
  return FALSE;
}

static char *
edit_json (const Edits *all, const char *text, gsize length, GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  Edits edits = *all;

  if (!gmcp_json_patcher_open (&patcher, text, length, error)
      || !edit_document (&patcher, &edits, error))
    return NULL;
  return gmcp_json_patcher_apply (&patcher);
}

char *
gmcp_config_edit (GmcpConfigFormat format,
                  const char *text,
                  gsize length,
                  const char *base_dir,
                  const GmcpConfigEdit *edits,
                  gsize n_edits,
                  GError **error)
{
  Edits all = { edits, n_edits, base_dir, format };
  gboolean is_blank = text == NULL || gmcp_map_edit_is_blank (text, length);
  const char *before = !is_blank ? text : format == GMCP_CONFIG_FORMAT_JSON ? "{}" : "";
  g_autofree char *edited = NULL;

  if (!gmcp_config_edit_check_format (format, error))
    return NULL;

  edited = format == GMCP_CONFIG_FORMAT_YAML
             ? gmcp_config_yaml_edit (text, length, edits, n_edits, error)
             : edit_json (&all, is_blank ? NULL : text, is_blank ? 0 : length, error);
  return edited != NULL
             && check_result (before, is_blank ? strlen (before) : length, edited, &all, error)
           ? g_steal_pointer (&edited)
           : NULL;
}
