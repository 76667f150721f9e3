/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-rates-private.h"

#include "gmcp-limits.h"

typedef struct
{
  gint64 full_us; /* when the bucket is full again, in monotonic time */
} Bucket;

struct _GmcpHttpRates
{
  GHashTable *buckets; /* name -> Bucket */
  gint64 swept_us;
};

GmcpHttpRates *
gmcp_http_rates_new (void)
{
  GmcpHttpRates *self = g_new0 (GmcpHttpRates, 1);

  self->buckets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
gmcp_http_rates_free (GmcpHttpRates *self)
{
  g_hash_table_unref (self->buckets);
  g_free (self);
}

static gboolean
is_full (gpointer key, gpointer value, gpointer now_us)
{
  return ((Bucket *) value)->full_us <= *(gint64 *) now_us;
}

/* Those that are full say nothing. Where all the rest are too many, one of them is forgotten: who comes from so many
 * addresses is not kept out by counting each. */
static void
make_room (GmcpHttpRates *self, gint64 now_us)
{
  GHashTableIter iter;

  if (g_hash_table_size (self->buckets) < GMCP_LIMIT_HTTP_RATES)
    return;
  if (now_us - self->swept_us > G_USEC_PER_SEC)
    {
      self->swept_us = now_us;
      g_hash_table_foreach_remove (self->buckets, is_full, &now_us);
      if (g_hash_table_size (self->buckets) < GMCP_LIMIT_HTTP_RATES)
        return;
    }
  g_hash_table_iter_init (&iter, self->buckets);
  if (g_hash_table_iter_next (&iter, NULL, NULL))
    g_hash_table_iter_remove (&iter);
}

/* How long until one more fits, in microseconds. */
static gint64
count_wait_us (const Bucket *bucket, guint burst, gint64 period_us, gint64 now_us)
{
  gint64 full_us = bucket != NULL ? MAX (bucket->full_us, now_us) : now_us;

  return MAX (full_us + period_us / burst - period_us - now_us, 0);
}

static guint
to_ms (gint64 us)
{
  return (guint) ((us + 999) / 1000);
}

guint
gmcp_http_rates_peek (GmcpHttpRates *self, const char *name, guint burst, guint period_ms)
{
  if (burst == 0)
    return 0;
  return to_ms (count_wait_us (g_hash_table_lookup (self->buckets, name), burst,
                               period_ms * (gint64) 1000, g_get_monotonic_time ()));
}

guint
gmcp_http_rates_take (GmcpHttpRates *self, const char *name, guint burst, guint period_ms)
{
  gint64 now_us = g_get_monotonic_time ();
  gint64 period_us = period_ms * (gint64) 1000;
  Bucket *bucket;
  gint64 wait_us;

  if (burst == 0)
    return 0;

  bucket = g_hash_table_lookup (self->buckets, name);
  wait_us = count_wait_us (bucket, burst, period_us, now_us);
  if (wait_us > 0)
    return to_ms (wait_us);

  if (bucket == NULL)
    {
      make_room (self, now_us);
      bucket = g_new0 (Bucket, 1);
      g_hash_table_insert (self->buckets, g_strdup (name), bucket);
    }
  bucket->full_us = MAX (bucket->full_us, now_us) + period_us / burst;
  return 0;
}
