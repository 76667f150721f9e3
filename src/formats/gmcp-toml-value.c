/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-toml-private.h"

static gboolean
looking_at (const GmcpTomlReader *reader, const char *word)
{
  gsize length = strlen (word);

  return (gsize) (reader->end - reader->p) >= length && memcmp (reader->p, word, length) == 0;
}

static gboolean
read_code_point (GmcpTomlReader *reader, guint n_digits, GString *out)
{
  gunichar c = 0;

  for (guint i = 0; i < n_digits; i++)
    {
      int digit = reader->p < reader->end ? g_ascii_xdigit_value (*reader->p) : -1;

      if (digit == -1)
        return gmcp_toml_fail (reader, N_ ("a malformed escape in a string"));
      c = c * 16 + (gunichar) digit;
      reader->p++;
    }

  if (!g_unichar_validate (c))
    return gmcp_toml_fail (reader, N_ ("an escape that stands for no character"));
  /* A text of ours cannot hold it. */
  g_string_append_unichar (out, c != 0 ? c : 0xfffd);
  return TRUE;
}

/* A backslash at the end of a line: all white space up to the next text is no part of the string. */
static gboolean
skip_line_break (GmcpTomlReader *reader)
{
  gboolean broken = FALSE;

  for (; reader->p < reader->end && strchr (" \t\r\n", *reader->p) != NULL && *reader->p != '\0';
       reader->p++)
    {
      if (*reader->p == '\r' && (reader->end - reader->p < 2 || reader->p[1] != '\n'))
        break;
      if (*reader->p != '\n')
        {
          continue;
        }
      broken = TRUE;
      reader->line++;
    }
  return broken || gmcp_toml_fail (reader, N_ ("a malformed escape in a string"));
}

static gboolean
read_escape (GmcpTomlReader *reader, gboolean multi_line, GString *out)
{
  static const char letters[] = "btnfr\"\\";
  static const char characters[] = "\b\t\n\f\r\"\\";
  int c = gmcp_toml_peek (reader);
  const char *letter = c > 0 ? strchr (letters, c) : NULL;

  if (letter != NULL)
    {
      reader->p++;
      g_string_append_c (out, characters[letter - letters]);
      return TRUE;
    }
  if (c == 'u' || c == 'U')
    {
      reader->p++;
      return read_code_point (reader, c == 'u' ? 4 : 8, out);
    }
  if (multi_line)
    return skip_line_break (reader);
  return gmcp_toml_fail (reader, N_ ("a malformed escape in a string"));
}

/* The end of a text in three quotes, to which one or two more of them belong. */
static gboolean
at_end (GmcpTomlReader *reader, const char *quotes, GString *out)
{
  if (!looking_at (reader, quotes))
    return FALSE;

  reader->p += strlen (quotes);
  for (guint i = 0; i < 2 && quotes[1] != '\0' && gmcp_toml_peek (reader) == quotes[0]; i++)
    {
      g_string_append_c (out, quotes[0]);
      reader->p++;
    }
  return TRUE;
}

/* One character that stands for itself. */
static gboolean
read_plain (GmcpTomlReader *reader, gboolean multi_line, GString *out)
{
  guchar c = *reader->p;

  if (multi_line && c == '\r' && reader->end - reader->p > 1 && reader->p[1] == '\n')
    reader->p++;
  else if (c == '\n' && !multi_line)
    return gmcp_toml_fail (reader, N_ ("a string does not end before the line does"));
  else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
    return gmcp_toml_fail (reader, N_ ("a control character in a string"));

  if (*reader->p == '\n')
    reader->line++;
  g_string_append_c (out, *reader->p++);
  return TRUE;
}

char *
gmcp_toml_read_string (GmcpTomlReader *reader, gboolean one_line)
{
  gboolean basic = *reader->p == '"';
  gboolean multi_line = !one_line && looking_at (reader, basic ? "\"\"\"" : "'''");
  const char *quotes = basic ? (multi_line ? "\"\"\"" : "\"") : (multi_line ? "'''" : "'");
  g_autoptr (GString) out = g_string_new (NULL);

  reader->p += strlen (quotes);
  if (multi_line && (looking_at (reader, "\n") || looking_at (reader, "\r\n")))
    {
      reader->p += *reader->p == '\r' ? 2 : 1;
      reader->line++;
    }

  while (reader->p < reader->end)
    {
      gboolean fine;

      if (at_end (reader, quotes, out))
        return g_string_free (g_steal_pointer (&out), FALSE);

      if (basic && *reader->p == '\\')
        {
          reader->p++;
          fine = read_escape (reader, multi_line, out);
        }
      else
        {
          fine = read_plain (reader, multi_line, out);
        }
      if (!fine)
        return NULL;
    }

  gmcp_toml_fail (reader, N_ ("a string does not end"));
  return NULL;
}

/* White space, line ends and comments between the elements of an array. */
static gboolean
skip_gap (GmcpTomlReader *reader)
{
  for (;;)
    {
      int c;

      gmcp_toml_skip_blanks (reader);
      c = gmcp_toml_peek (reader);
      if (c != '\n' && c != '\r' && c != '#')
        return TRUE;
      if (!gmcp_toml_read_line_end (reader))
        return FALSE;
    }
}

static gboolean
read_elements (GmcpTomlReader *reader, GmcpConfigNode *array)
{
  for (;;)
    {
      GmcpConfigNode *element;

      if (!skip_gap (reader))
        return FALSE;
      if (gmcp_toml_peek (reader) == ']')
        break;

      element = gmcp_toml_read_value (reader);
      if (element == NULL || !skip_gap (reader))
        return FALSE;
      gmcp_config_node_append (array, element);
      if (gmcp_toml_peek (reader) == ']')
        break;
      if (gmcp_toml_peek (reader) != ',')
        return gmcp_toml_fail (reader, N_ ("a comma or “]” was expected"));
      reader->p++;
    }

  reader->p++;
  return TRUE;
}

static gboolean
read_members (GmcpTomlReader *reader, GmcpConfigNode *table)
{
  gmcp_toml_skip_blanks (reader);
  if (gmcp_toml_peek (reader) != '}')
    for (;;)
      {
        gmcp_toml_skip_blanks (reader);
        if (!gmcp_toml_read_pair (reader, table))
          return FALSE;
        gmcp_toml_skip_blanks (reader);
        if (gmcp_toml_peek (reader) == '}')
          break;
        if (gmcp_toml_peek (reader) != ',')
          return gmcp_toml_fail (reader, N_ ("a comma or “}” was expected"));
        reader->p++;
      }

  reader->p++;
  return TRUE;
}

static GmcpConfigNode *
read_container (GmcpTomlReader *reader)
{
  gboolean array = *reader->p == '[';
  GmcpConfigNode *node
    = gmcp_toml_add (reader, array ? GMCP_CONFIG_NODE_ARRAY : GMCP_CONFIG_NODE_TABLE, NULL);

  if (node == NULL)
    return NULL;
  if (++reader->depth > GMCP_LIMIT_CONFIG_DEPTH)
    {
      gmcp_toml_fail (reader, N_ ("it is nested too deeply"));
      return NULL;
    }

  reader->p++;
  if (!(array ? read_elements (reader, node) : read_members (reader, node)))
    return NULL;

  reader->depth--;
  node->flags = GMCP_TOML_CLOSED;
  return node;
}

GmcpConfigNode *
gmcp_toml_read_value (GmcpTomlReader *reader)
{
  int c = gmcp_toml_peek (reader);

  if (c == '"' || c == '\'')
    {
      guint line = reader->line;
      char *text = gmcp_toml_read_string (reader, FALSE);
      GmcpConfigNode *node
        = text != NULL ? gmcp_toml_add (reader, GMCP_CONFIG_NODE_STRING, text) : NULL;

      if (node != NULL)
        node->line = line;
      return node;
    }

  return c == '[' || c == '{' ? read_container (reader) : gmcp_toml_read_word (reader);
}
