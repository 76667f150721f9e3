/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What an authorization server says of a token that is good (RFC 7662, section 2.2). */
typedef struct
{
  char *user;
  char **scopes;    /* nullable */
  char **audience;  /* nullable: for which servers the token is */
  gint64 expires_s; /* 0 where that is not said */
} GmcpTokenAnswer;

/* NULL without an error for a token that is not good here. With an issuer, one of another issuer is not. */
GmcpTokenAnswer *
gmcp_token_answer_parse (const char *text, gsize length, const char *issuer, GError **error);

void gmcp_token_answer_free (GmcpTokenAnswer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTokenAnswer, gmcp_token_answer_free)

G_END_DECLS
