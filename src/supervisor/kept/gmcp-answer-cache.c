/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-answer-cache-private.h"
#include "gmcp-cache-view-private.h"
#include "gmcp-client-private.h"

struct _GmcpAnswerCache
{
  GmcpResponseCache *store; /* NULL where nothing is kept */
  GmcpCacheView *view;      /* of the last client; NULL before the first */
};

GmcpAnswerCache *
gmcp_answer_cache_new (void)
{
  return g_new0 (GmcpAnswerCache, 1);
}

void
gmcp_answer_cache_free (GmcpAnswerCache *self)
{
  g_clear_pointer (&self->view, gmcp_cache_view_free);
  g_clear_object (&self->store);
  g_free (self);
}

void
gmcp_answer_cache_set_store (GmcpAnswerCache *self, GmcpResponseCache *store)
{
  g_set_object (&self->store, store);
}

void
gmcp_answer_cache_attach (GmcpAnswerCache *self, GmcpClient *client)
{
  gmcp_client_set_response_cache (client, self->store);
}

void
gmcp_answer_cache_begin (GmcpAnswerCache *self, GmcpServerConfig *config, GmcpClient *client)
{
  gmcp_answer_cache_forget (self, config);
  g_clear_pointer (&self->view, gmcp_cache_view_free);
  self->view = gmcp_client_new_cache_view (client);
}

void
gmcp_answer_cache_forget (GmcpAnswerCache *self, GmcpServerConfig *config)
{
  g_autofree char *hash = NULL;

  if (self->store == NULL)
    return;

  hash = gmcp_server_config_dup_hash (config);
  gmcp_response_cache_forget_server (self->store, hash);
}

GmcpResourceResult *
gmcp_answer_cache_find (GmcpAnswerCache *self, const char *uri)
{
  return self->view != NULL ? gmcp_cache_view_find_resource (self->view, uri) : NULL;
}

GmcpResourceResult *
gmcp_answer_cache_find_allowed (GmcpAnswerCache *self,
                                const char *uri,
                                GmcpCallOptions *options,
                                gboolean is_away)
{
  GmcpCacheMode mode = gmcp_call_options_get_cache_mode (options);
  g_autoptr (GmcpResourceResult) result = NULL;

  if (mode == GMCP_CACHE_MODE_BYPASS || (mode == GMCP_CACHE_MODE_REFRESH && !is_away))
    return NULL;

  result = gmcp_answer_cache_find (self, uri);
  if (result != NULL && gmcp_resource_result_is_stale (result)
      && !(is_away && gmcp_call_options_get_stale_on_error (options)))
    return NULL;
  return g_steal_pointer (&result);
}
