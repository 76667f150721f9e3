/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A port that nothing is said of. */
#define GMCPD_PORT_NOT_GIVEN G_MININT

/* What the command line of gmcpd says. A role is NULL where it says nothing of it; a port is -1 for a door that is to stay
 * closed, whatever the settings say. */
typedef struct
{
  GFile *config_file; /* NULL: the user's files and settings */
  char *tools_role;   /* of org.gmcp.Tools1 */
  char *gateway_role; /* of the gateway over HTTP */
  int control_port;   /* of the control API */
  int gateway_port;   /* of the gateway over HTTP */
  gboolean no_bus;
  gboolean shows_version;
} GmcpdOptions;

/* Prints the help and exits where the arguments ask for it. */
GmcpdOptions *gmcpd_options_new_from_arguments (int argc, char *argv[], GError **error);

void gmcpd_options_free (GmcpdOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpdOptions, gmcpd_options_free)

G_END_DECLS
