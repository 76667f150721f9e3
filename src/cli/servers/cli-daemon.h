/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* gmcpd, which runs servers for all programs of a session: by its socket, or by the session bus. */

#define CLI_DAEMON_PATH    "/org/gmcp/Manager1"
#define CLI_DAEMON_MANAGER "org.gmcp.Manager1"
#define CLI_DAEMON_SERVER  "org.gmcp.Manager1.Server"

typedef struct _CliDaemon CliDaemon;

/* Where it does not run, it is started, if the bus can do that. NULL without an error where there is none, or one that
 * looks after the servers of another file than --config names. */
CliDaemon *cli_daemon_reach (CliHost *host, GError **error);
/* The same for a command that goes on without it: it is waited for a moment, and what fails is a warning. */
CliDaemon *cli_daemon_bring_up (CliHost *host);
/* One that is there; nothing is started, and what fails is no matter. */
CliDaemon *cli_daemon_look_for (CliHost *host);
/* Refuses a command that takes --config, which starts no daemon. */
CliExit cli_daemon_report_none_of_file (const char *command);
void cli_daemon_free (CliDaemon *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliDaemon, cli_daemon_free)

/* Waits for the answer until the command is cancelled. Takes a floating variant or NULL. */
GVariant *cli_daemon_call (CliDaemon *self,
                           const char *path,
                           const char *interface,
                           const char *method,
                           GVariant *parameters,
                           const char *reply_type,
                           GError **error);
/* The same for those who have something to do meanwhile. */
void cli_daemon_call_async (CliDaemon *self,
                            const char *path,
                            const char *interface,
                            const char *method,
                            GVariant *parameters,
                            const char *reply_type,
                            GAsyncReadyCallback callback,
                            gpointer data);
GVariant *cli_daemon_call_finish (CliDaemon *self, GAsyncResult *result, GError **error);
/* The same with something to do for each change of the object's properties that comes before the answer. */
GVariant *cli_daemon_call_watching (CliDaemon *self,
                                    const char *path,
                                    const char *interface,
                                    const char *method,
                                    const char *reply_type,
                                    void (*changed) (GVariant *properties, gpointer data),
                                    gpointer data,
                                    GError **error);
/* Signals of the object's interface. The same function gets all of them, until it is unsubscribed at the connection. */
guint cli_daemon_subscribe (CliDaemon *self,
                            const char *path,
                            const char *interface,
                            GDBusSignalCallback callback,
                            gpointer data);
/* Borrowed. */
GDBusConnection *cli_daemon_get_connection (CliDaemon *self);
/* The path of a server's object. */
char *cli_daemon_find_server (CliDaemon *self, const char *id, GError **error);
/* How all its servers are: the array “servers” of its status record; NULL where it does not say. */
JsonArray *cli_daemon_list_servers (CliDaemon *self);
/* One of them, where its process or connection is there; NULL otherwise. The array may be NULL. */
JsonObject *cli_daemon_find_running (JsonArray *servers, const char *id);
/* The same of those that are on their way, too. */
JsonObject *cli_daemon_find_up (JsonArray *servers, const char *id);
gboolean cli_daemon_is_up (JsonObject *server);

G_END_DECLS
