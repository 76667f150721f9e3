/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-counters-private.h"

/* 0 to 3 have a bucket each; from there on the two bits after the first say which. */
static guint
get_bucket (guint64 us)
{
  guint exponent, bucket;

  if (us < 4)
    return (guint) us;

  exponent = 63 - (guint) __builtin_clzll (us);
  bucket = (exponent - 1) * 4 + (guint) ((us >> (exponent - 2)) & 3);
  return MIN (bucket, GMCP_LATENCY_BUCKETS - 1);
}

/* The middle of a bucket. */
static guint64
get_middle (guint bucket)
{
  guint exponent = bucket / 4 + 1;
  guint64 width;

  if (bucket < 4)
    return bucket;

  width = G_GUINT64_CONSTANT (1) << (exponent - 2);
  return (4 + bucket % 4) * width + width / 2;
}

void
gmcp_call_counters_add (GmcpCallCounters *self, const GmcpCallOutcome *outcome)
{
  guint64 us = outcome->duration_us > 0 ? (guint64) outcome->duration_us : 0;
  guint32 *bucket = &self->latencies[get_bucket (us)];

  self->n_calls++;
  self->n_errors += outcome->failed;
  self->n_tool_errors += outcome->tool_failed;
  self->n_bytes_sent += outcome->n_bytes_sent;
  self->n_bytes_received += outcome->n_bytes_received;
  self->max_us = MAX (self->max_us, us);
  if (*bucket < G_MAXUINT32)
    ++*bucket;
}

guint64
gmcp_call_counters_get_quantile (const GmcpCallCounters *self, double share)
{
  guint64 seen = 0;
  guint64 wanted = 0;
  double exact;

  for (guint i = 0; i < GMCP_LATENCY_BUCKETS; i++)
    wanted += self->latencies[i];
  if (wanted == 0)
    return 0;

  exact = (double) wanted * share;
  wanted = (guint64) exact;
  if ((double) wanted < exact || wanted == 0)
    wanted++;
  for (guint i = 0; i < GMCP_LATENCY_BUCKETS; i++)
    {
      seen += self->latencies[i];
      if (seen >= wanted)
        return MIN (get_middle (i), self->max_us);
    }

  return self->max_us;
}

static void
write_number (GmcpJsonWriter *writer, const char *key, guint64 number)
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_uint64 (writer, number);
}

void
gmcp_call_counters_write (const GmcpCallCounters *self, GmcpJsonWriter *writer)
{
  write_number (writer, "calls", self->n_calls);
  write_number (writer, "errors", self->n_errors);
  write_number (writer, "tool_errors", self->n_tool_errors);
  write_number (writer, "bytes_sent", self->n_bytes_sent);
  write_number (writer, "bytes_received", self->n_bytes_received);
  gmcp_json_writer_key (writer, "latency_us");
  gmcp_json_writer_begin_object (writer);
  write_number (writer, "p50", gmcp_call_counters_get_quantile (self, 0.5));
  write_number (writer, "p90", gmcp_call_counters_get_quantile (self, 0.9));
  write_number (writer, "p99", gmcp_call_counters_get_quantile (self, 0.99));
  write_number (writer, "max", self->max_us);
  gmcp_json_writer_end_object (writer);
}
