/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A credential in a text: what stands before it tells that it is one, or its own form. */
typedef void (*GmcpCredentialFunc) (const char *credential, gsize length, gpointer user_data);

/* Calls the function for each credential in the text: the password (and the name, where it looks like
 * a key) of “scheme://name:password@host”, the value of “Authorization: Bearer VALUE”, “token=VALUE”,
 * “"apiKey": "VALUE"” and “Bearer VALUE”, and words that begin as the keys of known services do, such
 * as “ghp_”. Variables (“${TOKEN}”) are none, nor what has fewer bytes than min_length, but for the
 * password of a URL, which then comes with what is around it. */
void gmcp_credentials_find (const char *text,
                            gsize length,
                            gsize min_length,
                            GmcpCredentialFunc func,
                            gpointer user_data);

G_END_DECLS
