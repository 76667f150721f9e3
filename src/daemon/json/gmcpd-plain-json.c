/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcpd-plain-json.h"

/* What json-glib would take though it is no JSON, and what would be too deep for it. */
static gboolean
is_plain_json (const char *text, gsize length)
{
  guint depth = 0;
  gboolean in_string = FALSE;

  for (gsize i = 0; i < length; i++)
    {
      char c = text[i];

      if (in_string)
        {
          if ((guchar) c < 0x20)
            return FALSE;
          if (c == '\\')
            i++;
          else if (c == '"')
            in_string = FALSE;
        }
      else if (c == '"')
        in_string = TRUE;
      else if (c == '[' || c == '{')
        {
          if (++depth > GMCPD_PLAIN_JSON_MAX_DEPTH)
            return FALSE;
        }
      else if (c == ']' || c == '}')
        {
          if (depth-- == 0)
            return FALSE;
        }
      else if (c == '\0' || strchr (" \t\r\n,:-+.0123456789aeflnrstuE", c) == NULL)
        return FALSE;
    }
  return depth == 0 && !in_string;
}

JsonObject *
gmcpd_plain_json_parse_object (const char *text, gsize length)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonNode *root = NULL;

  if (length > 0 && g_utf8_validate_len (text, length, NULL) && is_plain_json (text, length)
      && json_parser_load_from_data (parser, text, (gssize) length, NULL))
    root = json_parser_get_root (parser);
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root)
           ? json_object_ref (json_node_get_object (root))
           : NULL;
}
