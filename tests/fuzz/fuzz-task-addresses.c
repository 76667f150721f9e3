/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Addresses of gmcp-tasks. Of the address of a database nothing is shown that stands before its last @ or
 * behind a ?, and what is shown is text of one line. The address of a resource leads to one thing, which
 * has this address. A day is a day, and is the same day when it is read again. */

#include "config.h"

#include <string.h>

#include "gmcp-task-day.h"
#include "gmcp-task-location.h"
#include "gmcp-task-uri.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

#define SECRET "s3cret"

static void
check_shown (const char *location)
{
  g_autofree char *shown = gmcp_task_location_dup_display_name (location);

  if (!g_utf8_validate (shown, -1, NULL))
    g_error ("What is shown is no text");
  if (strpbrk (shown, "\n\r\033") != NULL)
    g_error ("“%s” is more than a line of text", shown);
}

static void
check_location (const char *text)
{
  g_autofree char *before = g_strconcat ("postgresql://u:" SECRET, text, "@host/db", NULL);
  g_autofree char *behind = g_strconcat ("postgresql://host/db?", text, SECRET, NULL);
  g_autofree char *bare = g_strconcat ("postgresql://", text, NULL);
  const char *const locations[] = { before, behind };

  check_shown (bare);
  for (gsize i = 0; i < G_N_ELEMENTS (locations); i++)
    {
      g_autofree char *shown = gmcp_task_location_dup_display_name (locations[i]);

      if (!gmcp_task_location_is_url (locations[i]))
        g_error ("“%s” is an address", locations[i]);
      if (strstr (text, SECRET) == NULL && strstr (shown, SECRET) != NULL)
        g_error ("“%s” shows the secret of “%s”", shown, locations[i]);
      check_shown (locations[i]);
    }
}

static void
check_uri (const char *text)
{
  GmcpTaskUri uri = gmcp_task_uri_parse (text);
  g_autofree char *again = NULL;

  if (uri.kind != GMCP_TASK_URI_KIND_TASK)
    return;
  if (!g_uuid_string_is_valid (uri.id))
    g_error ("“%s” is no id", uri.id);
  again = gmcp_task_uri_new_for_task (uri.id);
  if (strcmp (again, text) != 0)
    g_error ("“%s” and “%s” lead to the same", again, text);
}

static void
check_day (const char *text)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier ("UTC");
  g_autoptr (GDateTime) now = g_date_time_new (zone, 2026, 8, 1, 12, 0, 0);
  g_auto (GStrv) completed G_GNUC_UNUSED = gmcp_task_day_complete (text, now);
  GmcpTaskDay day, again;

  if (!gmcp_task_day_parse (text, now, &day))
    return;
  if (strlen (day.date) != 10 || strcmp (day.start, day.end) >= 0)
    g_error ("“%s” is no day", text);
  if (!gmcp_task_day_parse (day.date, now, &again) || strcmp (day.start, again.start) != 0)
    g_error ("“%s” is another day than “%s”", day.date, text);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);

  check_location (text);
  if (g_utf8_validate (text, -1, NULL))
    {
      check_uri (text);
      check_day (text);
    }
  return 0;
}
