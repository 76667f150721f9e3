/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/filling/gmcp-keyring-secret.h>

G_BEGIN_DECLS

/* What is done with a secret's value in the keyring, by libsecret. Each function ends the task, whose
 * cancellable counts: with the value, or NULL where there is none; with TRUE; with whether there was one; with a
 * GPtrArray of GmcpKeyringSecret. In a build without libsecret it fails with GMCP_ERROR_NOT_SUPPORTED. */
void gmcp_keyring_begin_lookup (GmcpKeyringSecret *secret, GTask *task);
void gmcp_keyring_begin_store (GmcpKeyringSecret *secret, const char *value, GTask *task);
void gmcp_keyring_begin_remove (GmcpKeyringSecret *secret, GTask *task);
void gmcp_keyring_begin_list (GTask *task);

G_END_DECLS
