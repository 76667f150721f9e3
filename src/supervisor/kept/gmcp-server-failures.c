/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-private.h"
#include "gmcp-limits.h"
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

static GHashTable *
parse (GBytes *bytes)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GHashTable *table = new_table ();
  GmcpJsonValue object, key, value;
  GmcpJsonIter iter;
  const char *data;
  gsize length;

  if (bytes == NULL)
    return table;

  data = g_bytes_get_data (bytes, &length);
  doc = gmcp_json_doc_parse (data, length, bytes, 0, NULL);
  if (doc == NULL)
    return table;

  object = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "failures");
  if (!gmcp_json_value_is_object (object))
    return table;

  gmcp_json_iter_init (&iter, object);
  while (g_hash_table_size (table) < GMCP_LIMIT_KEPT_FAILURES
         && gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *text
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "error"));
      gint64 at;

      if (text != NULL && gmcp_json_value_get_int64 (gmcp_json_value_get_member (value, "at"), &at))
        g_hash_table_insert (table, gmcp_json_value_dup_string (key),
                             gmcp_server_failure_new (at, text));
    }
  return table;
}

void
gmcp_server_failures_take (GmcpServerFailures *self, GBytes *bytes)
{
  g_hash_table_unref (self->by_key);
  self->by_key = parse (bytes);
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
apply (GHashTable *table, const char *key, const GmcpServerFailure *failure)
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

  apply (self->by_key, key, failure);
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
  g_autoptr (GHashTable) table = parse (present);
  g_autoptr (GList) keys = NULL;
  GString *out;
  GmcpJsonWriter writer;

  if (same_failure (g_hash_table_lookup (table, change->key), change->failure))
    return NULL;

  apply (table, change->key, change->failure);
  keys = g_list_sort (g_hash_table_get_keys (table), (GCompareFunc) strcmp);
  out = g_string_new (NULL);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_int64 (&writer, "version", 1);
  gmcp_json_writer_key (&writer, "failures");
  gmcp_json_writer_begin_object (&writer);
  for (GList *l = keys; l != NULL; l = l->next)
    {
      GmcpServerFailure *failure = g_hash_table_lookup (table, l->data);

      gmcp_json_writer_key (&writer, l->data);
      gmcp_json_writer_begin_object (&writer);
      gmcp_json_writer_member_int64 (&writer, "at", failure->at);
      gmcp_json_writer_member_string (&writer, "error", failure->text);
      gmcp_json_writer_end_object (&writer);
    }
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  g_string_append_c (out, '\n');
  return g_string_free_to_bytes (out);
}
