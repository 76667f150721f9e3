/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-state-file-private.h"

G_BEGIN_DECLS

/* A folder with files of state. They are read together, and again after another program has changed one of
 * those that are watched. What was kept here is known, and is not taken a second time. */
typedef struct _GmcpStateStore GmcpStateStore;

/* One of the files. */
typedef struct
{
  const char *name; /* static */
  gboolean is_watched;
  /* Takes what the file holds; bytes is NULL where it is not there. FALSE with an error where nothing can
   * be made of it. */
  gboolean (*take) (gpointer owner, GBytes *bytes, GError **error);
  /* What does not hold while the file cannot be read, and what helps: part of a sentence. NULL for a memory
   * whose loss is not told of; what cannot be read is taken as a file that is not there. */
  const char *(*describe_loss) (gpointer owner);
} GmcpStateKind;

typedef struct
{
  /* Something could not be read, or not be kept. */
  void (*warn) (gpointer owner, const char *message);
  /* No change of a file is under way any more. */
  void (*settled) (gpointer owner);
} GmcpStateStoreFuncs;

typedef void (*GmcpStateLoadedFunc) (gpointer owner, gpointer data);

/* For an object that frees it when it is finalized itself. The files are read in this order. Both tables
 * are static. */
GmcpStateStore *gmcp_state_store_new (GObject *owner,
                                      GMainContext *context,
                                      const GmcpStateKind *kinds,
                                      guint n_kinds,
                                      const GmcpStateStoreFuncs *funcs);
void gmcp_state_store_free (GmcpStateStore *self);

/* NULL for the user's; to be set before the files are read. FALSE where it is so already. */
gboolean gmcp_state_store_set_folder (GmcpStateStore *self, GFile *folder);
GFile *gmcp_state_store_get_folder (GmcpStateStore *self);
char *gmcp_state_store_dup_path (GmcpStateStore *self, const char *name);

/* The function is called in any case, within GMCP_DEFAULT_STATE_READ_MS. The files are watched from then
 * on. */
void gmcp_state_store_load (GmcpStateStore *self, GmcpStateLoadedFunc func, gpointer data);
/* Changes a file, after the changes of the file that were asked for before. A failure is told of. Takes
 * data. */
void gmcp_state_store_keep (GmcpStateStore *self,
                            const char *name,
                            GmcpStateFileFunc func,
                            gpointer data,
                            GDestroyNotify destroy);
/* A change in the order of all changes, whose failure is told to the caller only; TIMED_OUT after
 * GMCP_DEFAULT_STATE_READ_MS. Takes data. */
void gmcp_state_store_change_async (GmcpStateStore *self,
                                    const char *name,
                                    GmcpStateFileFunc func,
                                    gpointer data,
                                    GDestroyNotify destroy,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean gmcp_state_store_change_finish (GAsyncResult *result, GError **error);
gboolean gmcp_state_store_is_keeping (GmcpStateStore *self);
/* What other programs change does not count any more. */
void gmcp_state_store_close (GmcpStateStore *self);

/* For tests. */
typedef struct
{
  gboolean is_watching;
  guint n_looks; /* how often the files were read again after a change */
  guint n_taken; /* how often one of them held something else */
} GmcpStateStoreCounts;

GmcpStateStoreCounts gmcp_state_store_count (GmcpStateStore *self);

G_END_DECLS
