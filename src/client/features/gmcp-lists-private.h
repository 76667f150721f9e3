/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

#include "gmcp-exchange-private.h"
#include "gmcp-features-private.h"
#include "gmcp-json-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-tool-headers-private.h"

G_BEGIN_DECLS

/* What a server lists in pages: each kind is read, kept up to date and given to callers in the same
 * way. */

typedef enum
{
  GMCP_LIST_TOOLS,
  GMCP_LIST_RESOURCES,
  GMCP_LIST_TEMPLATES,
  GMCP_LIST_PROMPTS,
  GMCP_N_LISTS,
} GmcpListId;

typedef struct
{
  const char *method;
  const char *member;     /* of the result, which holds the items */
  const char *capability; /* a server that does not declare it has none of these */
  gboolean may_lack;      /* a server with the capability may not know the method all the same */
  GType (*get_type) (void);
  gpointer (*new_item) (GmcpJsonValue value, GError **error);
  /* May be NULL. FALSE where it is well-formed, but of no use over this connection. */
  gboolean (*accept) (GmcpSession *self, gpointer item, GError **error);
  const char *(*get_key) (gpointer item); /* which no two items share */
  GmcpJsonValue (*get_value) (gpointer item);
  /* Sentences to be translated, in which %s is the server. */
  const char *failed;
  const char *not_connected;
} GmcpListKind;

extern const GmcpListKind gmcp_list_kinds[GMCP_N_LISTS];

/* What came in so far. */
typedef struct
{
  GPtrArray *items;
  GHashTable *by_key; /* borrowed from the items */
  guint n_skipped;
} GmcpListItems;

GmcpLists *gmcp_lists_new (void);
void gmcp_lists_free (GmcpLists *lists);
/* The live list. */
GmcpObjectList *gmcp_lists_get_items (GmcpSession *self, GmcpListId id);
/* Whether the list has been read on this connection. */
gboolean gmcp_lists_is_listed (GmcpSession *self, GmcpListId id);
/* The connection has ended: nothing is known of the lists any more. */
void gmcp_lists_forget (GmcpSession *self);
void gmcp_lists_abandon (GmcpSession *self, const GError *error);

/* Whether what is in the list is what the server is known to have. */
gboolean gmcp_lists_is_fresh (GmcpSession *self, GmcpListId id);

/* The common part of the functions for callers, which the tag is; gives the live list. */
void gmcp_lists_read_async (GmcpSession *self,
                            GmcpListId id,
                            gpointer tag,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
GListModel *
gmcp_lists_read_finish (gpointer owner, gpointer tag, GAsyncResult *result, GError **error);

/* One page: gmcp-list-page.c. */
void gmcp_lists_page_async (GmcpSession *self,
                            GmcpListId id,
                            gpointer tag,
                            const char *cursor,
                            GmcpCallOptions *options,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
GPtrArray *gmcp_lists_page_finish (gpointer owner,
                                   gpointer tag,
                                   GAsyncResult *result,
                                   char **next_cursor,
                                   GError **error);

/* The parts of reading a list: gmcp-list-items.c. */

/* Takes the items of one answer; what is malformed or doubled is left out and counted. */
void gmcp_list_items_init (GmcpListItems *self);
void gmcp_list_items_clear (GmcpListItems *self);
gboolean gmcp_list_items_take (GmcpListItems *self,
                               GmcpSession *session,
                               const GmcpListKind *kind,
                               GmcpJsonValue result,
                               GError **error);
/* An item that is as it was stays the object that it was, so that views of the list need no change.
 * before has the former items by their keys; NULL for none. */
void
gmcp_list_items_keep_unchanged (GmcpListItems *self, const GmcpListKind *kind, GHashTable *before);
/* Whether there is another page, whose cursor is added to those before; FALSE and an error where there
 * are too many pages. repeats is set where the cursor is one of those before: the list ends there. */
gboolean gmcp_lists_follows (GmcpSession *self,
                             GHashTable *cursors,
                             GmcpJsonValue cursor,
                             gboolean *repeats,
                             GError **error);
/* When changes are told, or will not be: the lists can be read. */
void gmcp_lists_watched (GmcpSession *self);
/* The server says that these have changed. */
void gmcp_lists_note_changes (GmcpSession *self, GmcpSubscriptionFlags changes);
/* What changed may not have been told. */
void gmcp_lists_all_changed (GmcpSession *self);

/* NULL for one that the server is not known to have. */
GmcpTool *gmcp_lists_peek_tool (GmcpSession *self, const char *name);
/* Which arguments the tool marks to stand in headers; NULL for none. */
const GmcpToolHeaders *gmcp_lists_peek_tool_headers (GmcpSession *self, const char *name);
/* The peer found that the headers of a call do not go with it: the tools are listed anew and the
 * call is sent once more. FALSE where that is of no use; else the exchange, which must be out of the
 * table, is held. */
gboolean
gmcp_lists_refresh_headers (GmcpSession *self, GmcpExchange *exchange, const GError *error);

/* Whether the server does not declare it. Then it is empty, and is not asked for. */
gboolean gmcp_lists_lacks (GmcpSession *self, const GmcpListKind *kind);
/* Whether that error says that the server has no such list. */
gboolean gmcp_lists_is_lacking (GmcpSession *self, const GmcpListKind *kind, const GError *error);
/* Puts the kind's sentence before the error. */
void gmcp_lists_prefix_error (GmcpSession *self, const GmcpListKind *kind, GError **error);
GError *gmcp_lists_not_connected (GmcpSession *self, const GmcpListKind *kind);

G_END_DECLS
