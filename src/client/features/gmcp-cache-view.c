/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-cache-view-private.h"

#include "gmcp-caching-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-result-private.h"

struct _GmcpCacheView
{
  GmcpResponseCache *cache;
  char *server;
  char *sign_in;
  char *meta_members;
};

GmcpCacheView *
gmcp_cache_view_new (GmcpSession *session)
{
  GmcpResponseCache *cache = gmcp_caching_get_cache (session);
  GmcpCacheView *self;

  if (cache == NULL)
    return NULL;

  self = g_new (GmcpCacheView, 1);
  self->cache = g_object_ref (cache);
  self->server = g_strdup (gmcp_caching_get_server (session));
  self->sign_in = g_strdup (gmcp_caching_get_sign_in (session));
  self->meta_members = g_strdup (gmcp_session_get_meta_members (session));
  return self;
}

void
gmcp_cache_view_free (GmcpCacheView *self)
{
  g_object_unref (self->cache);
  g_free (self->server);
  g_free (self->sign_in);
  g_free (self->meta_members);
  g_free (self);
}

/* As the request has them. */
static char *
dup_members (const char *uri)
{
  GString *text = g_string_new (NULL);
  GmcpJsonWriter params = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_object (&params);
  g_string_truncate (text, 0);
  gmcp_json_writer_member_string (&params, "uri", uri);
  return g_string_free (text, FALSE);
}

GmcpResourceResult *
gmcp_cache_view_find_resource (GmcpCacheView *self, const char *uri)
{
  g_autofree char *members = dup_members (uri);
  g_autofree char *params = gmcp_cache_query_dup_params (members, NULL, NULL, self->meta_members);
  g_autoptr (GmcpCacheQuery) query
    = gmcp_cache_query_new (self->cache, &(GmcpCacheRequest){
                                           .server = self->server,
                                           .method = GMCP_METHOD_RESOURCES_READ,
                                           .kind = GMCP_CACHE_KIND_RESOURCE,
                                           .params = params,
                                           .subject = uri,
                                           .sign_in = self->sign_in,
                                         });
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpResourceResult *result;
  guint left_ms;

  doc = gmcp_cache_query_dup_answer (query, &left_ms);
  if (doc == NULL)
    return NULL;

  result = gmcp_resource_result_new_from_value (gmcp_json_doc_get_root (doc), NULL);
  if (result != NULL)
    gmcp_resource_result_set_cached (result, left_ms);
  return result;
}
