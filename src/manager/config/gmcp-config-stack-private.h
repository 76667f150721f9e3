/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

G_BEGIN_DECLS

/* The places that the configuration comes from, in order of precedence, and what the host adds to them or
 * takes from them: which of them count, when they are read, and that they have changed. */
typedef struct _GmcpConfigStack GmcpConfigStack;

typedef struct
{
  /* Something else counts now. What places tell of is told of once in a turn of the main loop, however much
   * it is, and after the first reading of all of them; what the host does is told of at once. */
  void (*changed) (gpointer data);
  /* Something is wrong at a place that counts, or with reading it; server_id is nullable. */
  void (*problem_found) (const char *server_id,
                         GmcpNoticeLevel level,
                         const char *message,
                         gpointer data);
  /* The places are about to be read. A hook that reads something, too, gives the ticket to
   * gmcp_config_stack_end_reading() when that is done. */
  void (*reading) (guint ticket, gpointer data);
} GmcpConfigStackHooks;

/* Lives in the main context that is the thread's default. */
GmcpConfigStack *gmcp_config_stack_new (const GmcpConfigStackHooks *hooks, gpointer data);
/* Reads and tells nothing any more, and has no places; those who wait are given the error. */
void gmcp_config_stack_close (GmcpConfigStack *self, const GError *error);
void gmcp_config_stack_unref (GmcpConfigStack *self);

/* Adds a place after the others. One of the host's own counts beside its file, too. */
void gmcp_config_stack_add (GmcpConfigStack *self, GmcpConfigSource *source, gboolean is_own);
/* A source that is not there is ignored. */
void gmcp_config_stack_remove (GmcpConfigStack *self, GmcpConfigSource *source);
/* The file that stands in place of all but the host's own; NULL for none. */
void gmcp_config_stack_use_file (GmcpConfigStack *self, GFile *file);
/* The files of the folder that is worked in: takes those of another one out. It is for the caller to tell
 * of the change. */
gboolean gmcp_config_stack_remove_projects (GmcpConfigStack *self);

/* A server that no place has, before all others. */
void gmcp_config_stack_add_server (GmcpConfigStack *self, GmcpServerConfig *config);
/* Takes that back; where the host has added none of that id, those of the places count no more. */
void gmcp_config_stack_drop_server (GmcpConfigStack *self, const char *id);
/* The added configurations, of GmcpServerConfig. Borrowed. */
GPtrArray *gmcp_config_stack_peek_added (GmcpConfigStack *self);
/* Set of ids. */
GHashTable *gmcp_config_stack_peek_withdrawn (GmcpConfigStack *self);
/* Forgets those that places had, and that none has any more: who writes one anew means it. */
void gmcp_config_stack_forget_withdrawn (GmcpConfigStack *self);

/* Reads all places that count, and then answers the task with a boolean. */
void gmcp_config_stack_load (GmcpConfigStack *self, GTask *task);
void gmcp_config_stack_end_reading (GmcpConfigStack *self, guint ticket);
/* Whether all places have been read since the file was set. */
gboolean gmcp_config_stack_is_loaded (GmcpConfigStack *self);
/* Whether all places have ever been read, with any file. */
gboolean gmcp_config_stack_was_loaded (GmcpConfigStack *self);
/* Tells that something else counts, at once. */
void gmcp_config_stack_tell (GmcpConfigStack *self);

/* The places that count, of GmcpConfigSource, in order of precedence. Borrowed. */
GPtrArray *gmcp_config_stack_list_active (GmcpConfigStack *self);
/* The places that do not count beside the file, but for what they lock. */
GPtrArray *gmcp_config_stack_list_inactive (GmcpConfigStack *self);
/* NULL for none. */
GmcpConfigSource *gmcp_config_stack_peek_file (GmcpConfigStack *self);
/* The first place that is of GSettings, whether it counts or not; NULL for none. */
GmcpSettingsConfigSource *gmcp_config_stack_peek_settings (GmcpConfigStack *self);

G_END_DECLS
