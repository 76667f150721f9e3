/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A live list of the definitions (resources, templates, prompts) of several lists, one after the other. Of those with
 * the same key the first is listed. */

typedef struct _GmcpJoinedList GmcpJoinedList;

typedef struct
{
  /* Before the definitions of an owner's list are shown, each key once. Nullable. */
  void (*begin) (gpointer owner, GPtrArray *originals, gpointer data);
  /* What is listed for a definition; a new reference. NULL lists the definition itself. */
  gpointer (*show) (gpointer owner, gpointer original, gpointer data);
  /* After a change, which the list has told of already. Nullable. */
  void (*changed) (gpointer data);
} GmcpJoinedListFuncs;

/* The holder, which owns the list, is not: it is kept alive while a change is told of. The functions are static. */
GmcpJoinedList *gmcp_joined_list_new (GObject *holder,
                                      GType item_type,
                                      const GmcpJoinedListFuncs *funcs,
                                      gpointer data);
void gmcp_joined_list_free (GmcpJoinedList *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpJoinedList, gmcp_joined_list_free)

/* Borrowed; always the same. */
GListModel *gmcp_joined_list_get_model (GmcpJoinedList *self);

void gmcp_joined_list_add (GmcpJoinedList *self, gpointer owner, GListModel *list);
void gmcp_joined_list_remove (GmcpJoinedList *self, gpointer owner);

/* The owner of what is listed under the key; NULL where nothing is. */
gpointer gmcp_joined_list_find_owner (GmcpJoinedList *self, const char *key);

G_END_DECLS
