/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GMCPD_TOKEN_MIN_LENGTH 32
#define GMCPD_TOKEN_MAX_LENGTH 256

/* What programs show at a door over HTTP. A new one, which stands nowhere yet; NULL with errno where the system has no
 * random numbers. */
char *gmcpd_token_make (void);

/* Whether it is long enough, and can stand in a header. */
gboolean gmcpd_token_is_sound (const char *text);

/* Whether the two are the same; takes as long whatever the difference is. */
gboolean gmcpd_token_equals (const char *token, const char *other);

G_END_DECLS
