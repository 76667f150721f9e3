/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* What a provider lists, as clients see it: in the order in which it came, by key, and in pages. A
 * cursor stays good while things come and go. */

typedef struct _GmcpServerList GmcpServerList;
typedef struct _GmcpServerItem GmcpServerItem;

typedef struct
{
  const char *member; /* of the result, such as tools */
  char cursor_prefix;
  /* Sets what an item has beside its object. FALSE: clients do not see the thing. */
  gboolean (*read) (GmcpServerItem *item);
  void (*free_detail) (gpointer detail); /* nullable */
} GmcpServerListKind;

/* One of them. A call that runs keeps its item, which may leave the list meanwhile. */
struct _GmcpServerItem
{
  const GmcpServerListKind *kind;
  gpointer object; /* owned */
  char *key;
  char *json;
  char *plain_json; /* nullable: for clients to whom structured content is an object */
  gpointer detail;
  guint64 serial; /* never given to another key */
};

typedef void (*GmcpServerListChangedFunc) (GmcpServerList *list, gpointer data);

/* model may be NULL: then the list is empty. */
GmcpServerList *gmcp_server_list_new (const GmcpServerListKind *kind,
                                      GListModel *model,
                                      GmcpServerListChangedFunc changed,
                                      gpointer data);
void gmcp_server_list_free (GmcpServerList *self);

/* Borrowed; NULL where there is none. */
GmcpServerItem *gmcp_server_list_find (GmcpServerList *self, const char *key);
/* An item of that key that is not in the list; NULL where clients would not see it. */
GmcpServerItem *gmcp_server_list_make_item (GmcpServerList *self, gpointer object, const char *key);
/* The first that is so; borrowed, NULL where there is none. */
GmcpServerItem *
gmcp_server_list_search (GmcpServerList *self, gboolean (*matches) (GmcpServerItem *item));
/* Answers with a page. */
void gmcp_server_list_reply (GmcpServerList *self, GmcpServerExchange *exchange);

GmcpServerItem *gmcp_server_item_ref (GmcpServerItem *item);
void gmcp_server_item_unref (GmcpServerItem *item);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerList, gmcp_server_list_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerItem, gmcp_server_item_unref)

G_END_DECLS
