/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/file/gmcp-file-config-source.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-config-location-private.h"
#include "gmcp-file-watch-private.h"

G_BEGIN_DECLS

struct _GmcpFileConfigSource
{
  GmcpConfigSource parent_instance;

  GMainContext *context;
  GFile *file;
  char *workspace;
  gboolean optional;
  gboolean project;
  gboolean trusted;
  guint delay_ms;

  GmcpFileWatch *watch;         /* NULL before the first load */
  GSource *trust_watch_due;     /* NULL before the first load, and where the file is no project's */
  GmcpFileWatch *trust_watch;   /* NULL while that is to come */
  guint generation;             /* of the newest reading */
  gboolean reading;             /* whether the newest reading goes on */
  gboolean overtook;            /* whether the newest began while another went on */
  GError *failure;              /* of the newest reading; NULL where it succeeded */
  GPtrArray *overtaken;         /* of GmcpConfigLoad: wait for the newest reading */
  GmcpConfigLocation *location; /* where that was read; NULL before, and of a file without a path */
  char *hash;                   /* of what was read last; for a project's file only */
  GmcpConfigContents *contents; /* NULL before the file was read, and where it is not there */
  GmcpConfigContents *refused;  /* of the newest reading, where it is too wrong to count */
};

/* Reads the file, for a load or (NULL) after a change. What was read later counts. */
void gmcp_file_config_source_read (GmcpFileConfigSource *self, GmcpConfigLoad *load);

/* From a while after the first load on it is seen what other programs say of a project's file. */
void gmcp_file_config_source_watch_trust (GmcpFileConfigSource *self);
void gmcp_file_config_source_unwatch_trust (GmcpFileConfigSource *self);

void gmcp_file_config_source_take_trusted (GmcpFileConfigSource *self, gboolean trusted);
/* The name as it is shown: of a project's file that has been read, with links followed. */
char *gmcp_file_config_source_dup_name (GmcpFileConfigSource *self);

/* What `{workspace}` stands for in any source, where that is workspace (nullable) for those without one of
 * their own. */
char *gmcp_config_source_dup_workspace (GmcpConfigSource *source, const char *workspace);
/* NULL where the source, which is nullable, is no file. */
GmcpFileConfigSource *gmcp_config_source_peek_file (GmcpConfigSource *source);

/* What was read last; NULL before that, and where the file is not there. Borrowed until the next
 * change. */
GmcpConfigContents *gmcp_file_config_source_peek_contents (GmcpFileConfigSource *self);

/* What was read last and does not count, as there are errors in it; NULL for none. Borrowed in the same
 * way. */
GmcpConfigContents *gmcp_file_config_source_peek_refused (GmcpFileConfigSource *self);

G_END_DECLS
