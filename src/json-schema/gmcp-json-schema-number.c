/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-number-private.h"

/* What an exponent that fits no integer counts as: no other is as great. */
#define HUGE_EXPONENT (G_GINT64_CONSTANT (1) << 60)

/* 10 × (10^18 - 1) fits a guint64, so that a remainder can take one digit more. */
#define MAX_DIVISOR_DIGITS 18

gboolean
gmcp_schema_number_init (GmcpSchemaNumber *number, GmcpJsonValue value)
{
  gsize length;
  const char *raw;

  if (!gmcp_json_value_is_number (value))
    return FALSE;

  raw = gmcp_json_value_peek_raw (value, &length);
  gmcp_json_decimal_init (&number->decimal, raw, length);
  if (number->decimal.huge_exponent != NULL)
    number->decimal.exponent += number->decimal.exponent_negative ? -HUGE_EXPONENT : HUGE_EXPONENT;
  number->small = 0;
  number->is_small = gmcp_json_value_get_int64 (value, &number->small);
  return TRUE;
}

int
gmcp_schema_number_get_sign (const GmcpSchemaNumber *number)
{
  if (number->decimal.n_digits == 0)
    return 0;
  return number->decimal.negative ? -1 : 1;
}

gboolean
gmcp_schema_number_is_integer (const GmcpSchemaNumber *number)
{
  return number->is_small || number->decimal.exponent >= (gint64) number->decimal.n_digits;
}

static int
compare_digits (const GmcpJsonDecimal *a, const GmcpJsonDecimal *b)
{
  const char *p = a->text, *p_end = p + a->length;
  const char *q = b->text, *q_end = q + b->length;

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
  const GmcpJsonDecimal *x = &a->decimal, *y = &b->decimal;
  int sign = gmcp_schema_number_get_sign (a);
  int other_sign = gmcp_schema_number_get_sign (b);

  if (a->is_small && b->is_small)
    return (a->small > b->small) - (a->small < b->small);
  if (sign != other_sign)
    return sign < other_sign ? -1 : 1;
  if (sign == 0)
    return 0;
  if (x->exponent != y->exponent)
    return x->exponent < y->exponent ? -sign : sign;

  return sign * compare_digits (x, y);
}

static guint64
fold_digits (const GmcpJsonDecimal *number, guint64 modulus)
{
  guint64 value = 0;

  for (gsize i = 0; i < number->length; i++)
    if (number->text[i] != '.')
      {
        value = value * 10 + (number->text[i] - '0');
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
to_double (const GmcpJsonDecimal *number)
{
  double value = 0;
  gint64 exponent = number->exponent;

  for (gsize i = 0; i < number->length; i++)
    if (number->text[i] != '.' && exponent > number->exponent - MAX_DIVISOR_DIGITS)
      {
        value = value * 10 + (number->text[i] - '0');
        exponent--;
      }
  for (; exponent > 0 && value <= G_MAXDOUBLE; exponent--)
    value *= 10;
  for (; exponent < 0 && value > 0; exponent++)
    value /= 10;

  return number->negative ? -value : value;
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
  const GmcpJsonDecimal *a = &number->decimal, *b = &divisor->decimal;
  gint64 shift;
  guint64 modulus;

  if (a->n_digits == 0)
    return TRUE;
  if (number->is_small && divisor->is_small && divisor->small != 0)
    return divisor->small == -1 || number->small % divisor->small == 0;
  if (b->n_digits > MAX_DIVISOR_DIGITS)
    return is_whole (to_double (a) / to_double (b));

  /* Both are whole numbers times a power of ten. The number's digits end in no zero, so where the
   * divisor has the higher power it cannot divide the number. */
  shift = (a->exponent - (gint64) a->n_digits) - (b->exponent - (gint64) b->n_digits);
  if (shift < 0)
    return FALSE;

  modulus = fold_digits (b, 0);
  return multiply_modulo (fold_digits (a, modulus), power_of_ten_modulo ((guint64) shift, modulus),
                          modulus)
         == 0;
}

gboolean
gmcp_schema_number_get_count (const GmcpSchemaNumber *number, guint64 *count)
{
  if (gmcp_schema_number_get_sign (number) < 0 || !gmcp_schema_number_is_integer (number))
    return FALSE;

  *count = number->is_small ? (guint64) number->small : G_MAXUINT64;
  return TRUE;
}
