/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-server-config.h>

#include "gmcp-config-contents-private.h"

G_BEGIN_DECLS

/* What somebody reads who is to agree to it: whole, not redacted, with variables as they are written, and
 * visible. A line is KEY: VALUE, each with the indent before it. */

/* folder is where the server runs without a cwd; NULL to say nothing of that. Without values, those of the
 * environment and of headers are left out. */
void gmcp_config_review_append_server (GString *text,
                                       GmcpServerConfig *config,
                                       const char *indent,
                                       const char *folder,
                                       gboolean with_values);
/* All of a file. */
char *gmcp_config_review_describe (GmcpConfigContents *contents,
                                   GmcpConfigDocument *document,
                                   const char *folder);

G_END_DECLS
