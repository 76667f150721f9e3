/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-doc-private.h"

GmcpJsonDoc *
gmcp_json_doc_new (GmcpJsonCell *cells,
                   guint32 n_cells,
                   gboolean take_cells,
                   const char *data,
                   gsize length,
                   GBytes *owner)
{
  gsize cells_size = n_cells * sizeof *cells;
  gsize copied_cells = take_cells ? 0 : cells_size;
  gsize copied_bytes = owner != NULL ? 0 : length;
  GmcpJsonDoc *doc = g_malloc (sizeof *doc + copied_cells + copied_bytes);
  char *tail = (char *) (doc + 1);

  g_atomic_ref_count_init (&doc->ref_count);
  doc->cells_allocated = take_cells;
  if (take_cells)
    doc->cells = g_realloc (cells, cells_size);
  else
    doc->cells = memcpy (tail, cells, cells_size);

  if (owner != NULL)
    doc->data = data;
  else
    doc->data = memcpy (tail + copied_cells, data, length);
  doc->owner = owner != NULL ? g_bytes_ref (owner) : NULL;
  return doc;
}

GmcpJsonDoc *
gmcp_json_doc_ref (GmcpJsonDoc *doc)
{
  g_return_val_if_fail (doc != NULL, NULL);

  g_atomic_ref_count_inc (&doc->ref_count);
  return doc;
}

void
gmcp_json_doc_unref (GmcpJsonDoc *doc)
{
  g_return_if_fail (doc != NULL);

  if (!g_atomic_ref_count_dec (&doc->ref_count))
    return;

  if (doc->cells_allocated)
    g_free (doc->cells);
  g_clear_pointer (&doc->owner, g_bytes_unref);
  g_free (doc);
}

GmcpJsonValue
gmcp_json_doc_get_root (GmcpJsonDoc *doc)
{
  return (GmcpJsonValue){ doc, 0 };
}

GBytes *
gmcp_json_value_dup_owned (GmcpJsonValue value)
{
  GBytes *owner = value.doc->owner;
  const GmcpJsonCell *cell = gmcp_json_value_cell (value);
  const char *buffer;

  if (owner == NULL || cell->length < g_bytes_get_size (owner) / 8 * 7)
    return NULL;

  buffer = g_bytes_get_data (owner, NULL);
  return g_bytes_new_from_bytes (owner, (gsize) (value.doc->data + cell->offset - buffer),
                                 cell->length);
}

GmcpJsonDoc *
gmcp_json_value_copy_to_doc (GmcpJsonValue value)
{
  const GmcpJsonCell *root;
  GmcpJsonDoc *doc;
  guint32 n_cells;

  if (value.doc == NULL)
    return NULL;

  root = gmcp_json_value_cell (value);
  n_cells = root->next - value.index;
  doc = gmcp_json_doc_new (&value.doc->cells[value.index], n_cells, FALSE,
                           value.doc->data + root->offset, root->length, NULL);
  for (guint32 i = 0; i < n_cells; i++)
    {
      doc->cells[i].offset -= root->offset;
      doc->cells[i].next -= value.index;
    }
  return doc;
}

gsize
gmcp_json_value_get_copy_bytes (GmcpJsonValue value)
{
  const GmcpJsonCell *root;

  if (value.doc == NULL)
    return 0;

  root = gmcp_json_value_cell (value);
  return sizeof (GmcpJsonDoc) + (root->next - value.index) * sizeof *root + root->length;
}
