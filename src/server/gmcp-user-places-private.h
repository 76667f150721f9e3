/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many of the places that there are for all users each of them has, so that nobody can keep the others out: where none is
 * free, whoever has the most gives one up. NULL is a user, too: the one who has no name. */
typedef struct _GmcpUserPlaces GmcpUserPlaces;

GmcpUserPlaces *gmcp_user_places_new (void);
void gmcp_user_places_free (GmcpUserPlaces *self);

void gmcp_user_places_take (GmcpUserPlaces *self, const char *user);
void gmcp_user_places_leave (GmcpUserPlaces *self, const char *user);

guint gmcp_user_places_get_n_of (GmcpUserPlaces *self, const char *user);
/* Of all users. */
guint gmcp_user_places_get_n (GmcpUserPlaces *self);

/* Who gives up a place for the user: those who have the most, or the user itself, if nobody has more. */
typedef struct
{
  guint n_places;      /* of those who have the most */
  gboolean is_user;    /* the user is one of them */
  gboolean gives_used; /* also a place that is in use: they have no less then than the user */
} GmcpPlaceGiver;

GmcpPlaceGiver gmcp_user_places_find_giver (GmcpUserPlaces *self, const char *user);
gboolean gmcp_user_places_is_giver (GmcpUserPlaces *self,
                                    const GmcpPlaceGiver *giver,
                                    const char *holder,
                                    const char *user);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpUserPlaces, gmcp_user_places_free)

G_END_DECLS
