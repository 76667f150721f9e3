/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>
#include <sys/random.h>

#include "gmcpd-token.h"

#define TOKEN_BYTES 32

char *
gmcpd_token_make (void)
{
  guint8 bytes[TOKEN_BYTES];
  GString *token;

  if (getrandom (bytes, sizeof bytes, 0) != (gssize) sizeof bytes)
    return NULL;

  token = g_string_new (NULL);
  for (gsize i = 0; i < sizeof bytes; i++)
    g_string_append_printf (token, "%02x", bytes[i]);
  return g_string_free (token, FALSE);
}

gboolean
gmcpd_token_is_sound (const char *text)
{
  gsize length = strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-._~+/=");

  return text[length] == '\0' && length >= GMCPD_TOKEN_MIN_LENGTH
         && length <= GMCPD_TOKEN_MAX_LENGTH;
}

gboolean
gmcpd_token_equals (const char *token, const char *other)
{
  gsize length = strlen (token);
  guint difference = 0;

  if (length != strlen (other))
    return FALSE;

  for (gsize i = 0; i < length; i++)
    difference |= (guint) (token[i] ^ other[i]);
  return difference == 0;
}
