/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-config-edit-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-write-private.h"

#include <gmcp/core/gmcp-error.h>

#define KEY    "mcpServers"
#define INDENT "  "

/* One place of the text, and what stands there from now on. */
typedef struct
{
  gsize start;
  gsize end;
  char *text;
} Patch;

typedef struct
{
  const char *text; /* as it was written */
  const char *bare; /* the text without comments and trailing commas, byte for byte */
  GmcpConfigDocument *document;
  GArray *patches; /* of Patch, in order */
} Editor;

static void
patch_clear (gpointer data)
{
  g_free (((Patch *) data)->text);
}

static void
add_patch (Editor *editor, gsize start, gsize end, char *text)
{
  Patch patch = { start, end, text };
  guint i = editor->patches->len;

  /* Two at one place stay in the order in which they came. */
  while (i > 0 && g_array_index (editor->patches, Patch, i - 1).start > start)
    i--;
  g_array_insert_val (editor->patches, i, patch);
}

static gsize
find_start (Editor *editor, GmcpJsonValue value)
{
  return gmcp_json_value_peek_raw (value, &(gsize){ 0 }) - editor->bare;
}

static gsize
find_end (Editor *editor, GmcpJsonValue value)
{
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (value, &length);

  return raw - editor->bare + length;
}

static gboolean
has_comment (Editor *editor, gsize start, gsize end)
{
  for (gsize i = start; i < end; i++)
    {
      if (editor->text[i] == '/' && editor->bare[i] == ' ')
        return TRUE;
    }
  return FALSE;
}

/* Past the comment that starts at position; position where none does. */
static gsize
skip_comment (Editor *editor, gsize position, gsize end)
{
  if (editor->text[position] != '/' || editor->bare[position] != ' ')
    return position;

  if (editor->text[position + 1] == '/')
    {
      while (position < end && editor->text[position] != '\n')
        position++;
      return position;
    }

  position += 2;
  while (position + 1 < end && (editor->text[position] != '*' || editor->text[position + 1] != '/'))
    position++;
  return MIN (position + 2, end);
}

/* The comma between two places that have nothing but blanks and comments; end where there is none. */
static gsize
find_comma (Editor *editor, gsize position, gsize end)
{
  while (position < end && editor->text[position] != ',')
    {
      gsize next = skip_comment (editor, position, end);

      position = next > position ? next : position + 1;
    }
  return position;
}

/* What is said behind a value in the same line is about that value. */
static gsize
skip_rest_of_line (Editor *editor, gsize position, gsize end)
{
  gsize blank = position;
  gsize next;

  while (blank < end && (editor->text[blank] == ' ' || editor->text[blank] == '\t'))
    blank++;
  next = blank < end ? skip_comment (editor, blank, end) : blank;
  return next > blank && memchr (editor->text + blank, '\n', next - blank) == NULL ? next
                                                                                   : position;
}

/* The blanks that the line of a position starts with. */
static char *
dup_indent (Editor *editor, gsize position)
{
  gsize start = position;
  gsize end;

  while (start > 0 && editor->text[start - 1] != '\n')
    start--;
  for (end = start; editor->text[end] == ' ' || editor->text[end] == '\t';)
    end++;
  return g_strndup (editor->text + start, MIN (end, position) - start);
}

typedef void (*Render) (GString *out, const char *indent, gpointer data);

/* Adds what render writes, one member or several, at the end of an object. */
static void
append_members (Editor *editor, GmcpJsonValue object, Render render, gpointer data)
{
  gsize close = find_end (editor, object) - 1;
  gsize position = find_start (editor, object) + 1;
  g_autofree char *outer = dup_indent (editor, find_start (editor, object));
  g_autofree char *inner = g_strconcat (outer, INDENT, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean trailing = FALSE;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    position = find_end (editor, value);
  if (gmcp_json_value_get_length (object) > 0)
    {
      gsize comma = find_comma (editor, position, close);

      trailing = comma < close;
      if (trailing)
        position = comma + 1;
      else
        add_patch (editor, position, position, g_strdup (","));
    }

  position = skip_rest_of_line (editor, position, close);
  render (text, inner, data);
  if (trailing)
    g_string_append_c (text, ',');
  if (memchr (editor->text + position, '\n', close - position) == NULL)
    g_string_append_printf (text, "\n%s", outer);
  add_patch (editor, position, position, g_string_free (g_steal_pointer (&text), FALSE));
}

typedef struct
{
  const GmcpConfigEdit *edits;
  gsize n_edits;
  const char *base_dir;
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
change_entry (Editor *editor, GmcpJsonValue map, const GmcpConfigEdit *edit, GError **error)
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
  if (has_comment (editor, find_start (editor, entry), find_end (editor, entry)))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("there are comments within “%s”, which would get lost; change it by hand"),
                   name);
      return FALSE;
    }

  indent = dup_indent (editor, find_start (editor, entry));
  gmcp_server_config_write (edit->config, name, entry, edit->fields, indent, text);
  add_patch (editor, find_start (editor, entry), find_end (editor, entry),
             g_string_free (g_steal_pointer (&text), FALSE));
  return TRUE;
}

static char *
apply_patches (Editor *editor, gsize length)
{
  g_autoptr (GString) out = g_string_sized_new (length + 256);
  gsize position = 0;

  for (guint i = 0; i < editor->patches->len; i++)
    {
      Patch *patch = &g_array_index (editor->patches, Patch, i);

      g_string_append_len (out, editor->text + position, patch->start - position);
      g_string_append (out, patch->text);
      position = patch->end;
    }
  g_string_append_len (out, editor->text + position, length - position);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
edit_document (Editor *editor, Edits *edits, GError **error)
{
  GmcpJsonValue root = gmcp_json_doc_get_root (editor->document->json);
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
      else if (!change_entry (editor, map, &edits->edits[i], error))
        return FALSE;
    }
  if (n_new > 0)
    append_members (editor, gmcp_json_value_is_present (map) ? map : root,
                    gmcp_json_value_is_present (map) ? render_entries : render_map, edits);
  return TRUE;
}

static GmcpServerConfig *
find_config (GmcpConfigContents *contents, const char *id)
{
  for (guint i = 0; contents != NULL && i < contents->servers->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (contents->servers, i);

      if (g_str_equal (gmcp_server_config_get_id (config), id))
        return config;
    }
  return NULL;
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
  g_autoptr (GmcpConfigContents) old = gmcp_config_contents_read (
    before, length, GMCP_CONFIG_FORMAT_JSON, NULL, edits->base_dir, NULL, NULL);
  g_autoptr (GmcpConfigContents) new = gmcp_config_contents_read (
    after, strlen (after), GMCP_CONFIG_FORMAT_JSON, NULL, edits->base_dir, NULL, error);

  if (new == NULL)
    return FALSE;

  for (gsize i = 0; i < edits->n_edits; i++)
    {
      GmcpServerConfig *wanted = edits->edits[i].config;
      GmcpServerConfig *got = find_config (new, gmcp_server_config_get_id (wanted));

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
      GmcpServerConfig *got = find_config (new, id);

      if (is_edited (edits, id) || (got != NULL && gmcp_server_config_equal (present, got)))
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” would not read the same any more; write by hand"), id);
      return FALSE;
    }
  return TRUE;
}

char *
gmcp_config_edit (const char *text,
                  gsize length,
                  const char *base_dir,
                  const GmcpConfigEdit *edits,
                  gsize n_edits,
                  GError **error)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  g_autoptr (GmcpConfigDocument) document = NULL;
  g_autoptr (GArray) patches = g_array_new (FALSE, FALSE, sizeof (Patch));
  g_autofree char *edited = NULL;
  Edits all = { edits, n_edits, base_dir };
  Editor editor = { .patches = patches };
  gboolean marked = FALSE;
  guint line = 0;

  g_array_set_clear_func (patches, patch_clear);
  if (text == NULL)
    {
      text = "{\n}\n";
      length = strlen (text);
    }
  marked = length >= strlen (byte_order_mark)
           && memcmp (text, byte_order_mark, strlen (byte_order_mark)) == 0;
  if (marked)
    {
      text += strlen (byte_order_mark);
      length -= strlen (byte_order_mark);
    }

  document = gmcp_config_document_parse (text, length, GMCP_CONFIG_FORMAT_JSON, &line, error);
  if (document == NULL)
    return NULL;

  editor.text = text;
  editor.bare = g_bytes_get_data (document->text, NULL);
  editor.document = document;
  if (!edit_document (&editor, &all, error))
    return NULL;

  edited = apply_patches (&editor, length);
  if (!check_result (text, length, edited, &all, error))
    return NULL;
  return marked ? g_strconcat (byte_order_mark, edited, NULL) : g_steal_pointer (&edited);
}
