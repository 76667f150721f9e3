/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-tool-sight-private.h"

G_BEGIN_DECLS

/* What the tools of servers were when they were first seen, or approved since. A server that was never
 * seen before is taken as it is; what changes or is added later has to be approved. Where another command
 * stands under its id now, tools that were never seen are taken as they are, and those that were are
 * compared with what was approved under the id. So it is where a server is first seen by a host that can do
 * other things, such as answer questions: what servers offer depends on that. Plain data, for one thread. */
typedef struct _GmcpToolPins GmcpToolPins;

#define GMCP_TOOL_PINS_FILE "tool-pins.json"

/* What a server lists now. Borrowed; the digests of the sights are filled in where they are needed. */
typedef struct
{
  const char *server;
  const char *identity;  /* what is reached under the id: gmcp_tool_pins_dup_identity() */
  const char *abilities; /* of the host: gmcp_client_abilities_to_string() */
  GmcpToolSight *tools;
  guint n_tools;
} GmcpToolPinsSighting;

/* What is to be told of a sighting. */
typedef struct
{
  GArray *flagged; /* of guint (nullable): positions of what is flagged for the first time */
  guint
    n_adopted; /* tools of which less was compared so far, and which are taken as they are now */
  guint n_unpinned; /* tools for which there was no room; 0 where that was so before */
} GmcpToolPinsNews;

/* A pin, for who looks through them. Borrowed. Without a digest there is none; without a definition that
 * is not kept. */
typedef struct
{
  const char *server;
  const char *tool;
  GmcpPinStatus status;
  const char *approved; /* the definition */
  const char *approved_digest;
  const char *present; /* that waits, or was approved */
  const char *present_digest;
} GmcpToolPinView;

typedef void (*GmcpToolPinsFunc) (const GmcpToolPinView *pin, gpointer data);

GmcpToolPins *gmcp_tool_pins_new (void);
void gmcp_tool_pins_free (GmcpToolPins *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolPins, gmcp_tool_pins_free)

/* Files: gmcp-tool-pins-file.c. NULL for bytes is none. What is written can be read again, whatever
 * servers offer: each has a share of what a file may hold, beyond which definitions are left out, and what
 * is left out of those of servers with very many tools counts as new. */
GmcpToolPins *gmcp_tool_pins_parse (GBytes *bytes, GError **error);
GBytes *gmcp_tool_pins_write (GmcpToolPins *self);

/* What a server is known by: another command or address is another server. */
char *gmcp_tool_pins_dup_identity (GmcpServerConfig *config);

/* Takes what a server lists now. TRUE where something is to be written. */
gboolean gmcp_tool_pins_see (GmcpToolPins *self,
                             const GmcpToolPinsSighting *sighting,
                             GmcpToolPinsNews *news);
/* The status of each tool of the sighting, in order. */
void gmcp_tool_pins_get_statuses (GmcpToolPins *self,
                                  const GmcpToolPinsSighting *sighting,
                                  GmcpPinStatus *statuses);
/* Approves a tool; all tools of the server, or of all servers, for NULL. With digests, only what has one of them.
 * Returns how many were not approved before. */
guint gmcp_tool_pins_approve (GmcpToolPins *self,
                              const char *server,
                              const char *tool,
                              const char *const *digests);
/* Whether there is such a tool; any of the server, or of any, for NULL. */
gboolean gmcp_tool_pins_have (GmcpToolPins *self, const char *server, const char *tool);
/* Whether a tool is approved with one of the digests. */
gboolean gmcp_tool_pins_have_approved (GmcpToolPins *self,
                                       const char *server,
                                       const char *tool,
                                       const char *const *digests);
void gmcp_tool_pins_foreach (GmcpToolPins *self, GmcpToolPinsFunc func, gpointer data);

G_END_DECLS
