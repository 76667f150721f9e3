/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-call-counters-private.h"

G_BEGIN_DECLS

/* What is known of the calls of one server, and who may make one now. The calls that are under way keep
 * it, so it may outlive the server. */
typedef struct _GmcpServerLedger GmcpServerLedger;

/* One tool of it; lives as long as the ledger does. */
typedef struct
{
  char *name; /* as the server has it */
  char *
    names_json; /* members “server” and “tool” after others, for the audit log; NULL where they are too long */
  gsize names_length;
  GmcpCallCounters counters;
} GmcpToolLedger;

GmcpServerLedger *gmcp_server_ledger_new (const char *id, GMainContext *context);
GmcpServerLedger *gmcp_server_ledger_ref (GmcpServerLedger *self);
void gmcp_server_ledger_unref (GmcpServerLedger *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerLedger, gmcp_server_ledger_unref)

const char *gmcp_server_ledger_get_id (GmcpServerLedger *self);
GmcpToolLedger *gmcp_server_ledger_get_tool (GmcpServerLedger *self, const char *name);
void gmcp_server_ledger_count (GmcpServerLedger *self,
                               GmcpToolLedger *tool,
                               const GmcpCallOutcome *outcome);
/* Called with the error that a call of the server ended with. */
typedef void (*GmcpCallFailedFunc) (const GError *error, gpointer data);
/* NULL to be told no more. */
void
gmcp_server_ledger_set_failed_func (GmcpServerLedger *self, GmcpCallFailedFunc func, gpointer data);
void gmcp_server_ledger_call_failed (GmcpServerLedger *self, const GError *error);
/* Members of an object that was begun: the sums, and “tools”. */
void gmcp_server_ledger_write (GmcpServerLedger *self, GmcpJsonWriter *writer);

/* The places: so many calls at once, in the order in which they came. */

/* The limits of this configuration hold from now on; costs nothing where it is the same. */
void gmcp_server_ledger_use_config (GmcpServerLedger *self, GmcpServerConfig *config);
/* What holds where the configuration says nothing. */
void gmcp_server_ledger_set_defaults (GmcpServerLedger *self, guint max_calls, guint max_waiting);
/* FALSE where there is no place, or somebody waits for one. */
gboolean gmcp_server_ledger_take_place (GmcpServerLedger *self);
/* Whoever is the first to wait has it now. */
void gmcp_server_ledger_give_place (GmcpServerLedger *self);

/* Called once: with NULL whoever waited has a place, with an error it has not. */
typedef void (*GmcpPlaceFunc) (GError *error, gpointer data);
/* FALSE, with GMCP_ERROR_LIMIT_EXCEEDED and without a call of func, where too many wait already. */
gboolean gmcp_server_ledger_await_place (GmcpServerLedger *self,
                                         guint timeout_ms,
                                         GCancellable *cancellable,
                                         GmcpPlaceFunc func,
                                         gpointer data,
                                         GError **error);

G_END_DECLS
