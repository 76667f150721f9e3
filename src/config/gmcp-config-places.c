/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-places-private.h"

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-report-private.h"
#include "gmcp-settings-path-private.h"

typedef struct
{
  guint line;
  char *path;
} Place;

struct _GmcpConfigPlaces
{
  gatomicrefcount ref_count;
  gboolean of_settings;
  char *file;
  Place entry;
  GHashTable *values; /* PROPERTY, or PROPERTY and ELEMENT with a line feed between them → Place */
  guint n_command_words;
  gboolean is_command_list;
};

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->path);
  g_free (place);
}

GmcpConfigPlaces *
gmcp_config_places_new (const char *file, guint line, const char *path)
{
  GmcpConfigPlaces *self = g_new0 (GmcpConfigPlaces, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->file = g_strdup (file);
  self->entry.line = line;
  self->entry.path = g_strdup (path);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, place_free);
  self->n_command_words = 1;
  return self;
}

GmcpConfigPlaces *
gmcp_config_places_new_of_settings (const char *id)
{
  g_autofree char *path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", NULL);
  GmcpConfigPlaces *self = gmcp_config_places_new (NULL, 0, path);

  self->of_settings = TRUE;
  return self;
}

GmcpConfigPlaces *
gmcp_config_places_ref (GmcpConfigPlaces *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_config_places_unref (GmcpConfigPlaces *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->values);
  g_free (self->entry.path);
  g_free (self->file);
  g_free (self);
}

static char *
make_key (const char *property, const char *element)
{
  return element != NULL ? g_strconcat (property, "\n", element, NULL) : g_strdup (property);
}

void
gmcp_config_places_set (GmcpConfigPlaces *self,
                        const char *property,
                        const char *element,
                        guint line,
                        const char *path)
{
  Place *place = g_new0 (Place, 1);

  place->line = line;
  place->path = g_strdup (path);
  g_hash_table_replace (self->values, make_key (property, element), place);
}

void
gmcp_config_places_set_command (GmcpConfigPlaces *self, guint n_words, gboolean is_list)
{
  self->n_command_words = n_words;
  self->is_command_list = is_list;
}

static GmcpConfigPlace *
make_place (GmcpConfigPlaces *self, const Place *place, char *path)
{
  GmcpConfigPlace *found = gmcp_config_place_new (self->file, place->line, path);

  g_free (path);
  return found;
}

/* Where nothing stands, what would stand there, as JSON is spelled. */
static GmcpConfigPlace *
give_missing (GmcpConfigPlaces *self, const char *property)
{
  g_autofree char *key = NULL;

  if (self->of_settings)
    return make_place (
      self, &self->entry,
      g_strconcat (self->entry.path, g_str_equal (property, "argv") ? "command" : property, NULL));

  if (g_str_equal (property, "argv"))
    key = g_strdup ("args");
  else if (g_str_equal (property, "environment"))
    key = g_strdup ("env");
  else
    key = gmcp_config_key_to_camel (property);
  return make_place (self, &self->entry, gmcp_config_path_join (self->entry.path, key));
}

GmcpConfigPlace *
gmcp_config_places_find (GmcpConfigPlaces *self, const char *property)
{
  const Place *place = property != NULL ? g_hash_table_lookup (self->values, property) : NULL;

  if (property == NULL)
    return make_place (self, &self->entry, g_strdup (self->entry.path));
  if (place != NULL)
    return make_place (self, place, g_strdup (place->path));
  if (g_str_equal (property, "argv") && g_hash_table_contains (self->values, "command"))
    return gmcp_config_places_find (self, "command");
  return give_missing (self, property);
}

GmcpConfigPlace *
gmcp_config_places_find_element (GmcpConfigPlaces *self, const char *property, const char *element)
{
  g_autofree char *key = make_key (property, element);
  const Place *place = g_hash_table_lookup (self->values, key);
  g_autoptr (GmcpConfigPlace) whole = NULL;
  const Place parent = { 0 };

  if (place != NULL)
    return make_place (self, place, g_strdup (place->path));

  whole = gmcp_config_places_find (self, property);
  if (self->of_settings)
    return g_steal_pointer (&whole);
  place = g_hash_table_lookup (self->values, property);
  return make_place (self, place != NULL ? place : &parent,
                     gmcp_config_path_join (whole->key_path, element));
}

/* The words of a command come first, and may all stand in one text. */
GmcpConfigPlace *
gmcp_config_places_find_word (GmcpConfigPlaces *self, const char *property, guint index)
{
  gboolean is_argv = g_str_equal (property, "argv");
  gboolean of_command = is_argv && !self->of_settings && index < self->n_command_words;
  g_autoptr (GmcpConfigPlace) whole
    = gmcp_config_places_find (self, of_command ? "command" : property);
  g_autofree char *element = g_strdup_printf ("%u", index);
  g_autofree char *key = make_key (property, element);
  const Place *place = g_hash_table_lookup (self->values, key);
  g_autofree char *path = NULL;

  if (place != NULL)
    return make_place (self, place, g_strdup (place->path));
  if (of_command && !self->is_command_list)
    return g_steal_pointer (&whole);

  if (is_argv && !self->of_settings && !of_command)
    index -= self->n_command_words;
  path = g_strdup_printf ("%s[%u]", whole->key_path, index);
  return gmcp_config_place_new (whole->file, whole->line, path);
}
