/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/config/source/gmcp-config-source.h>

G_BEGIN_DECLS

/* Variables in what counts without any server being started: what is shown of servers, roles, tiers and
 * projects. What a server is started with is filled in by its start. */
typedef struct _GmcpDisplayContext GmcpDisplayContext;

GmcpDisplayContext *gmcp_display_context_new (void);
void gmcp_display_context_free (GmcpDisplayContext *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpDisplayContext, gmcp_display_context_free)

/* The places are put together anew, between these two. At the end what could not be filled in is
 * told of, unless it was told of the last time; func may put the places together again. */
typedef void (*GmcpDisplayProblemFunc) (const char *server_id,
                                        GmcpNoticeLevel level,
                                        const char *message,
                                        gpointer data);
void gmcp_display_context_begin (GmcpDisplayContext *self);
void
gmcp_display_context_end (GmcpDisplayContext *self, GmcpDisplayProblemFunc tell, gpointer data);

/* The configuration that counts for one of a place; source is NULL for what the host has added. Where a
 * variable is not there that is what held before, present, which is NULL for nothing. */
GmcpServerConfig *gmcp_display_context_expand_config (GmcpDisplayContext *self,
                                                      GmcpConfigSource *source,
                                                      GmcpServerConfig *config,
                                                      GmcpServerConfig *present,
                                                      const char *workspace);
/* The role, tier or project that counts for one of a place, the same one as long as that does not change.
 * Borrowed. */
GObject *gmcp_display_context_expand_object (GmcpDisplayContext *self,
                                             GObject *object,
                                             const char *workspace);
/* Another workspace gives other objects. */
void gmcp_display_context_forget_objects (GmcpDisplayContext *self);

/* What could not be filled in the last time (of GmcpConfigFinding). */
void gmcp_display_context_add_findings (GmcpDisplayContext *self, GPtrArray *findings);

G_END_DECLS
