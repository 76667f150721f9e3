/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What programs show at a door over HTTP. It stands in a file of that name in the user's folder of states, is made on
 * first use, and stays until somebody removes the file. Only the user can read it; one that others can read or
 * change is refused. */
char *gmcpd_token_ensure (const char *name, GError **error);

/* Another one, which stands nowhere. NULL with errno where the system has no random numbers. */
char *gmcpd_token_make (void);

/* Whether the two are the same; takes as long whatever the difference is. */
gboolean gmcpd_token_equals (const char *token, const char *other);

G_END_DECLS
