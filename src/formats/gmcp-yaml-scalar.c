/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-yaml-scalar-private.h"

static const char *
skip_digits (const char *p)
{
  while (g_ascii_isdigit (*p))
    p++;
  return p;
}

/* 0o17 and 0x1f; NULL for what is neither. */
static char *
read_based (const char *text)
{
  int base = strncmp (text, "0o", 2) == 0 ? 8 : strncmp (text, "0x", 2) == 0 ? 16 : 0;
  guint64 number = 0;

  if (base == 0 || !g_ascii_isxdigit (text[2])
      || !g_ascii_string_to_unsigned (text + 2, base, 0, G_MAXINT64, &number, NULL))
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT, number);
}

/* A number as JSON writes it, which wants digits on both sides of the dot and no zeros in front. */
static char *
read_number (const char *text)
{
  const char *start = *text == '-' || *text == '+' ? text + 1 : text;
  const char *dot = skip_digits (start);
  const char *end = *dot == '.' ? skip_digits (dot + 1) : dot;
  const char *exponent = end;
  const char *first = start;

  if (*exponent == 'e' || *exponent == 'E')
    {
      const char *digits = exponent + (exponent[1] == '-' || exponent[1] == '+' ? 2 : 1);

      end = skip_digits (digits);
      if (end == digits)
        return NULL;
    }
  if (*end != '\0' || (dot == start && (*dot != '.' || !g_ascii_isdigit (dot[1]))))
    return NULL;

  while (*first == '0' && first + 1 < dot)
    first++;
  if (*dot != '.')
    return g_strdup_printf ("%s%.*s%s", *text == '-' ? "-" : "", (int) (dot - first), first,
                            exponent);
  return g_strdup_printf ("%s%s%.*s.%s%.*s%s", *text == '-' ? "-" : "", dot == start ? "0" : "",
                          (int) (dot - first), first, exponent == dot + 1 ? "0" : "",
                          (int) (exponent - dot - 1), dot + 1, exponent);
}

char *
gmcp_yaml_resolve_plain (const char *text)
{
  static const struct
  {
    const char *text;
    const char *json;
  } words[] = {
    { "", "null" },       { "~", "null" },      { "null", "null" },   { "Null", "null" },
    { "NULL", "null" },   { "true", "true" },   { "True", "true" },   { "TRUE", "true" },
    { "false", "false" }, { "False", "false" }, { "FALSE", "false" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_str_equal (text, words[i].text))
        return g_strdup (words[i].json);
    }

  if (strncmp (text, "0o", 2) == 0 || strncmp (text, "0x", 2) == 0)
    return read_based (text);
  return g_ascii_isdigit (*text) || strchr ("+-.", *text) != NULL ? read_number (text) : NULL;
}
