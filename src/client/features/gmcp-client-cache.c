/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-era-private.h"
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

/* An answer on its way from the cache. */
typedef struct
{
  GmcpClient *client;
  GmcpExchange *exchange;
  GmcpJsonDoc *doc;
  GSource *source;
} Answer;

static void
answer_end (GmcpClient *self, gpointer data)
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
  g_autoptr (GmcpClient) self = g_object_ref (answer->client);
  g_autoptr (GmcpJsonDoc) doc = g_steal_pointer (&answer->doc);
  GmcpExchange *exchange = answer->exchange;
  GmcpRpcMessage reply = make_reply (doc);

  if (gmcp_pending_calls_take_call (self->pending, &exchange->pending))
    gmcp_client_finish_exchange (self, exchange, &reply, NULL);
  return G_SOURCE_REMOVE;
}

static void
answer_later (GmcpClient *self, GmcpExchange *exchange, GmcpJsonDoc *doc)
{
  Answer *answer = g_new0 (Answer, 1);

  answer->client = self;
  answer->exchange = exchange;
  answer->doc = doc;
  answer->source = g_idle_source_new ();
  g_source_set_priority (answer->source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (answer->source, "[gmcp] answer from the cache");
  g_source_set_callback (answer->source, on_answer, answer, NULL);
  g_source_attach (answer->source, self->context);

  gmcp_pending_calls_take (self->pending, exchange->pending.id);
  gmcp_exchange_hold (self, exchange, &answer_wait, answer, G_MAXINT64);
}

const char *
gmcp_client_get_cache_server (GmcpClient *self)
{
  static guint n_unnamed;

  if (self->cache_server == NULL)
    self->cache_server = gmcp_response_cache_dup_server (
      self->cache_key, self->cache_key == NULL ? (guint) g_atomic_int_add (&n_unnamed, 1) + 1 : 0);
  return self->cache_server;
}

static gboolean
is_cacheable (GmcpClient *self, const char *method, const char **subject, GmcpCacheKind *kind)
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
  return self->era->cacheable_method != NULL && g_str_equal (method, self->era->cacheable_method);
}

static gboolean
wants_stale (GmcpCallOptions *options, GmcpResponseCache *cache)
{
  return gmcp_response_cache_get_stale_on_error (cache)
         || (options != NULL && gmcp_call_options_get_stale_on_error (options));
}

gboolean
gmcp_client_may_answer_stale (GmcpClient *self, GmcpCallOptions *options)
{
  return self->state == GMCP_CLIENT_CLOSED && self->era != NULL && self->response_cache != NULL
         && wants_stale (options, self->response_cache);
}

static GmcpCacheQuery *
make_query (GmcpClient *self,
            GmcpExchange *exchange,
            const char *subject_member,
            GmcpCacheKind kind)
{
  const char *members = self->out->str + exchange->params_at;
  g_autofree char *text = g_strconcat ("{", members, "}", NULL);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL);
  GmcpJsonValue params = doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;
  const char *meta
    = exchange->options != NULL ? gmcp_call_options_get_meta_json (exchange->options) : NULL;
  g_autofree char *subject = NULL;
  g_autofree char *asked = NULL;

  /* What answers a question of the server's is in no key. */
  if (doc == NULL
      || gmcp_json_value_is_present (gmcp_json_value_get_member (params, "inputResponses"))
      || gmcp_json_value_is_present (gmcp_json_value_get_member (params, "requestState")))
    return NULL;

  if (subject_member != NULL)
    subject = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, subject_member));
  asked = gmcp_cache_query_dup_params (members, meta, exchange->own_meta, self->meta_members);
  return gmcp_cache_query_new (
    self->response_cache,
    &(GmcpCacheRequest){
      .server = gmcp_client_get_cache_server (self),
      .method = exchange->method,
      .kind = kind,
      .params = asked,
      .subject = subject,
      .sign_in = self->sign_in,
      .later_page = gmcp_json_value_is_present (gmcp_json_value_get_member (params, "cursor")),
    });
}

gboolean
gmcp_client_ask_cache (GmcpClient *self, GmcpExchange *exchange)
{
  GmcpCacheMode mode = exchange->options != NULL
                         ? gmcp_call_options_get_cache_mode (exchange->options)
                         : GMCP_CACHE_MODE_DEFAULT;
  GmcpJsonDoc *doc;
  GmcpCacheKind kind;
  const char *subject;
  gboolean fresh;

  if (mode == GMCP_CACHE_MODE_BYPASS || !is_cacheable (self, exchange->method, &subject, &kind))
    return FALSE;
  exchange->query = make_query (self, exchange, subject, kind);
  if (exchange->query == NULL)
    return FALSE;

  doc = gmcp_cache_query_dup_answer (exchange->query, &fresh);
  /* One that is closed has been looked at by who asks: a stale answer is wanted. */
  if (doc == NULL
      || (self->state != GMCP_CLIENT_CLOSED
          && (!fresh || mode == GMCP_CACHE_MODE_REFRESH || exchange->asks_anew)))
    {
      g_clear_pointer (&doc, gmcp_json_doc_unref);
      return FALSE;
    }

  exchange->cached = TRUE;
  exchange->stale = !fresh;
  answer_later (self, exchange, doc);
  return TRUE;
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

void
gmcp_client_finish_query (GmcpClient *self,
                          GmcpExchange *exchange,
                          const GmcpRpcMessage *reply,
                          GError *error)
{
  GmcpCacheQuery *query = exchange->query;
  gboolean stale_is_good = wants_stale (exchange->options, gmcp_cache_query_get_cache (query));
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpRpcMessage kept;
  gboolean fresh;

  /* An answer to what somebody was asked is not for others. */
  if (reply != NULL && !exchange->cached && exchange->n_rounds == 0)
    gmcp_cache_query_store (query, reply->result, stale_is_good);
  else if (error != NULL && error->domain == GMCP_RPC_ERROR && !is_outage (error))
    gmcp_cache_query_drop (query);
  else if (error != NULL && stale_is_good && is_outage (error)
           && (doc = gmcp_cache_query_dup_answer (query, &fresh)) != NULL)
    {
      g_debug ("%s: an earlier answer to %s has to do: %s", gmcp_client_describe (self),
               exchange->method, error->message);
      g_clear_error (&error);
      exchange->cached = TRUE;
      exchange->stale = TRUE;
      kept = make_reply (doc);
      reply = &kept;
    }
  exchange->done (self, exchange, reply, error);
}

void
gmcp_client_expire_cached (GmcpClient *self, const GmcpRpcMessage *notification)
{
  for (guint i = 0; i < G_N_ELEMENTS (cacheables); i++)
    {
      const char *member = cacheables[i].subject;
      g_autofree char *changed = NULL;

      if (!gmcp_json_value_equals_string (notification->method, cacheables[i].changed))
        continue;
      if (member != NULL)
        changed
          = gmcp_json_value_dup_string (gmcp_json_value_get_member (notification->params, member));
      gmcp_response_cache_expire (self->response_cache, gmcp_client_get_cache_server (self),
                                  cacheables[i].method, changed);
    }
}

void
gmcp_client_expire_cached_lists (GmcpClient *self, GmcpSubscriptionFlags lists)
{
  for (guint i = 0; self->response_cache != NULL && i < G_N_ELEMENTS (cacheables); i++)
    if ((cacheables[i].list & lists) != 0)
      gmcp_response_cache_expire (self->response_cache, gmcp_client_get_cache_server (self),
                                  cacheables[i].method, NULL);
}

void
gmcp_client_expire_cached_resource (GmcpClient *self, const char *uri)
{
  for (guint i = 0; self->response_cache != NULL && i < G_N_ELEMENTS (cacheables); i++)
    if (cacheables[i].subject != NULL)
      gmcp_response_cache_expire (self->response_cache, gmcp_client_get_cache_server (self),
                                  cacheables[i].method, uri);
}

void
gmcp_client_leave_cache (GmcpClient *self)
{
  if (self->response_cache != NULL && self->cache_key == NULL && self->cache_server != NULL)
    gmcp_response_cache_forget (self->response_cache, self->cache_server);
  g_clear_object (&self->response_cache);
  g_clear_pointer (&self->cache_server, g_free);
}

/**
 * gmcp_client_get_response_cache:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:response-cache].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:response-cache]
 *
 * Since: 0.1
 */
GmcpResponseCache *
gmcp_client_get_response_cache (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return self->response_cache;
}

/**
 * gmcp_client_set_response_cache:
 * @self: a client
 * @response_cache: (nullable): a cache, which other clients may use too, or %NULL for none
 *
 * Sets [property@Gmcp.Client:response-cache]. Clients share answers where they have the same
 * [property@Gmcp.Client:cache-key].
 *
 * Spec: MCP 2026-07-28, server/utilities/caching.
 *
 * Since: 0.1
 */
void
gmcp_client_set_response_cache (GmcpClient *self, GmcpResponseCache *response_cache)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (response_cache == NULL || GMCP_IS_RESPONSE_CACHE (response_cache));

  if (self->response_cache == response_cache)
    return;

  gmcp_client_leave_cache (self);
  if (response_cache != NULL)
    self->response_cache = g_object_ref (response_cache);
  g_object_notify (G_OBJECT (self), "response-cache");
}

/**
 * gmcp_client_get_sign_in:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:sign-in].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:sign-in]
 *
 * Since: 0.1
 */
const char *
gmcp_client_get_sign_in (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return self->sign_in;
}

/**
 * gmcp_client_set_sign_in:
 * @self: a client
 * @sign_in: (nullable): the new value
 *
 * Sets [property@Gmcp.Client:sign-in], for requests from then on.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching, "Cache Scope Field".
 *
 * Since: 0.1
 */
void
gmcp_client_set_sign_in (GmcpClient *self, const char *sign_in)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));

  if (g_strcmp0 (self->sign_in, sign_in) == 0)
    return;

  g_free (self->sign_in);
  self->sign_in = g_strdup (sign_in);
  g_object_notify (G_OBJECT (self), "sign-in");
}
