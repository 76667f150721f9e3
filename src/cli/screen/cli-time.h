/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Times as people write and read them: those of the place where they are. */

/* How long ago a time is, in words for a sentence; a date where that is long. A time to come is now. */
char *cli_time_describe_age (GDateTime *time);

/* 10m, 2h, 3d; 09:00, which is the last time that it was so late; 2026-11-23, and with a time behind it. */
GDateTime *cli_time_parse_since (const char *text, GError **error);
/* Day and time. NULL for an unknown time, which takes as much room. */
char *cli_time_format (GDateTime *time);

G_END_DECLS
