/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What a reader of YAML or TOML builds: a tree that is then written as JSON, with the line that each
 * value stands in. All nodes belong to one tree and go with it, so that a node may stand in several
 * places. */

typedef enum
{
  GMCP_CONFIG_NODE_PLAIN,  /* JSON text: a number, true, false, null */
  GMCP_CONFIG_NODE_STRING, /* UTF-8 */
  GMCP_CONFIG_NODE_ARRAY,
  GMCP_CONFIG_NODE_TABLE,
} GmcpConfigNodeKind;

typedef struct _GmcpConfigNode GmcpConfigNode;

struct _GmcpConfigNode
{
  GmcpConfigNodeKind kind;
  guint line;
  guint flags;       /* the reader's own */
  char *text;        /* of a scalar */
  GPtrArray *items;  /* of GmcpConfigNode: the elements, or the values of a table */
  GPtrArray *keys;   /* of char *, as many */
  GHashTable *index; /* key → position + 1 */
};

typedef struct
{
  GPtrArray *nodes;
} GmcpConfigTree;

/* Where in the JSON text something starts, and the line of the file that it comes from. */
typedef struct
{
  gsize offset;
  guint line;
} GmcpConfigMark;

GmcpConfigTree *gmcp_config_tree_new (void);
void gmcp_config_tree_free (GmcpConfigTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigTree, gmcp_config_tree_free)

/* Takes text (NULL for containers). */
GmcpConfigNode *
gmcp_config_tree_add (GmcpConfigTree *tree, GmcpConfigNodeKind kind, guint line, char *text);

void gmcp_config_node_append (GmcpConfigNode *array, GmcpConfigNode *item);
/* FALSE where the key is there already; it is not changed then. */
gboolean gmcp_config_node_insert (GmcpConfigNode *table, const char *key, GmcpConfigNode *item);
GmcpConfigNode *gmcp_config_node_lookup (GmcpConfigNode *table, const char *key);

/* Appends the tree as JSON to out and a mark for each value to marks (of GmcpConfigMark). FALSE, with
 * GMCP_ERROR_LIMIT_EXCEEDED, where that gets too deep or too large. */
gboolean gmcp_config_node_write (GmcpConfigNode *root, GString *out, GArray *marks, GError **error);

G_END_DECLS
