/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-gateway-guard.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#define VARIABLE "GMCP_GATEWAYS"

/* So many letters of a digest tell configurations apart. */
#define MARK_LENGTH 16

/* Gateways above each other that are no circle; more are none that somebody meant. */
#define DEPTH_MAX 8

/* Where the servers come from: a file by where links lead to, or what the user has. */
static char *
make_mark (CliHost *host)
{
  g_autoptr (GFile) file = host->config_file != NULL ? cli_host_make_config_file (host) : NULL;
  const char *path = file != NULL ? g_file_peek_path (file) : NULL;
  char *real = path != NULL ? realpath (path, NULL) : NULL;
  g_autofree char *place = file != NULL ? g_file_get_uri (file) : NULL;
  g_autofree char *text = g_strconcat (place != NULL ? "file " : "user ",
                                       real != NULL    ? real
                                       : place != NULL ? place
                                                       : g_get_user_config_dir (),
                                       NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  free (real);
  return g_strndup (digest, MARK_LENGTH);
}

CliExit
cli_gateway_guard_enter (CliHost *host)
{
  g_autofree char *mark = make_mark (host);
  const char *above = g_getenv (VARIABLE);
  g_auto (GStrv) marks = g_strsplit (above != NULL ? above : "", ":", DEPTH_MAX + 1);
  g_autofree char *all = NULL;

  if (g_strv_contains ((const char *const *) marks, mark) || g_strv_length (marks) > DEPTH_MAX)
    return cli_usage_error (_ (
      "gateway: a server of this gateway has started it, which would go on without end; take “gmcp "
      "gateway” out of the configuration (“gmcp remove”), or out of what the server starts"));

  all = above != NULL && *above != '\0' ? g_strconcat (above, ":", mark, NULL) : g_strdup (mark);
  g_setenv (VARIABLE, all, TRUE);
  return CLI_EXIT_OK;
}
