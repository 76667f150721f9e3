/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-record-file-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-failures-private.h"

struct _GmcpServerFailures
{
  GHashTable *by_key; /* of GmcpServerFailure */
};

struct _GmcpFailureChange
{
  char *key;
  GmcpServerFailure *failure;
};

GmcpServerFailure *
gmcp_server_failure_new (gint64 at, const char *text)
{
  GmcpServerFailure *self = g_new (GmcpServerFailure, 1);

  self->at = at;
  self->text = g_utf8_make_valid (text, (gssize) strnlen (text, GMCP_LIMIT_FAILURE_BYTES));
  return self;
}

void
gmcp_server_failure_free (GmcpServerFailure *self)
{
  g_free (self->text);
  g_free (self);
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                (GDestroyNotify) gmcp_server_failure_free);
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

GmcpServerFailures *
gmcp_server_failures_new (void)
{
  GmcpServerFailures *self = g_new (GmcpServerFailures, 1);

  self->by_key = new_table ();
  return self;
}

void
gmcp_server_failures_free (GmcpServerFailures *self)
{
  g_hash_table_unref (self->by_key);
  g_free (self);
}

static const GmcpRecordField fields[] = {
  { "at", GMCP_RECORD_INT64, G_STRUCT_OFFSET (GmcpServerFailure, at), TRUE },
  { "error", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpServerFailure, text), TRUE },
  { NULL },
};

static GHashTable *
parse_failures (GBytes *bytes)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GHashTable *table = new_table ();
  GmcpJsonValue failures, key, value;
  GmcpJsonIter iter;

  if (!gmcp_record_file_parse (bytes, "failures", GMCP_JSON_OBJECT, &doc, &failures, NULL))
    return table;

  gmcp_json_iter_init (&iter, failures);
  while (g_hash_table_size (table) < GMCP_LIMIT_KEPT_FAILURES
         && gmcp_json_iter_next (&iter, &key, &value))
    {
      GmcpServerFailure read = { 0 };

      if (gmcp_record_read (fields, value, &read))
        g_hash_table_insert (table, gmcp_json_value_dup_string (key),
                             gmcp_server_failure_new (read.at, read.text));
      gmcp_record_clear (fields, &read);
    }
  return table;
}

void
gmcp_server_failures_take (GmcpServerFailures *self, GBytes *bytes)
{
  g_hash_table_unref (self->by_key);
  self->by_key = parse_failures (bytes);
}

const GmcpServerFailure *
gmcp_server_failures_find (GmcpServerFailures *self, GmcpServerConfig *config)
{
  g_autofree char *key = dup_key (config);

  return g_hash_table_lookup (self->by_key, key);
}

static gboolean
same_failure (const GmcpServerFailure *a, const GmcpServerFailure *b)
{
  return a == b || (a != NULL && b != NULL && a->at == b->at && g_str_equal (a->text, b->text));
}

static void
make_room (GHashTable *table)
{
  while (g_hash_table_size (table) >= GMCP_LIMIT_KEPT_FAILURES)
    {
      GHashTableIter iter;
      gpointer key, value;
      const char *oldest = NULL;
      gint64 oldest_at = G_MAXINT64;

      g_hash_table_iter_init (&iter, table);
      while (g_hash_table_iter_next (&iter, &key, &value))
        if (oldest == NULL || ((GmcpServerFailure *) value)->at < oldest_at)
          {
            oldest = key;
            oldest_at = ((GmcpServerFailure *) value)->at;
          }
      g_hash_table_remove (table, oldest);
    }
}

static void
apply_failure (GHashTable *table, const char *key, const GmcpServerFailure *failure)
{
  g_hash_table_remove (table, key);
  if (failure == NULL)
    return;

  make_room (table);
  g_hash_table_insert (table, g_strdup (key), gmcp_server_failure_new (failure->at, failure->text));
}

GmcpFailureChange *
gmcp_server_failures_change (GmcpServerFailures *self,
                             GmcpServerConfig *config,
                             const GmcpServerFailure *failure)
{
  g_autofree char *key = dup_key (config);
  GmcpFailureChange *change;

  if (same_failure (g_hash_table_lookup (self->by_key, key), failure))
    return NULL;

  apply_failure (self->by_key, key, failure);
  change = g_new0 (GmcpFailureChange, 1);
  change->key = g_steal_pointer (&key);
  if (failure != NULL)
    change->failure = gmcp_server_failure_new (failure->at, failure->text);
  return change;
}

void
gmcp_failure_change_free (gpointer data)
{
  GmcpFailureChange *change = data;

  g_clear_pointer (&change->failure, gmcp_server_failure_free);
  g_free (change->key);
  g_free (change);
}

GBytes *
gmcp_server_failures_write (GBytes *present, gpointer data, GError **error)
{
  GmcpFailureChange *change = data;
  g_autoptr (GHashTable) table = parse_failures (present);
  g_autoptr (GPtrArray) keys = NULL;
  GmcpJsonWriter writer;

  if (same_failure (g_hash_table_lookup (table, change->key), change->failure))
    return NULL;

  apply_failure (table, change->key, change->failure);
  keys = gmcp_record_list_keys (table);
  writer = gmcp_record_file_begin (g_string_new (NULL), 1, "failures");
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
