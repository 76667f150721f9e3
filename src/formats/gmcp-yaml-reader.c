/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-yaml-private.h"

#ifdef HAVE_YAML

#include <string.h>

#include "gmcp-libyaml-private.h"
#include "gmcp-yaml-scalar-private.h"

#define TAG_PREFIX "tag:yaml.org,2002:"
#define OPEN       1u /* a node whose end has not come yet */

/* A container that is open. */
typedef struct
{
  GmcpConfigNode *node;
  char *key; /* of a mapping, once it was read */
  guint key_line;
  GPtrArray *merged; /* of GmcpConfigNode: what << refers to, or NULL */
} Frame;

typedef struct
{
  const GmcpLibyaml *yaml;
  yaml_parser_t parser;
  GmcpConfigTree *tree;
  GHashTable *anchors; /* name → node */
  GArray *frames;
  GmcpConfigNode *root;
  guint n_documents;
  guint n_merged; /* keys that << brought, and tried to */
  guint line;
  const char *problem; /* untranslated */
  char *doubled;       /* the key that stands there twice */
} Reader;

static void
frame_clear (gpointer data)
{
  Frame *frame = data;

  g_free (frame->key);
  g_clear_pointer (&frame->merged, g_ptr_array_unref);
}

static gboolean
fail_reading (Reader *reader, const char *problem)
{
  reader->problem = problem;
  return FALSE;
}

static Frame *
get_top_frame (Reader *reader)
{
  return reader->frames->len > 0 ? &g_array_index (reader->frames, Frame, reader->frames->len - 1)
                                 : NULL;
}

static gboolean
remember_merge (Reader *reader, Frame *frame, GmcpConfigNode *node)
{
  if (frame->merged == NULL)
    frame->merged = g_ptr_array_new ();
  if (node->kind == GMCP_CONFIG_NODE_TABLE)
    {
      g_ptr_array_add (frame->merged, node);
      return TRUE;
    }
  if (node->kind != GMCP_CONFIG_NODE_ARRAY)
    return fail_reading (reader, N_ ("“<<” does not refer to a mapping"));

  /* Looked into once it is complete. */
  g_ptr_array_add (frame->merged, node);
  return TRUE;
}

static gboolean
take_key (Reader *reader, Frame *frame, GmcpConfigNode *node)
{
  if (node->text == NULL)
    return fail_reading (reader, N_ ("a key that is no plain text"));

  frame->key = g_strdup (node->text);
  frame->key_line = node->line;
  return TRUE;
}

/* A node is complete, or its start was read: it is put where it belongs. */
static gboolean
place_node (Reader *reader, GmcpConfigNode *node)
{
  Frame *frame = get_top_frame (reader);
  gboolean placed = TRUE;

  if (frame == NULL)
    {
      reader->root = node;
      return TRUE;
    }
  if (frame->node->kind == GMCP_CONFIG_NODE_ARRAY)
    {
      gmcp_config_node_append (frame->node, node);
      return TRUE;
    }
  if (frame->key == NULL)
    return take_key (reader, frame, node);

  if (g_str_equal (frame->key, "<<"))
    placed = remember_merge (reader, frame, node);
  else if (!gmcp_config_node_insert (frame->node, frame->key, node))
    {
      reader->doubled = g_strdup (frame->key);
      placed = FALSE;
    }
  else if ((node->flags & OPEN) != 0 || node->text != NULL)
    node->line = frame->key_line;
  g_clear_pointer (&frame->key, g_free);
  return placed;
}

static GmcpConfigNode *
add_node (Reader *reader, GmcpConfigNodeKind kind, char *text, const yaml_char_t *anchor)
{
  GmcpConfigNode *node;

  if (reader->tree->nodes->len >= GMCP_LIMIT_CONFIG_VALUES)
    {
      g_free (text);
      fail_reading (reader, N_ ("it holds too many values"));
      return NULL;
    }

  node = gmcp_config_tree_add (reader->tree, kind, reader->line, text);
  if (anchor != NULL)
    g_hash_table_insert (reader->anchors, g_strdup ((const char *) anchor), node);
  return node;
}

/* Text that holds U+0000 cannot be held here. */
static char *
dup_text (const yaml_char_t *value, gsize length)
{
  g_autoptr (GString) text = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    {
      if (value[i] == '\0')
        g_string_append (text, "\xef\xbf\xbd");
      else
        g_string_append_c (text, (char) value[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_plain (const yaml_event_t *event)
{
  const char *tag = (const char *) event->data.scalar.tag;

  if (tag == NULL)
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  return g_str_equal (tag, TAG_PREFIX "int") || g_str_equal (tag, TAG_PREFIX "float")
         || g_str_equal (tag, TAG_PREFIX "bool") || g_str_equal (tag, TAG_PREFIX "null");
}

static gboolean
read_scalar (Reader *reader, const yaml_event_t *event)
{
  g_autofree char *text = dup_text (event->data.scalar.value, event->data.scalar.length);
  Frame *frame = get_top_frame (reader);
  gboolean is_key
    = frame != NULL && frame->node->kind == GMCP_CONFIG_NODE_TABLE && frame->key == NULL;
  char *json = !is_key && is_plain (event) ? gmcp_yaml_resolve_plain (text) : NULL;
  GmcpConfigNode *node
    = add_node (reader, json != NULL ? GMCP_CONFIG_NODE_PLAIN : GMCP_CONFIG_NODE_STRING,
                json != NULL ? json : g_steal_pointer (&text), event->data.scalar.anchor);

  return node != NULL && place_node (reader, node);
}

static gboolean
open_container (Reader *reader, GmcpConfigNodeKind kind, const yaml_char_t *anchor)
{
  GmcpConfigNode *node = add_node (reader, kind, NULL, anchor);
  Frame frame = { .node = node };

  if (node == NULL)
    return FALSE;
  if (reader->frames->len >= GMCP_LIMIT_CONFIG_DEPTH)
    return fail_reading (reader, N_ ("it is nested too deeply"));

  node->flags = OPEN;
  if (!place_node (reader, node))
    return FALSE;
  g_array_append_val (reader->frames, frame);
  return TRUE;
}

/* What << refers to is there where the mapping has no such key of its own. */
static gboolean
merge_mapping (Reader *reader, GmcpConfigNode *into, GmcpConfigNode *from)
{
  if (from->kind == GMCP_CONFIG_NODE_ARRAY)
    {
      for (guint i = 0; i < from->items->len; i++)
        {
          GmcpConfigNode *item = g_ptr_array_index (from->items, i);

          if (item->kind != GMCP_CONFIG_NODE_TABLE)
            return fail_reading (reader, N_ ("“<<” does not refer to a mapping"));
          if (!merge_mapping (reader, into, item))
            return FALSE;
        }
      return TRUE;
    }

  /* Few lines can ask for the same again and again. */
  reader->n_merged += from->items->len + 1;
  if (reader->n_merged > GMCP_LIMIT_CONFIG_VALUES)
    return fail_reading (reader, N_ ("it holds too many values"));
  for (guint i = 0; i < from->items->len; i++)
    gmcp_config_node_insert (into, g_ptr_array_index (from->keys, i),
                             g_ptr_array_index (from->items, i));
  return TRUE;
}

static gboolean
close_container (Reader *reader)
{
  Frame *frame = get_top_frame (reader);

  for (guint i = 0; frame->merged != NULL && i < frame->merged->len; i++)
    {
      if (!merge_mapping (reader, frame->node, g_ptr_array_index (frame->merged, i)))
        return FALSE;
    }

  frame->node->flags = 0;
  g_array_set_size (reader->frames, reader->frames->len - 1);
  return TRUE;
}

static gboolean
read_alias (Reader *reader, const yaml_event_t *event)
{
  GmcpConfigNode *node
    = g_hash_table_lookup (reader->anchors, (const char *) event->data.alias.anchor);

  if (node == NULL)
    return fail_reading (reader, N_ ("an alias of what has not been named before"));
  if ((node->flags & OPEN) != 0)
    return fail_reading (reader, N_ ("an alias within what it stands for"));
  return place_node (reader, node);
}

static gboolean
take_event (Reader *reader, const yaml_event_t *event)
{
  switch (event->type)
    {
    case YAML_DOCUMENT_START_EVENT:
      return reader->n_documents++ == 0
             || fail_reading (reader, N_ ("there is more than one document"));
    case YAML_SCALAR_EVENT:
      return read_scalar (reader, event);
    case YAML_ALIAS_EVENT:
      return read_alias (reader, event);
    case YAML_SEQUENCE_START_EVENT:
      return open_container (reader, GMCP_CONFIG_NODE_ARRAY, event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
      return open_container (reader, GMCP_CONFIG_NODE_TABLE, event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return close_container (reader);
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
    default:
      return TRUE;
    }
}

static gboolean
read_events (Reader *reader)
{
  for (;;)
    {
      yaml_event_t event;
      gboolean at_end;
      gboolean taken;

      if (!reader->yaml->parser_parse (&reader->parser, &event))
        {
          reader->line
            = MAX (reader->parser.problem_mark.line, reader->parser.context_mark.line) + 1;
          return FALSE;
        }

      reader->line = event.start_mark.line + 1;
      at_end = event.type == YAML_STREAM_END_EVENT;
      taken = take_event (reader, &event);
      reader->yaml->event_delete (&event);
      if (!taken || at_end)
        return taken;
    }
}

/* What people trip over in the line of an error, and a library does not say. */
static const char *
find_hint (const char *problem, const char *text, gsize length, guint line)
{
  const char *end = text + length;
  const char *start = text;
  g_autofree char *copy = NULL;

  for (; line > 1 && start != NULL && start < end; line--)
    {
      start = memchr (start, '\n', (gsize) (end - start));
      start = start != NULL ? start + 1 : NULL;
    }
  if (start == NULL || start >= end)
    return "";

  copy = g_strndup (start, (gsize) (end - start));
  copy[strcspn (copy, "\n")] = '\0';
  if (copy[strspn (copy, " ")] == '\t')
    return _ (". The line begins with a tab: YAML is indented with spaces");
  if (g_strcmp0 (problem, "did not find expected key") == 0
      || g_strcmp0 (problem, "did not find expected '-' indicator") == 0)
    return _ (". All keys of one object, or items of one list, begin in the same column");
  if (strpbrk (copy, "{}[]*&!%@`'\"") != NULL)
    return _ (". A text that begins with one of { [ * & ! % @ or has { } : # in it has to stand "
              "between quotes");
  return "";
}

static void
set_error (const Reader *reader, const char *text, gsize length, GError **error)
{
  const char *problem = reader->parser.problem;

  if (reader->doubled != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("the key “%s” stands there twice"), reader->doubled);
      return;
    }

  if (reader->problem != NULL)
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ (reader->problem));
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 /* Translators: the second part comes from a library, in English. */
                 _ ("no valid YAML: %s%s"), problem != NULL ? problem : _ ("it cannot be read"),
                 find_hint (problem, text, length, reader->line));
}

GmcpConfigNode *
gmcp_yaml_read (const char *text,
                gsize length,
                GmcpConfigTree *tree,
                guint *error_line,
                GError **error)
{
  Reader reader = { .yaml = gmcp_libyaml_load (error), .tree = tree, .line = 1 };
  gboolean fine;

  if (reader.yaml == NULL)
    return FALSE;
  if (!reader.yaml->parser_initialize (&reader.parser))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_FAILED, _ ("out of memory"));
      return NULL;
    }

  reader.yaml->parser_set_input_string (&reader.parser, (const unsigned char *) text, length);
  reader.yaml->parser_set_encoding (&reader.parser, YAML_UTF8_ENCODING);
  reader.anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reader.frames = g_array_new (FALSE, TRUE, sizeof (Frame));
  g_array_set_clear_func (reader.frames, frame_clear);
  fine = read_events (&reader);
  if (!fine)
    {
      *error_line = reader.line;
      set_error (&reader, text, length, error);
    }
  else if (reader.root == NULL)
    {
      reader.root = gmcp_config_tree_add (tree, GMCP_CONFIG_NODE_PLAIN, 1, g_strdup ("null"));
    }

  g_free (reader.doubled);
  g_array_unref (reader.frames);
  g_hash_table_unref (reader.anchors);
  reader.yaml->parser_delete (&reader.parser);
  return fine ? reader.root : NULL;
}

#else

GmcpConfigNode *
gmcp_yaml_read (const char *text,
                gsize length,
                GmcpConfigTree *tree,
                guint *error_line,
                GError **error)
{
  g_set_error_literal (
    error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
    _ ("this build of gmcp does not read YAML: use JSON or TOML, or build it with "
       "libyaml"));
  return NULL;
}

#endif
