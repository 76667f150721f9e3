/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "gmcp-config-document-private.h"

G_BEGIN_DECLS

/* One entry of a map in a text that a person or another program wrote, such as that of the servers in its
 * configuration: it is set, or taken out. All else stays as it is, byte for byte, comments among it, and the new text
 * was read again to see that. */

/* Which entry of which map, below the root. */
typedef struct
{
  GmcpConfigFormat format;
  const char *map_key;
  const char *name;
} GmcpMapPlace;

/* Whether a text holds nothing, and so is an empty map in every format. */
gboolean gmcp_map_edit_is_blank (const char *text, gsize length);

/* Gives the text with the entry as it is to be, in the place of the one that is there, or else at the end. NULL for
 * text is no file; a blank text is an empty map. Fails with GMCP_ERROR_INVALID_CONFIG where the text cannot be read, or
 * something would get lost. */
char *gmcp_map_edit_set (const GmcpMapPlace *place,
                         const char *text,
                         gsize length,
                         JsonObject *entry,
                         GError **error);
/* Gives the text without the entry, whose map stays. */
char *
gmcp_map_edit_remove (const GmcpMapPlace *place, const char *text, gsize length, GError **error);

/* The entry as it stands there; NULL where there is none, and where it is no object. */
JsonObject *gmcp_map_edit_dup_entry (const GmcpMapPlace *place, GmcpConfigDocument *document);

/* One a format: entry is NULL where it is taken out. What the text then reads as is for the caller to see. */
char *gmcp_map_edit_json (const GmcpMapPlace *place,
                          const char *text,
                          gsize length,
                          JsonObject *entry,
                          GError **error);
char *gmcp_map_edit_yaml (const GmcpMapPlace *place,
                          const char *text,
                          gsize length,
                          JsonObject *entry,
                          GError **error);
char *gmcp_map_edit_toml (const GmcpMapPlace *place,
                          const char *text,
                          gsize length,
                          JsonObject *entry,
                          GError **error);

/* FALSE with the error for an entry that does not stand where it can be changed. */
gboolean gmcp_map_edit_refuse (const GmcpMapPlace *place, GError **error);
gboolean gmcp_map_edit_refuse_comments (const GmcpMapPlace *place, GError **error);

G_END_DECLS
