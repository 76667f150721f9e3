/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-caching-private.h"

#include "gmcp-era-features-private.h"
#include "gmcp-protocol-private.h"

/* What a client has to do with its cache: which requests may be answered from it, and what is told of
 * changes. */

static const struct
{
  const char *method;
  const char *subject; /* the member of params that says what the answer is about */
  const char *changed; /* the notification that tells of changes, in which that member is too */
  GmcpSubscriptionFlags list;
} cacheables[] = {
  { GMCP_METHOD_TOOLS_LIST, NULL, GMCP_NOTIFICATION_TOOLS_LIST_CHANGED, GMCP_SUBSCRIPTION_TOOLS },
  { GMCP_METHOD_PROMPTS_LIST, NULL, GMCP_NOTIFICATION_PROMPTS_LIST_CHANGED,
    GMCP_SUBSCRIPTION_PROMPTS },
  { GMCP_METHOD_RESOURCES_LIST, NULL, GMCP_NOTIFICATION_RESOURCES_LIST_CHANGED,
    GMCP_SUBSCRIPTION_RESOURCES },
  { GMCP_METHOD_TEMPLATES_LIST, NULL, GMCP_NOTIFICATION_RESOURCES_LIST_CHANGED,
    GMCP_SUBSCRIPTION_RESOURCES },
  { GMCP_METHOD_RESOURCES_READ, "uri", GMCP_NOTIFICATION_RESOURCES_UPDATED,
    GMCP_SUBSCRIPTION_NONE },
};

struct _GmcpCaching
{
  GmcpResponseCache *cache; /* NULL for none */
  char *server;             /* who the server is in the cache */
  char *sign_in;
};

/* An answer on its way from the cache. */
typedef struct
{
  GmcpSession *session;
  GmcpExchange *exchange;
  GmcpJsonDoc *doc;
  GSource *source;
} Answer;

GmcpCaching *
gmcp_caching_new (void)
{
  return g_new0 (GmcpCaching, 1);
}

void
gmcp_caching_free (GmcpCaching *caching)
{
  g_free (caching->sign_in);
  g_free (caching);
}

static GmcpCaching *
caching_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->caching;
}

static void
answer_end (GmcpSession *self, gpointer data)
{
  Answer *answer = data;

  g_source_destroy (answer->source);
  g_source_unref (answer->source);
  g_clear_pointer (&answer->doc, gmcp_json_doc_unref);
  g_free (answer);
}

static const GmcpExchangeWait answer_wait = { .end = answer_end };

static GmcpRpcMessage
make_reply (GmcpJsonDoc *doc)
{
  return (GmcpRpcMessage){ .kind = GMCP_RPC_RESULT, .result = gmcp_json_doc_get_root (doc) };
}

static gboolean
on_answer (gpointer user_data)
{
  Answer *answer = user_data;
  g_autoptr (GmcpSession) self = gmcp_session_ref (answer->session);
  g_autoptr (GmcpJsonDoc) doc = g_steal_pointer (&answer->doc);
  GmcpExchange *exchange = answer->exchange;
  GmcpRpcMessage reply = make_reply (doc);

  if (gmcp_exchange_take (exchange))
    gmcp_session_finish_exchange (self, exchange, &reply, NULL);
  return G_SOURCE_REMOVE;
}

static void
answer_later (GmcpSession *self, GmcpExchange *exchange, GmcpJsonDoc *doc)
{
  Answer *answer = g_new0 (Answer, 1);

  answer->session = self;
  answer->exchange = exchange;
  answer->doc = doc;
  answer->source = g_idle_source_new ();
  g_source_set_priority (answer->source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (answer->source, "[gmcp] answer from the cache");
  g_source_set_callback (answer->source, on_answer, answer, NULL);
  g_source_attach (answer->source, gmcp_session_get_context (self));

  gmcp_exchange_take (exchange);
  gmcp_exchange_hold (self, exchange, &answer_wait, answer, G_MAXINT64);
}

const char *
gmcp_caching_get_server (GmcpSession *self)
{
  static guint n_unnamed;

  if (caching_of (self)->server == NULL)
    caching_of (self)->server = gmcp_response_cache_dup_server (
      gmcp_session_get_cache_key (self),
      gmcp_session_get_cache_key (self) == NULL ? (guint) g_atomic_int_add (&n_unnamed, 1) + 1 : 0);
  return caching_of (self)->server;
}

static gboolean
is_cacheable (GmcpSession *self, const char *method, const char **subject, GmcpCacheKind *kind)
{
  *subject = NULL;
  *kind = GMCP_CACHE_KIND_OTHER;
  for (guint i = 0; i < G_N_ELEMENTS (cacheables); i++)
    {
      if (g_str_equal (method, cacheables[i].method))
        {
          *subject = cacheables[i].subject;
          *kind = *subject != NULL ? GMCP_CACHE_KIND_RESOURCE : GMCP_CACHE_KIND_LIST;
          return TRUE;
        }
    }
  return gmcp_session_get_era (self)->features->cacheable_method != NULL
         && g_str_equal (method, gmcp_session_get_era (self)->features->cacheable_method);
}

static gboolean
wants_stale (GmcpCallOptions *options, GmcpResponseCache *cache)
{
  return gmcp_response_cache_get_stale_on_error (cache)
         || (options != NULL && gmcp_call_options_get_stale_on_error (options));
}

gboolean
gmcp_caching_may_answer_stale (GmcpSession *self, GmcpCallOptions *options)
{
  return gmcp_session_get_state (self) == GMCP_SESSION_CLOSED && gmcp_session_get_era (self) != NULL
         && caching_of (self)->cache != NULL && wants_stale (options, caching_of (self)->cache);
}

static GmcpCacheQuery *
make_query (GmcpSession *self,
            GmcpExchange *exchange,
            const char *subject_member,
            GmcpCacheKind kind)
{
  const char *members = gmcp_exchange_peek_params (exchange);
  g_autofree char *text = g_strconcat ("{", members, "}", NULL);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL);
  GmcpJsonValue params = doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;
  GmcpCallOptions *options = gmcp_exchange_get_options (exchange);
  const char *meta = options != NULL ? gmcp_call_options_get_meta_json (options) : NULL;
  g_autofree char *subject = NULL;
  g_autofree char *asked = NULL;

  /* What answers a question of the server's is in no key. */
  if (doc == NULL
      || gmcp_json_value_is_present (gmcp_json_value_get_member (params, "inputResponses"))
      || gmcp_json_value_is_present (gmcp_json_value_get_member (params, "requestState")))
    return NULL;

  if (subject_member != NULL)
    subject = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, subject_member));
  asked = gmcp_cache_query_dup_params (members, meta, gmcp_exchange_get_own_meta (exchange),
                                       gmcp_session_get_meta_members (self));
  return gmcp_cache_query_new (
    caching_of (self)->cache,
    &(GmcpCacheRequest){
      .server = gmcp_caching_get_server (self),
      .method = gmcp_exchange_get_method (exchange),
      .kind = kind,
      .params = asked,
      .subject = subject,
      .sign_in = caching_of (self)->sign_in,
      .later_page = gmcp_json_value_is_present (gmcp_json_value_get_member (params, "cursor")),
    });
}

/* The server could not be asked, or failed; not: it has said no. */
static gboolean
is_outage (const GError *error)
{
  static const int codes[]
    = { GMCP_ERROR_FAILED,     GMCP_ERROR_TIMED_OUT,    GMCP_ERROR_CLOSED,
        GMCP_ERROR_PROTOCOL,   GMCP_ERROR_START_FAILED, GMCP_ERROR_SERVER_EXITED,
        GMCP_ERROR_NOT_RUNNING };

  if (error->domain == GMCP_RPC_ERROR)
    return error->code == GMCP_RPC_ERROR_INTERNAL;
  if (error->domain != GMCP_ERROR)
    return error->domain != GMCP_AUTH_ERROR
           && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (error->code == codes[i])
      return TRUE;
  return FALSE;
}

static void finish_query (GmcpSession *self,
                          GmcpExchange *exchange,
                          const GmcpRpcMessage *reply,
                          GError *error);

static const GmcpExchangeFilter query_filter = {
  .finish = finish_query,
  .free = (GDestroyNotify) gmcp_cache_query_free,
};

static void
finish_query (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpCacheQuery *query = gmcp_exchange_get_filter_data (exchange, &query_filter);
  gboolean stale_is_good
    = wants_stale (gmcp_exchange_get_options (exchange), gmcp_cache_query_get_cache (query));
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpRpcMessage kept;
  guint left_ms;

  /* An answer to what somebody was asked is not for others. */
  if (reply != NULL && !gmcp_exchange_is_cached (exchange)
      && gmcp_exchange_get_n_rounds (exchange) == 0)
    gmcp_cache_query_store (query, reply->result, stale_is_good);
  else if (error != NULL && error->domain == GMCP_RPC_ERROR && !is_outage (error))
    gmcp_cache_query_drop (query);
  else if (error != NULL && stale_is_good && is_outage (error)
           && (doc = gmcp_cache_query_dup_answer (query, &left_ms)) != NULL)
    {
      g_debug ("%s: an earlier answer to %s has to do: %s", gmcp_session_describe (self),
               gmcp_exchange_get_method (exchange), error->message);
      g_clear_error (&error);
      gmcp_exchange_set_cached (exchange, 0);
      kept = make_reply (doc);
      reply = &kept;
    }
  gmcp_exchange_tell_owner (self, exchange, reply, error);
}

void
gmcp_caching_drop_answer (GmcpExchange *exchange)
{
  GmcpCacheQuery *query = gmcp_exchange_get_filter_data (exchange, &query_filter);

  if (query != NULL)
    gmcp_cache_query_drop (query);
}

gboolean
gmcp_caching_ask (GmcpSession *self, GmcpExchange *exchange)
{
  GmcpCallOptions *options = gmcp_exchange_get_options (exchange);
  GmcpCacheMode mode;
  GmcpCacheQuery *query;
  GmcpJsonDoc *doc;
  GmcpCacheKind kind;
  const char *subject;
  guint left_ms;

  /* What a tool gives is never kept. */
  if (caching_of (self)->cache == NULL || gmcp_exchange_is_direct_call (exchange))
    return FALSE;
  mode = options != NULL ? gmcp_call_options_get_cache_mode (options) : GMCP_CACHE_MODE_DEFAULT;
  if (mode == GMCP_CACHE_MODE_BYPASS
      || !is_cacheable (self, gmcp_exchange_get_method (exchange), &subject, &kind))
    return FALSE;
  query = make_query (self, exchange, subject, kind);
  if (query == NULL)
    return FALSE;

  gmcp_exchange_set_filter (exchange, &query_filter, query);
  doc = gmcp_cache_query_dup_answer (query, &left_ms);
  /* The caller has seen that the session is closed: a stale answer is wanted. */
  if (doc == NULL
      || (gmcp_session_get_state (self) != GMCP_SESSION_CLOSED
          && (left_ms == 0 || mode == GMCP_CACHE_MODE_REFRESH
              || gmcp_exchange_asks_anew (exchange))))
    {
      g_clear_pointer (&doc, gmcp_json_doc_unref);
      return FALSE;
    }

  gmcp_exchange_set_cached (exchange, left_ms);
  answer_later (self, exchange, doc);
  return TRUE;
}

void
gmcp_caching_expire (GmcpSession *self, const GmcpRpcMessage *notification)
{
  if (caching_of (self)->cache == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (cacheables); i++)
    {
      const char *member = cacheables[i].subject;
      g_autofree char *changed = NULL;

      if (!gmcp_json_value_equals_string (notification->method, cacheables[i].changed))
        continue;
      if (member != NULL)
        changed
          = gmcp_json_value_dup_string (gmcp_json_value_get_member (notification->params, member));
      gmcp_response_cache_expire (caching_of (self)->cache, gmcp_caching_get_server (self),
                                  cacheables[i].method, changed);
    }
}

void
gmcp_caching_expire_lists (GmcpSession *self, GmcpSubscriptionFlags lists)
{
  for (guint i = 0; caching_of (self)->cache != NULL && i < G_N_ELEMENTS (cacheables); i++)
    if ((cacheables[i].list & lists) != 0)
      gmcp_response_cache_expire (caching_of (self)->cache, gmcp_caching_get_server (self),
                                  cacheables[i].method, NULL);
}

void
gmcp_caching_expire_resource (GmcpSession *self, const char *uri)
{
  for (guint i = 0; caching_of (self)->cache != NULL && i < G_N_ELEMENTS (cacheables); i++)
    if (cacheables[i].subject != NULL)
      gmcp_response_cache_expire (caching_of (self)->cache, gmcp_caching_get_server (self),
                                  cacheables[i].method, uri);
}

void
gmcp_caching_leave (GmcpSession *self)
{
  if (caching_of (self)->cache != NULL && gmcp_session_get_cache_key (self) == NULL
      && caching_of (self)->server != NULL)
    gmcp_response_cache_forget (caching_of (self)->cache, caching_of (self)->server);
  g_clear_object (&caching_of (self)->cache);
  g_clear_pointer (&caching_of (self)->server, g_free);
}

GmcpResponseCache *
gmcp_caching_get_cache (GmcpSession *self)
{
  return caching_of (self)->cache;
}

gboolean
gmcp_caching_set_cache (GmcpSession *self, GmcpResponseCache *cache)
{
  if (caching_of (self)->cache == cache)
    return FALSE;

  gmcp_caching_leave (self);
  if (cache != NULL)
    caching_of (self)->cache = g_object_ref (cache);
  return TRUE;
}

const char *
gmcp_caching_get_sign_in (GmcpSession *self)
{
  return caching_of (self)->sign_in;
}

gboolean
gmcp_caching_set_sign_in (GmcpSession *self, const char *sign_in)
{
  GmcpCaching *caching = caching_of (self);

  if (g_strcmp0 (caching->sign_in, sign_in) == 0)
    return FALSE;

  g_free (caching->sign_in);
  caching->sign_in = g_strdup (sign_in);
  return TRUE;
}

void
gmcp_caching_forget_server (GmcpSession *self)
{
  g_clear_pointer (&caching_of (self)->server, g_free);
}
