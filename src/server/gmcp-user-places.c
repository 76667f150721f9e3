/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-user-places-private.h"

struct _GmcpUserPlaces
{
  GHashTable *counts; /* name → number of places, of those who have any */
  guint n_unnamed;
  guint n_all;
};

GmcpUserPlaces *
gmcp_user_places_new (void)
{
  GmcpUserPlaces *self = g_new0 (GmcpUserPlaces, 1);

  self->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
gmcp_user_places_free (GmcpUserPlaces *self)
{
  g_hash_table_unref (self->counts);
  g_free (self);
}

guint
gmcp_user_places_get_n_of (GmcpUserPlaces *self, const char *user)
{
  return user != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, user))
                      : self->n_unnamed;
}

static guint
find_most (GmcpUserPlaces *self)
{
  guint most = self->n_unnamed;
  GHashTableIter iter;
  gpointer count;

  g_hash_table_iter_init (&iter, self->counts);
  while (g_hash_table_iter_next (&iter, NULL, &count))
    most = MAX (most, GPOINTER_TO_UINT (count));
  return most;
}

static void
set_count (GmcpUserPlaces *self, const char *user, guint count)
{
  if (user == NULL)
    self->n_unnamed = count;
  else if (count == 0)
    g_hash_table_remove (self->counts, user);
  else
    g_hash_table_insert (self->counts, g_strdup (user), GUINT_TO_POINTER (count));
}

void
gmcp_user_places_take (GmcpUserPlaces *self, const char *user)
{
  set_count (self, user, gmcp_user_places_get_n_of (self, user) + 1);
  self->n_all++;
}

void
gmcp_user_places_leave (GmcpUserPlaces *self, const char *user)
{
  guint count = gmcp_user_places_get_n_of (self, user);

  g_return_if_fail (count > 0);

  set_count (self, user, count - 1);
  self->n_all--;
}

guint
gmcp_user_places_get_n (GmcpUserPlaces *self)
{
  return self->n_all;
}

GmcpPlaceGiver
gmcp_user_places_find_giver (GmcpUserPlaces *self, const char *user)
{
  guint own = gmcp_user_places_get_n_of (self, user);
  guint most = find_most (self);

  return (GmcpPlaceGiver){ .n_places = most, .is_user = own == most, .gives_used = most > own + 1 };
}

gboolean
gmcp_user_places_is_giver (GmcpUserPlaces *self,
                           const GmcpPlaceGiver *giver,
                           const char *holder,
                           const char *user)
{
  return giver->is_user ? g_strcmp0 (holder, user) == 0
                        : gmcp_user_places_get_n_of (self, holder) == giver->n_places;
}
