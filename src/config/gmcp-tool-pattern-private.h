/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-policy-subject-private.h"

G_BEGIN_DECLS

/* What a rule says about tools. `SERVER.TOOL`, split at the first dot, is about the tools of servers;
 * each part may hold `*` (any characters) and `?` (one). Without a dot it is about tools of the
 * host's own. `*` alone is about all. A name as it is listed to hosts (`SERVER__TOOL`) is understood
 * too. */
typedef struct
{
  char *text;
  char *server; /* NULL for none of a server's */
  char *tool;
  char *own; /* NULL for none of the host's own */
  gboolean exact;
  gboolean like_listed; /* it has two underscores, as SERVER__TOOL */
} GmcpToolPattern;

/* NULL for what is no pattern. */
GmcpToolPattern *gmcp_tool_pattern_new (const char *text);
void gmcp_tool_pattern_free (GmcpToolPattern *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolPattern, gmcp_tool_pattern_free)

/* Whether the pattern names the tool by id and name; server is NULL for a tool of the host's own. */
gboolean
gmcp_tool_pattern_matches (const GmcpToolPattern *self, const char *server, const char *tool);
/* Whether the pattern names the tool, its server by id or title, or a name that the tool is listed under: for
 * rules that take something away, which must not miss what they mean. */
gboolean gmcp_tool_pattern_covers (const GmcpToolPattern *self, const GmcpPolicySubject *subject);
/* Whether the rule is the very name that the server's tool is listed under just now. */
gboolean
gmcp_tool_pattern_names_listed (const GmcpToolPattern *self, const GmcpPolicySubject *subject);
/* Whether the pattern may match, or cover, some tool of a server. */
gboolean gmcp_tool_pattern_matches_server (const GmcpToolPattern *self, const char *server);
gboolean gmcp_tool_pattern_covers_server (const GmcpToolPattern *self,
                                          const char *server,
                                          const char *title);

/* In time that grows with the product of the lengths at most, whatever the glob. */
gboolean gmcp_glob_matches (const char *glob, const char *text);

/* The pair that a rule's name, or a person, means: *server is NULL where there is no dot. */
void gmcp_tool_pattern_split_name (const char *name, char **server, const char **tool);

/* Patterns of a list, and the first that covers it. */
GPtrArray *gmcp_tool_patterns_new (const char *const *texts, const char **invalid);
const GmcpToolPattern *
gmcp_tool_patterns_find (GPtrArray *patterns, const GmcpPolicySubject *subject);

G_END_DECLS
