/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-config-private.h"

G_BEGIN_DECLS

/* Where a value of a configuration, or one word of it, stands: for people, with file and line where there
 * are such. words is NULL but for lists. */
char *gmcp_config_describe_place (GmcpServerConfig *config,
                                  const GmcpConfigField *field,
                                  const char *const *words,
                                  gsize i);

/* Adds a finding for each variable of the environment that an enabled server needs, has no text of its own
 * to fall back to, and is not set. */
void gmcp_config_add_unset (GmcpServerConfig *config, GPtrArray *findings);

G_END_DECLS
