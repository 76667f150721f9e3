/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-node-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

typedef struct
{
  GmcpJsonWriter writer;
  GArray *marks;
  guint depth;
} Output;

static void
node_free (gpointer data)
{
  GmcpConfigNode *node = data;

  g_free (node->text);
  g_clear_pointer (&node->items, g_ptr_array_unref);
  g_clear_pointer (&node->keys, g_ptr_array_unref);
  g_clear_pointer (&node->index, g_hash_table_unref);
  g_free (node);
}

GmcpConfigTree *
gmcp_config_tree_new (void)
{
  GmcpConfigTree *tree = g_new (GmcpConfigTree, 1);

  tree->nodes = g_ptr_array_new_with_free_func (node_free);
  return tree;
}

void
gmcp_config_tree_free (GmcpConfigTree *tree)
{
  g_ptr_array_unref (tree->nodes);
  g_free (tree);
}

GmcpConfigNode *
gmcp_config_tree_add (GmcpConfigTree *tree, GmcpConfigNodeKind kind, guint line, char *text)
{
  GmcpConfigNode *node = g_new0 (GmcpConfigNode, 1);

  node->kind = kind;
  node->line = line;
  node->text = text;
  if (kind == GMCP_CONFIG_NODE_ARRAY || kind == GMCP_CONFIG_NODE_TABLE)
    node->items = g_ptr_array_new ();
  if (kind == GMCP_CONFIG_NODE_TABLE)
    {
      node->keys = g_ptr_array_new_with_free_func (g_free);
      node->index = g_hash_table_new (g_str_hash, g_str_equal);
    }
  g_ptr_array_add (tree->nodes, node);
  return node;
}

void
gmcp_config_node_append (GmcpConfigNode *array, GmcpConfigNode *item)
{
  g_ptr_array_add (array->items, item);
}

gboolean
gmcp_config_node_insert (GmcpConfigNode *table, const char *key, GmcpConfigNode *item)
{
  char *own;

  if (g_hash_table_contains (table->index, key))
    return FALSE;

  own = g_strdup (key);
  g_ptr_array_add (table->keys, own);
  g_ptr_array_add (table->items, item);
  g_hash_table_insert (table->index, own, GUINT_TO_POINTER (table->items->len));
  return TRUE;
}

GmcpConfigNode *
gmcp_config_node_lookup (GmcpConfigNode *table, const char *key)
{
  guint position = GPOINTER_TO_UINT (g_hash_table_lookup (table->index, key));

  return position > 0 ? g_ptr_array_index (table->items, position - 1) : NULL;
}

static void
mark_line (Output *output, guint line)
{
  GmcpConfigMark at = { output->writer.out->len, line };

  g_array_append_val (output->marks, at);
}

static gboolean write_node (Output *output, GmcpConfigNode *node, GError **error);

static gboolean
write_items (Output *output, GmcpConfigNode *node, GError **error)
{
  for (guint i = 0; i < node->items->len; i++)
    {
      GmcpConfigNode *item = g_ptr_array_index (node->items, i);

      mark_line (output, item->line);
      if (node->keys != NULL)
        gmcp_json_writer_key (&output->writer, g_ptr_array_index (node->keys, i));
      if (!write_node (output, item, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_container (Output *output, GmcpConfigNode *node, GError **error)
{
  gboolean table = node->kind == GMCP_CONFIG_NODE_TABLE;

  if (++output->depth > GMCP_LIMIT_CONFIG_DEPTH)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, _ ("nested deeper than %u levels"),
                   GMCP_LIMIT_CONFIG_DEPTH);
      return FALSE;
    }

  if (table)
    gmcp_json_writer_begin_object (&output->writer);
  else
    gmcp_json_writer_begin_array (&output->writer);
  if (!write_items (output, node, error))
    return FALSE;
  if (table)
    gmcp_json_writer_end_object (&output->writer);
  else
    gmcp_json_writer_end_array (&output->writer);
  output->depth--;
  return TRUE;
}

static gboolean
write_node (Output *output, GmcpConfigNode *node, GError **error)
{
  /* A few lines of YAML can stand for a text without an end. */
  if (output->writer.out->len > GMCP_LIMIT_CONFIG_JSON_BYTES
      || output->marks->len > GMCP_LIMIT_CONFIG_VALUES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, "%s",
                   _ ("it stands for more values than a configuration may have"));
      return FALSE;
    }

  switch (node->kind)
    {
    case GMCP_CONFIG_NODE_PLAIN:
      gmcp_json_writer_raw (&output->writer, node->text, -1);
      return TRUE;
    case GMCP_CONFIG_NODE_STRING:
      gmcp_json_writer_string (&output->writer, node->text);
      return TRUE;
    case GMCP_CONFIG_NODE_ARRAY:
    case GMCP_CONFIG_NODE_TABLE:
    default:
      return write_container (output, node, error);
    }
}

gboolean
gmcp_config_node_write (GmcpConfigNode *root, GString *out, GArray *marks, GError **error)
{
  Output output = { .writer = gmcp_json_writer_init (out), .marks = marks };

  mark_line (&output, root->line);
  return write_node (&output, root, error);
}
