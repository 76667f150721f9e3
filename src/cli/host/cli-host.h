/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-error.h>
#include <gmcp/manager/gmcp-manager.h>

#include "cli-exit.h"

G_BEGIN_DECLS

/* The program as a host: the providers that the modules brought, and what ends a command early. */

/* What the program is called as a host, unless --host says otherwise. */
#define CLI_HOST_NAME "gmcp"

typedef struct _CliHost CliHost;

struct _CliHost
{
  CliHost *session;     /* whose providers a command uses that is one of several; or NULL */
  char *config_file;    /* NULL for the settings */
  char *name;           /* of the host, which rules may be for */
  GPtrArray *providers; /* of GmcpToolProvider; NULL until the host is opened */
  GCancellable *cancellable;
  int timeout_seconds; /* 0 for none */
  gboolean json;       /* what is printed is JSON */
  int n_before_mark; /* arguments of the command that stand before “--”; all where there is none */
  gboolean timed_out;
  guint n_interrupts;
  GSource *interrupt;
  GSource *terminate;
  GSource *timeout;
  GSource
    *reader; /* of standard output: whether it is still there; NULL where that does not matter */
  gboolean lost_reader;      /* and is cancelled for that */
  GHashTable *told;          /* messages that were printed */
  gboolean config_is_broken; /* a part of the configuration is left out for an error in it */
  gboolean is_session;       /* stays open between commands, each of which has a host of its own */
  CliHost *command;          /* that runs in the session, and tells what happens; or NULL */
};

CliHost *cli_host_new (const char *config_file, const char *name);
/* Loads the providers, and begins to count the time that the command may take; what fails is
 * reported. */
CliExit cli_host_open (CliHost *self);
/* From here on the host is that of a session: its commands have hosts of their own, and Ctrl-C does not end it. */
void cli_host_begin_session (CliHost *self);
/* A host for one command of an open session, which keeps the servers running when it is freed. */
CliHost *cli_host_new_for_command (CliHost *session);
/* Stops the servers in order; where the user does not wait for that, they are left to their guards. */
void cli_host_close (CliHost *self);
/* Closes it first, where that was not done. */
void cli_host_free (CliHost *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliHost, cli_host_free)

/* For a command that prints until it is ended: from here on that is also so when nobody reads it any more. */
void cli_host_end_with_reader (CliHost *self);

/* The options of one request, within the time that the command may take. */
GmcpCallOptions *cli_host_new_options (CliHost *self);
/* The manager among the providers, or NULL where a module of another maker took its place. */
GmcpManager *cli_host_get_manager (CliHost *self);

/* Whether it stands for another host, whose rules no daemon knows. */
gboolean cli_host_is_another (CliHost *self);

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
/* The same for one server of several, without what only a diagnosis needs. */
CliExit cli_host_report_shortly (CliHost *self, const GError *error);
CliExit cli_usage_error (const char *format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
