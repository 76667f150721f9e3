/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-redactor-private.h"

G_BEGIN_DECLS

/* What the configuration of a server gives to it, and must not be written down. */
void gmcp_redactor_add_config (GmcpRedactor *self, GmcpServerConfig *config);

G_END_DECLS
