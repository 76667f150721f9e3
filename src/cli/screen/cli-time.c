/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-time.h"

#include <glib/gi18n.h>

#define MINUTE 60
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

char *
cli_time_describe_age (GDateTime *time)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  guint seconds = (guint) CLAMP (g_date_time_difference (now, time) / G_USEC_PER_SEC, 0, G_MAXINT);
  g_autoptr (GDateTime) local = NULL;

  if (seconds < 2)
    return g_strdup (_ ("just now"));
  if (seconds < 2 * MINUTE)
    return g_strdup_printf (g_dngettext (NULL, "%u second ago", "%u seconds ago", seconds),
                            seconds);
  if (seconds < 2 * HOUR)
    return g_strdup_printf (g_dngettext (NULL, "%u minute ago", "%u minutes ago", seconds / MINUTE),
                            seconds / MINUTE);
  if (seconds < 2 * DAY)
    return g_strdup_printf (g_dngettext (NULL, "%u hour ago", "%u hours ago", seconds / HOUR),
                            seconds / HOUR);

  local = g_date_time_to_local (time);
  /* xgettext:no-c-format
   * Translators: a day, as g_date_time_format() takes it; it stands behind a verb */
  return g_date_time_format (local, _ ("on %F"));
}
