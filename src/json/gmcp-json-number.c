/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "gmcp-json-doc-private.h"

/* Greater exponents, in digits, are kept as text. */
#define EXPONENT_DIGITS_MAX 17u

static void
read_exponent (GmcpJsonDecimal *decimal, const char *p, const char *end)
{
  gint64 exponent = 0;

  decimal->exponent_negative = *p == '-';
  if (*p == '-' || *p == '+')
    p++;
  while (p < end && *p == '0')
    p++;
  if (end - p > (gssize) EXPONENT_DIGITS_MAX)
    {
      decimal->huge_exponent = p;
      decimal->huge_exponent_length = (gsize) (end - p);
      return;
    }
  for (; p < end; p++)
    exponent = exponent * 10 + (*p - '0');
  decimal->exponent = decimal->exponent_negative ? -exponent : exponent;
}

/* The digits that count, without zeros at either end; adds what that shifts to the exponent. */
static void
read_digits (GmcpJsonDecimal *decimal, const char *p, const char *end)
{
  const char *first = NULL;
  const char *last = NULL;
  gint64 n_whole = 0;   /* digits before the point, from the first that counts */
  gint64 n_leading = 0; /* zeros after the point, before the first that counts */
  gsize n_digits = 0;   /* from the first that counts */
  gboolean point = FALSE;

  for (; p < end; p++)
    {
      if (*p == '.')
        {
          point = TRUE;
          continue;
        }
      if (first == NULL && *p == '0')
        {
          n_leading += point;
          continue;
        }
      if (first == NULL)
        first = p;
      n_digits++;
      n_whole += !point;
      if (*p != '0')
        {
          last = p;
          decimal->n_digits = n_digits;
        }
    }

  if (first == NULL)
    {
      decimal->exponent = 0;
      decimal->huge_exponent = NULL;
      decimal->negative = FALSE;
      return;
    }
  decimal->text = first;
  decimal->length = (gsize) (last + 1 - first);
  decimal->exponent += n_whole - n_leading;
}

void
gmcp_json_decimal_init (GmcpJsonDecimal *decimal, const char *text, gsize length)
{
  const char *end = text + length;
  const char *digits_end = text;

  memset (decimal, 0, sizeof *decimal);
  decimal->text = text;
  if (*text == '-')
    {
      decimal->negative = TRUE;
      text++;
    }
  while (digits_end < end && (*digits_end | 0x20) != 'e')
    digits_end++;
  if (digits_end < end)
    read_exponent (decimal, digits_end + 1, end);
  read_digits (decimal, text, digits_end);
}

static inline const char *
next_digit (const char *p)
{
  return *p == '.' ? p + 1 : p;
}

gboolean
gmcp_json_decimal_equal (const GmcpJsonDecimal *a, const GmcpJsonDecimal *b)
{
  const char *p = a->text;
  const char *q = b->text;

  if (a->negative != b->negative || a->n_digits != b->n_digits || a->exponent != b->exponent
      || (a->huge_exponent == NULL) != (b->huge_exponent == NULL))
    return FALSE;
  /* Two ways to write one such exponent are told apart here; nothing can compute with them. */
  if (a->huge_exponent != NULL
      && (a->exponent_negative != b->exponent_negative
          || a->huge_exponent_length != b->huge_exponent_length
          || memcmp (a->huge_exponent, b->huge_exponent, a->huge_exponent_length) != 0))
    return FALSE;

  for (gsize i = 0; i < a->n_digits; i++)
    {
      p = next_digit (p);
      q = next_digit (q);
      if (*p++ != *q++)
        return FALSE;
    }
  return TRUE;
}

/* The magnitude, where it is a whole number below 2^64. */
static gboolean
decimal_get_magnitude (const GmcpJsonDecimal *decimal, guint64 *magnitude)
{
  const char *p = decimal->text;
  guint64 number = 0;

  if (decimal->huge_exponent != NULL || decimal->exponent > 20
      || decimal->exponent < (gint64) decimal->n_digits)
    return FALSE;

  for (gint64 i = 0; i < decimal->exponent; i++)
    {
      guint digit = 0;

      if (i < (gint64) decimal->n_digits)
        {
          p = next_digit (p);
          digit = (guint) (*p++ - '0');
        }
      if (!g_uint64_checked_mul (&number, number, 10)
          || !g_uint64_checked_add (&number, number, digit))
        return FALSE;
    }
  *magnitude = number;
  return TRUE;
}

static gboolean
get_magnitude (GmcpJsonValue value, guint64 *magnitude, gboolean *negative)
{
  const GmcpJsonCell *cell;
  const char *text;
  GmcpJsonDecimal decimal;

  if (!gmcp_json_value_is_number (value))
    return FALSE;

  cell = gmcp_json_value_cell (value);
  text = value.doc->data + cell->offset;
  if (gmcp_json_cell_is_plain (cell) && cell->length <= 19)
    {
      guint64 number = 0;

      *negative = *text == '-';
      for (guint32 i = *negative; i < cell->length; i++)
        number = number * 10 + (guint64) (text[i] - '0');
      *magnitude = number;
      return TRUE;
    }

  gmcp_json_decimal_init (&decimal, text, cell->length);
  *negative = decimal.negative;
  return decimal_get_magnitude (&decimal, magnitude);
}

gboolean
gmcp_json_value_get_int64 (GmcpJsonValue value, gint64 *out)
{
  guint64 magnitude;
  gboolean negative;

  if (!get_magnitude (value, &magnitude, &negative)
      || magnitude > (guint64) G_MAXINT64 + (negative ? 1 : 0))
    return FALSE;
  *out = (gint64) (negative ? -magnitude : magnitude);
  return TRUE;
}

gboolean
gmcp_json_value_get_uint64 (GmcpJsonValue value, guint64 *out)
{
  guint64 magnitude;
  gboolean negative;

  if (!get_magnitude (value, &magnitude, &negative) || (negative && magnitude != 0))
    return FALSE;
  *out = magnitude;
  return TRUE;
}

/* Up to 2^53 and 10^22 a double holds whole numbers and powers of ten without loss, so that one
 * multiplication or division gives the nearest double. */
static gboolean
get_short_double (const char *text, gsize length, double *out)
{
  static const double powers[]
    = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  GmcpJsonDecimal decimal;
  const char *p;
  guint64 digits = 0;
  gint64 shift;
  double number;

  gmcp_json_decimal_init (&decimal, text, length);
  shift = decimal.exponent - (gint64) decimal.n_digits;
  if (FLT_EVAL_METHOD != 0 || decimal.n_digits == 0 || decimal.n_digits > 15
      || decimal.huge_exponent != NULL || ABS (shift) >= (gint64) G_N_ELEMENTS (powers))
    return FALSE;

  p = decimal.text;
  for (gsize i = 0; i < decimal.n_digits; i++)
    {
      p = next_digit (p);
      digits = digits * 10 + (guint64) (*p++ - '0');
    }
  number = shift < 0 ? (double) digits / powers[-shift] : (double) digits * powers[shift];
  *out = decimal.negative ? -number : number;
  return TRUE;
}

gboolean
gmcp_json_value_get_double (GmcpJsonValue value, double *out)
{
  const GmcpJsonCell *cell;
  char buffer[64];
  g_autofree char *long_text = NULL;
  char *text = buffer;
  double number;

  if (!gmcp_json_value_is_number (value))
    return FALSE;

  cell = gmcp_json_value_cell (value);
  if (get_short_double (value.doc->data + cell->offset, cell->length, out))
    return TRUE;

  if (cell->length >= sizeof buffer)
    text = long_text = g_malloc (cell->length + 1);
  memcpy (text, value.doc->data + cell->offset, cell->length);
  text[cell->length] = '\0';

  number = g_ascii_strtod (text, NULL);
  if (!isfinite (number))
    return FALSE;
  *out = number;
  return TRUE;
}
