/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* One line of a token file: who has a token, and a salted hash by which it is known again.
 *
 *   ID$SALT$HASH USER [expires=TIME] [scope=SCOPE]...
 *
 * ID, SALT and HASH are hexadecimal. The token is gmcp_ID_SECRET. Its secret is 32 random bytes, so that one round
 * of a hash is enough: nobody tries them all. */
typedef struct
{
  char *id;
  char *salt;
  char *hash;
  char *user;
  GStrv scopes;
  gint64 expires_s; /* 0 for never */
} GmcpTokenLine;

/* NULL without an error for a line that has none: an empty one, or a comment. */
GmcpTokenLine *gmcp_token_line_parse (const char *text, gsize length, GError **error);
/* A line for a token that nobody had before. */
GmcpTokenLine *
gmcp_token_line_new (const char *user, const char *const *scopes, gint64 expires_s, char **token);
void gmcp_token_line_free (GmcpTokenLine *self);
/* Without an end of line. */
char *gmcp_token_line_to_text (const GmcpTokenLine *self);

/* The id that a token names; NULL for a text that is no token of such a file. */
char *gmcp_token_line_dup_id (const char *token);
/* In a time that does not depend on where they differ. */
gboolean gmcp_token_line_is_of (const GmcpTokenLine *self, const char *token);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTokenLine, gmcp_token_line_free)

G_END_DECLS
