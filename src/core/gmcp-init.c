/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

/* A library has no main of its own in which to say where its translations are, and a host that loads
 * it through the module calls none of its functions before the first error may be made. */
__attribute__ ((constructor)) static void
gmcp_init_translations (void)
{
  bindtextdomain (GETTEXT_PACKAGE, GMCP_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}
