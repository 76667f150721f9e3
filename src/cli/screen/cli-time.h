/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How long ago a time is, in words for a sentence; a date where that is long. A time to come is now. */
char *cli_time_describe_age (GDateTime *time);

G_END_DECLS
