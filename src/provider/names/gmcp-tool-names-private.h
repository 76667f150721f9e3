/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/core/gmcp-error.h>

G_BEGIN_DECLS

/* The names under which a host sees the tools of several servers: at most
 * GMCP_LIMIT_TOOL_NAME_LENGTH characters of [A-Za-z0-9_-].
 *
 * A name once given stays with its tool, also while the tool is gone (of the gone ones the last
 * GMCP_LIMIT_LIST_ITEMS are remembered), so that no host calls another tool than it meant.
 *
 * Among the tools of one call of add(), names do not depend on their order: where several would get
 * the same name, the one whose own name needed no change has it, and the others get a hash of server
 * and tool at the end. */

typedef struct _GmcpToolNames GmcpToolNames;

typedef struct
{
  const char *server;
  const char *tool;
  gpointer data;      /* the caller's; given back by find() */
  const char *listed; /* set by add() and find(); valid until the tool is removed */
} GmcpToolName;

GmcpToolNames *gmcp_tool_names_new (GmcpToolNameStyle style);
void gmcp_tool_names_free (GmcpToolNames *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolNames, gmcp_tool_names_free)

guint gmcp_tool_names_get_length (GmcpToolNames *self);

/* A tool that is there already keeps its name and gets the new data. */
void gmcp_tool_names_add (GmcpToolNames *self, GmcpToolName *names, guint n_names);
void gmcp_tool_names_remove (GmcpToolNames *self, const char *server, const char *tool);
void gmcp_tool_names_remove_server (GmcpToolNames *self, const char *server);
/* Names all tools anew; the former names are still found. */
void gmcp_tool_names_set_style (GmcpToolNames *self, GmcpToolNameStyle style);

/* Whether a tool may be listed under its own name, @listed, now and from then on; in the style BARE only,
 * and only where no other tool is listed or waits under it. */
typedef gboolean (*GmcpToolNameMayTakeFunc) (const char *listed,
                                             const char *server,
                                             const char *tool,
                                             gpointer data);
void
gmcp_tool_names_set_may_take (GmcpToolNames *self, GmcpToolNameMayTakeFunc func, gpointer data);

/* The own name of a tool, which may be not there, as it was listed in an earlier run: nobody else gets it,
 * and whoever has it now loses it. Whether a tool that is there has another name now. */
gboolean gmcp_tool_names_reserve (GmcpToolNames *self,
                                  const char *listed,
                                  const char *server,
                                  const char *tool);

/* Between the two nobody sees the names: tools are known by their long names, and the short ones are given
 * when all are there. Whether a name is another one now. */
void gmcp_tool_names_hold (GmcpToolNames *self);
gboolean gmcp_tool_names_settle (GmcpToolNames *self);

/* NULL where it is not there. */
const char *
gmcp_tool_names_lookup_listed (GmcpToolNames *self, const char *server, const char *tool);

/* Finds a tool by, in this order: its listed name; SERVER.TOOL, split at the first dot; its name in
 * another style; its own name. GMCP_ERROR_AMBIGUOUS_TOOL or GMCP_ERROR_UNKNOWN_TOOL otherwise.
 * All of *found is valid until the tool is removed. */
gboolean
gmcp_tool_names_find (GmcpToolNames *self, const char *name, GmcpToolName *found, GError **error);

/* Whether somebody may be told of a tool, by the data that it was added with. */
typedef gboolean (*GmcpToolNameShownFunc) (gpointer tool_data, gpointer data);

/* Finds a tool among those that are shown: a name is ambiguous only between these, and suggestions
 * are of these alone. */
gboolean gmcp_tool_names_find_shown (GmcpToolNames *self,
                                     const char *name,
                                     GmcpToolNameShownFunc is_shown,
                                     gpointer data,
                                     GmcpToolName *found,
                                     GError **error);

/* A tool that a name was once listed for and that is gone; FALSE where none is remembered. */
gboolean gmcp_tool_names_recall (GmcpToolNames *self,
                                 const char *name,
                                 const char **server,
                                 const char **tool);

/* The name of a tool in a style, whatever other tools there are. BARE is the tool's own name, made
 * fit. */
char *gmcp_tool_name_format (GmcpToolNameStyle style, const char *server, const char *tool);
/* The name of a tool with that many digits of the hash at the end. */
char *gmcp_tool_name_format_hashed (GmcpToolNameStyle style,
                                    const char *server,
                                    const char *tool,
                                    guint n_digits);
/* Whether the name, as formatted, says exactly which tool it is: nothing was replaced or cut. */
gboolean gmcp_tool_name_is_exact (GmcpToolNameStyle style, const char *server, const char *tool);

G_END_DECLS
