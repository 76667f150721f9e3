/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The keys of one server in a file, and what they are called elsewhere. */

typedef enum
{
  GMCP_CONFIG_KEY_UNKNOWN,
  GMCP_CONFIG_KEY_KNOWN,
  GMCP_CONFIG_KEY_FOREIGN, /* another program's, without a meaning here */
} GmcpConfigKeyKind;

/* The name of a key in `mcpServers` for one of the many that it has in the files of other programs.
 * *scale is what a number is to be multiplied with. */
GmcpConfigKeyKind gmcp_config_key_resolve (const char *key, char **canonical, guint *scale);

/* The range that places other than a program are held to; FALSE where there is none. property is one of
 * GmcpServerConfig. */
gboolean gmcp_config_entry_get_range (const char *property, guint *low, guint *high);

/* camelCase for words with underscores or hyphens between them. */
char *gmcp_config_key_to_camel (const char *key);

/* The other way round; the key is in camelCase. */
char *gmcp_config_key_from_camel (const char *key, char mark);

/* The id of a server that is named by its id or by what its entry is called; a name that is to be expanded
 * stays as it is. */
char *gmcp_config_make_id (const char *name);

/* Whether a text is to be expanded before it means anything. */
gboolean gmcp_config_is_pattern (const char *text);

G_END_DECLS
