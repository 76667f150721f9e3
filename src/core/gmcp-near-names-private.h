/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What somebody may have meant who wrote a name that is not there. */

typedef struct
{
  const char *compared;
  const char *shown;
} GmcpNearName;

/* " Near to it: X, Y." for a name that is not there, else ""; to follow a sentence. */
char *
gmcp_near_names_suggest (const char *name, const GmcpNearName *candidates, guint n_candidates);

G_END_DECLS
