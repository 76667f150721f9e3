/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-error.h>
#include <gmcp/manager/gmcp-manager.h>

#include "cli-exit.h"

G_BEGIN_DECLS

/* The program as a host: the providers that the modules brought, and what ends a command early. */

typedef struct
{
  char *config_file;    /* NULL for the settings */
  char *name;           /* of the host, which rules may be for */
  GPtrArray *providers; /* of GmcpToolProvider; NULL until the host is opened */
  GCancellable *cancellable;
  int timeout_seconds; /* 0 for none */
  gboolean json;       /* what is printed is JSON */
  gboolean timed_out;
  guint n_interrupts;
  GSource *interrupt;
  GSource *terminate;
  GSource *timeout;
  GHashTable *told;          /* messages that were printed */
  gboolean config_is_broken; /* a part of the configuration is left out for an error in it */
} CliHost;

CliHost *cli_host_new (const char *config_file, const char *name);
/* Loads the providers, and begins to count the time that the command may take; what fails is
 * reported. */
CliExit cli_host_open (CliHost *self);
/* Stops the servers in order. */
void cli_host_free (CliHost *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliHost, cli_host_free)

/* The options of one request, within the time that the command may take. */
GmcpCallOptions *cli_host_new_options (CliHost *self);
/* The manager among the providers, or NULL where a module of another maker took its place. */
GmcpManager *cli_host_get_manager (CliHost *self);

/* Once for each message. */
void cli_host_tell (CliHost *self, const char *message);

/* For the _async functions: a callback that stores its result, and the wait for it. */
void cli_store_result (GObject *source, GAsyncResult *result, gpointer slot);
GAsyncResult *cli_wait (GAsyncResult **slot);

/* Says that there is no server to ask, where that is so. */
void cli_host_explain_no_servers (CliHost *self);
/* Whether any server is configured, be it disabled. */
gboolean cli_host_has_servers (CliHost *self);
void cli_host_set_config_file (CliHost *self, const char *path);
/* The file that --config names by its path, or by a URI. */
GFile *cli_host_make_config_file (CliHost *self);
/* Prints the error and gives the exit status that stands for it. */
CliExit cli_host_report (CliHost *self, const GError *error);
/* GOption leaves the “--” where words follow that look like options. */
void cli_drop_mark (int *argc, char *argv[]);
CliExit cli_usage_error (const char *format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
