/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

#include "gmcp-pin-store-private.h"
#include "gmcp-redactor-private.h"
#include "gmcp-server-table-private.h"
#include "gmcp-state-store-private.h"
#include "gmcp-tool-access-private.h"
#include "gmcp-tool-names-private.h"

G_BEGIN_DECLS

/* The tools of all servers: under which name each is listed, and whether the rules allow it. */
typedef struct _GmcpToolCatalog GmcpToolCatalog;

/* One tool of a server, which is listed where the rules allow it. It is gone when the server lists its tools
 * anew, and when the server leaves. */
typedef struct _GmcpCatalogEntry GmcpCatalogEntry;

typedef struct
{
  /* Whether the tools of the server are listed, as of one that belongs to the chosen project. */
  gboolean (*includes_server) (GmcpManagedServer *server, gpointer owner);
  /* What may be called may be another thing now. */
  void (*rules_changed) (gpointer owner);
  void (*instructions_changed) (gpointer owner);
  /* The owner may change the servers meanwhile. */
  void (*warn) (const char *server_id, const char *message, gpointer owner);
} GmcpToolCatalogHooks;

/* What the catalog goes by, and what has to outlive it. */
typedef struct
{
  GmcpServerTable *servers;
  GmcpToolAccess *access;
  GmcpPinStore *pins;
  GmcpStateStore *state;
  GmcpRedactor *redactor;
} GmcpToolCatalogParts;

/* The owner is held while something is told, and frees this when it is finalized. */
GmcpToolCatalog *gmcp_tool_catalog_new (const GmcpToolCatalogParts *parts,
                                        const GmcpToolCatalogHooks *hooks,
                                        GObject *owner);
void gmcp_tool_catalog_free (GmcpToolCatalog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolCatalog, gmcp_tool_catalog_free)

/* The tools, of GmcpTool. */
GListModel *gmcp_tool_catalog_get_tools (GmcpToolCatalog *self);
/* What a model should know of the servers; NULL for nothing. */
const char *gmcp_tool_catalog_get_instructions (GmcpToolCatalog *self);

/* The tools of a server are listed from the time that the server was made until it left the table. */
void gmcp_tool_catalog_add_server (GmcpToolCatalog *self, GmcpManagedServer *server);
void gmcp_tool_catalog_remove_server (GmcpToolCatalog *self, GmcpManagedServer *server);

/* What changes between these two is signalled once. */
void gmcp_tool_catalog_hold (GmcpToolCatalog *self);
void gmcp_tool_catalog_release (GmcpToolCatalog *self);
/* However many rules change between these two, each tool is judged once, with one signal. What is
 * listed or allowed meanwhile goes by the newest rules. */
void gmcp_tool_catalog_hold_rules (GmcpToolCatalog *self);
void gmcp_tool_catalog_release_rules (GmcpToolCatalog *self);

/* A rule, a role, or how far a server is trusted has changed. */
void gmcp_tool_catalog_refresh_rules (GmcpToolCatalog *self);
/* Other servers are included than before. */
void gmcp_tool_catalog_refresh_list (GmcpToolCatalog *self);
void gmcp_tool_catalog_refresh_instructions (GmcpToolCatalog *self);
void gmcp_tool_catalog_set_style (GmcpToolCatalog *self, GmcpToolNameStyle style);

/* All tools are compared anew with what they were before, since that, or what is done about it, is another
 * thing now. */
void gmcp_tool_catalog_compare_pins (GmcpToolCatalog *self);
/* The files of pins and of names as they stand. */
gboolean gmcp_tool_catalog_take_pins (GmcpToolCatalog *self, GBytes *bytes, GError **error);
gboolean gmcp_tool_catalog_take_names (GmcpToolCatalog *self, GBytes *bytes, GError **error);

/* Finds the tool that a name means; found->data is its entry. Where several may be meant, and where names near
 * to it are told, only what is listed and the role (nullable) allows counts. */
gboolean gmcp_tool_catalog_find (GmcpToolCatalog *self,
                                 const char *name,
                                 const char *role,
                                 GmcpToolName *found,
                                 GError **error);
/* NULL where the server has no such tool. Borrowed. */
GmcpCatalogEntry *
gmcp_tool_catalog_lookup (GmcpToolCatalog *self, const char *server, const char *tool);
/* A tool that a name was once listed for and that is gone; FALSE where none is remembered. */
gboolean gmcp_tool_catalog_recall (GmcpToolCatalog *self,
                                   const char *name,
                                   const char **server,
                                   const char **tool);
/* A tool of the server as it is listed, or would be if the rules allowed it. */
GmcpTool *
gmcp_tool_catalog_dup_listed (GmcpToolCatalog *self, GmcpManagedServer *server, GmcpTool *original);

/* Borrowed. */
GmcpManagedServer *gmcp_catalog_entry_get_server (const GmcpCatalogEntry *entry);
/* Under its listed name. Borrowed. */
GmcpTool *gmcp_catalog_entry_get_tool (const GmcpCatalogEntry *entry);
/* What becomes of the call is counted for this tool from now on. */
void gmcp_catalog_entry_resolve_call (GmcpCatalogEntry *entry, GmcpToolCall *call);

/* What the rules say about a call without a role of its own. Borrowed until something changes. */
const GmcpPolicyDecision *
gmcp_tool_catalog_peek_decision (GmcpToolCatalog *self, GmcpCatalogEntry *entry);
/* What the rules say about a call under a role; quick for NULL. The decision is overwritten. */
void gmcp_tool_catalog_judge (GmcpToolCatalog *self,
                              GmcpCatalogEntry *entry,
                              const char *role,
                              GmcpPolicyDecision *decision);
/* How often a tool was judged for the list. */
guint gmcp_tool_catalog_get_n_judged (GmcpToolCatalog *self);

G_END_DECLS
