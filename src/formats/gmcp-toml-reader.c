/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-toml-place-private.h"
#include "gmcp-toml-private.h"

/* How a table came to be, which says what may still be added to it. One without a flag was only
 * named on the way to another. */
#define DEFINED         2u /* by its own header */
#define DOTTED          4u /* by a key with a dot */
#define ARRAY_OF_TABLES 8u

gboolean
gmcp_toml_fail (GmcpTomlReader *reader, const char *problem)
{
  if (reader->problem == NULL)
    reader->problem = problem;
  return FALSE;
}

GmcpConfigNode *
gmcp_toml_add (GmcpTomlReader *reader, GmcpConfigNodeKind kind, char *text)
{
  if (reader->tree->nodes->len >= GMCP_LIMIT_CONFIG_VALUES)
    {
      gmcp_toml_fail (reader, N_ ("it holds too many values"));
      g_free (text);
      return NULL;
    }
  return gmcp_config_tree_add (reader->tree, kind, reader->line, text);
}

void
gmcp_toml_skip_blanks (GmcpTomlReader *reader)
{
  while (gmcp_toml_peek (reader) == ' ' || gmcp_toml_peek (reader) == '\t')
    reader->p++;
}

static gboolean
skip_comment (GmcpTomlReader *reader)
{
  if (gmcp_toml_peek (reader) != '#')
    return TRUE;

  for (; reader->p < reader->end && *reader->p != '\n'; reader->p++)
    {
      guchar c = *reader->p;

      if (c == '\r' && reader->end - reader->p > 1 && reader->p[1] == '\n')
        return TRUE;
      if ((c < 0x20 && c != '\t') || c == 0x7f)
        return gmcp_toml_fail (reader, N_ ("a control character in a comment"));
    }
  return TRUE;
}

gboolean
gmcp_toml_read_line_end (GmcpTomlReader *reader)
{
  gmcp_toml_skip_blanks (reader);
  if (!skip_comment (reader))
    return FALSE;
  if (reader->p == reader->end)
    return TRUE;

  if (*reader->p == '\r' && reader->end - reader->p > 1 && reader->p[1] == '\n')
    reader->p++;
  if (*reader->p != '\n')
    return gmcp_toml_fail (reader, N_ ("the end of the line was expected"));

  reader->p++;
  reader->line++;
  return TRUE;
}

static char *
read_simple_key (GmcpTomlReader *reader)
{
  const char *start = reader->p;

  if (gmcp_toml_peek (reader) == '"' || gmcp_toml_peek (reader) == '\'')
    return gmcp_toml_read_string (reader, TRUE);

  while (reader->p < reader->end
         && (g_ascii_isalnum (*reader->p) || *reader->p == '_' || *reader->p == '-'))
    reader->p++;
  if (reader->p > start)
    return g_strndup (start, reader->p - start);

  gmcp_toml_fail (reader, N_ ("a key was expected"));
  return NULL;
}

/* One or more keys with dots between them. */
static GPtrArray *
read_key (GmcpTomlReader *reader)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  for (;;)
    {
      char *key = read_simple_key (reader);

      if (key == NULL)
        return NULL;
      g_ptr_array_add (keys, key);
      if (keys->len > GMCP_LIMIT_CONFIG_DEPTH)
        {
          gmcp_toml_fail (reader, N_ ("it is nested too deeply"));
          return NULL;
        }

      gmcp_toml_skip_blanks (reader);
      if (gmcp_toml_peek (reader) != '.')
        return g_steal_pointer (&keys);
      reader->p++;
      gmcp_toml_skip_blanks (reader);
    }
}

static GmcpConfigNode *
add_table (GmcpTomlReader *reader, GmcpConfigNode *parent, const char *key, guint flags)
{
  GmcpConfigNode *table = gmcp_toml_add (reader, GMCP_CONFIG_NODE_TABLE, NULL);

  if (table == NULL)
    return NULL;

  table->flags = flags;
  gmcp_config_node_insert (parent, key, table);
  return table;
}

/* A pair within the value of another one is read before that. */
static void
note_keys (GmcpTomlReader *reader, GPtrArray *keys)
{
  if (reader->places == NULL)
    return;
  g_clear_pointer (&reader->keys, g_ptr_array_unref);
  reader->keys = g_ptr_array_ref (keys);
}

/* The table that a pair with dots in its key goes into. */
static GmcpConfigNode *
walk_dots (GmcpTomlReader *reader, GmcpConfigNode *table, GPtrArray *keys)
{
  for (guint i = 0; table != NULL && i + 1 < keys->len; i++)
    {
      const char *key = g_ptr_array_index (keys, i);
      GmcpConfigNode *next = gmcp_config_node_lookup (table, key);

      if (next == NULL)
        next = add_table (reader, table, key, DOTTED);
      else if (next->kind != GMCP_CONFIG_NODE_TABLE || next->flags != DOTTED)
        {
          gmcp_toml_fail (reader, N_ ("the key adds to what is complete already"));
          return NULL;
        }
      table = next;
    }
  return table;
}

gboolean
gmcp_toml_read_pair (GmcpTomlReader *reader, GmcpConfigNode *table)
{
  g_autoptr (GPtrArray) keys = read_key (reader);
  guint line = reader->line;
  const char *last;
  GmcpConfigNode *value;

  if (keys == NULL)
    return FALSE;
  if (gmcp_toml_peek (reader) != '=')
    return gmcp_toml_fail (reader, N_ ("“=” was expected after the key"));

  reader->p++;
  gmcp_toml_skip_blanks (reader);
  last = g_ptr_array_index (keys, keys->len - 1);
  table = walk_dots (reader, table, keys);
  if (table == NULL)
    return FALSE;
  if (gmcp_config_node_lookup (table, last) != NULL)
    return gmcp_toml_fail (reader, N_ ("the key stands there twice"));

  value = gmcp_toml_read_value (reader);
  if (value == NULL)
    return FALSE;

  value->line = line;
  gmcp_config_node_insert (table, last, value);
  note_keys (reader, keys);
  return TRUE;
}

/* The table that a header's last key stands in. */
static GmcpConfigNode *
walk_header (GmcpTomlReader *reader, GmcpConfigNode *table, GPtrArray *keys)
{
  for (guint i = 0; table != NULL && i + 1 < keys->len; i++)
    {
      const char *key = g_ptr_array_index (keys, i);
      GmcpConfigNode *next = gmcp_config_node_lookup (table, key);

      if (next == NULL)
        next = add_table (reader, table, key, 0);
      else if ((next->flags & ARRAY_OF_TABLES) != 0)
        next = g_ptr_array_index (next->items, next->items->len - 1);
      else if (next->kind != GMCP_CONFIG_NODE_TABLE || (next->flags & GMCP_TOML_CLOSED) != 0)
        {
          gmcp_toml_fail (reader, N_ ("the header adds to what is complete already"));
          return NULL;
        }
      table = next;
    }
  return table;
}

static GmcpConfigNode *
define_table (GmcpTomlReader *reader, GmcpConfigNode *parent, const char *key)
{
  GmcpConfigNode *table = gmcp_config_node_lookup (parent, key);

  if (table == NULL)
    return add_table (reader, parent, key, DEFINED);
  if (table->kind != GMCP_CONFIG_NODE_TABLE || table->flags != 0)
    {
      gmcp_toml_fail (reader, N_ ("the table stands there twice"));
      return NULL;
    }

  table->flags = DEFINED;
  table->line = reader->line;
  return table;
}

static GmcpConfigNode *
define_element (GmcpTomlReader *reader, GmcpConfigNode *parent, const char *key)
{
  GmcpConfigNode *array = gmcp_config_node_lookup (parent, key);
  GmcpConfigNode *table = gmcp_toml_add (reader, GMCP_CONFIG_NODE_TABLE, NULL);

  if (table == NULL)
    return NULL;
  if (array == NULL)
    {
      array = gmcp_toml_add (reader, GMCP_CONFIG_NODE_ARRAY, NULL);
      if (array == NULL)
        return NULL;
      array->flags = ARRAY_OF_TABLES;
      gmcp_config_node_insert (parent, key, array);
    }
  if ((array->flags & ARRAY_OF_TABLES) == 0)
    {
      gmcp_toml_fail (reader, N_ ("the array adds to what is complete already"));
      return NULL;
    }

  table->flags = DEFINED;
  gmcp_config_node_append (array, table);
  return table;
}

/* [TABLE] or [[ARRAY OF TABLES]]: the table that the next pairs go into. */
static GmcpConfigNode *
read_header (GmcpTomlReader *reader, GmcpConfigNode *root)
{
  gboolean element = reader->end - reader->p > 1 && reader->p[1] == '[';
  g_autoptr (GPtrArray) keys = NULL;
  GmcpConfigNode *parent;
  const char *last;

  reader->p += element ? 2 : 1;
  gmcp_toml_skip_blanks (reader);
  keys = read_key (reader);
  if (keys == NULL)
    return NULL;
  if (gmcp_toml_peek (reader) != ']'
      || (element && (reader->end - reader->p < 2 || reader->p[1] != ']')))
    {
      gmcp_toml_fail (reader, N_ ("the header does not end with as many brackets as it starts"));
      return NULL;
    }

  reader->p += element ? 2 : 1;
  parent = walk_header (reader, root, keys);
  if (parent == NULL)
    return NULL;

  note_keys (reader, keys);
  last = g_ptr_array_index (keys, keys->len - 1);
  return element ? define_element (reader, parent, last) : define_table (reader, parent, last);
}

static gboolean
read_lines (GmcpTomlReader *reader, GmcpConfigNode *root)
{
  GmcpConfigNode *table = root;
  const char *text = reader->p;

  while (reader->p < reader->end)
    {
      gsize start = (gsize) (reader->p - text);
      int c;

      gmcp_toml_skip_blanks (reader);
      c = gmcp_toml_peek (reader);
      if (c == '[')
        table = read_header (reader, root);
      else if (c != -1 && c != '\n' && c != '\r' && c != '#'
               && !gmcp_toml_read_pair (reader, table))
        return FALSE;
      if (table == NULL || !gmcp_toml_read_line_end (reader))
        return FALSE;
      if (reader->keys != NULL)
        gmcp_toml_add_place (reader, c == '[', start, (gsize) (reader->p - text));
    }
  return TRUE;
}

static GmcpConfigNode *
read_text (const char *text,
           gsize length,
           GmcpConfigTree *tree,
           GPtrArray *places,
           guint *error_line,
           GError **error)
{
  GmcpTomlReader reader
    = { .p = text, .end = text + length, .line = 1, .tree = tree, .places = places };
  GmcpConfigNode *root = gmcp_config_tree_add (tree, GMCP_CONFIG_NODE_TABLE, 1, NULL);
  gboolean done = read_lines (&reader, root);

  g_clear_pointer (&reader.keys, g_ptr_array_unref);
  g_clear_pointer (&reader.table, g_ptr_array_unref);
  if (done)
    return root;

  *error_line = reader.line;
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                       reader.problem != NULL ? _ (reader.problem) : _ ("no valid TOML"));
  return NULL;
}

GmcpConfigNode *
gmcp_toml_read (const char *text,
                gsize length,
                GmcpConfigTree *tree,
                guint *error_line,
                GError **error)
{
  return read_text (text, length, tree, NULL, error_line, error);
}

GPtrArray *
gmcp_toml_list_places (const char *text, gsize length, GError **error)
{
  g_autoptr (GmcpConfigTree) tree = gmcp_config_tree_new ();
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (gmcp_toml_place_free);
  guint line = 0;

  return read_text (text, length, tree, places, &line, error) != NULL ? g_steal_pointer (&places)
                                                                      : NULL;
}
