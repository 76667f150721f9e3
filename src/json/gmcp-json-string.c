/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-doc-private.h"
#include "gmcp-json-scan-private.h"
#include "gmcp-memory-private.h"

static guint
hex4 (const char *digits)
{
  guint number = 0;

  for (guint i = 0; i < 4; i++)
    number = number << 4 | (guint) g_ascii_xdigit_value (digits[i]);
  return number;
}

static gboolean
is_high_surrogate (guint unit)
{
  return (unit & 0xfc00) == 0xd800;
}

static gboolean
is_low_surrogate (guint unit)
{
  return (unit & 0xfc00) == 0xdc00;
}

/* One escape, known to be well-formed, at *text, a backslash. Writes at most as many bytes as it
 * reads. */
static guint
decode_escape (const char **text, const char *end, char *out)
{
  const char *p = *text + 2;
  gunichar code;

  if (p[-1] != 'u')
    {
      *text = p;
      *out = gmcp_json_escape_meaning (p[-1]);
      return 1;
    }

  code = hex4 (p);
  p += 4;
  if (is_high_surrogate (code) && end - p >= 6 && p[0] == '\\' && p[1] == 'u'
      && is_low_surrogate (hex4 (p + 2)))
    {
      code = 0x10000 + ((code & 0x3ff) << 10) + (hex4 (p + 2) & 0x3ff);
      p += 6;
    }
  else if (code == 0 || is_high_surrogate (code) || is_low_surrogate (code))
    {
      code = 0xfffd;
    }
  *text = p;
  return (guint) g_unichar_to_utf8 (code, out);
}

gsize
gmcp_json_unescape (const char *text, gsize length, char *out)
{
  const char *end = text + length;
  char *to = out;

  while (text < end)
    {
      gmcp_json_copy_plain (&text, end, &to);
      while (text < end && *text == '\\')
        to += decode_escape (&text, end, to);
    }
  return (gsize) (to - out);
}

const char *
gmcp_json_value_peek_plain (GmcpJsonValue value, gsize *length)
{
  const GmcpJsonCell *cell;

  *length = 0;
  if (!gmcp_json_value_is_string (value))
    return NULL;

  cell = gmcp_json_value_cell (value);
  if (!gmcp_json_cell_is_plain (cell))
    return NULL;
  *length = cell->length - 2;
  return value.doc->data + cell->offset + 1;
}

/* NULL for what is no string. The text is NUL-terminated; *length is without that. */
static char *
dup_string (GmcpJsonValue value, gsize *length)
{
  const GmcpJsonCell *cell;
  const char *text;
  char *string;

  if (!gmcp_json_value_is_string (value))
    return NULL;

  cell = gmcp_json_value_cell (value);
  text = value.doc->data + cell->offset + 1;
  *length = cell->length - 2;
  string = g_malloc (*length + 1);
  gmcp_advise_large_block (string, *length + 1);
  if (gmcp_json_cell_is_plain (cell))
    {
      memcpy (string, text, *length);
    }
  else
    {
      *length = gmcp_json_unescape (text, *length, string);
      string = g_realloc (string, *length + 1);
    }
  string[*length] = '\0';
  return string;
}

char *
gmcp_json_value_dup_string (GmcpJsonValue value)
{
  gsize length;

  return dup_string (value, &length);
}

GBytes *
gmcp_json_value_dup_string_bytes (GmcpJsonValue value)
{
  gsize length;
  char *string = dup_string (value, &length);

  return string != NULL ? g_bytes_new_take (string, length) : NULL;
}

const char *
gmcp_json_value_view_string (GmcpJsonValue value, gsize *length, char **to_free)
{
  const char *plain = gmcp_json_value_peek_plain (value, length);

  *to_free = NULL;
  if (plain != NULL)
    return plain;
  *to_free = dup_string (value, length);
  return *to_free;
}

gboolean
gmcp_json_value_equals_string_len (GmcpJsonValue value, const char *string, gsize length)
{
  const GmcpJsonCell *cell;
  const char *text;
  const char *end;

  g_return_val_if_fail (string != NULL, FALSE);

  if (!gmcp_json_value_is_string (value))
    return FALSE;

  cell = gmcp_json_value_cell (value);
  text = value.doc->data + cell->offset + 1;
  end = text + cell->length - 2;
  if (gmcp_json_cell_is_plain (cell))
    return length == (gsize) (end - text) && memcmp (text, string, length) == 0;

  while (text < end)
    {
      char decoded[6] = { *text };
      guint n = 1;

      if (*text == '\\')
        n = decode_escape (&text, end, decoded);
      else
        text++;
      /* Decoded text holds no NUL, so this stops at the end of the string at the latest. */
      if (strncmp (decoded, string, n) != 0)
        return FALSE;
      string += n;
    }
  return *string == '\0';
}
