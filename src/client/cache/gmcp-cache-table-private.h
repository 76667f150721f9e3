/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What a cache holds: answers by key, in groups that become stale together, the least used of them
 * dropped where they take too much room. Knows no time but what it is told, and no locks. */

typedef struct _GmcpCacheTable GmcpCacheTable;

GmcpCacheTable *gmcp_cache_table_new (void);
void gmcp_cache_table_free (GmcpCacheTable *self);

gsize gmcp_cache_table_get_bytes (GmcpCacheTable *self);
guint gmcp_cache_table_get_length (GmcpCacheTable *self);

/* The subject, which may be NULL, tells the answers of a group apart: what they are about. An answer
 * that was there is replaced. */
void gmcp_cache_table_insert (GmcpCacheTable *self,
                              const char *key,
                              const char *group,
                              const char *subject,
                              GmcpJsonDoc *doc,
                              gsize doc_bytes,
                              gint64 expires_us);
/* Borrowed, and then the last to be dropped; NULL where there is none. It stays fresh for
 * left_ms; 0 where it is stale. */
GmcpJsonDoc *
gmcp_cache_table_find (GmcpCacheTable *self, const char *key, gint64 now_us, guint *left_ms);
void gmcp_cache_table_remove (GmcpCacheTable *self, const char *key);

/* Whether a change of something concerns an answer on a subject: that itself, or what it is a part
 * of. NULL for something is all there is. */
gboolean gmcp_cache_is_concerned (const char *subject, const char *changed);
/* From now on stale: what a change concerns of a group's answers. */
void gmcp_cache_table_expire (GmcpCacheTable *self, const char *group, const char *changed);
void gmcp_cache_table_remove_group (GmcpCacheTable *self, const char *group);
void gmcp_cache_table_remove_groups (GmcpCacheTable *self, const char *prefix);

/* Drops the least used until what is left fits. */
void gmcp_cache_table_trim (GmcpCacheTable *self, gsize max_bytes, guint max_length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCacheTable, gmcp_cache_table_free)

G_END_DECLS
