/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcpd-soup.h"

#define SONAME     "libsoup-3.0.so.0"

#define NAME(name) "soup_" #name,

const GmcpdSoup *
gmcpd_soup_load (GError **error)
{
  static const char *const names[] = { GMCPD_SOUP_FUNCTIONS (NAME) NULL };
  static GmcpdSoup functions;
  gpointer *function = (gpointer *) &functions;
  gpointer handle = dlopen (SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  gboolean found = handle != NULL;

  for (guint i = 0; found && names[i] != NULL; i++)
    {
      function[i] = dlsym (handle, names[i]);
      found = function[i] != NULL;
    }
  if (found)
    return &functions;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
               /* Translators: what the loader said, which names the library */
               _ ("A library that is needed here cannot be loaded; install it: %s"), dlerror ());
  return NULL;
}

const char *
gmcpd_soup_get_header (const GmcpdSoup *soup, SoupServerMessage *message, const char *name)
{
  return soup->message_headers_get_list (soup->server_message_get_request_headers (message), name);
}
