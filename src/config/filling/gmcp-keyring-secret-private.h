/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/filling/gmcp-keyring-secret.h>

G_BEGIN_DECLS

/* Like the public functions, for a path as it stands in a configuration or in the keyring. */
GmcpKeyringSecret *
gmcp_keyring_secret_new_for_path (const char *name, const char *server_id, const char *path);
GmcpKeyringSecret *gmcp_keyring_secret_new_for_input_of_path (const char *id, const char *path);

/* The file that it is for, as it stands in a configuration or in the keyring; NULL for none. */
const char *gmcp_keyring_secret_get_path (GmcpKeyringSecret *self);

/* Whether it is a token of the session daemon, which no configuration can name. */
gboolean gmcp_keyring_secret_is_for_daemon (GmcpKeyringSecret *self);

/* The command that does it: verb is “set” or “remove”. */
char *gmcp_keyring_secret_dup_command (GmcpKeyringSecret *self, const char *verb);

G_END_DECLS
