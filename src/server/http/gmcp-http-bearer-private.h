/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-response-private.h"
#include "gmcp-http-settings-private.h"

G_BEGIN_DECLS

/* How a client says who it is, and how it is told that it has to.
 *
 * Spec: RFC 6750; MCP 2026-07-28, basic/authorization, "Error Handling". */

typedef enum
{
  GMCP_HTTP_CREDENTIALS_NONE,
  GMCP_HTTP_CREDENTIALS_TOKEN,
  GMCP_HTTP_CREDENTIALS_MALFORMED,
} GmcpHttpCredentials;

/* header is that of all Authorization headers, joined. */
GmcpHttpCredentials gmcp_http_bearer_read (const char *header, char **token);

/* Statuses that libsoup does not name. */
#define GMCP_HTTP_TOO_MANY_REQUESTS 429u
#define GMCP_HTTP_HEADERS_TOO_LARGE 431u

/* Why a request is refused; its texts are static, and plain ASCII without quotes. */
typedef struct
{
  guint status;
  const char *error; /* of RFC 6750; NULL where there is none */
  const char *reason;
  guint retry_after_ms; /* 0 for nothing */
} GmcpHttpRefusal;

void gmcp_http_bearer_refuse (GmcpHttpResponse *response,
                              const char *resource,
                              const GmcpHttpSettings *settings,
                              const GmcpHttpRefusal *refusal);

G_END_DECLS
