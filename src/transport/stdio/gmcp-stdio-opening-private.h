/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-confinement-private.h"
#include "gmcp-installer-private.h"
#include "gmcp-stdio-run-private.h"

G_BEGIN_DECLS

/* One opening: from what a server is to be started as to a run of it, with what has to be asked and
 * set up on the way. It lives as long as its run, since it knows what a failure of that means. */

typedef struct _GmcpStdioOpening GmcpStdioOpening;

/* What the server is to be started as. */
typedef struct
{
  GStrv argv;
  GStrv environment; /* its own; nullable */
  char *cwd;         /* nullable */
  gboolean inherit_environment;
  gboolean use_login_path;
  GmcpConfinement *confinement; /* nullable */
  guint install_timeout_ms;     /* 0 where a command that fetches its program is one like others */
} GmcpStdioOrder;

typedef struct
{
  /* Once; from within gmcp_stdio_opening_begin() where nothing has to be asked first. The run is the
   * owner's, and must not be freed before the opening. */
  void (*made) (gpointer owner, GmcpStdioRun *run);
  /* In place of it, or after it where the run is not let go; may free the opening. Takes the error. */
  void (*failed) (gpointer owner, GError *error);
  /* For the run. */
  const GmcpStdioRunFuncs *run;
} GmcpStdioOpeningFuncs;

/* Holds no reference on owner. The order and the tail must live until it is freed. */
GmcpStdioOpening *gmcp_stdio_opening_new (GObject *owner,
                                          const GmcpStdioOpeningFuncs *funcs,
                                          GMainContext *context,
                                          const GmcpStdioOrder *order,
                                          GmcpStderrTail *tail);
void gmcp_stdio_opening_free (GmcpStdioOpening *self);

/* Where this fails nothing is told. */
gboolean gmcp_stdio_opening_begin (GmcpStdioOpening *self, GError **error);

/* What the command is where it fetches its program first; else NULL. */
const GmcpInstaller *gmcp_stdio_opening_get_installer (GmcpStdioOpening *self);

/* Whether the run is out of this program's sandbox, where its process id means nothing here. */
gboolean gmcp_stdio_opening_is_on_host (GmcpStdioOpening *self);
/* Whether the opening failed since there is no such program. */
gboolean gmcp_stdio_opening_lacks_command (GmcpStdioOpening *self);

/* What to tell of a run that did not start, or that ended by itself; of one that did so, where
 * is_late, since what fetches its program had no more time. */
GError *
gmcp_stdio_opening_describe_failure (GmcpStdioOpening *self, const GmcpChildFailure *failure);
GError *
gmcp_stdio_opening_describe_exit (GmcpStdioOpening *self, int wait_status, gboolean is_late);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpStdioOpening, gmcp_stdio_opening_free)

G_END_DECLS
