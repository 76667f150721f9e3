/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_KEYRING_SECRET (gmcp_keyring_secret_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpKeyringSecret, gmcp_keyring_secret, GMCP, KEYRING_SECRET, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpKeyringSecret *gmcp_keyring_secret_new (const char *name, const char *server_id, GFile *file);
GMCP_AVAILABLE_IN_0_1
GmcpKeyringSecret *gmcp_keyring_secret_new_for_input (const char *id, GFile *file);
GMCP_AVAILABLE_IN_0_1
GmcpKeyringSecret *gmcp_keyring_secret_new_for_daemon (const char *name);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_keyring_secret_get_name (GmcpKeyringSecret *self);
GMCP_AVAILABLE_IN_0_1
const char *gmcp_keyring_secret_get_server_id (GmcpKeyringSecret *self);
GMCP_AVAILABLE_IN_0_1
GFile *gmcp_keyring_secret_dup_file (GmcpKeyringSecret *self);
GMCP_AVAILABLE_IN_0_1
gboolean gmcp_keyring_secret_is_input (GmcpKeyringSecret *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_keyring_secret_lookup_async (GmcpKeyringSecret *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
GMCP_AVAILABLE_IN_0_1
char *
gmcp_keyring_secret_lookup_finish (GmcpKeyringSecret *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_keyring_secret_store_async (GmcpKeyringSecret *self,
                                      const char *value,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_keyring_secret_store_finish (GmcpKeyringSecret *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_keyring_secret_remove_async (GmcpKeyringSecret *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_keyring_secret_remove_finish (GmcpKeyringSecret *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_keyring_secret_list_async (GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_keyring_secret_list_finish (GAsyncResult *result, GError **error);

G_END_DECLS
