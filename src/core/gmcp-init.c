/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

/* A library has no main of its own in which to say where its translations are, and a host that loads
 * it through the module calls none of its functions before the first error may be made. The programs
 * share its domain, and find it bound. */
__attribute__ ((constructor)) static void
gmcp_init_translations (void)
{
  /* Not where the environment is less trusted than the program. */
  const char *folder = secure_getenv ("GMCP_LOCALE_DIR");

  bindtextdomain (GETTEXT_PACKAGE, folder != NULL && *folder != '\0' ? folder : GMCP_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}
