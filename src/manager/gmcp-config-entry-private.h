/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-server-config.h>

#include "gmcp-config-report-private.h"

G_BEGIN_DECLS

/* How the entries of one kind of file are read. */
typedef struct
{
  gboolean split_command; /* the command is one text, with its arguments, quoted as for a shell */
  gboolean loose_scalars; /* a number or a boolean is a text too, as it was written */
  gboolean check_ranges;
  gboolean zero_is_default; /* 0 stands for the manager's value, whatever the range */
  gboolean forgive_ranges;  /* a value out of its range is left out with a warning */
  gboolean seconds;         /* the unit of the key timeout, which is milliseconds otherwise */
  GmcpServerStart start;
  gboolean start_is_default; /* the manager has another one for it */
  GmcpNoticeLevel unknown_key;

  /* Where other programs mean something else; 0 and NULL for what `mcpServers` means. */
  const char *main_url;         /* the key that is stronger than all others for the address */
  gboolean sse_url;             /* what stands at “url” speaks HTTP+SSE */
  gboolean timeout_is_of_start; /* the key timeout is not that of a call */
  gboolean command_object; /* “command” may be an object with “path”, “args” and “env” */
  char *(*translate) (const char *text); /* into our variables; NULL for what cannot be said */
} GmcpConfigEntryRules;

/* As `mcpServers` is read. */
extern const GmcpConfigEntryRules gmcp_config_entry_plain_rules;

/* One server of a file. What is wrong is reported with its place, and nothing is given then. path is
 * where the entry stands; a relative folder is taken from base_dir (nullable). */
GmcpServerConfig *gmcp_config_entry_read (const char *id,
                                          const char *title,
                                          GmcpJsonValue value,
                                          const char *path,
                                          const char *base_dir,
                                          const GmcpConfigEntryRules *rules,
                                          GmcpConfigReport *report);

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

/* The names of all keys of an entry in `mcpServers`, one after the other; NULL after the last. */
const char *gmcp_config_entry_get_key_name (gsize i);

/* camelCase for words with underscores or hyphens between them. */
char *gmcp_config_key_to_camel (const char *key);

/* The id of a server that is named by its id or by what its entry is called; a name that is to be expanded
 * stays as it is. */
char *gmcp_config_make_id (const char *name);

/* Whether a text is to be expanded before it means anything. */
gboolean gmcp_config_is_pattern (const char *text);

G_END_DECLS
