/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/cache/gmcp-response-cache.h>

#include "gmcp-cache-table-private.h"

G_BEGIN_DECLS

/* In microseconds, and not standing still while the machine sleeps. */
typedef gint64 (*GmcpCacheClock) (gpointer data);

struct _GmcpResponseCache
{
  GObject parent_instance;

  GMutex lock;
  GmcpCacheTable *table;
  GQueue queries; /* of GmcpCacheQuery, under way */
  guint64 max_bytes;
  guint max_ttl_ms;
  guint list_ttl_ms;
  guint resource_ttl_ms;
  gboolean stale_on_error;
  GmcpCacheClock clock;
  gpointer clock_data;
};

/* What an answer is, for how long it stays fresh where its server does not say. */
typedef enum
{
  GMCP_CACHE_KIND_OTHER,
  GMCP_CACHE_KIND_LIST,
  GMCP_CACHE_KIND_RESOURCE,
} GmcpCacheKind;

/* One request whose answer may come from a cache or go into it, from the moment it is asked until it
 * is answered. The cache knows those under way: an answer that was asked for before a change was told
 * is not kept as fresh. */
typedef struct _GmcpCacheQuery GmcpCacheQuery;

typedef struct
{
  const char *server; /* who is asked */
  const char *method;
  GmcpCacheKind kind;
  const char *params;  /* the text of all that affects the answer */
  const char *subject; /* nullable: what the answer is about, see gmcp_response_cache_expire() */
  const char *sign_in; /* nullable: whose sign-in the connection has */
  gboolean later_page; /* of a list, so that a refusal says something about all its pages */
} GmcpCacheRequest;

/* All that affects an answer, as the key has it: the members of params, the caller's _meta, that of a
 * raw request, and the client's, which tells the revision, who asks, and what the client can do. */
char *gmcp_cache_query_dup_params (const char *members,
                                   const char *caller_meta,
                                   const char *own_meta,
                                   const char *client_meta);

GmcpCacheQuery *gmcp_cache_query_new (GmcpResponseCache *cache, const GmcpCacheRequest *request);
void gmcp_cache_query_free (GmcpCacheQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCacheQuery, gmcp_cache_query_free)

GmcpResponseCache *gmcp_cache_query_get_cache (GmcpCacheQuery *self);
/* The answer that is kept, a result; NULL where there is none. It stays fresh for left_ms; 0 where it
 * is stale. */
GmcpJsonDoc *gmcp_cache_query_dup_answer (GmcpCacheQuery *self, guint *left_ms);
/* Keeps a complete result as long as it says; one that is stale at once only where stale answers are
 * wanted. */
void gmcp_cache_query_store (GmcpCacheQuery *self, GmcpJsonValue result, gboolean keep_stale);
/* The server refuses the request, so what it answered before is no longer true: for a page, all pages
 * of the list. */
void gmcp_cache_query_drop (GmcpCacheQuery *self);

/* Something changed while the answer was under way; the lock is held. */
void gmcp_cache_query_outdate (GmcpCacheQuery *self);

/* Makes stale what a change concerns of the server's answers to the method, all of them where it is
 * NULL. */
void gmcp_response_cache_expire (GmcpResponseCache *self,
                                 const char *server,
                                 const char *method,
                                 const char *changed);

/* The name of a server in a cache: its clients' cache key, or without one a number that only one
 * client has. */
char *gmcp_response_cache_dup_server (const char *cache_key, guint number);
/* Drops all that a server answered, and what it is about to answer is not kept as fresh. */
void gmcp_response_cache_forget (GmcpResponseCache *self, const char *server);

/* Within the limits again; the lock is held. */
void gmcp_response_cache_trim (GmcpResponseCache *self);

/* NULL for the usual one. */
void gmcp_response_cache_set_clock (GmcpResponseCache *self, GmcpCacheClock clock, gpointer data);

G_END_DECLS
