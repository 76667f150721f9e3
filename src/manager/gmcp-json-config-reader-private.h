/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-server-config.h>

G_BEGIN_DECLS

/* All servers of a text with an object mcpServers; an array of GmcpServerConfig. The text comes from
 * a file that a relative cwd is relative to; where file_name is given, errors start with it. */
GPtrArray *gmcp_json_config_read (const char *text,
                                  gsize length,
                                  const char *file_name,
                                  const char *base_dir,
                                  GError **error);

G_END_DECLS
