/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-file-config-source.h>

#include "gmcp-config-contents-private.h"

G_BEGIN_DECLS

/* What was read last; NULL before that, and where the file is not there. Borrowed until the next
 * change. */
GmcpConfigContents *gmcp_file_config_source_peek_contents (GmcpFileConfigSource *self);

G_END_DECLS
