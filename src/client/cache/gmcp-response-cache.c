/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-response-cache-private.h"

#include <time.h>

#include "gmcp-limits.h"

/**
 * GmcpResponseCache:
 *
 * Answers of servers that may be used again.
 *
 * A server says with each list, and with each resource that is read, how long the answer stays fresh
 * and whether others may have it too. A client that was given a cache with
 * [method@Gmcp.Client.set_response_cache] takes a fresh answer from there, and asks the server where
 * there is none. Answers become stale when their time has passed, or when the server says that what
 * they tell has changed. Tools are never called from the cache.
 *
 * One cache serves any number of clients, in any thread, and outlives their connections. Clients with
 * the same [property@Gmcp.Client:cache-key] share answers, private ones only with the same
 * [property@Gmcp.Client:sign-in]; a client without a cache key shares with none.
 * Where a server does not say how long, [property@Gmcp.ResponseCache:list-ttl-ms] and
 * [property@Gmcp.ResponseCache:resource-ttl-ms] hold.
 *
 * [property@Gmcp.CallOptions:cache-mode] and [property@Gmcp.CallOptions:stale-on-error] choose for
 * one call.
 *
 * It holds at most [property@Gmcp.ResponseCache:max-bytes], and drops what was not used for longest.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching.
 *
 * Since: 0.1
 */

typedef enum
{
  PROP_MAX_BYTES = 1,
  PROP_MAX_TTL_MS,
  PROP_LIST_TTL_MS,
  PROP_RESOURCE_TTL_MS,
  PROP_STALE_ON_ERROR,
} GmcpResponseCacheProperty;

static GParamSpec *properties[PROP_STALE_ON_ERROR + 1];

G_DEFINE_FINAL_TYPE (GmcpResponseCache, gmcp_response_cache, G_TYPE_OBJECT)

static gint64
usual_clock (gpointer data)
{
#ifdef CLOCK_BOOTTIME
  struct timespec now;

  if (clock_gettime (CLOCK_BOOTTIME, &now) == 0)
    return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
#endif
  return g_get_monotonic_time ();
}

static void
gmcp_response_cache_finalize (GObject *object)
{
  GmcpResponseCache *self = GMCP_RESPONSE_CACHE (object);

  g_clear_pointer (&self->table, gmcp_cache_table_free);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (gmcp_response_cache_parent_class)->finalize (object);
}

static void
gmcp_response_cache_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpResponseCache *self = GMCP_RESPONSE_CACHE (object);

  switch ((GmcpResponseCacheProperty) prop_id)
    {
    case PROP_MAX_BYTES:
      g_value_set_uint64 (value, gmcp_response_cache_get_max_bytes (self));
      break;
    case PROP_MAX_TTL_MS:
      g_value_set_uint (value, gmcp_response_cache_get_max_ttl_ms (self));
      break;
    case PROP_LIST_TTL_MS:
      g_value_set_uint (value, gmcp_response_cache_get_list_ttl_ms (self));
      break;
    case PROP_RESOURCE_TTL_MS:
      g_value_set_uint (value, gmcp_response_cache_get_resource_ttl_ms (self));
      break;
    case PROP_STALE_ON_ERROR:
      g_value_set_boolean (value, gmcp_response_cache_get_stale_on_error (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_response_cache_set_property (GObject *object,
                                  guint prop_id,
                                  const GValue *value,
                                  GParamSpec *pspec)
{
  GmcpResponseCache *self = GMCP_RESPONSE_CACHE (object);

  switch ((GmcpResponseCacheProperty) prop_id)
    {
    case PROP_MAX_BYTES:
      gmcp_response_cache_set_max_bytes (self, g_value_get_uint64 (value));
      break;
    case PROP_MAX_TTL_MS:
      gmcp_response_cache_set_max_ttl_ms (self, g_value_get_uint (value));
      break;
    case PROP_LIST_TTL_MS:
      gmcp_response_cache_set_list_ttl_ms (self, g_value_get_uint (value));
      break;
    case PROP_RESOURCE_TTL_MS:
      gmcp_response_cache_set_resource_ttl_ms (self, g_value_get_uint (value));
      break;
    case PROP_STALE_ON_ERROR:
      gmcp_response_cache_set_stale_on_error (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_response_cache_class_init (GmcpResponseCacheClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->finalize = gmcp_response_cache_finalize;
  object_class->get_property = gmcp_response_cache_get_property;
  object_class->set_property = gmcp_response_cache_set_property;

  /**
   * GmcpResponseCache:max-bytes:
   *
   * How much memory the answers may take, in bytes. An answer of more than a quarter of it is not
   * kept. 0 keeps nothing.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_BYTES] = g_param_spec_uint64 ("max-bytes", NULL, NULL, 0, G_MAXUINT64,
                                                    GMCP_DEFAULT_RESPONSE_CACHE_BYTES, flags);

  /**
   * GmcpResponseCache:max-ttl-ms:
   *
   * For how long an answer may count as fresh, in milliseconds, whatever its server says. It applies
   * to answers that come in from then on.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_TTL_MS] = g_param_spec_uint ("max-ttl-ms", NULL, NULL, 0, G_MAXUINT,
                                                   GMCP_DEFAULT_RESPONSE_TTL_MAX_MS, flags);

  /**
   * GmcpResponseCache:list-ttl-ms:
   *
   * For how long a list, such as that of the tools, counts as fresh where its server does not say,
   * in milliseconds. 0 keeps no such list. It applies to answers that come in from then on.
   *
   * Since: 0.1
   */
  properties[PROP_LIST_TTL_MS]
    = g_param_spec_uint ("list-ttl-ms", NULL, NULL, 0, G_MAXUINT, 0, flags);

  /**
   * GmcpResponseCache:resource-ttl-ms:
   *
   * For how long a resource that was read counts as fresh where its server does not say, in
   * milliseconds. 0 keeps none. It applies to answers that come in from then on.
   *
   * Since: 0.1
   */
  properties[PROP_RESOURCE_TTL_MS]
    = g_param_spec_uint ("resource-ttl-ms", NULL, NULL, 0, G_MAXUINT, 0, flags);

  /**
   * GmcpResponseCache:stale-on-error:
   *
   * Whether a stale answer is better than none where the server cannot be asked, for all calls.
   * [property@Gmcp.CallOptions:stale-on-error] asks for it in one.
   *
   * Since: 0.1
   */
  properties[PROP_STALE_ON_ERROR]
    = g_param_spec_boolean ("stale-on-error", NULL, NULL, FALSE, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_response_cache_init (GmcpResponseCache *self)
{
  g_mutex_init (&self->lock);
  g_queue_init (&self->queries);
  self->table = gmcp_cache_table_new ();
  self->max_bytes = GMCP_DEFAULT_RESPONSE_CACHE_BYTES;
  self->max_ttl_ms = GMCP_DEFAULT_RESPONSE_TTL_MAX_MS;
  self->clock = usual_clock;
}

void
gmcp_response_cache_set_clock (GmcpResponseCache *self, GmcpCacheClock clock, gpointer data)
{
  self->clock = clock != NULL ? clock : usual_clock;
  self->clock_data = data;
}

void
gmcp_response_cache_trim (GmcpResponseCache *self)
{
  gmcp_cache_table_trim (self->table, MIN (self->max_bytes, G_MAXSIZE),
                         GMCP_LIMIT_CACHED_RESPONSES);
}

/**
 * gmcp_response_cache_new:
 *
 * Makes a cache with nothing in it.
 *
 * Returns: (transfer full): a new cache
 *
 * Since: 0.1
 */
GmcpResponseCache *
gmcp_response_cache_new (void)
{
  return g_object_new (GMCP_TYPE_RESPONSE_CACHE, NULL);
}

/**
 * gmcp_response_cache_get_max_bytes:
 * @self: a cache
 *
 * Gets [property@Gmcp.ResponseCache:max-bytes].
 *
 * Returns: the value of [property@Gmcp.ResponseCache:max-bytes]
 *
 * Since: 0.1
 */
guint64
gmcp_response_cache_get_max_bytes (GmcpResponseCache *self)
{
  guint64 max_bytes;

  g_return_val_if_fail (GMCP_IS_RESPONSE_CACHE (self), 0);

  g_mutex_lock (&self->lock);
  max_bytes = self->max_bytes;
  g_mutex_unlock (&self->lock);
  return max_bytes;
}

/**
 * gmcp_response_cache_set_max_bytes:
 * @self: a cache
 * @max_bytes: the new value
 *
 * Sets [property@Gmcp.ResponseCache:max-bytes]. What no longer fits is dropped.
 *
 * Since: 0.1
 */
void
gmcp_response_cache_set_max_bytes (GmcpResponseCache *self, guint64 max_bytes)
{
  gboolean changed;

  g_return_if_fail (GMCP_IS_RESPONSE_CACHE (self));

  g_mutex_lock (&self->lock);
  changed = self->max_bytes != max_bytes;
  self->max_bytes = max_bytes;
  gmcp_response_cache_trim (self);
  g_mutex_unlock (&self->lock);

  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MAX_BYTES]);
}

static guint
get_number (GmcpResponseCache *self, const guint *field)
{
  guint value;

  g_mutex_lock (&self->lock);
  value = *field;
  g_mutex_unlock (&self->lock);
  return value;
}

static void
set_number (GmcpResponseCache *self, guint *field, guint value, GParamSpec *pspec)
{
  gboolean changed;

  g_mutex_lock (&self->lock);
  changed = *field != value;
  *field = value;
  g_mutex_unlock (&self->lock);

  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

/**
 * gmcp_response_cache_get_max_ttl_ms:
 * @self: a cache
 *
 * Gets [property@Gmcp.ResponseCache:max-ttl-ms].
 *
 * Returns: the value of [property@Gmcp.ResponseCache:max-ttl-ms]
 *
 * Since: 0.1
 */
guint
gmcp_response_cache_get_max_ttl_ms (GmcpResponseCache *self)
{
  g_return_val_if_fail (GMCP_IS_RESPONSE_CACHE (self), 0);

  return get_number (self, &self->max_ttl_ms);
}

/**
 * gmcp_response_cache_set_max_ttl_ms:
 * @self: a cache
 * @max_ttl_ms: the new value
 *
 * Sets [property@Gmcp.ResponseCache:max-ttl-ms].
 *
 * Since: 0.1
 */
void
gmcp_response_cache_set_max_ttl_ms (GmcpResponseCache *self, guint max_ttl_ms)
{
  g_return_if_fail (GMCP_IS_RESPONSE_CACHE (self));

  set_number (self, &self->max_ttl_ms, max_ttl_ms, properties[PROP_MAX_TTL_MS]);
}

/**
 * gmcp_response_cache_get_list_ttl_ms:
 * @self: a cache
 *
 * Gets [property@Gmcp.ResponseCache:list-ttl-ms].
 *
 * Returns: the value of [property@Gmcp.ResponseCache:list-ttl-ms]
 *
 * Since: 0.1
 */
guint
gmcp_response_cache_get_list_ttl_ms (GmcpResponseCache *self)
{
  g_return_val_if_fail (GMCP_IS_RESPONSE_CACHE (self), 0);

  return get_number (self, &self->list_ttl_ms);
}

/**
 * gmcp_response_cache_set_list_ttl_ms:
 * @self: a cache
 * @list_ttl_ms: the new value
 *
 * Sets [property@Gmcp.ResponseCache:list-ttl-ms].
 *
 * Since: 0.1
 */
void
gmcp_response_cache_set_list_ttl_ms (GmcpResponseCache *self, guint list_ttl_ms)
{
  g_return_if_fail (GMCP_IS_RESPONSE_CACHE (self));

  set_number (self, &self->list_ttl_ms, list_ttl_ms, properties[PROP_LIST_TTL_MS]);
}

/**
 * gmcp_response_cache_get_resource_ttl_ms:
 * @self: a cache
 *
 * Gets [property@Gmcp.ResponseCache:resource-ttl-ms].
 *
 * Returns: the value of [property@Gmcp.ResponseCache:resource-ttl-ms]
 *
 * Since: 0.1
 */
guint
gmcp_response_cache_get_resource_ttl_ms (GmcpResponseCache *self)
{
  g_return_val_if_fail (GMCP_IS_RESPONSE_CACHE (self), 0);

  return get_number (self, &self->resource_ttl_ms);
}

/**
 * gmcp_response_cache_set_resource_ttl_ms:
 * @self: a cache
 * @resource_ttl_ms: the new value
 *
 * Sets [property@Gmcp.ResponseCache:resource-ttl-ms].
 *
 * Since: 0.1
 */
void
gmcp_response_cache_set_resource_ttl_ms (GmcpResponseCache *self, guint resource_ttl_ms)
{
  g_return_if_fail (GMCP_IS_RESPONSE_CACHE (self));

  set_number (self, &self->resource_ttl_ms, resource_ttl_ms, properties[PROP_RESOURCE_TTL_MS]);
}

/**
 * gmcp_response_cache_get_stale_on_error:
 * @self: a cache
 *
 * Gets [property@Gmcp.ResponseCache:stale-on-error].
 *
 * Returns: the value of [property@Gmcp.ResponseCache:stale-on-error]
 *
 * Since: 0.1
 */
gboolean
gmcp_response_cache_get_stale_on_error (GmcpResponseCache *self)
{
  gboolean stale_on_error;

  g_return_val_if_fail (GMCP_IS_RESPONSE_CACHE (self), FALSE);

  g_mutex_lock (&self->lock);
  stale_on_error = self->stale_on_error;
  g_mutex_unlock (&self->lock);
  return stale_on_error;
}

/**
 * gmcp_response_cache_set_stale_on_error:
 * @self: a cache
 * @stale_on_error: the new value
 *
 * Sets [property@Gmcp.ResponseCache:stale-on-error].
 *
 * Since: 0.1
 */
void
gmcp_response_cache_set_stale_on_error (GmcpResponseCache *self, gboolean stale_on_error)
{
  gboolean changed;

  g_return_if_fail (GMCP_IS_RESPONSE_CACHE (self));

  stale_on_error = !!stale_on_error;
  g_mutex_lock (&self->lock);
  changed = self->stale_on_error != stale_on_error;
  self->stale_on_error = stale_on_error;
  g_mutex_unlock (&self->lock);

  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STALE_ON_ERROR]);
}

/**
 * gmcp_response_cache_get_size_bytes:
 * @self: a cache
 *
 * Tells how much memory the answers take.
 *
 * Returns: a number of bytes
 *
 * Since: 0.1
 */
guint64
gmcp_response_cache_get_size_bytes (GmcpResponseCache *self)
{
  guint64 bytes;

  g_return_val_if_fail (GMCP_IS_RESPONSE_CACHE (self), 0);

  g_mutex_lock (&self->lock);
  bytes = gmcp_cache_table_get_bytes (self->table);
  g_mutex_unlock (&self->lock);
  return bytes;
}

/**
 * gmcp_response_cache_get_n_responses:
 * @self: a cache
 *
 * Tells how many answers there are, fresh and stale. Each page of a list is one.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_response_cache_get_n_responses (GmcpResponseCache *self)
{
  guint length;

  g_return_val_if_fail (GMCP_IS_RESPONSE_CACHE (self), 0);

  g_mutex_lock (&self->lock);
  length = gmcp_cache_table_get_length (self->table);
  g_mutex_unlock (&self->lock);
  return length;
}

/**
 * gmcp_response_cache_clear:
 * @self: a cache
 *
 * Drops all answers.
 *
 * Since: 0.1
 */
void
gmcp_response_cache_clear (GmcpResponseCache *self)
{
  g_return_if_fail (GMCP_IS_RESPONSE_CACHE (self));

  g_mutex_lock (&self->lock);
  /* What is under way was asked for before. */
  for (GList *link = self->queries.head; link != NULL; link = link->next)
    gmcp_cache_query_outdate (link->data);
  gmcp_cache_table_trim (self->table, 0, 0);
  g_mutex_unlock (&self->lock);
}
