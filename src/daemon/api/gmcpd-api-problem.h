/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-soup.h"

G_BEGIN_DECLS

/* What a client is told of what failed: a problem document.
 *
 * Spec: RFC 9457. */
#define GMCPD_API_PROBLEM_TYPE "application/problem+json"

/* code: a word for programs; nullable. */
char *gmcpd_api_problem_dup_json (const GmcpdSoup *soup,
                                  guint status,
                                  const char *code,
                                  const char *detail);

/* The status and the word for an error. */
guint gmcpd_api_problem_get_status (const GError *error);
char *gmcpd_api_problem_dup_code (const GError *error);

/* Answers the message with a problem document. */
void gmcpd_api_problem_set (const GmcpdSoup *soup,
                            SoupServerMessage *message,
                            guint status,
                            const char *code,
                            const char *detail);

G_END_DECLS
