/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-response-cache-private.h"

#include <string.h>

struct _GmcpCacheQuery
{
  GmcpResponseCache *cache;
  char *group;
  char *key; /* but for who may share the answer */
  char *subject;
  char *sign_in;
  GmcpCacheKind kind;
  gboolean later_page;
  gboolean outdated; /* a change was told while the answer was under way */
  GList link;
};

typedef struct
{
  gint64 ttl_ms;
  gboolean public;
} Hints;

/* The length makes parts that were put together tell apart again, whatever is in them. */
static void
append_part (GString *out, const char *part)
{
  g_string_append_printf (out, "%" G_GSIZE_FORMAT ":%s", strlen (part), part);
}

static char *
dup_group (const char *server, const char *method)
{
  GString *group = g_string_new (NULL);

  append_part (group, server);
  if (method != NULL)
    append_part (group, method);
  return g_string_free (group, FALSE);
}

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

char *
gmcp_cache_query_dup_params (const char *members,
                             const char *caller_meta,
                             const char *own_meta,
                             const char *client_meta)
{
  return g_strjoin ("\n", members, or_empty (caller_meta), or_empty (own_meta),
                    or_empty (client_meta), NULL);
}

GmcpCacheQuery *
gmcp_cache_query_new (GmcpResponseCache *cache, const GmcpCacheRequest *request)
{
  GmcpCacheQuery *self = g_new0 (GmcpCacheQuery, 1);
  GString *key;

  self->cache = g_object_ref (cache);
  self->group = dup_group (request->server, request->method);
  key = g_string_new (self->group);
  append_part (key, request->params);
  self->key = g_string_free (key, FALSE);
  self->subject = g_strdup (request->subject);
  self->sign_in = g_strdup (request->sign_in);
  self->kind = request->kind;
  self->later_page = request->later_page;

  self->link.data = self;
  g_mutex_lock (&cache->lock);
  g_queue_push_head_link (&cache->queries, &self->link);
  g_mutex_unlock (&cache->lock);
  return self;
}

void
gmcp_cache_query_free (GmcpCacheQuery *self)
{
  g_mutex_lock (&self->cache->lock);
  g_queue_unlink (&self->cache->queries, &self->link);
  g_mutex_unlock (&self->cache->lock);

  g_object_unref (self->cache);
  g_free (self->group);
  g_free (self->key);
  g_free (self->subject);
  g_free (self->sign_in);
  g_free (self);
}

GmcpResponseCache *
gmcp_cache_query_get_cache (GmcpCacheQuery *self)
{
  return self->cache;
}

static char *
dup_public_key (GmcpCacheQuery *self)
{
  return g_strconcat (self->key, "public", NULL);
}

static char *
dup_private_key (GmcpCacheQuery *self)
{
  return g_strconcat (self->key, "private", self->sign_in != NULL ? ":" : "", self->sign_in, NULL);
}

GmcpJsonDoc *
gmcp_cache_query_dup_answer (GmcpCacheQuery *self, guint *left_ms)
{
  GmcpResponseCache *cache = self->cache;
  g_autofree char *private_key = dup_private_key (self);
  g_autofree char *public_key = dup_public_key (self);
  GmcpJsonDoc *doc;
  gint64 now;

  g_mutex_lock (&cache->lock);
  now = cache->clock (cache->clock_data);
  doc = gmcp_cache_table_find (cache->table, private_key, now, left_ms);
  if (doc == NULL)
    doc = gmcp_cache_table_find (cache->table, public_key, now, left_ms);
  if (doc != NULL)
    gmcp_json_doc_ref (doc);
  g_mutex_unlock (&cache->lock);

  return doc;
}

/* What is of no use stands for the careful choice: stale at once, and private. */
static Hints
read_hints (GmcpJsonValue result, guint missing_ttl_ms, guint max_ttl_ms)
{
  GmcpJsonValue ttl = gmcp_json_value_get_member (result, "ttlMs");
  Hints hints = { 0 };
  double number = 0;

  if (gmcp_json_value_get_double (ttl, &number))
    hints.ttl_ms = (gint64) CLAMP (number, 0, max_ttl_ms);
  else if (!gmcp_json_value_is_present (ttl))
    hints.ttl_ms = MIN (missing_ttl_ms, max_ttl_ms);
  hints.public
    = gmcp_json_value_equals_string (gmcp_json_value_get_member (result, "cacheScope"), "public");
  return hints;
}

static guint
get_missing_ttl_ms (GmcpCacheQuery *self)
{
  switch (self->kind)
    {
    case GMCP_CACHE_KIND_LIST:
      return self->cache->list_ttl_ms;
    case GMCP_CACHE_KIND_RESOURCE:
      return self->cache->resource_ttl_ms;
    case GMCP_CACHE_KIND_OTHER:
    default:
      return 0;
    }
}

void
gmcp_cache_query_store (GmcpCacheQuery *self, GmcpJsonValue result, gboolean keep_stale)
{
  GmcpResponseCache *cache = self->cache;
  g_autofree char *private_key = dup_private_key (self);
  g_autofree char *public_key = dup_public_key (self);
  gsize bytes = gmcp_json_value_get_copy_bytes (result);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  Hints hints;

  g_mutex_lock (&cache->lock);
  hints = read_hints (result, get_missing_ttl_ms (self), cache->max_ttl_ms);
  if (self->outdated)
    hints.ttl_ms = 0;
  /* Whatever was kept before, this is newer. */
  gmcp_cache_table_remove (cache->table, private_key);
  gmcp_cache_table_remove (cache->table, public_key);
  /* One answer does not drive out all others. */
  if ((hints.ttl_ms > 0 || keep_stale) && bytes <= cache->max_bytes / 4)
    {
      gint64 now = cache->clock (cache->clock_data);

      doc = gmcp_json_value_copy_to_doc (result);
      gmcp_cache_table_insert (cache->table, hints.public ? public_key : private_key, self->group,
                               self->subject, doc, bytes, now + hints.ttl_ms * 1000);
      gmcp_response_cache_trim (cache);
    }
  g_mutex_unlock (&cache->lock);
}

void
gmcp_cache_query_drop (GmcpCacheQuery *self)
{
  GmcpResponseCache *cache = self->cache;
  g_autofree char *private_key = dup_private_key (self);
  g_autofree char *public_key = dup_public_key (self);

  g_mutex_lock (&cache->lock);
  if (self->later_page)
    gmcp_cache_table_remove_group (cache->table, self->group);
  gmcp_cache_table_remove (cache->table, private_key);
  gmcp_cache_table_remove (cache->table, public_key);
  g_mutex_unlock (&cache->lock);
}

void
gmcp_cache_query_outdate (GmcpCacheQuery *self)
{
  self->outdated = TRUE;
}

void
gmcp_response_cache_expire (GmcpResponseCache *self,
                            const char *server,
                            const char *method,
                            const char *changed)
{
  g_autofree char *group = dup_group (server, method);

  g_mutex_lock (&self->lock);
  for (GList *link = self->queries.head; link != NULL; link = link->next)
    {
      GmcpCacheQuery *query = link->data;

      if (g_str_equal (query->group, group) && gmcp_cache_is_concerned (query->subject, changed))
        query->outdated = TRUE;
    }
  gmcp_cache_table_expire (self->table, group, changed);
  g_mutex_unlock (&self->lock);
}

char *
gmcp_response_cache_dup_server (const char *cache_key, guint number)
{
  if (cache_key != NULL)
    return g_strconcat ("key:", cache_key, NULL);

  return g_strdup_printf ("client:%u", number);
}

void
gmcp_response_cache_forget (GmcpResponseCache *self, const char *server)
{
  g_autofree char *prefix = dup_group (server, NULL);

  g_mutex_lock (&self->lock);
  for (GList *link = self->queries.head; link != NULL; link = link->next)
    {
      GmcpCacheQuery *query = link->data;

      if (g_str_has_prefix (query->group, prefix))
        query->outdated = TRUE;
    }
  gmcp_cache_table_remove_groups (self->table, prefix);
  g_mutex_unlock (&self->lock);
}

/**
 * gmcp_response_cache_forget_server:
 * @self: a cache
 * @cache_key: the [property@Gmcp.Client:cache-key] of the clients of the server
 *
 * Drops what a server answered, as when its configuration is removed or its user signs out.
 *
 * Since: 0.1
 */
void
gmcp_response_cache_forget_server (GmcpResponseCache *self, const char *cache_key)
{
  g_autofree char *server = NULL;

  g_return_if_fail (GMCP_IS_RESPONSE_CACHE (self));
  g_return_if_fail (cache_key != NULL);

  server = gmcp_response_cache_dup_server (cache_key, 0);
  gmcp_response_cache_forget (self, server);
}
