/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager-enums.h>
#include <gmcp/manager/gmcp-server-config.h>
#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

/* What the tools of servers were when they were first seen, or approved since. A server that was never
 * seen before is taken as it is; what changes or is added later has to be approved. Where another command
 * stands under its id now, tools that were never seen are taken as they are, and those that were are
 * compared with what was approved under the id.
 *
 * {"version":1,"servers":[{"id","identity","tools":[{"name","digest","definition","pending":{"digest",
 * "definition"}},…]},…]}; a tool without a digest was never approved. Plain data, for one thread. */
typedef struct _GmcpToolPins GmcpToolPins;

#define GMCP_TOOL_PINS_FILE "tool-pins.json"

/* A tool as a server has it now. */
typedef struct
{
  char *name;
  char *digest;       /* NULL where it is that of the definition, and was not needed yet */
  char *definition;   /* JSON in one line */
  gboolean is_edited; /* the definition is not the one that the server gave: without its secrets */
} GmcpToolSight;

/* A pin, for who looks through them. Borrowed. */
typedef struct
{
  const char *server;
  const char *tool;
  GmcpPinStatus status;
  const char *approved; /* the definition; NULL for a new tool */
  const char *present;  /* the definition that waits, or the approved one */
} GmcpToolPinView;

typedef void (*GmcpToolPinsFunc) (const GmcpToolPinView *pin, gpointer data);

GmcpToolPins *gmcp_tool_pins_new (void);
void gmcp_tool_pins_free (GmcpToolPins *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolPins, gmcp_tool_pins_free)

/* NULL for bytes is none. */
GmcpToolPins *gmcp_tool_pins_parse (GBytes *bytes, GError **error);
GBytes *gmcp_tool_pins_write (GmcpToolPins *self);

/* What is reached under an id: another command or address is another server. */
char *gmcp_tool_pins_dup_identity (GmcpServerConfig *config);

/* Takes what a server lists now, and fills in the digests that it needs. TRUE where something is to be written; the positions of what is
 * flagged for the first time are added to flagged (of guint, nullable). */
gboolean gmcp_tool_pins_see (GmcpToolPins *self,
                             const char *server,
                             const char *identity,
                             GmcpToolSight *tools,
                             guint n_tools,
                             GArray *flagged);
GmcpPinStatus gmcp_tool_pins_get_status (GmcpToolPins *self,
                                         const char *server,
                                         const char *identity,
                                         const char *tool);
/* Of all servers, or all tools, where that is NULL. Gives how many were not approved before. */
guint gmcp_tool_pins_approve (GmcpToolPins *self, const char *server, const char *tool);
void gmcp_tool_pins_foreach (GmcpToolPins *self, GmcpToolPinsFunc func, gpointer data);

/* Sets what is shown of a tool, with its digest where that cannot be had from it. Takes the definition. */
void
gmcp_tool_sight_set (GmcpToolSight *self, GmcpTool *tool, char *definition, gboolean is_edited);

/* The definition that is pinned, of what a model is told. */
char *gmcp_tool_pins_dup_definition (GmcpTool *tool);

G_END_DECLS
