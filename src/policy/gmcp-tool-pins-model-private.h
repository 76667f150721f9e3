/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-tool-pins-private.h"

G_BEGIN_DECLS

/* What the pins are made of, for the two files that know: gmcp-tool-pins.c has what is done with them,
 * gmcp-tool-pins-file.c how they are kept. */

/* A tool as it was at one time. */
typedef struct
{
  char *digest;      /* NULL for none */
  char *definition;  /* NULL where it is not kept */
  gboolean is_whole; /* the definition; the digest is of that then */
  gboolean is_told;  /* the digest is of name, description and schemas only */
} GmcpPinnedForm;

typedef struct
{
  GmcpPinnedForm approved; /* without a digest where it never was */
  GmcpPinnedForm pending;  /* without a digest where nothing waits */
} GmcpPinnedTool;

typedef struct
{
  char *id;
  char *identity;
  char *abilities;   /* NULL where they are not known: in files of earlier versions */
  GHashTable *tools; /* key → GmcpPinnedTool */
  guint n_unpinned;  /* that there was no room for when it was last seen */
} GmcpPinnedServer;

struct _GmcpToolPins
{
  GPtrArray *servers; /* of GmcpPinnedServer, the longest known first */
};

GmcpPinnedServer *
gmcp_pinned_server_new (const char *id, const char *identity, const char *abilities);
void gmcp_pinned_form_clear (GmcpPinnedForm *form);
void gmcp_pinned_tool_free (gpointer data);
/* The keys of its tools, in order. Borrowed. */
GPtrArray *gmcp_pinned_server_list_keys (GmcpPinnedServer *server);
/* Where that is NULL, whose abilities are not known. */
GmcpPinnedServer *gmcp_tool_pins_find (GmcpToolPins *self,
                                       const char *id,
                                       const char *identity,
                                       const char *abilities);
/* Leaves out definitions of the server, the largest first, until no more of them are there than that. */
void gmcp_pinned_server_limit_definitions (GmcpPinnedServer *server, gsize max_bytes);

G_END_DECLS
