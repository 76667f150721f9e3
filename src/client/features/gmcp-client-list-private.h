/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

#include "gmcp-json-private.h"
#include "gmcp-object-list-private.h"

G_BEGIN_DECLS

/* What a server lists in pages: each kind is read, kept up to date and given to callers in the same
 * way. */

typedef enum
{
  GMCP_CLIENT_LIST_TOOLS,
  GMCP_CLIENT_LIST_RESOURCES,
  GMCP_CLIENT_LIST_TEMPLATES,
  GMCP_CLIENT_LIST_PROMPTS,
  GMCP_CLIENT_N_LISTS,
} GmcpClientListId;

typedef struct
{
  const char *method;
  const char *member;     /* of the result, which holds the items */
  const char *capability; /* a server that does not declare it has none of these */
  gboolean may_lack;      /* a server with the capability may not know the method all the same */
  GType (*get_type) (void);
  gpointer (*new_item) (GmcpJsonValue value, GError **error);
  /* May be NULL. FALSE where it is well-formed, but of no use over this connection. */
  gboolean (*accept) (GmcpClient *self, gpointer item, GError **error);
  const char *(*get_key) (gpointer item); /* which no two items share */
  GmcpJsonValue (*get_value) (gpointer item);
  /* Sentences to be translated, in which %s is the server. */
  const char *failed;
  const char *not_connected;
  gpointer list_tag; /* of the functions that callers use */
  gpointer page_tag;
} GmcpClientListKind;

extern const GmcpClientListKind gmcp_client_list_tools;
extern const GmcpClientListKind gmcp_client_list_resources;
extern const GmcpClientListKind gmcp_client_list_templates;
extern const GmcpClientListKind gmcp_client_list_prompts;

typedef struct _GmcpListRefresh GmcpListRefresh;

/* One live list. */
typedef struct
{
  const GmcpClientListKind *kind;
  GmcpObjectList *items;
  GHashTable *by_key;       /* the items, borrowed; NULL before there are any */
  GmcpListRefresh *refresh; /* while it is being read */
  GQueue waiters;           /* of GTask */
  gboolean listed;
  gboolean outdated; /* it changed since it was read */
  gboolean stale;    /* it changed while it was read */
  gboolean warned;   /* that its pages do not end, on this connection */
  guint n_failures;  /* to read it since it changed */
  gint64 read_us;    /* when that was last tried */
  GSource *timer;    /* while a change waits to be looked at */
} GmcpClientList;

/* What came in so far. */
typedef struct
{
  GPtrArray *items;
  GHashTable *by_key; /* borrowed from the items */
  guint n_skipped;
} GmcpListItems;

void gmcp_client_lists_init (GmcpClient *self);
void gmcp_client_lists_clear (GmcpClient *self);
/* The connection has ended: nothing is known of the lists any more. */
void gmcp_client_lists_forget (GmcpClient *self);
void gmcp_client_lists_abandon (GmcpClient *self, const GError *error);

/* The server says that it has changed. It is read again where it was read before. */
void gmcp_client_list_changed (GmcpClient *self, GmcpClientListId id);
/* Whether what is in the list is what the server is known to have. */
gboolean gmcp_client_list_is_fresh (GmcpClient *self, GmcpClientListId id);
/* The item with that key as it is shown at present, or NULL. */
gpointer gmcp_client_list_peek (GmcpClient *self, GmcpClientListId id, const char *key);

/* The common part of the functions for callers; gives the live list. */
void gmcp_client_list_async (GmcpClient *self,
                             GmcpClientListId id,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
GListModel *gmcp_client_list_finish (GmcpClient *self,
                                     GmcpClientListId id,
                                     GAsyncResult *result,
                                     GError **error);

/* One page: gmcp-client-page.c. */
void gmcp_client_page_async (GmcpClient *self,
                             GmcpClientListId id,
                             const char *cursor,
                             GmcpCallOptions *options,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
GPtrArray *gmcp_client_page_finish (GmcpClient *self,
                                    GmcpClientListId id,
                                    GAsyncResult *result,
                                    char **next_cursor,
                                    GError **error);

/* The parts of reading a list: gmcp-client-list-items.c. */

/* Takes the items of one answer; what is malformed or doubled is left out and counted. */
void gmcp_list_items_init (GmcpListItems *self);
void gmcp_list_items_clear (GmcpListItems *self);
gboolean gmcp_list_items_take (GmcpListItems *self,
                               GmcpClient *client,
                               const GmcpClientListKind *kind,
                               GmcpJsonValue result,
                               GError **error);
/* An item that is as it was stays the object that it was, so that whoever shows the list has nothing
 * to do for it. */
void gmcp_list_items_keep_unchanged (GmcpListItems *self, GmcpClientList *list);
/* Whether there is another page, whose cursor is added to those before; FALSE and an error where there
 * are too many pages. repeats is set where the cursor is one of those before: the list ends there. */
gboolean gmcp_client_list_follows (GmcpClient *self,
                                   GHashTable *cursors,
                                   GmcpJsonValue cursor,
                                   gboolean *repeats,
                                   GError **error);
/* Whether the server does not declare it. Then it is empty, and is not asked for. */
gboolean gmcp_client_lacks_list (GmcpClient *self, const GmcpClientListKind *kind);
/* Whether that error says that the server has no such list. */
gboolean
gmcp_client_list_is_lacking (GmcpClient *self, const GmcpClientListKind *kind, const GError *error);
/* Puts the kind's sentence before the error. */
void
gmcp_client_list_prefix_error (GmcpClient *self, const GmcpClientListKind *kind, GError **error);
GError *gmcp_client_list_not_connected (GmcpClient *self, const GmcpClientListKind *kind);

G_END_DECLS
