/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-document-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-toml-private.h"
#include "gmcp-yaml-private.h"

typedef GmcpConfigNode *(*ReadTree) (const char *text,
                                     gsize length,
                                     GmcpConfigTree *tree,
                                     guint *error_line,
                                     GError **error);

GmcpConfigFormat
gmcp_config_format_guess (const char *file_name)
{
  static const struct
  {
    const char *suffix;
    GmcpConfigFormat format;
  } suffixes[] = {
    { ".yaml", GMCP_CONFIG_FORMAT_YAML },
    { ".yml", GMCP_CONFIG_FORMAT_YAML },
    { ".toml", GMCP_CONFIG_FORMAT_TOML },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      if (file_name != NULL && g_str_has_suffix (file_name, suffixes[i].suffix))
        return suffixes[i].format;
    }
  return GMCP_CONFIG_FORMAT_JSON;
}

static guint
count_lines (const char *text, gsize length)
{
  guint line = 1;

  for (gsize i = 0; i < length; i++)
    line += text[i] == '\n';
  return line;
}

static void
mark_lines (GmcpConfigDocument *document, const char *text, gsize length)
{
  GmcpConfigMark mark = { 0, 1 };

  g_array_append_val (document->marks, mark);
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] != '\n')
        continue;
      mark.offset = i + 1;
      mark.line++;
      g_array_append_val (document->marks, mark);
    }
}

static gboolean
parse_json (GmcpConfigDocument *document,
            const char *text,
            gsize length,
            guint *error_line,
            GError **error)
{
  char *relaxed = g_memdup2 (text, length);
  gsize error_offset = 0;

  if (length > 0)
    gmcp_jsonc_relax_json (relaxed, length);
  mark_lines (document, text, length);
  document->text = g_bytes_new_take (relaxed, length);
  document->json = gmcp_json_doc_parse_at (relaxed, length, document->text, GMCP_LIMIT_CONFIG_DEPTH,
                                           &error_offset, error);
  if (document->json != NULL)
    return TRUE;

  *error_line = count_lines (text, MIN (error_offset, length));
  return FALSE;
}

static gboolean
parse_tree (GmcpConfigDocument *document,
            ReadTree read_tree,
            const char *text,
            gsize length,
            guint *error_line,
            GError **error)
{
  g_autoptr (GmcpConfigTree) tree = gmcp_config_tree_new ();
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpConfigNode *root = NULL;
  const char *invalid = NULL;

  if (!g_utf8_validate_len (text, length, &invalid))
    {
      *error_line = count_lines (text, invalid - text);
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("no valid UTF-8"));
      return FALSE;
    }

  root = read_tree (text, length, tree, error_line, error);
  if (root == NULL || !gmcp_config_node_write (root, out, document->marks, error))
    return FALSE;

  document->text = g_string_free_to_bytes (g_steal_pointer (&out));
  document->json
    = gmcp_json_doc_parse (g_bytes_get_data (document->text, NULL),
                           g_bytes_get_size (document->text), document->text, 0, error);
  return document->json != NULL;
}

static gboolean
parse_text (GmcpConfigDocument *document,
            const char *text,
            gsize length,
            guint *error_line,
            GError **error)
{
  switch (document->format)
    {
    case GMCP_CONFIG_FORMAT_YAML:
      return parse_tree (document, gmcp_yaml_read, text, length, error_line, error);
    case GMCP_CONFIG_FORMAT_TOML:
      return parse_tree (document, gmcp_toml_read, text, length, error_line, error);
    case GMCP_CONFIG_FORMAT_JSON:
    default:
      return parse_json (document, text, length, error_line, error);
    }
}

GmcpConfigDocument *
gmcp_config_document_parse (const char *text,
                            gsize length,
                            GmcpConfigFormat format,
                            guint *error_line,
                            GError **error)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  g_autoptr (GmcpConfigDocument) document = g_new0 (GmcpConfigDocument, 1);

  *error_line = 0;
  document->format = format;
  document->marks = g_array_new (FALSE, FALSE, sizeof (GmcpConfigMark));
  /* Some editors put one first. */
  if (length >= strlen (byte_order_mark)
      && memcmp (text, byte_order_mark, strlen (byte_order_mark)) == 0)
    {
      text += strlen (byte_order_mark);
      length -= strlen (byte_order_mark);
    }

  return parse_text (document, text, length, error_line, error) ? g_steal_pointer (&document)
                                                                : NULL;
}

void
gmcp_config_document_free (GmcpConfigDocument *document)
{
  g_clear_pointer (&document->json, gmcp_json_doc_unref);
  g_clear_pointer (&document->text, g_bytes_unref);
  g_array_unref (document->marks);
  g_free (document);
}

guint
gmcp_config_document_get_line (GmcpConfigDocument *document, GmcpJsonValue value)
{
  const char *start = g_bytes_get_data (document->text, NULL);
  gsize length;
  const char *raw;
  guint low = 0;
  guint high = document->marks->len;

  if (!gmcp_json_value_is_present (value) || value.doc != document->json)
    return 0;

  raw = gmcp_json_value_peek_raw (value, &length);
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (document->marks, GmcpConfigMark, middle).offset <= (gsize) (raw - start))
        low = middle;
      else
        high = middle;
    }
  return g_array_index (document->marks, GmcpConfigMark, low).line;
}
