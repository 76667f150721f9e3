/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-gathered-lists-private.h"

G_BEGIN_DECLS

/* What one server lists beside its tools. It is read when the server is up, and stays while that is away. */
typedef struct _GmcpGatheredPart GmcpGatheredPart;

/* Not called any more once the part has been dropped. */
typedef struct
{
  void (*state_changed) (GmcpGatheredPart *part, gpointer data);
  void (*items_changed) (GmcpGatheredPart *part, GmcpGatheredKind kind, gpointer data);
  /* Another connection of the server's is asked. */
  void (*connected) (GmcpGatheredPart *part, gpointer data);
  /* It is not pending any more, perhaps. */
  void (*answered) (GmcpGatheredPart *part, gpointer data);
} GmcpGatheredPartHooks;

/* Without a catalog, which may be NULL, prompts have their server's own names. The hooks are static. */
GmcpGatheredPart *gmcp_gathered_part_new (GmcpManagedServer *server,
                                          GmcpPromptCatalog *prompts,
                                          const GmcpGatheredPartHooks *hooks,
                                          gpointer data);
/* What is under way keeps it. */
GmcpGatheredPart *gmcp_gathered_part_ref (GmcpGatheredPart *self);
void gmcp_gathered_part_unref (GmcpGatheredPart *self);
/* Lets go of the server, and takes one reference. */
void gmcp_gathered_part_drop (GmcpGatheredPart *self);
gboolean gmcp_gathered_part_is_dropped (GmcpGatheredPart *self);

GmcpManagedServer *gmcp_gathered_part_get_server (GmcpGatheredPart *self);
/* Whether it counts, which others decide on. */
gboolean gmcp_gathered_part_is_included (GmcpGatheredPart *self);
void gmcp_gathered_part_set_included (GmcpGatheredPart *self, gboolean is_included);
/* NULL before they were listed. */
GPtrArray *gmcp_gathered_part_get_items (GmcpGatheredPart *self, GmcpGatheredKind kind);

/* Whether it was asked once, with success or without. */
gboolean gmcp_gathered_part_is_known (GmcpGatheredPart *self);
/* Whether an answer, or a start, is waited for. */
gboolean gmcp_gathered_part_is_pending (GmcpGatheredPart *self);
/* Asks a server that is up, unless this connection was asked. */
void gmcp_gathered_part_request (GmcpGatheredPart *self);
/* Starts the server for that, unless it is left to the user. */
void gmcp_gathered_part_start (GmcpGatheredPart *self);
/* The task returns TRUE when nothing is pending any more, or fails with the start. */
void gmcp_gathered_part_wait (GmcpGatheredPart *self, GTask *task);
/* Moves all such tasks to another queue. */
void gmcp_gathered_part_give_waiters (GmcpGatheredPart *self, GQueue *waiters);

G_END_DECLS
