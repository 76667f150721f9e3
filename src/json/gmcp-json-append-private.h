/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* g_string_append_len() for the path of a message, where it is called twenty times over. */
static inline void
gmcp_json_append (GString *out, const char *text, gsize length)
{
  /* One byte stays for the NUL. */
  if (G_LIKELY (out->allocated_len - out->len > length))
    {
      memcpy (out->str + out->len, text, length);
      out->len += length;
      out->str[out->len] = '\0';
    }
  else
    {
      g_string_append_len (out, text, (gssize) length);
    }
}

/* Appends a string literal. */
#define gmcp_json_append_literal(out, literal)                                                     \
  gmcp_json_append ((out), "" literal, sizeof (literal) - 1)

G_END_DECLS
