/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-soup-server-private.h"

#define SONAME     "libsoup-3.0.so.0"

#define NAME(name) "soup_" #name,

const GmcpSoupServer *
gmcp_soup_server_load (GError **error)
{
  static const char *const names[] = { GMCP_SOUP_SERVER_FUNCTIONS (NAME) NULL };
  static GmcpSoupServer functions;
  static GmcpLibrary library = { SONAME, names, (gpointer *) &functions, 0 };

  return gmcp_library_load (&library, error) ? &functions : NULL;
}

const char *
gmcp_soup_server_get_header (const GmcpSoupServer *soup,
                             SoupServerMessage *message,
                             const char *name)
{
  return soup->message_headers_get_list (soup->server_message_get_request_headers (message), name);
}
