/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-document-private.h"
#include "gmcp-config-edit-yaml-private.h"
#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-writer-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-write-private.h"
#include "gmcp-yaml-place-private.h"

#include <gmcp/core/gmcp-error.h>

#define INDENT 2u

/* Where servers may stand; new ones go below the first where there are none. */
static const char *const map_keys[] = { "mcp_servers", "mcpServers", "servers", NULL };

/* A text that is changed from place to place. */
typedef struct
{
  GString *text;
  GmcpConfigDocument *document;
} Editor;

static void
editor_clear (Editor *self)
{
  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->document, gmcp_config_document_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Editor, editor_clear)

/* Again after each change. */
static gboolean
editor_read (Editor *self, GError **error)
{
  guint line = 0;

  g_clear_pointer (&self->document, gmcp_config_document_free);
  self->document = gmcp_config_document_parse (self->text->str, self->text->len,
                                               GMCP_CONFIG_FORMAT_YAML, &line, error);
  if (self->document == NULL && line > 0)
    /* Translators: the number of a line; a problem follows */
    g_prefix_error (error, _ ("line %u: "), line);
  return self->document != NULL;
}

static gboolean
editor_open (Editor *self, const char *text, gsize length, GError **error)
{
  self->text = g_string_new_len (text != NULL ? text : "", (gssize) length);
  return editor_read (self, error);
}

static void
replace_text (Editor *self, gsize start, gsize end, const char *text)
{
  g_string_erase (self->text, (gssize) start, (gssize) (end - start));
  g_string_insert (self->text, (gssize) start, text);
}

static gsize
find_line_start (Editor *self, gsize offset)
{
  while (offset > 0 && self->text->str[offset - 1] != '\n')
    offset--;
  return offset;
}

/* Behind the end of the line; the last line gets one where it has none. */
static gsize
find_line_end (Editor *self, gsize offset)
{
  while (offset < self->text->len && self->text->str[offset] != '\n')
    offset++;
  if (offset == self->text->len)
    g_string_append_c (self->text, '\n');
  return offset + 1;
}

/* A text over several lines may end with the break of the last one. */
static gsize
trim_end (Editor *self, gsize start, gsize end)
{
  while (end > start && g_ascii_isspace (self->text->str[end - 1]))
    end--;
  return end;
}

static gboolean
is_alone_before (Editor *self, gsize offset)
{
  gsize start = find_line_start (self, offset);

  return strspn (self->text->str + start, " ") == offset - start;
}

static gboolean
refuse_change (GError **error, const char *id)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("“%s” does not stand there in lines of its own; change it by hand"), id);
  return FALSE;
}

/* The server by its id: the key of the map that it stands in, and its name there. */
static gboolean
find_server (Editor *self, const char *id, const char **map_key, char **name, GError **error)
{
  for (gsize i = 0; map_keys[i] != NULL; i++)
    {
      GmcpJsonValue map
        = gmcp_json_value_get_member (gmcp_json_doc_get_root (self->document->json), map_keys[i]);
      GmcpJsonIter iter;
      GmcpJsonValue key, entry;

      if (!gmcp_json_value_is_object (map))
        continue;
      gmcp_json_iter_init (&iter, map);
      while (gmcp_json_iter_next (&iter, &key, &entry))
        {
          g_autofree char *text = gmcp_json_value_dup_string (key);
          g_autofree char *made = gmcp_server_config_make_id (text);

          if (!g_str_equal (made, id) || !gmcp_json_value_is_object (entry))
            continue;
          *map_key = map_keys[i];
          *name = g_steal_pointer (&text);
          return TRUE;
        }
    }
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("“%s” does not stand below “%s” there; change it by hand"), id, map_keys[0]);
  return FALSE;
}

static gboolean
find_entry (Editor *self, const char *id, GmcpYamlPlace *place, GError **error)
{
  const char *map_key = NULL;
  g_autofree char *name = NULL;

  if (!find_server (self, id, &map_key, &name, error))
    return FALSE;
  {
    const char *path[] = { map_key, name, NULL };

    return gmcp_yaml_find_place (self->text->str, self->text->len, path, place, error);
  }
}

/* The members of a new entry, as they are written below its name. */
static JsonObject *
make_members (const GmcpConfigEdit *edit, gboolean ours)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GList) keys = NULL;
  const char *const *argv = gmcp_server_config_get_argv (edit->config);
  JsonObject *object = json_object_new ();
  JsonObject *written;

  gmcp_server_config_write (edit->config, edit->name, GMCP_JSON_NONE, NULL, "", json);
  node = json_from_string (json->str, NULL);
  written = json_node_get_object (node);
  keys = json_object_get_members (written);
  for (GList *l = keys; l != NULL; l = l->next)
    {
      g_autofree char *key = ours ? gmcp_config_key_from_camel (l->data, '_') : g_strdup (l->data);

      json_object_set_member (object, key,
                              json_node_copy (json_object_get_member (written, l->data)));
    }

  /* There a command is split, and a server is started by hand unless something else is said. */
  if (ours && !json_object_has_member (object, "start"))
    json_object_set_string_member (object, "start", "on-demand");
  if (ours && argv != NULL && argv[0] != NULL && strpbrk (argv[0], " \t\"'\\") != NULL)
    {
      JsonArray *words = json_array_new ();

      for (gsize i = 0; argv[i] != NULL; i++)
        json_array_add_string_element (words, argv[i]);
      json_object_remove_member (object, "args");
      json_object_set_array_member (object, "command", words);
    }
  return object;
}

static char *
render_entry (const GmcpConfigEdit *edit, guint indent, gboolean ours)
{
  g_autoptr (JsonObject) members = make_members (edit, ours);
  g_autofree char *key = gmcp_config_dup_yaml_key (edit->name);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%*s%s:\n", (int) indent, "", key);
  gmcp_config_append_yaml (out, members, indent + INDENT);
  return g_string_free (out, FALSE);
}

/* The map that new servers go into; NULL where there is none yet. */
static const char *
find_map (Editor *self)
{
  for (gsize i = 0; map_keys[i] != NULL; i++)
    {
      if (gmcp_json_value_is_present (gmcp_json_value_get_member (
            gmcp_json_doc_get_root (self->document->json), map_keys[i])))
        return map_keys[i];
    }
  return NULL;
}

static gboolean
add_entry (Editor *self, const GmcpConfigEdit *edit, GError **error)
{
  const char *map_key = find_map (self);
  const char *path[] = { map_key, NULL };
  gboolean ours = map_key == NULL || g_str_equal (map_key, map_keys[0]);
  GmcpYamlPlace place;
  g_autofree char *entry = NULL;

  if (map_key == NULL)
    {
      entry = render_entry (edit, INDENT, TRUE);
      if (self->text->len > 0)
        find_line_end (self, trim_end (self, 0, self->text->len));
      g_string_append_printf (self->text, "%s:\n%s", map_keys[0], entry);
      return TRUE;
    }
  if (!gmcp_yaml_find_place (self->text->str, self->text->len, path, &place, error))
    return FALSE;
  if (!place.is_empty && !place.is_block)
    return refuse_change (error, edit->name);

  entry = render_entry (edit, place.is_empty ? INDENT : place.child_indent, ours);
  /* “{}” or “null” go. */
  if (place.is_empty && place.value_end > place.value_start)
    replace_text (self, place.value_start, place.value_end, "");
  g_string_insert (
    self->text,
    (gssize) find_line_end (
      self, place.is_empty ? place.key_end : trim_end (self, place.value_start, place.value_end)),
    entry);
  return TRUE;
}

/* One that stands in a text between quotes is taken for a comment, too, which is no harm. */
static gboolean
has_comment (Editor *self, gsize start, gsize end)
{
  for (gsize i = start; i < end; i++)
    {
      if (self->text->str[i] == '#' && (i == start || g_ascii_isspace (self->text->str[i - 1])))
        return TRUE;
    }
  return FALSE;
}

static gboolean
change_entry (Editor *self, const GmcpConfigEdit *edit, GError **error)
{
  const char *id = gmcp_server_config_get_id (edit->config);
  const char *map_key = NULL;
  g_autofree char *name = NULL;
  GmcpConfigEdit named = *edit;
  g_autofree char *entry = NULL;
  GmcpYamlPlace place;
  gsize start, end;

  if (!find_server (self, id, &map_key, &name, error) || !find_entry (self, id, &place, error))
    return FALSE;
  if (!is_alone_before (self, place.key_start))
    return refuse_change (error, name);

  start = find_line_start (self, place.key_start);
  end = find_line_end (self, trim_end (self, place.value_start, place.value_end));
  if (has_comment (self, start, end))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("there are comments within “%s”, which would get lost; change it by hand"),
                   name);
      return FALSE;
    }
  named.name = name;
  entry
    = render_entry (&named, (guint) (place.key_start - start), g_str_equal (map_key, map_keys[0]));
  replace_text (self, start, end, entry);
  return TRUE;
}

char *
gmcp_config_yaml_edit (const char *text,
                       gsize length,
                       const GmcpConfigEdit *edits,
                       gsize n_edits,
                       GError **error)
{
  g_auto (Editor) editor = { NULL };

  if (!editor_open (&editor, text, length, error))
    return NULL;
  for (gsize i = 0; i < n_edits; i++)
    {
      if (edits[i].fields != NULL ? !change_entry (&editor, &edits[i], error)
                                  : !add_entry (&editor, &edits[i], error))
        return NULL;
      if (!editor_read (&editor, error))
        return NULL;
    }
  return g_strdup (editor.text->str);
}

char *
gmcp_config_yaml_remove (const char *text, gsize length, const char *id, GError **error)
{
  g_auto (Editor) editor = { NULL };
  const char *map_key = NULL;
  g_autofree char *name = NULL;
  GmcpYamlPlace place, map;
  GmcpJsonValue servers;

  if (!editor_open (&editor, text, length, error)
      || !find_server (&editor, id, &map_key, &name, error)
      || !find_entry (&editor, id, &place, error))
    return NULL;
  if (!is_alone_before (&editor, place.key_start))
    {
      refuse_change (error, name);
      return NULL;
    }

  servers = gmcp_json_value_get_member (gmcp_json_doc_get_root (editor.document->json), map_key);
  replace_text (&editor, find_line_start (&editor, place.key_start),
                find_line_end (&editor, trim_end (&editor, place.value_start, place.value_end)),
                "");
  /* Nothing at all would be no map. */
  if (gmcp_json_value_get_length (servers) == 1)
    {
      const char *path[] = { map_key, NULL };

      if (!gmcp_yaml_find_place (editor.text->str, editor.text->len, path, &map, error))
        return NULL;
      g_string_insert (editor.text,
                       (gssize) (map.key_end + strspn (editor.text->str + map.key_end, " :")),
                       editor.text->str[map.key_end + 1] == ' ' ? "{}" : " {}");
    }
  return g_strdup (editor.text->str);
}

char *
gmcp_config_yaml_set_enabled (const char *text,
                              gsize length,
                              const char *id,
                              gboolean enabled,
                              GError **error)
{
  static const struct
  {
    const char *key;
    gboolean when_enabled;
  } switches[] = { { "enabled", TRUE }, { "disabled", FALSE } };
  g_auto (Editor) editor = { NULL };
  const char *map_key = NULL;
  g_autofree char *name = NULL;
  g_autofree char *line = NULL;
  gboolean any = FALSE;
  GmcpYamlPlace place;

  if (!editor_open (&editor, text, length, error)
      || !find_server (&editor, id, &map_key, &name, error)
      || !find_entry (&editor, id, &place, error))
    return NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      const char *path[] = { map_key, name, switches[i].key, NULL };
      GmcpYamlPlace value;

      if (!gmcp_yaml_find_place (editor.text->str, editor.text->len, path, &value, NULL))
        continue;
      any = TRUE;
      replace_text (&editor, value.value_start, value.value_end,
                    switches[i].when_enabled == enabled ? "true" : "false");
    }
  if (!any && !enabled && place.is_flow)
    {
      g_string_insert (editor.text, (gssize) place.value_start + 1, "disabled: true, ");
    }
  else if (!any && !enabled)
    {
      if (!place.is_block || !is_alone_before (&editor, place.child_start))
        {
          refuse_change (error, name);
          return NULL;
        }
      line = g_strdup_printf ("%*sdisabled: true\n", (int) place.child_indent, "");
      g_string_insert (editor.text, (gssize) find_line_start (&editor, place.child_start), line);
    }
  return g_strdup (editor.text->str);
}

/* The lines below the name of a server, or what stands behind it. */
static gboolean
find_body (Editor *self,
           const char *id,
           GmcpYamlPlace *place,
           gsize *start,
           gsize *end,
           GError **error)
{
  if (!find_entry (self, id, place, error))
    return FALSE;
  if (place->is_flow)
    {
      *start = place->value_start;
      *end = place->value_end;
      return TRUE;
    }
  if (!place->is_block || !is_alone_before (self, place->key_start)
      || !is_alone_before (self, place->child_start))
    return refuse_change (error, id);
  *start = find_line_end (self, place->key_end);
  *end = find_line_end (self, trim_end (self, place->value_start, place->value_end));
  return TRUE;
}

static char *
indent_lines (const char *text, guint columns)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);

  for (gsize i = 0; lines[i] != NULL; i++)
    {
      if (lines[i + 1] == NULL && *lines[i] == '\0')
        break;
      if (*lines[i] != '\0' && *lines[i] != '\r')
        g_string_append_printf (out, "%*s", (int) columns, "");
      g_string_append_printf (out, "%s\n", lines[i]);
    }
  return g_string_free (out, FALSE);
}

char *
gmcp_config_yaml_dup_entry (const char *text, gsize length, const char *id, GError **error)
{
  g_auto (Editor) editor = { NULL };
  g_autofree char *body = NULL;
  g_auto (GStrv) lines = NULL;
  GString *out;
  GmcpYamlPlace place;
  gsize start, end;

  if (!editor_open (&editor, text, length, error)
      || !find_body (&editor, id, &place, &start, &end, error))
    return NULL;

  body = g_strndup (editor.text->str + start, end - start);
  if (place.is_flow)
    return g_strconcat (body, "\n", NULL);
  out = g_string_new (NULL);
  lines = g_strsplit (body, "\n", -1);
  for (gsize i = 0; lines[i] != NULL && (lines[i + 1] != NULL || *lines[i] != '\0'); i++)
    g_string_append_printf (out, "%s\n",
                            lines[i] + MIN (strspn (lines[i], " "), place.child_indent));
  return g_string_free (out, FALSE);
}

char *
gmcp_config_yaml_set_entry (const char *text,
                            gsize length,
                            const char *id,
                            const char *entry,
                            GError **error)
{
  g_auto (Editor) editor = { NULL };
  g_autofree char *body = g_strdup (entry);
  g_autofree char *indented = NULL;
  GmcpYamlPlace place;
  gsize start, end;

  if (!editor_open (&editor, text, length, error)
      || !find_body (&editor, id, &place, &start, &end, error))
    return NULL;

  if (place.is_flow)
    {
      g_strstrip (body);
      replace_text (&editor, start, end, body);
    }
  else
    {
      indented = indent_lines (body, place.child_indent);
      replace_text (&editor, start, end, indented);
    }
  return g_strdup (editor.text->str);
}
