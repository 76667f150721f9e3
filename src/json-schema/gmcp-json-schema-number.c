/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-number-private.h"

/* Exponents are cut off here; numbers beyond differ from any that matter by more than that. */
#define MAX_EXPONENT (G_GINT64_CONSTANT (1) << 52)

/* 10 × (10^18 - 1) fits a guint64, so that a remainder can take one digit more. */
#define MAX_DIVISOR_DIGITS 18

static gint64
read_exponent (const char *p, const char *end)
{
  gboolean negative = FALSE;
  gint64 exponent = 0;

  if (p < end && (*p == '+' || *p == '-'))
    negative = *p++ == '-';
  for (; p < end && exponent < MAX_EXPONENT; p++)
    exponent = exponent * 10 + (*p - '0');

  return negative ? -exponent : exponent;
}

/* [start, end) are the digits and the point between sign and exponent. */
static void
take_digits (GmcpSchemaNumber *number, const char *start, const char *end)
{
  const char *point = memchr (start, '.', end - start);
  const char *whole_end = point != NULL ? point : end;

  while (start < end && (*start == '0' || *start == '.'))
    start++;
  while (end > start && (end[-1] == '0' || end[-1] == '.'))
    end--;

  if (start == end)
    {
      number->sign = 0;
      number->scale = 0;
      return;
    }

  number->digits = start;
  number->length = end - start;
  number->n_digits = number->length;
  if (point != NULL && point > start && point < end)
    number->n_digits--;
  /* Both sides of a point before the first digit count zeros: 0.001 has a scale of -2. */
  number->scale += start < whole_end ? whole_end - start : whole_end + 1 - start;
}

gboolean
gmcp_schema_number_init (GmcpSchemaNumber *number, GmcpJsonValue value)
{
  gsize length;
  const char *raw, *end, *mantissa_end;

  if (!gmcp_json_value_is_number (value))
    return FALSE;

  *number = (GmcpSchemaNumber){ .sign = 1 };
  number->is_small = gmcp_json_value_get_int64 (value, &number->small);

  raw = gmcp_json_value_peek_raw (value, &length);
  end = raw + length;
  if (*raw == '-')
    {
      number->sign = -1;
      raw++;
    }
  for (mantissa_end = raw; mantissa_end < end; mantissa_end++)
    if (*mantissa_end == 'e' || *mantissa_end == 'E')
      {
        number->scale = read_exponent (mantissa_end + 1, end);
        break;
      }
  take_digits (number, raw, mantissa_end);

  return TRUE;
}

gboolean
gmcp_schema_number_is_integer (const GmcpSchemaNumber *number)
{
  return number->is_small || number->sign == 0 || number->scale >= (gint64) number->n_digits;
}

static int
compare_digits (const GmcpSchemaNumber *a, const GmcpSchemaNumber *b)
{
  const char *p = a->digits, *p_end = p + a->length;
  const char *q = b->digits, *q_end = q + b->length;

  while (p < p_end && q < q_end)
    {
      if (*p == '.')
        p++;
      if (*q == '.')
        q++;
      if (*p != *q)
        return *p < *q ? -1 : 1;
      p++;
      q++;
    }

  return (p < p_end) - (q < q_end);
}

int
gmcp_schema_number_compare (const GmcpSchemaNumber *a, const GmcpSchemaNumber *b)
{
  int order;

  if (a->is_small && b->is_small)
    return (a->small > b->small) - (a->small < b->small);
  if (a->sign != b->sign)
    return a->sign < b->sign ? -1 : 1;
  if (a->sign == 0)
    return 0;

  if (a->scale != b->scale)
    order = a->scale < b->scale ? -1 : 1;
  else
    order = compare_digits (a, b);

  return a->sign * order;
}

static guint64
fold_digits (const GmcpSchemaNumber *number, guint64 modulus)
{
  guint64 value = 0;

  for (gsize i = 0; i < number->length; i++)
    if (number->digits[i] != '.')
      {
        value = value * 10 + (number->digits[i] - '0');
        if (modulus != 0)
          value %= modulus;
      }

  return value;
}

static guint64
multiply_modulo (guint64 a, guint64 b, guint64 modulus)
{
  guint64 product = 0;

  for (a %= modulus; b != 0; b >>= 1)
    {
      if (b & 1)
        product = (product + a) % modulus;
      a = (a + a) % modulus;
    }

  return product;
}

static guint64
power_of_ten_modulo (guint64 exponent, guint64 modulus)
{
  guint64 base = 10 % modulus;
  guint64 power = 1 % modulus;

  for (; exponent != 0; exponent >>= 1)
    {
      if (exponent & 1)
        power = multiply_modulo (power, base, modulus);
      base = multiply_modulo (base, base, modulus);
    }

  return power;
}

static double
to_double (const GmcpSchemaNumber *number)
{
  double value = 0;
  gint64 exponent = number->scale;

  for (gsize i = 0; i < number->length; i++)
    if (number->digits[i] != '.' && exponent > number->scale - MAX_DIVISOR_DIGITS)
      {
        value = value * 10 + (number->digits[i] - '0');
        exponent--;
      }
  for (; exponent > 0 && value <= G_MAXDOUBLE; exponent--)
    value *= 10;
  for (; exponent < 0 && value > 0; exponent++)
    value /= 10;

  return number->sign * value;
}

/* From 2^53 on every double is whole. */
static gboolean
is_whole (double value)
{
  if (value > -0x1p53 && value < 0x1p53)
    return value == (double) (gint64) value;

  return value >= -G_MAXDOUBLE && value <= G_MAXDOUBLE;
}

gboolean
gmcp_schema_number_is_multiple (const GmcpSchemaNumber *number, const GmcpSchemaNumber *divisor)
{
  gint64 shift;
  guint64 modulus;

  if (number->sign == 0)
    return TRUE;
  if (number->is_small && divisor->is_small && divisor->small != 0)
    return divisor->small == -1 || number->small % divisor->small == 0;
  if (divisor->n_digits > MAX_DIVISOR_DIGITS)
    return is_whole (to_double (number) / to_double (divisor));

  /* Both are whole numbers times a power of ten. The number's digits end in no zero, so where the
   * divisor has the higher power it cannot divide the number. */
  shift
    = (number->scale - (gint64) number->n_digits) - (divisor->scale - (gint64) divisor->n_digits);
  if (shift < 0)
    return FALSE;

  modulus = fold_digits (divisor, 0);
  return multiply_modulo (fold_digits (number, modulus), power_of_ten_modulo (shift, modulus),
                          modulus)
         == 0;
}

gboolean
gmcp_schema_number_get_count (const GmcpSchemaNumber *number, guint64 *count)
{
  if (number->sign < 0 || !gmcp_schema_number_is_integer (number))
    return FALSE;

  *count = number->is_small ? (guint64) number->small : G_MAXUINT64;
  return TRUE;
}
