/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-record-file-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-outcomes-private.h"

/* How much later a server has to be ready once more for that to be written. */
#define READY_NEWS_SECONDS 600

struct _GmcpServerOutcomes
{
  GHashTable *by_key; /* of GmcpServerOutcome */
};

struct _GmcpOutcomeChange
{
  char *key;
  GmcpServerOutcome *outcome; /* NULL where nothing is known any more */
};

static const GmcpRecordField fields[] = {
  { "error", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpServerOutcome, failure), FALSE },
  { "failedAt", GMCP_RECORD_INT64, G_STRUCT_OFFSET (GmcpServerOutcome, failed_at), FALSE },
  { "needsSignIn", GMCP_RECORD_FLAG, G_STRUCT_OFFSET (GmcpServerOutcome, needs_sign_in), FALSE },
  { "readyAt", GMCP_RECORD_INT64, G_STRUCT_OFFSET (GmcpServerOutcome, ready_at), FALSE },
  { "tools", GMCP_RECORD_INT64, G_STRUCT_OFFSET (GmcpServerOutcome, n_tools), FALSE },
  { NULL },
};

static gint64
get_now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

GmcpServerOutcome *
gmcp_server_outcome_new (void)
{
  return g_new0 (GmcpServerOutcome, 1);
}

GmcpServerOutcome *
gmcp_server_outcome_copy (const GmcpServerOutcome *self)
{
  GmcpServerOutcome *copy = g_new (GmcpServerOutcome, 1);

  *copy = *self;
  copy->failure = g_strdup (self->failure);
  return copy;
}

void
gmcp_server_outcome_free (GmcpServerOutcome *self)
{
  g_free (self->failure);
  g_free (self);
}

void
gmcp_server_outcome_fail (GmcpServerOutcome *self, const char *failure, gboolean needs_sign_in)
{
  g_free (self->failure);
  self->failure = g_utf8_make_valid (failure, (gssize) strnlen (failure, GMCP_LIMIT_FAILURE_BYTES));
  self->failed_at = get_now ();
  self->needs_sign_in = needs_sign_in;
}

void
gmcp_server_outcome_succeed (GmcpServerOutcome *self, guint n_tools)
{
  g_clear_pointer (&self->failure, g_free);
  self->failed_at = 0;
  self->needs_sign_in = FALSE;
  self->ready_at = get_now ();
  self->n_tools = n_tools;
}

gint64
gmcp_server_outcome_get_time (const GmcpServerOutcome *outcome)
{
  return MAX (outcome->failed_at, outcome->ready_at);
}

static gboolean
is_sane (const GmcpServerOutcome *outcome)
{
  return (outcome->failure != NULL || outcome->ready_at > 0)
         && (outcome->failure == NULL) == (outcome->failed_at == 0) && outcome->failed_at >= 0
         && outcome->ready_at >= 0 && outcome->n_tools >= 0
         && outcome->n_tools <= GMCP_LIMIT_LIST_ITEMS;
}

static gboolean
is_too_old (const GmcpServerOutcome *outcome)
{
  return gmcp_server_outcome_get_time (outcome)
         < get_now () - GMCP_LIMIT_KEPT_OUTCOME_DAYS * (gint64) 86400;
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                (GDestroyNotify) gmcp_server_outcome_free);
}

/* A server of the same id in another place, or configured anew, is another one. The hash of a
 * configuration has its secrets in it, and is hashed once more by itself. */
static char *
dup_key (GmcpServerConfig *config)
{
  g_autofree char *hash = gmcp_server_config_dup_hash (config);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, hash, -1);

  return g_strdup_printf ("%s %s", gmcp_server_config_get_id (config), digest);
}

GmcpServerOutcomes *
gmcp_server_outcomes_new (void)
{
  GmcpServerOutcomes *self = g_new (GmcpServerOutcomes, 1);

  self->by_key = new_table ();
  return self;
}

void
gmcp_server_outcomes_free (GmcpServerOutcomes *self)
{
  g_hash_table_unref (self->by_key);
  g_free (self);
}

static GHashTable *
parse_outcomes (GBytes *bytes)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GHashTable *table = new_table ();
  GmcpJsonValue outcomes, key, value;
  GmcpJsonIter iter;

  if (!gmcp_record_file_parse (bytes, "outcomes", GMCP_JSON_OBJECT, &doc, &outcomes, NULL))
    return table;

  gmcp_json_iter_init (&iter, outcomes);
  while (g_hash_table_size (table) < GMCP_LIMIT_KEPT_OUTCOMES
         && gmcp_json_iter_next (&iter, &key, &value))
    {
      GmcpServerOutcome read = { 0 };

      if (gmcp_record_read (fields, value, &read) && is_sane (&read) && !is_too_old (&read))
        g_hash_table_insert (table, gmcp_json_value_dup_string (key),
                             gmcp_server_outcome_copy (&read));
      gmcp_record_clear (fields, &read);
    }
  return table;
}

void
gmcp_server_outcomes_take (GmcpServerOutcomes *self, GBytes *bytes)
{
  g_hash_table_unref (self->by_key);
  self->by_key = parse_outcomes (bytes);
}

const GmcpServerOutcome *
gmcp_server_outcomes_find (GmcpServerOutcomes *self, GmcpServerConfig *config)
{
  g_autofree char *key = dup_key (config);

  return g_hash_table_lookup (self->by_key, key);
}

/* Whether b tells nothing that a does not. */
static gboolean
is_no_news (const GmcpServerOutcome *a, const GmcpServerOutcome *b)
{
  return a == b
         || (a != NULL && b != NULL && g_strcmp0 (a->failure, b->failure) == 0
             && a->failed_at == b->failed_at && a->needs_sign_in == b->needs_sign_in
             && a->n_tools == b->n_tools && (a->ready_at == 0) == (b->ready_at == 0)
             && ABS (b->ready_at - a->ready_at) < READY_NEWS_SECONDS);
}

static void
make_room (GHashTable *table)
{
  while (g_hash_table_size (table) >= GMCP_LIMIT_KEPT_OUTCOMES)
    {
      GHashTableIter iter;
      gpointer key, value;
      const char *oldest = NULL;
      gint64 oldest_at = G_MAXINT64;

      g_hash_table_iter_init (&iter, table);
      while (g_hash_table_iter_next (&iter, &key, &value))
        if (oldest == NULL || gmcp_server_outcome_get_time (value) < oldest_at)
          {
            oldest = key;
            oldest_at = gmcp_server_outcome_get_time (value);
          }
      g_hash_table_remove (table, oldest);
    }
}

static void
apply_outcome (GHashTable *table, const char *key, const GmcpServerOutcome *outcome)
{
  g_hash_table_remove (table, key);
  if (outcome == NULL)
    return;

  make_room (table);
  g_hash_table_insert (table, g_strdup (key), gmcp_server_outcome_copy (outcome));
}

GmcpOutcomeChange *
gmcp_server_outcomes_change (GmcpServerOutcomes *self,
                             GmcpServerConfig *config,
                             const GmcpServerOutcome *outcome)
{
  g_autofree char *key = dup_key (config);
  GmcpOutcomeChange *change;

  if (is_no_news (g_hash_table_lookup (self->by_key, key), outcome))
    return NULL;

  apply_outcome (self->by_key, key, outcome);
  change = g_new0 (GmcpOutcomeChange, 1);
  change->key = g_steal_pointer (&key);
  if (outcome != NULL)
    change->outcome = gmcp_server_outcome_copy (outcome);
  return change;
}

void
gmcp_outcome_change_free (gpointer data)
{
  GmcpOutcomeChange *change = data;

  g_clear_pointer (&change->outcome, gmcp_server_outcome_free);
  g_free (change->key);
  g_free (change);
}

GBytes *
gmcp_server_outcomes_write (GBytes *present, gpointer data, GError **error)
{
  GmcpOutcomeChange *change = data;
  g_autoptr (GHashTable) table = parse_outcomes (present);
  g_autoptr (GPtrArray) keys = NULL;
  GmcpJsonWriter writer;

  if (is_no_news (g_hash_table_lookup (table, change->key), change->outcome))
    return NULL;

  apply_outcome (table, change->key, change->outcome);
  keys = gmcp_record_list_keys (table);
  writer = gmcp_record_file_begin (g_string_new (NULL), 1, "outcomes");
  gmcp_json_writer_begin_object (&writer);
  for (guint i = 0; i < keys->len; i++)
    {
      const char *key = g_ptr_array_index (keys, i);

      gmcp_json_writer_key (&writer, key);
      gmcp_json_writer_begin_object (&writer);
      gmcp_record_write_members (fields, g_hash_table_lookup (table, key), &writer);
      gmcp_json_writer_end_object (&writer);
    }
  gmcp_json_writer_end_object (&writer);
  return gmcp_record_file_end (&writer);
}
