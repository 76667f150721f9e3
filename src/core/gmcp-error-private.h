/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-error.h>

G_BEGIN_DECLS

/* Takes ownership of data_json, which may be NULL. */
GError *gmcp_rpc_error_new_take (int code, const char *message, char *data_json);

/* Takes ownership of challenge, which may be NULL: of char *, the parameters of a challenge by name
 * and its scheme by the name "scheme". */
GError *gmcp_auth_error_new_take (int code,
                                  const char *message,
                                  GHashTable *challenge,
                                  gboolean lacks_rights);
/* The user is signed in, but lacks the rights for this one thing. */
gboolean gmcp_auth_error_lacks_rights (const GError *error);

G_END_DECLS
