/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcpd-names.h"

#define MAX_TEXT_BYTES 4096

char *
gmcpd_names_dup_server_path (const char *server_id)
{
  GString *path = g_string_new (GMCPD_MANAGER_PATH "/servers/");

  if (*server_id == '\0')
    g_string_append_c (path, '_');
  for (const char *p = server_id; *p != '\0'; p++)
    {
      if (g_ascii_isalnum (*p))
        g_string_append_c (path, *p);
      else
        g_string_append_printf (path, "_%02x", (guint) (guchar) *p);
    }
  return g_string_free (path, FALSE);
}

char *
gmcpd_names_dup_question_path (const char *id)
{
  return g_strconcat (GMCPD_MANAGER_PATH "/questions/", id, NULL);
}

char *
gmcpd_names_dup_text (const char *text)
{
  gsize length = text != NULL ? strlen (text) : 0;

  if (length <= MAX_TEXT_BYTES)
    return g_utf8_make_valid (text != NULL ? text : "", -1);

  /* Not in the middle of a character. */
  length = MAX_TEXT_BYTES;
  while (length > 0 && ((guchar) text[length] & 0xc0) == 0x80)
    length--;
  return g_utf8_make_valid (text, (gssize) length);
}

char *
gmcpd_names_dup_rpc_error (int code)
{
  return g_strdup_printf ("org.gmcp.RpcError.%s%" G_GINT64_FORMAT, code < 0 ? "Minus" : "Plus",
                          ABS ((gint64) code));
}
