/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>
#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* What one server answered before, whether or not its process still runs. */
typedef struct _GmcpAnswerCache GmcpAnswerCache;

GmcpAnswerCache *gmcp_answer_cache_new (void);
void gmcp_answer_cache_free (GmcpAnswerCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpAnswerCache, gmcp_answer_cache_free)

/* Where answers are kept from the next client on. */
void gmcp_answer_cache_set_store (GmcpAnswerCache *self, GmcpResponseCache *store);
/* The client keeps its answers there too. */
void gmcp_answer_cache_attach (GmcpAnswerCache *self, GmcpClient *client);
/* A client has been opened: what the process before it answered counts no longer. */
void gmcp_answer_cache_begin (GmcpAnswerCache *self, GmcpServerConfig *config, GmcpClient *client);
void gmcp_answer_cache_forget (GmcpAnswerCache *self, GmcpServerConfig *config);

/* Which may be stale; NULL where nothing is kept. */
GmcpResourceResult *gmcp_answer_cache_find (GmcpAnswerCache *self, const char *uri);
/* What the options allow; is_away says that the server cannot be asked, so that a stale answer may have
 * to do. */
GmcpResourceResult *gmcp_answer_cache_find_allowed (GmcpAnswerCache *self,
                                                    const char *uri,
                                                    GmcpCallOptions *options,
                                                    gboolean is_away);

G_END_DECLS
