/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-given-names-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-record-file-private.h"

#include <gmcp/core/gmcp-error.h>

typedef struct
{
  const char *server; /* owned by the table of servers */
  char *tool;
} Owner;

struct _GmcpGivenNames
{
  GHashTable *by_name; /* name → Owner */
  GHashTable *servers; /* id → how many names it has */
};

static void
owner_free (gpointer data)
{
  Owner *owner = data;

  g_free (owner->tool);
  g_free (owner);
}

GmcpGivenNames *
gmcp_given_names_new (void)
{
  GmcpGivenNames *self = g_new0 (GmcpGivenNames, 1);

  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, owner_free);
  self->servers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
gmcp_given_names_free (GmcpGivenNames *self)
{
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->servers);
  g_free (self);
}

/* The server's own copy of its id, with one more name to its account; NULL where it has enough. */
static const char *
count_name (GmcpGivenNames *self, const char *server)
{
  guint n_names = GPOINTER_TO_UINT (g_hash_table_lookup (self->servers, server));
  gpointer known;

  if (n_names >= GMCP_LIMIT_GIVEN_NAMES_PER_SERVER)
    return NULL;

  /* The key that is there stays. */
  g_hash_table_insert (self->servers, g_strdup (server), GUINT_TO_POINTER (n_names + 1));
  g_hash_table_lookup_extended (self->servers, server, &known, NULL);
  return known;
}

gboolean
gmcp_given_names_give (GmcpGivenNames *self,
                       const char *name,
                       const char *server,
                       const char *tool,
                       gboolean *is_new)
{
  Owner *owner = g_hash_table_lookup (self->by_name, name);
  const char *known;

  if (owner != NULL)
    return g_str_equal (owner->server, server) && g_str_equal (owner->tool, tool);

  if (g_hash_table_size (self->by_name) >= GMCP_LIMIT_GIVEN_NAMES
      || strlen (tool) > GMCP_LIMIT_GIVEN_NAME_BYTES)
    return FALSE;

  known = count_name (self, server);
  if (known == NULL)
    return FALSE;

  owner = g_new0 (Owner, 1);
  owner->server = known;
  owner->tool = g_strdup (tool);
  g_hash_table_insert (self->by_name, g_strdup (name), owner);
  *is_new = TRUE;
  return TRUE;
}

void
gmcp_given_names_foreach (GmcpGivenNames *self, GmcpGivenNamesFunc func, gpointer data)
{
  GHashTableIter iter;
  const char *name;
  Owner *owner;

  g_hash_table_iter_init (&iter, self->by_name);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &owner))
    func (name, owner->server, owner->tool, data);
}

typedef struct
{
  GmcpGivenNames *names;
  gboolean changed;
} Merging;

static void
merge_name (const char *name, const char *server, const char *tool, gpointer data)
{
  Merging *merging = data;

  gmcp_given_names_give (merging->names, name, server, tool, &merging->changed);
}

gboolean
gmcp_given_names_merge (GmcpGivenNames *self, GmcpGivenNames *other)
{
  Merging merging = { self, FALSE };

  gmcp_given_names_foreach (other, merge_name, &merging);
  return merging.changed;
}

/* {"version": 1, "servers": {ID: {NAME: TOOL}}} */

/* A name that cannot be read might be given to another tool. */
static gboolean
set_unreadable (const char *server, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("a tool of server “%s” cannot be read; mend the file or remove it"), server);
  return FALSE;
}

static gboolean
read_names (GmcpGivenNames *self, const char *server, GmcpJsonValue names, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;
  gboolean is_new;

  gmcp_json_iter_init (&iter, names);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *tool = gmcp_json_value_dup_string (value);

      if (tool == NULL)
        return set_unreadable (server, error);
      gmcp_given_names_give (self, name, server, tool, &is_new);
    }
  return TRUE;
}

GmcpGivenNames *
gmcp_given_names_parse (GBytes *bytes, GError **error)
{
  g_autoptr (GmcpGivenNames) self = gmcp_given_names_new ();
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue servers, key, value;
  GmcpJsonIter iter;

  if (!gmcp_record_file_parse (bytes, "servers", GMCP_JSON_OBJECT, &doc, &servers, error))
    return NULL;

  gmcp_json_iter_init (&iter, servers);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *server = gmcp_json_value_dup_string (key);

      if (!gmcp_json_value_is_object (value))
        set_unreadable (server, error);
      if (!gmcp_json_value_is_object (value) || !read_names (self, server, value, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

/* The names that each server has, with its own names for the tools (id → name → tool). */
static GHashTable *
sort_by_server (GmcpGivenNames *self)
{
  GHashTable *maps
    = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_hash_table_unref);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->servers);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_insert (maps, key, g_hash_table_new (g_str_hash, g_str_equal));
  g_hash_table_iter_init (&iter, self->by_name);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      Owner *owner = value;

      g_hash_table_insert (g_hash_table_lookup (maps, owner->server), key, owner->tool);
    }
  return maps;
}

GBytes *
gmcp_given_names_write (GmcpGivenNames *self)
{
  g_autoptr (GPtrArray) servers = gmcp_record_list_keys (self->servers);
  g_autoptr (GHashTable) maps = sort_by_server (self);
  GmcpJsonWriter writer = gmcp_record_file_begin (g_string_new (NULL), 1, "servers");

  gmcp_json_writer_begin_object (&writer);
  for (guint i = 0; i < servers->len; i++)
    {
      const char *id = g_ptr_array_index (servers, i);

      gmcp_json_writer_key (&writer, id);
      gmcp_record_map_write (g_hash_table_lookup (maps, id), &writer);
    }
  gmcp_json_writer_end_object (&writer);
  return gmcp_record_file_end (&writer);
}
