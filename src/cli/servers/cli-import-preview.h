/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/import/gmcp-config-import.h>

G_BEGIN_DECLS

/* What an import would write, for somebody who is to agree to it: several lines, visible. servers are names or ids;
 * NULL for all. */
char *cli_import_dup_preview (GmcpConfigImport *import, const char *const *servers);

G_END_DECLS
