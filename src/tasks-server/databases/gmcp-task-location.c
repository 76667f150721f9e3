/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-task-location.h"

/* Where the tasks are: an absolute file name, or the address of a PostgreSQL database. */

static const char *
skip_scheme (const char *location)
{
  static const char *const schemes[] = { "postgresql://", "postgres://" };

  for (gsize i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_str_has_prefix (location, schemes[i]))
      return location + strlen (schemes[i]);

  return NULL;
}

gboolean
gmcp_task_location_is_url (const char *location)
{
  return skip_scheme (location) != NULL;
}

static char *
dup_printable (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *printable = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (printable, g_unichar_isprint (c) ? c : 0xfffd);
    }

  return g_string_free (printable, FALSE);
}

/* Whether what follows the last colon of the host is a port. In user:password, without a host, it
 * mostly is none. */
static gboolean
has_plain_port (const char *host)
{
  const char *end = host + strcspn (host, "/");
  const char *colon = g_strrstr_len (host, end - host, ":");

  if (colon == NULL || end[-1] == ']')
    return TRUE;

  for (const char *p = colon + 1; p < end; p++)
    if (!g_ascii_isdigit (*p))
      return FALSE;
  return TRUE;
}

/* What messages call the database. Of an address this is the host and the name of the database: what
 * stands before the last @ is a user and a password, and what follows a ? may hold one, too. Where a
 * password has these characters unescaped nothing of the address is shown. */
char *
gmcp_task_location_dup_display_name (const char *location)
{
  const char *rest = skip_scheme (location);
  const char *at, *question;
  g_autofree char *shown = NULL;
  g_autofree char *printable = NULL;

  if (rest == NULL)
    return g_filename_display_name (location);

  at = strrchr (rest, '@');
  question = strchr (rest, '?');
  if (at != NULL && question != NULL && question < at)
    return g_strdup ("postgresql://…");

  if (at != NULL)
    rest = at + 1;
  if (!has_plain_port (rest))
    return g_strdup ("postgresql://…");

  shown = g_strndup (rest, question != NULL ? (gsize) (question - rest) : strlen (rest));
  printable = dup_printable (shown);
  return g_strconcat ("postgresql://", printable, NULL);
}
