/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads the token that programs show at the gateway over HTTP, and makes it on first use. Only the user can read its
 * file; one that others can read is refused. */
char *gmcpd_gateway_token_ensure (const char *path, GError **error);

/* Whether the two are the same; takes as long whatever the difference is. */
gboolean gmcpd_gateway_token_equals (const char *token, const char *other);

G_END_DECLS
