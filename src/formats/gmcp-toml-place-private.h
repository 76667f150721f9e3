/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-toml-private.h"

G_BEGIN_DECLS

/* Where something stands in a TOML text, so that it can be changed there and all else stays as it is. Offsets are in
 * bytes. */

typedef struct
{
  GPtrArray *table; /* of char *: the keys of the header that a pair stands below; NULL for none */
  GPtrArray *keys;  /* of char *: its own */
  gsize start;      /* of its first line */
  gsize end;        /* behind its last line */
  gboolean is_header; /* else a pair */
} GmcpTomlPlace;

void gmcp_toml_place_free (gpointer place);
/* Whether its path from the root begins with the keys. */
gboolean gmcp_toml_place_is_below (const GmcpTomlPlace *place, const char *const *keys);

/* Every header and every pair, in order; not what stands within the value of a pair. NULL with an error where the text
 * cannot be read. */
GPtrArray *gmcp_toml_list_places (const char *text, gsize length, GError **error);

/* For the reader: what it has just read the keys of. */
void gmcp_toml_add_place (GmcpTomlReader *reader, gboolean is_header, gsize start, gsize end);

G_END_DECLS
