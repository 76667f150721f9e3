/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Gives the token of a door, which is made on first use and stays until somebody removes it: what stands in the file of
 * that name in the user's folder of states, else what the keyring has under it. A new one goes into the keyring, and
 * into the file where there is no keyring to be used. */
void gmcpd_token_keeper_ensure_async (const char *name,
                                      gboolean has_keyring,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
char *gmcpd_token_keeper_ensure_finish (GAsyncResult *result, GError **error);

G_END_DECLS
