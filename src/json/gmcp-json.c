/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/json/gmcp-json.h>

#include "gmcp-json-doc-private.h"
#include "gmcp-limits.h"

/**
 * gmcp_json_parse:
 * @text: a text
 * @length: its length in bytes, or -1 where it ends with a zero byte
 * @error: return location for a #GError
 *
 * Reads one value of JSON ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)) as strictly as the library reads what
 * comes from others, such as the arguments that a model wrote. json-glib takes much that is no JSON, cuts texts at
 * U+0000, and takes integers beyond 64 bits for others.
 *
 * U+0000 and lone surrogates come as U+FFFD, integers beyond 64 bits as doubles, and numbers too great for a double as
 * the greatest. Of two members with one name the last is taken.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON`, which names the byte, or `LIMIT_EXCEEDED` for what is nested too deep.
 *
 * Returns: (transfer full): a node that may be changed
 *
 * Since: 0.1
 */
JsonNode *
gmcp_json_parse (const char *text, gssize length, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (text, length < 0 ? strlen (text) : (gsize) length, NULL,
                             GMCP_LIMIT_JSON_WRITTEN_DEPTH, error);
  return doc != NULL ? gmcp_json_value_to_mutable_node (gmcp_json_doc_get_root (doc)) : NULL;
}

/**
 * gmcp_json_print:
 * @node: a node
 * @error: return location for a #GError
 *
 * Writes a node as one line of JSON, which every reader of JSON takes. json-glib writes some great numbers, such as
 * 1e20, in a way that is no JSON.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` for a number that is infinite or not a number, and with
 * `LIMIT_EXCEEDED` for what is nested too deep.
 *
 * Returns: (transfer full): a text
 *
 * Since: 0.1
 */
char *
gmcp_json_print (JsonNode *node, GError **error)
{
  g_autoptr (GString) text = NULL;
  GmcpJsonWriter writer;

  g_return_val_if_fail (node != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  text = g_string_new (NULL);
  writer = gmcp_json_writer_init (text);
  /* More than is read, so that what was read can be put into something. */
  if (!gmcp_json_writer_node_of_depth (&writer, node, GMCP_JSON_DEPTH_CEILING, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}
