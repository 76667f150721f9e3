/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-soup-private.h"

#define SONAME     "libsoup-3.0.so.0"

#define NAME(name) "soup_" #name,

GMCP_LIBRARY_NOTE ("http", SONAME, "recommended")

const GmcpSoup *
gmcp_soup_load (GError **error)
{
  static const char *const names[] = { GMCP_SOUP_FUNCTIONS (NAME) NULL };
  static GmcpSoup functions;
  static GmcpLibrary library = { SONAME, names, (gpointer *) &functions, 0 };

  return gmcp_library_load (&library, error) ? &functions : NULL;
}
