/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-bearer-private.h"

#include <string.h>

#include "gmcp-http-resource-private.h"
#include "gmcp-limits.h"
#include "gmcp-rpc-message-private.h"
#include "gmcp-token-request-private.h"

#define SCHEME "Bearer"

/* b64token, as RFC 6750 has it. */
static gboolean
is_token (const char *text)
{
  const char *at = text;

  while (g_ascii_isalnum (*at) || (*at != '\0' && strchr ("-._~+/", *at) != NULL))
    at++;
  if (at == text || at - text > (gssize) GMCP_LIMIT_TOKEN_BYTES)
    return FALSE;
  return at[strspn (at, "=")] == '\0';
}

GmcpHttpCredentials
gmcp_http_bearer_read (const char *header, char **token)
{
  gsize scheme_length = strlen (SCHEME);

  if (header == NULL)
    return GMCP_HTTP_CREDENTIALS_NONE;
  /* Of several headers, which libsoup joins with a comma, a proxy may have looked at another one. */
  if (strchr (header, ',') != NULL)
    return GMCP_HTTP_CREDENTIALS_MALFORMED;
  if (g_ascii_strncasecmp (header, SCHEME, scheme_length) != 0
      || (header[scheme_length] != ' ' && header[scheme_length] != '\0'))
    return GMCP_HTTP_CREDENTIALS_NONE;

  header += scheme_length;
  header += strspn (header, " ");
  if (!is_token (header))
    return GMCP_HTTP_CREDENTIALS_MALFORMED;
  *token = g_strdup (header);
  return GMCP_HTTP_CREDENTIALS_TOKEN;
}

/* A text in quotes; what cannot stand there is left out. */
static void
append_param (GString *challenge, const char *name, const char *value)
{
  g_string_append_printf (challenge, "%s %s=\"", challenge->len > strlen (SCHEME) ? "," : "", name);
  for (; *value != '\0'; value++)
    if (*value >= ' ' && *value < 0x7f && *value != '"' && *value != '\\')
      g_string_append_c (challenge, *value);
  g_string_append_c (challenge, '"');
}

static char *
join_scopes (GStrv scopes)
{
  GString *text = g_string_new (NULL);

  for (; scopes != NULL && *scopes != NULL; scopes++)
    if (gmcp_token_is_scope (*scopes))
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", *scopes);
  return g_string_free (text, FALSE);
}

static char *
make_challenge (const char *resource,
                const GmcpHttpSettings *settings,
                const GmcpHttpRefusal *refusal)
{
  GString *challenge = g_string_new (SCHEME);
  g_autofree char *document = gmcp_http_resource_describe (resource, settings);
  g_autofree char *scopes = join_scopes (settings->required_scopes);
  g_autofree char *uri = document != NULL ? gmcp_http_resource_dup_metadata_uri (resource) : NULL;

  if (refusal->error != NULL)
    {
      append_param (challenge, "error", refusal->error);
      append_param (challenge, "error_description", refusal->reason);
    }
  if (uri != NULL)
    append_param (challenge, "resource_metadata", uri);
  if (*scopes != '\0')
    append_param (challenge, "scope", scopes);
  return g_string_free (challenge, FALSE);
}

/* What is so for a while says nothing about the request. */
static int
get_code (guint status)
{
  return status == SOUP_STATUS_SERVICE_UNAVAILABLE || status == GMCP_HTTP_TOO_MANY_REQUESTS
           ? GMCP_RPC_ERROR_INTERNAL
           : GMCP_RPC_ERROR_INVALID_REQUEST;
}

void
gmcp_http_bearer_refuse (GmcpHttpResponse *response,
                         const char *resource,
                         const GmcpHttpSettings *settings,
                         const GmcpHttpRefusal *refusal)
{
  if (refusal->status == SOUP_STATUS_UNAUTHORIZED || refusal->error != NULL)
    {
      g_autofree char *challenge = make_challenge (resource, settings, refusal);

      gmcp_http_response_set_header (response, "WWW-Authenticate", challenge);
    }
  if (refusal->retry_after_ms > 0)
    {
      g_autofree char *seconds = g_strdup_printf ("%u", (refusal->retry_after_ms + 999) / 1000);

      gmcp_http_response_set_header (response, "Retry-After", seconds);
    }
  gmcp_http_response_refuse (response, refusal->status, get_code (refusal->status),
                             refusal->reason);
}
