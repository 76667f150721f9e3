/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the command line of gmcpd says. */
typedef struct
{
  GFile *config_file; /* NULL: the user's files and settings */
  char *tools_role;   /* of org.gmcp.Tools1; NULL for none */
  int control_port;   /* of the control API; -1 for none */
  gboolean no_bus;
  gboolean serves_http; /* the gateway */
  guint16 http_port;    /* 0 for one that is free */
  gboolean shows_version;
} GmcpdOptions;

/* Prints the help and exits where the arguments ask for it. */
GmcpdOptions *gmcpd_options_new_from_arguments (int argc, char *argv[], GError **error);

void gmcpd_options_free (GmcpdOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpdOptions, gmcpd_options_free)

G_END_DECLS
