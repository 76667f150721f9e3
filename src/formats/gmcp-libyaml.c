/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#ifdef HAVE_YAML

#include "gmcp-libyaml-private.h"

#include "gmcp-library-private.h"

#define SONAME     "libyaml-0.so.2"
#define NAME(name) "yaml_" #name,

GMCP_LIBRARY_NOTE ("yaml", SONAME, "recommended")

const GmcpLibyaml *
gmcp_libyaml_load (GError **error)
{
  static const char *const names[] = { GMCP_LIBYAML_FUNCTIONS (NAME) NULL };
  static GmcpLibyaml functions;
  static GmcpLibrary library = { SONAME, names, (gpointer *) &functions, 0 };

  return gmcp_library_load (&library, error) ? &functions : NULL;
}

#endif
