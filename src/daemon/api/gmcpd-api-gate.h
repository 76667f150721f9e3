/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-api-sign-in.h"

G_BEGIN_DECLS

/* Below which the API is, and what its token is kept as. */
#define GMCPD_API_ROOT       "/api/v1/mcp/"
#define GMCPD_API_TOKEN_NAME "control-token"

/* Who is let in: whoever has the token, or is signed in, and speaks to this machine under its own name. A page that a browser shows can
 * send requests to what listens here, and have its own name point to here. */
typedef struct
{
  const char *token; /* not owned, as is the port's text */
  const char *port;
  GmcpdApiSignIn *sign_in; /* nor this */
} GmcpdApiGate;

/* SOUP_STATUS_OK, or why the request is refused: by the names that it gives, which hold for the dashboard's files, too. */
guint gmcpd_api_gate_check_names (const GmcpdApiGate *self,
                                  const GmcpdSoup *soup,
                                  SoupServerMessage *message,
                                  const char **detail);
/* The same by who sends it. */
guint gmcpd_api_gate_check_caller (const GmcpdApiGate *self,
                                   const GmcpdSoup *soup,
                                   SoupServerMessage *message,
                                   const char **detail);
/* Of a request that is let in, as the audit names its caller: the address of the API, and by what it was let in. */
char *gmcpd_api_gate_dup_client (const GmcpdApiGate *self,
                                 const GmcpdSoup *soup,
                                 SoupServerMessage *message);

G_END_DECLS
