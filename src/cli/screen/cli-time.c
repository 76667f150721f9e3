/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-time.h"

#include <glib/gi18n.h>
#include <gmcp/core/gmcp-error.h>
#include <string.h>

#define MINUTE 60
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define FORMAT "%Y-%m-%d %H:%M:%S"

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

/* A number with a unit behind it, before now; NULL for something else. */
static GDateTime *
parse_span (const char *text, GDateTime *now)
{
  static const struct
  {
    const char *unit;
    gint64 seconds;
  } units[]
    = { { "s", 1 }, { "min", 60 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 }, { "w", 604800 } };
  const char *end = NULL;
  gint64 number;

  if (!g_ascii_isdigit (*text))
    return NULL;
  number = g_ascii_strtoll (text, (char **) &end, 10);
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      if (g_str_equal (end, units[i].unit)
          && number <= 100 * G_GINT64_CONSTANT (31536000) / units[i].seconds)
        return g_date_time_add_seconds (now, -(double) (number * units[i].seconds));
    }
  return NULL;
}

/* A time of today, or where that is yet to come, of yesterday. */
static GDateTime *
parse_clock (const char *text, GDateTime *now)
{
  g_autofree char *day = g_date_time_format (now, "%Y-%m-%d");
  g_autofree char *whole = g_strdup_printf ("%sT%s%s", day, text, strlen (text) == 5 ? ":00" : "");
  g_autoptr (GTimeZone) here = g_time_zone_new_local ();
  g_autoptr (GDateTime) time = NULL;

  if ((strlen (text) != 5 && strlen (text) != 8) || text[2] != ':')
    return NULL;
  time = g_date_time_new_from_iso8601 (whole, here);
  if (time == NULL)
    return NULL;
  return g_date_time_compare (time, now) <= 0 ? g_steal_pointer (&time)
                                              : g_date_time_add_days (time, -1);
}

static GDateTime *
parse_day (const char *text)
{
  g_autoptr (GTimeZone) here = g_time_zone_new_local ();
  gsize length = strlen (text);
  g_autofree char *whole = g_strdup_printf ("%s%s", text,
                                            length == 10   ? "T00:00:00"
                                            : length == 16 ? ":00"
                                                           : "");

  if (length < 10 || text[4] != '-')
    return NULL;
  return g_date_time_new_from_iso8601 (g_strdelimit (whole, " ", 'T'), here);
}

GDateTime *
cli_time_parse_since (const char *text, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  GDateTime *time = parse_span (text, now);

  if (time == NULL)
    time = parse_clock (text, now);
  if (time == NULL)
    time = parse_day (text);
  if (time == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” is no time; write 10m, 2h or 3d, 09:00, 2026-11-23 or "
                    "“2026-11-23 09:00”"),
                 text);
  return time;
}

char *
cli_time_format (GDateTime *time)
{
  g_autoptr (GDateTime) local = time != NULL ? g_date_time_to_local (time) : NULL;

  return local != NULL ? g_date_time_format (local, FORMAT) : g_strdup ("                   ");
}
