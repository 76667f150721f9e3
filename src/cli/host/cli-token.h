/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

#define CLI_TOKEN_CONTROL "control-token"
#define CLI_TOKEN_GATEWAY "gateway-token"

/* The token that gmcpd asks programs for: what stands in its file, else what the keyring has. NULL without an error where
 * there is none yet. */
char *cli_token_dup (CliHost *host, const char *name, GError **error);

G_END_DECLS
