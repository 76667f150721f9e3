/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-toml-private.h"

/* The values of TOML that are words: true and false, numbers, dates and times. */

/* Digits with an underscore between some; gives what follows, or NULL where there is none. */
static const char *
skip_digits (const char *p, int base, GString *out)
{
  const char *start = p;

  for (;; p++)
    {
      int digit = g_ascii_xdigit_value (*p);

      if (digit != -1 && digit < base)
        {
          g_string_append_c (out, *p);
          continue;
        }
      if (*p != '_' || p == start)
        break;
      digit = g_ascii_xdigit_value (p[1]);
      if (digit == -1 || digit >= base || p[-1] == '_')
        return NULL;
    }
  return p > start ? p : NULL;
}

static char *
read_based (const char *word)
{
  int base = word[1] == 'x' ? 16 : word[1] == 'o' ? 8 : 2;
  g_autoptr (GString) digits = g_string_new (NULL);
  const char *end = skip_digits (word + 2, base, digits);
  guint64 number = 0;

  if (end == NULL || *end != '\0'
      || !g_ascii_string_to_unsigned (digits->str, base, 0, G_MAXINT64, &number, NULL))
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT, number);
}

static char *
read_decimal (const char *word)
{
  g_autoptr (GString) out = g_string_new (*word == '-' ? "-" : NULL);
  const char *p = *word == '-' || *word == '+' ? word + 1 : word;
  gboolean whole = TRUE;
  gint64 number;

  if (*p == '0' && p[1] != '.' && p[1] != 'e' && p[1] != 'E' && p[1] != '\0')
    return NULL;
  p = skip_digits (p, 10, out);
  if (p != NULL && *p == '.')
    {
      whole = FALSE;
      g_string_append_c (out, '.');
      p = skip_digits (p + 1, 10, out);
    }
  if (p != NULL && (*p == 'e' || *p == 'E'))
    {
      whole = FALSE;
      g_string_append_c (out, 'e');
      p++;
      if (*p == '+' || *p == '-')
        g_string_append_c (out, *p++);
      p = skip_digits (p, 10, out);
    }

  if (p == NULL || *p != '\0'
      || (whole && !g_ascii_string_to_signed (out->str, 10, G_MININT64, G_MAXINT64, &number, NULL)))
    return NULL;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
read_two (const char **p, int low, int high, int *out)
{
  if (!g_ascii_isdigit ((*p)[0]) || !g_ascii_isdigit ((*p)[1]))
    return FALSE;

  *out = ((*p)[0] - '0') * 10 + (*p)[1] - '0';
  *p += 2;
  return *out >= low && *out <= high;
}

static gboolean
skip_char (const char **p, char c)
{
  if (**p != c)
    return FALSE;

  (*p)++;
  return TRUE;
}

static gboolean
read_date (const char **p)
{
  int century;
  int year;
  int month;
  int day;

  return read_two (p, 0, 99, &century) && read_two (p, 0, 99, &year) && skip_char (p, '-')
         && read_two (p, 1, 12, &month) && skip_char (p, '-') && read_two (p, 1, 31, &day)
         && (century > 0 || year > 0 ? g_date_valid_dmy (day, month, century * 100 + year)
                                     : day <= 29 || month != 2);
}

static gboolean
read_time (const char **p)
{
  int hour;
  int minute;
  int second;

  if (!read_two (p, 0, 23, &hour) || !skip_char (p, ':') || !read_two (p, 0, 59, &minute)
      || !skip_char (p, ':') || !read_two (p, 0, 60, &second))
    return FALSE;
  if (!skip_char (p, '.'))
    return TRUE;
  if (!g_ascii_isdigit (**p))
    return FALSE;
  while (g_ascii_isdigit (**p))
    (*p)++;
  return TRUE;
}

static gboolean
is_date_or_time (const char *word)
{
  const char *p = word;
  int hour;
  int minute;

  if (read_time (&p) && *p == '\0')
    return TRUE;

  p = word;
  if (!read_date (&p))
    return FALSE;
  if (*p == '\0')
    return TRUE;
  if (strchr ("Tt ", *p) == NULL)
    return FALSE;

  p++;
  if (!read_time (&p))
    return FALSE;
  if (*p == 'Z' || *p == 'z')
    p++;
  else if (*p == '+' || *p == '-')
    {
      p++;
      if (!read_two (&p, 0, 23, &hour) || !skip_char (&p, ':') || !read_two (&p, 0, 59, &minute))
        return FALSE;
    }
  return *p == '\0';
}

static gboolean
is_word_character (char c)
{
  return g_ascii_isalnum (c) || strchr ("+-_.:", c) != NULL;
}

/* A date and a time may have a space between them. */
static char *
take_word (GmcpTomlReader *reader)
{
  const char *start = reader->p;

  while (reader->p < reader->end && *reader->p != '\0' && is_word_character (*reader->p))
    reader->p++;
  if (reader->p - start == 10 && start[4] == '-' && reader->end - reader->p > 1 && *reader->p == ' '
      && g_ascii_isdigit (reader->p[1]))
    {
      reader->p++;
      while (reader->p < reader->end && *reader->p != '\0' && is_word_character (*reader->p))
        reader->p++;
    }
  return g_strndup (start, reader->p - start);
}

GmcpConfigNode *
gmcp_toml_read_word (GmcpTomlReader *reader)
{
  static const char *const endless[] = { "inf", "+inf", "-inf", "nan", "+nan", "-nan", NULL };
  g_autofree char *word = take_word (reader);
  char *text = NULL;

  if (g_str_equal (word, "true") || g_str_equal (word, "false"))
    text = g_strdup (word);
  else if (word[0] == '0' && (word[1] == 'x' || word[1] == 'o' || word[1] == 'b'))
    text = read_based (word);
  else if (g_ascii_isdigit (*word) || *word == '+' || *word == '-')
    text = read_decimal (word);
  if (text != NULL)
    return gmcp_toml_add (reader, GMCP_CONFIG_NODE_PLAIN, text);

  if (g_strv_contains (endless, word) || is_date_or_time (word))
    return gmcp_toml_add (reader, GMCP_CONFIG_NODE_STRING, g_steal_pointer (&word));

  gmcp_toml_fail (reader, *word == '\0' ? N_ ("a value was expected")
                                        : N_ ("no value of TOML; a text stands in quotes"));
  return NULL;
}
