/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-config-entry-keys-private.h"
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

/* The rules of `mcpServers`. */
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

/* The names of all keys of an entry in `mcpServers`, one after the other; NULL after the last. */
const char *gmcp_config_entry_get_key_name (gsize i);

G_END_DECLS
