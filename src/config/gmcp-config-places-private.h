/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-policy-data-private.h"

G_BEGIN_DECLS

/* Where each value of one server stands, spelled as it is written there: for whatever is to be said of a
 * value after the file was read. Immutable once the entry was read. */

typedef struct _GmcpConfigPlaces GmcpConfigPlaces;

/* The places of an entry of a file (file is nullable), or of a server in the settings. */
GmcpConfigPlaces *gmcp_config_places_new (const char *file, guint line, const char *path);
GmcpConfigPlaces *gmcp_config_places_new_of_settings (const char *id);
GmcpConfigPlaces *gmcp_config_places_ref (GmcpConfigPlaces *self);
void gmcp_config_places_unref (GmcpConfigPlaces *self);

/* The value of a property of GmcpServerConfig, or of one element of it: NAME of a variable or header. */
void gmcp_config_places_set (GmcpConfigPlaces *self,
                             const char *property,
                             const char *element,
                             guint line,
                             const char *path);
/* How many words of "argv" the key of the command has, and whether it has them as a list. */
void gmcp_config_places_set_command (GmcpConfigPlaces *self, guint n_words, gboolean is_list);

/* NULL for property is the entry itself. */
GmcpConfigPlace *gmcp_config_places_find (GmcpConfigPlaces *self, const char *property);
GmcpConfigPlace *
gmcp_config_places_find_element (GmcpConfigPlaces *self, const char *property, const char *element);
GmcpConfigPlace *
gmcp_config_places_find_word (GmcpConfigPlaces *self, const char *property, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigPlace, gmcp_config_place_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigPlaces, gmcp_config_places_unref)

G_END_DECLS
