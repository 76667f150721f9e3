/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-gateway-marks.h"

#include <stdlib.h>

/* What “gmcp gateway” reads and writes, too: the kind of what is above, and where it is, as the beginning of a digest. */
#define VARIABLE    "GMCP_GATEWAYS"
#define MARK_LENGTH 16

static char *
make_mark (const char *kind, const char *place)
{
  g_autofree char *text = g_strconcat (kind, " ", place, NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  return g_strndup (digest, MARK_LENGTH);
}

/* A file is known by where links lead to. */
static char *
make_configuration_mark (GFile *file)
{
  g_autofree char *uri = NULL;
  const char *path;
  char *real;
  char *mark;

  if (file == NULL)
    return make_mark ("user", g_get_user_config_dir ());

  uri = g_file_get_uri (file);
  path = g_file_peek_path (file);
  real = path != NULL ? realpath (path, NULL) : NULL;
  mark = make_mark ("file", real != NULL ? real : uri);
  free (real);
  return mark;
}

/* A daemon is of the session, and so below nobody, whoever has started it. */
void
gmcpd_gateway_marks_set (GFile *file)
{
  g_autofree char *configuration = make_configuration_mark (file);
  g_autofree char *daemon = make_mark ("daemon", g_get_user_runtime_dir ());
  g_autofree char *both = g_strconcat (daemon, ":", configuration, NULL);

  g_setenv (VARIABLE, both, TRUE);
}
