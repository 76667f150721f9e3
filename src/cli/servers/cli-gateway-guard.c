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

/* gmcpd makes its marks in the same way. */
static char *
make_mark (const char *kind, const char *place)
{
  g_autofree char *text = g_strconcat (kind, " ", place, NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  return g_strndup (digest, MARK_LENGTH);
}

/* Where the servers come from: a file by where links lead to, or what the user has. */
static char *
make_configuration_mark (CliHost *host)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *uri = NULL;
  const char *path;
  char *real;
  char *mark;

  if (host->config_file == NULL)
    return make_mark ("user", g_get_user_config_dir ());

  file = cli_host_make_config_file (host);
  uri = g_file_get_uri (file);
  path = g_file_peek_path (file);
  real = path != NULL ? realpath (path, NULL) : NULL;
  mark = make_mark ("file", real != NULL ? real : uri);
  free (real);
  return mark;
}

static gboolean
is_above (const char *mark)
{
  const char *above = g_getenv (VARIABLE);
  g_auto (GStrv) marks = g_strsplit (above != NULL ? above : "", ":", -1);

  return g_strv_contains ((const char *const *) marks, mark);
}

gboolean
cli_gateway_guard_is_below_daemon (void)
{
  g_autofree char *mark = make_mark ("daemon", g_get_user_runtime_dir ());

  return is_above (mark);
}

CliExit
cli_gateway_guard_enter (CliHost *host)
{
  g_autofree char *mark = make_configuration_mark (host);
  const char *above = g_getenv (VARIABLE);
  g_auto (GStrv) marks = g_strsplit (above != NULL ? above : "", ":", DEPTH_MAX + 1);
  g_autofree char *all = NULL;

  if (is_above (mark) || g_strv_length (marks) > DEPTH_MAX)
    return cli_usage_error (_ (
      "gateway: a server of this gateway has started it, which would go on without end; take “gmcp "
      "gateway” out of the configuration (“gmcp remove”), or out of what the server starts"));

  all = above != NULL && *above != '\0' ? g_strconcat (above, ":", mark, NULL) : g_strdup (mark);
  g_setenv (VARIABLE, all, TRUE);
  return CLI_EXIT_OK;
}
