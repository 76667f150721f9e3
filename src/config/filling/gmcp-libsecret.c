/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#ifdef HAVE_LIBSECRET

#include "gmcp-libsecret-private.h"

#include "gmcp-library-private.h"

#define SONAME     "libsecret-1.so.0"
#define NAME(name) "secret_" #name,

GMCP_LIBRARY_NOTE ("keyring", SONAME, "recommended")

const GmcpLibsecret *
gmcp_libsecret_load (GError **error)
{
  static const char *const names[] = { GMCP_LIBSECRET_FUNCTIONS (NAME) NULL };
  static GmcpLibsecret functions;
  static GmcpLibrary library = { SONAME, names, (gpointer *) &functions, 0 };

  return gmcp_library_load (&library, error) ? &functions : NULL;
}

#endif
