/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whatever a text is, each credential that is found stands in it, and is not there any more when the
 * text was redacted. */

#include "config.h"

#include <string.h>

#include "gmcp-credentials-private.h"
#include "gmcp-limits.h"
#include "gmcp-redactor-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

typedef struct
{
  const char *text;
  gsize length;
  GPtrArray *found;
  GmcpRedactor *redactor;
} Case;

static void
on_credential (const char *credential, gsize length, gpointer user_data)
{
  Case *c = user_data;
  char *copy = g_strndup (credential, length);

  if (credential < c->text || length == 0 || length > c->length - (gsize) (credential - c->text))
    g_error ("What is no part of the text came out");
  if (strlen (copy) != length)
    g_error ("A credential with a NUL in it came out");
  g_ptr_array_add (c->found, copy);
  gmcp_redactor_add_secret (c->redactor, copy);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  /* A block of its own, so that reading beyond it is seen. */
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();
  g_autoptr (GString) redacted = g_string_new (NULL);
  Case c = { text, size, found, redactor };

  if (size == 0 || size > 1024)
    return 0;

  gmcp_credentials_find (text, size, GMCP_LIMIT_SECRET_MIN_BYTES, on_credential, &c);
  gmcp_redactor_append_text (redactor, redacted, text, size);
  for (guint i = 0; i < found->len; i++)
    {
      const char *secret = g_ptr_array_index (found, i);

      /* With what stands in its place, a text may make it up again. */
      if (strpbrk (secret, "[]") == NULL && strstr (GMCP_REDACTED, secret) == NULL
          && strlen (secret) >= GMCP_LIMIT_SECRET_MIN_BYTES
          && g_strstr_len (redacted->str, (gssize) redacted->len, secret) != NULL)
        g_error ("“%s” was found, and is there still", secret);
    }
  return 0;
}
