/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROGRAM_CONNECTION_STATE (gmcp_program_connection_state_get_type ())

/**
 * GmcpProgramConnectionState:
 * @GMCP_PROGRAM_CONNECTION_STATE_UNKNOWN: the file was not read yet
 * @GMCP_PROGRAM_CONNECTION_STATE_ABSENT: the program does not have the gateway
 * @GMCP_PROGRAM_CONNECTION_STATE_CONNECTED: the program has the gateway as it is to be
 * @GMCP_PROGRAM_CONNECTION_STATE_CHANGED: the program has the gateway, but starts it in another way, or not at all
 * @GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN: what has the name in the program is another server
 *
 * Whether another program has the gateway.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_PROGRAM_CONNECTION_STATE_UNKNOWN,
  GMCP_PROGRAM_CONNECTION_STATE_ABSENT,
  GMCP_PROGRAM_CONNECTION_STATE_CONNECTED,
  GMCP_PROGRAM_CONNECTION_STATE_CHANGED,
  GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN,
} GmcpProgramConnectionState;

GMCP_AVAILABLE_IN_0_1
GType gmcp_program_connection_state_get_type (void) G_GNUC_CONST;

#define GMCP_TYPE_PROGRAM_CONNECTION (gmcp_program_connection_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpProgramConnection,
                      gmcp_program_connection,
                      GMCP,
                      PROGRAM_CONNECTION,
                      GObject)

GMCP_AVAILABLE_IN_0_1
GmcpProgramConnection *gmcp_program_connection_new (const char *program, GFile *file);

GMCP_AVAILABLE_IN_0_1
void gmcp_program_connection_find_async (const char *program,
                                         GFile *folder,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_program_connection_find_finish (GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_program_connection_get_program (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_program_connection_get_title (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_program_connection_get_file (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_program_connection_get_name (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_program_connection_set_name (GmcpProgramConnection *self, const char *name);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_program_connection_get_executable (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_program_connection_set_executable (GmcpProgramConnection *self, const char *executable);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_program_connection_get_arguments (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
void
gmcp_program_connection_set_arguments (GmcpProgramConnection *self, const char *const *arguments);

GMCP_AVAILABLE_IN_0_1
char **gmcp_program_connection_dup_command (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
GmcpProgramConnectionState gmcp_program_connection_get_state (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_program_connection_has_file (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_program_connection_get_entry_name (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_program_connection_get_entry_command (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_program_connection_get_other_names (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_program_connection_get_backup_file (GmcpProgramConnection *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_program_connection_load_async (GmcpProgramConnection *self,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_program_connection_load_finish (GmcpProgramConnection *self,
                                              GAsyncResult *result,
                                              GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_program_connection_preview_connect (GmcpProgramConnection *self, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_program_connection_preview_disconnect (GmcpProgramConnection *self, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_program_connection_connect_async (GmcpProgramConnection *self,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_program_connection_connect_finish (GmcpProgramConnection *self,
                                                 GAsyncResult *result,
                                                 GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_program_connection_disconnect_async (GmcpProgramConnection *self,
                                               GCancellable *cancellable,
                                               GAsyncReadyCallback callback,
                                               gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_program_connection_disconnect_finish (GmcpProgramConnection *self,
                                                    GAsyncResult *result,
                                                    GError **error);

G_END_DECLS
