/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-config-contents-private.h"

G_BEGIN_DECLS

/* All of a file, as somebody reads it who is to agree to it. */
char *gmcp_config_review_describe (GmcpConfigContents *contents,
                                   GmcpConfigDocument *document,
                                   const char *folder);

G_END_DECLS
