/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a number's text means: 0.digits × 10^exponent, with no zero at either end of the digits. */
typedef struct
{
  const char *text; /* from the first digit that counts; a point may stand among them */
  gsize length;     /* up to the last digit that counts; 0 for zero */
  gsize n_digits;
  gint64 exponent;
  gboolean negative;
  /* An exponent that fits no integer: its own digits, without leading zeros. */
  const char *huge_exponent;
  gsize huge_exponent_length;
  gboolean exponent_negative;
} GmcpJsonDecimal;

void gmcp_json_decimal_init (GmcpJsonDecimal *decimal, const char *text, gsize length);
gboolean gmcp_json_decimal_equal (const GmcpJsonDecimal *a, const GmcpJsonDecimal *b);

G_END_DECLS
