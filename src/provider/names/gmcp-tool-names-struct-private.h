/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-tool-names-private.h"

G_BEGIN_DECLS

/* For gmcp-tool-names.c, which gives tools their names, and gmcp-tool-names-find.c, which finds tools by
 * them. */

typedef struct
{
  char *server;
  char *tool;
  gpointer data;
  const char *listed;      /* owned by the table of listed names */
  GmcpToolNameStyle style; /* that listed was made in */
  GSList *names;           /* all it was ever listed under, owned by the same table */
  gboolean present;
  gboolean reserved;    /* never forgotten */
  gboolean provisional; /* named while names were held */
  GList retired;        /* links it in the queue of those that are gone */
} GmcpToolNamesEntry;

struct _GmcpToolNames
{
  GmcpToolNameStyle style;
  guint n_present;
  GHashTable *entries;   /* a set of GmcpToolNamesEntry, by server and tool */
  GHashTable *by_listed; /* name → GmcpToolNamesEntry, of those that are gone too */
  GQueue retired;        /* GmcpToolNamesEntry, the longest gone first */
  /* name → GSList of GmcpToolNamesEntry; made when first needed, dropped when the tools change */
  GHashTable *by_style;
  GHashTable *by_own_name;
  /* Own name, made fit → GSList of GmcpToolNamesEntry; NULL before the style is BARE. */
  GHashTable *by_wanted;

  GmcpToolNameMayTakeFunc may_take;
  gpointer may_take_data;
  gboolean held;
};

/* NULL where the tool is not there now. */
GmcpToolNamesEntry *
gmcp_tool_names_lookup_present (GmcpToolNames *self, const char *server, const char *tool);
/* The entries of a server that are present; of all servers for NULL. */
GPtrArray *gmcp_tool_names_list_present (GmcpToolNames *self, const char *server);

/* The tables that tools are found by are made again when they are needed. */
void gmcp_tool_names_drop_indexes (GmcpToolNames *self);

G_END_DECLS
