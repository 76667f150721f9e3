/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-headers-private.h"

#include <string.h>

/* What is asked for in nearly all requests. */
static const struct
{
  const char *name;
  gsize length;
} known_headers[GMCP_HTTP_N_KNOWN_HEADERS] = {
#define KNOWN(name)                                                                                \
  {                                                                                                \
    name, sizeof name - 1                                                                          \
  }
  KNOWN ("Accept"),         KNOWN ("MCP-Protocol-Version"),
  KNOWN ("Mcp-Method"),     KNOWN ("Mcp-Name"),
  KNOWN ("Mcp-Session-Id"), KNOWN ("Host"),
  KNOWN ("Origin"),         KNOWN ("Content-Length"),
  KNOWN ("Last-Event-ID"),  KNOWN ("Transfer-Encoding"),
#undef KNOWN
};

static void
take_header (const char *name, const char *value, gpointer data)
{
  GmcpHttpHeaders *self = data;
  gsize length = strlen (name);

  self->n_bytes += length + strlen (value);
  for (guint i = 0; i < G_N_ELEMENTS (known_headers); i++)
    if (known_headers[i].length == length
        && (memcmp (known_headers[i].name, name, length) == 0
            || g_ascii_strncasecmp (known_headers[i].name, name, length) == 0))
      {
        if (self->known[i] != NULL)
          self->repeated |= 1u << i;
        self->known[i] = value;
        return;
      }
}

void
gmcp_http_headers_read (GmcpHttpHeaders *self,
                        const GmcpSoupServer *soup,
                        SoupServerMessage *message)
{
  memset (self, 0, sizeof *self);
  self->soup = soup;
  self->all = soup->server_message_get_request_headers (message);
  soup->message_headers_foreach (self->all, take_header, self);
}

const char *
gmcp_http_headers_get (const GmcpHttpHeaders *self, const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (known_headers); i++)
    if (known_headers[i].length == length && memcmp (known_headers[i].name, name, length) == 0)
      {
        if ((self->repeated & 1u << i) == 0)
          return self->known[i];
        break;
      }
  return self->soup->message_headers_get_list (self->all, name);
}
