/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a server wants to see before it answers: one challenge of a WWW-Authenticate field
 * (RFC 9110, section 11.6.1). */
typedef struct
{
  char *scheme;       /* as it came; to be compared without regard to case */
  char *token;        /* nullable: what stands in place of parameters */
  GHashTable *params; /* of char *: names in lower case; valid UTF-8 */
} GmcpHttpChallenge;

/* Several fields are to be joined by commas. What is malformed is skipped, so that a good challenge
 * beside it is still found. Never NULL. */
GPtrArray *gmcp_http_challenges_parse (const char *field);

void gmcp_http_challenge_free (GmcpHttpChallenge *challenge);

/* The first challenge of a scheme; NULL for none. */
const GmcpHttpChallenge *gmcp_http_challenges_find (GPtrArray *challenges, const char *scheme);

G_END_DECLS
