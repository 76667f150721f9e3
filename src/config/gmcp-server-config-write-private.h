/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"
#include "gmcp-server-config-private.h"

G_BEGIN_DECLS

/* Configurations as entries of `mcpServers`. */

/* What a value is called there, for people. */
char *gmcp_server_config_name_field (const GmcpConfigField *field);

/* Appends an object, over several lines that start with indent but for the first. present is the entry
 * as it is written so far (GMCP_JSON_NONE for none): all of it stays but for what says something of
 * fields (properties; NULL for all). */
void gmcp_server_config_write (GmcpServerConfig *self,
                               const char *name,
                               GmcpJsonValue present,
                               const char *const *fields,
                               const char *indent,
                               GString *out);

G_END_DECLS
