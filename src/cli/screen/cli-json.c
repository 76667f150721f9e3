/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-json.h"

#include <gmcp/json/gmcp-json.h>
#include <unistd.h>

#include "cli-text.h"

JsonNode *
cli_json_describe (const char *text, const char *first_name, ...)
{
  g_autoptr (JsonNode) node = gmcp_json_parse (text, -1, NULL);
  g_autoptr (JsonObject) object = json_object_new ();
  JsonObjectIter iter;
  const char *member;
  JsonNode *value;
  va_list members;

  va_start (members, first_name);
  for (member = first_name; member != NULL; member = va_arg (members, const char *))
    {
      const char *own = va_arg (members, const char *);

      if (own != NULL)
        json_object_set_string_member (object, member, own);
    }
  va_end (members);

  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &member, &value))
    {
      if (!json_object_has_member (object, member))
        json_object_set_member (object, member, json_node_copy (value));
    }
  return json_node_init_object (json_node_alloc (), object);
}

static char *
dup_camel_case (const char *name)
{
  GString *out = g_string_new (NULL);

  for (; *name != '\0'; name++)
    {
      if (*name == '_' && g_ascii_isalpha (name[1]))
        g_string_append_c (out, g_ascii_toupper (*++name));
      else
        g_string_append_c (out, *name);
    }
  return g_string_free (out, FALSE);
}

JsonNode *
cli_json_new_strings (const char *const *strings)
{
  g_autoptr (JsonArray) array = json_array_new ();

  for (gsize i = 0; strings != NULL && strings[i] != NULL; i++)
    json_array_add_string_element (array, strings[i]);
  return json_node_init_array (json_node_alloc (), array);
}

JsonNode *
cli_json_rename_members (JsonNode *node)
{
  g_autoptr (JsonObject) renamed = json_object_new ();
  JsonObjectIter iter;
  const char *member;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &member, &value))
    {
      g_autofree char *name = dup_camel_case (member);

      json_object_set_member (renamed, name, json_node_copy (value));
    }
  return json_node_init_object (json_node_alloc (), renamed);
}

/* A string with its quotes; gives what follows it. */
static const char *
append_string (GString *out, const char *p)
{
  const char *begin = p++;

  while (*p != '\0' && *p != '"')
    p += *p == '\\' && p[1] != '\0' ? 2 : 1;
  if (*p == '"')
    p++;
  g_string_append_len (out, begin, p - begin);
  return p;
}

static void
append_line (GString *out, guint level, gboolean indented)
{
  if (!indented)
    return;
  g_string_append_c (out, '\n');
  for (guint i = 0; i < level; i++)
    g_string_append (out, "  ");
}

static const char *
skip_space (const char *p)
{
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
    p++;
  return p;
}

char *
cli_json_format (const char *text, gboolean indented)
{
  GString *out = g_string_new (NULL);
  guint level = 0;

  for (const char *p = skip_space (text); *p != '\0'; p = skip_space (p))
    {
      if (*p == '"')
        {
          p = append_string (out, p);
          continue;
        }
      if (*p == '}' || *p == ']')
        {
          level = level > 0 ? level - 1 : 0;
          append_line (out, level, indented);
        }
      g_string_append_c (out, *p);
      if (*p == ':' && indented)
        g_string_append_c (out, ' ');
      if (*p == ',')
        append_line (out, level, indented);
      if (*p == '{' || *p == '[')
        {
          const char *next = skip_space (p + 1);

          if (*next == '}' || *next == ']')
            {
              g_string_append_c (out, *next);
              p = next;
            }
          else
            append_line (out, ++level, indented);
        }
      p++;
    }
  return g_string_free (out, FALSE);
}

void
cli_json_print (const char *text)
{
  g_autofree char *formatted = cli_json_format (text, isatty (STDOUT_FILENO));

  cli_text_print_json (formatted);
}

void
cli_json_print_node (JsonNode *node)
{
  g_autofree char *text = gmcp_json_print (node, NULL);

  cli_json_print (text);
}

void
cli_json_print_array (JsonArray *array)
{
  g_autoptr (JsonArray) owned = array;
  g_autoptr (JsonNode) root = json_node_init_array (json_node_alloc (), owned);

  cli_json_print_node (root);
}
