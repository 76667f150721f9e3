/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-auditor-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-tool-catalog-private.h"
#include "gmcp-tool-gate-private.h"

G_BEGIN_DECLS

/* The way of a call to the server whose tool its name means, and the calls that cannot be sent yet: since the
 * configuration is not read, nobody has such a tool, somebody has to allow the call, or the server is not up or
 * has no place. Tools of the host's own go the same way up to the answer of whoever has to allow them. */
typedef struct _GmcpCallRouter GmcpCallRouter;

typedef struct
{
  gboolean (*is_config_read) (gpointer owner);
  void (*read_config_async) (gpointer owner,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
  gboolean (*read_config_finish) (gpointer owner, GAsyncResult *result, GError **error);
  /* Whether the tools of the server are listed, as of one that belongs to the chosen project. */
  gboolean (*includes_server) (GmcpManagedServer *server, gpointer owner);
  /* The file of a project that nobody trusts, and that may bring the tool; NULL for none. */
  char *(*dup_untrusted_file) (gpointer owner);
  /* The file to write a server into where none is configured; NULL where one is, or where none may be. */
  char *(*dup_file_for_servers) (gpointer owner);
} GmcpCallRouterHooks;

/* What the router goes by, and what has to outlive it. */
typedef struct
{
  GmcpServerTable *servers;
  GmcpToolCatalog *catalog;
  GmcpToolAccess *access;
  GmcpAuditor *auditor;
  const GmcpManagerLimits *limits;
} GmcpCallRouterParts;

/* The owner is held by each call that waits, and frees this when it is finalized. The hooks are static. */
GmcpCallRouter *gmcp_call_router_new (const GmcpCallRouterParts *parts,
                                      const GmcpCallRouterHooks *hooks,
                                      GObject *owner);
void gmcp_call_router_free (GmcpCallRouter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCallRouter, gmcp_call_router_free)

/* Takes a call; replay_of is the id of the one that it repeats, or NULL. */
void gmcp_call_router_take (GmcpCallRouter *self, GmcpToolCall *call, const char *replay_of);
/* Calls that come from now on end with the error, and so do those that get a place. */
void gmcp_call_router_close (GmcpCallRouter *self, const GError *reason);

/* Whether a tool of the host's own may be called, if need be after somebody was asked. What the host says of its
 * tools is believed. */
gboolean gmcp_call_router_permits_own (GmcpCallRouter *self, GmcpTool *tool, GError **error);
/* Takes a call of such a tool as far as that. func is called once, perhaps at once; where the call may not be
 * made it has ended before. */
void gmcp_call_router_admit_own (GmcpCallRouter *self,
                                 GmcpToolCall *call,
                                 GmcpTool *tool,
                                 GmcpToolGateFunc func,
                                 gpointer data);

G_END_DECLS
